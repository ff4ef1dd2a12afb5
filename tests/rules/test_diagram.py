"""Boards drawn in letters."""

import pytest

from rules.diagram import draw, read_diagram
from rules.errors import PositionError
from rules.position import START, Position, side_of

DRAWN = """\
+13-14-15-16-17-18------19-20-21-22-23-24-+
| O           X    |   | X              O |
| O           X    |   | X              O |
| O           X    |   | X                |
| O                |   | X                |
| O                |   | X                |
| X                |   | O                |
| X                |   | O                |
| X           O    |   | O                |
| X           O    |   | O              X |
| X           O    |   | O              X | off O 0 X 0
+12-11-10--9--8--7-------6--5--4--3--2--1-+"""


def test_the_start() -> None:
    assert draw(START) == DRAWN
    assert read_diagram(DRAWN) == START


def test_more_than_fit_bars_and_off() -> None:
    position = Position(side_of({25: 1, 6: 12}, 15), side_of({25: 7, 3: 5}, 15))
    drawn = draw(position)
    assert "12 " in drawn
    assert "off O 2 X 3" in drawn
    assert read_diagram(drawn) == position
    assert read_diagram(drawn.replace("off", "   "), (15, 15)) == position
    assert read_diagram(drawn.replace("off", "   "), (13, 12)).white[0] == 0


def test_no_board() -> None:
    with pytest.raises(PositionError, match="expected a board of 10 lines between its edges, got 0"):
        read_diagram("hello")
