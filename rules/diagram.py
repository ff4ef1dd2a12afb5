"""A board drawn in letters, and read from one: for tests, messages and the console.

WHITE is `O`, BLACK is `X`; the numbers are WHITE's points, his home is at the bottom right. A column
shows up to five checkers, and the number where there are more. Borne-off checkers stand at the right.

     +13-14-15-16-17-18------19-20-21-22-23-24-+
     | X           O    |   | O              X |
     ...
     | O           X    |   | X              O | off O 0 X 0
     +12-11-10--9--8--7-------6--5--4--3--2--1-+
"""

from __future__ import annotations

import re

from rules.errors import PositionError
from rules.position import BAR, CHECKERS, OFF, Player, Position

_ROWS = 5
_TOP_EDGE = "+13-14-15-16-17-18------19-20-21-22-23-24-+"
_BOTTOM_EDGE = "+12-11-10--9--8--7-------6--5--4--3--2--1-+"
_LETTER = {Player.WHITE: "O", Player.BLACK: "X"}
_TOP, _BOTTOM = tuple(range(13, 25)), tuple(range(12, 0, -1))
_LINE = re.compile(r"\|(?P<left>.{18})\|(?P<bar>.{3})\|(?P<right>.{18})\|")
_OFF = re.compile(r"off O (\d+) X (\d+)")


def draw(position: Position) -> str:
    """The board in twelve lines."""
    off = f" off O {position.count(Player.WHITE, OFF)} X {position.count(Player.BLACK, OFF)}"
    top = [_line(position, _TOP, Player.BLACK, row) for row in range(_ROWS)]
    bottom = [_line(position, _BOTTOM, Player.WHITE, row) for row in range(_ROWS)][::-1]
    bottom[-1] += off
    return "\n".join([_TOP_EDGE, *top, *bottom, _BOTTOM_EDGE])


def _line(position: Position, points: tuple[int, ...], on_bar: Player, row: int) -> str:
    cells = [_cell(*_standing(position, point), row) for point in points]
    bar = _cell(_LETTER[on_bar], position.count(on_bar, BAR), row)
    return f"|{''.join(cells[:6])}|{bar}|{''.join(cells[6:])}|"


def _standing(position: Position, point: int) -> tuple[str, int]:
    """Whose checkers stand on WHITE's `point`, and how many."""
    white = position.count(Player.WHITE, point)
    return (
        (_LETTER[Player.WHITE], white) if white else (_LETTER[Player.BLACK], position.count(Player.BLACK, BAR - point))
    )


def _cell(letter: str, n: int, row: int) -> str:
    """Three characters: a checker, nothing, or in the innermost row the number where there are more than fit."""
    if row == _ROWS - 1 and n > _ROWS:
        return f"{n:^3}"
    return f" {letter} " if row < n else "   "


def read_diagram(text: str, checkers: tuple[int, int] = (CHECKERS, CHECKERS)) -> Position:
    """The position that `draw` drew; without the note of borne-off ones they are what is missing from `checkers`.

    Raises:
        PositionError: the text is no such drawing.
    """
    lines = [match for match in map(_LINE.search, text.splitlines()) if match is not None]
    if len(lines) != 2 * _ROWS:
        raise PositionError(f"expected a board of {2 * _ROWS} lines between its edges, got {len(lines)}")
    sides = {Player.WHITE: [0] * 26, Player.BLACK: [0] * 26}
    for half, points, on_bar in ((lines[:_ROWS], _TOP, Player.BLACK), (lines[_ROWS:][::-1], _BOTTOM, Player.WHITE)):
        for k, point in enumerate(points):
            column = [match["left" if k < 6 else "right"][k % 6 * 3 : k % 6 * 3 + 3].strip() for match in half]
            for player, letter in _LETTER.items():
                sides[player][point if player is Player.WHITE else BAR - point] += _counted(column, letter)
        sides[on_bar][BAR] += _counted([match["bar"].strip() for match in half], _LETTER[on_bar])
    note = _OFF.search(text)
    for k, side in enumerate(sides.values()):
        side[OFF] = int(note[k + 1]) if note else checkers[k] - sum(side)
    return Position(tuple(sides[Player.WHITE]), tuple(sides[Player.BLACK]))


def _counted(column: list[str], letter: str) -> int:
    """How many checkers of `letter` a column shows, from the edge inwards."""
    if column[0] != letter:
        return 0
    return int(column[-1]) if column[-1].isdigit() else column.count(letter)
