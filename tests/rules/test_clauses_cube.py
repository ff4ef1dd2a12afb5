"""The cube, clause by clause.

`O` is white, to move unless said otherwise; the numbers are white's points.
"""

import pytest

from rules import events as ev
from rules.cube import Cube
from rules.diagram import read_diagram
from rules.errors import EventError
from rules.events import Win
from rules.match import Phase
from rules.position import Player
from rules.ruleset import CLUB_DE
from rules.scoring import dropped

WHITE, BLACK = Player


def test_r35_either_may_double_first_then_only_the_owner(began, rolled, played, opened):
    board = read_diagram(
        """
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
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    offered = began(*opened, ev.CubeOffered(at_s=0, player=BLACK, value=2), start=board)
    assert (offered.phase, offered.cube) == (Phase.CUBE_OFFERED, Cube(1, None, BLACK))
    taken = (*opened, ev.CubeOffered(at_s=0, player=BLACK, value=2), ev.CubeTaken(at_s=0, player=WHITE, value=2))
    assert began(*taken).cube == Cube(2, WHITE)
    assert began(*taken).turn is BLACK
    play = (rolled(BLACK, "3-1"), played(BLACK, "3-1", "24/23 24/21", began(*taken).position))
    assert began(*taken, *play, ev.CubeOffered(at_s=0, player=WHITE, value=4)).cube.offered_by is WHITE
    with pytest.raises(EventError, match="R35"):
        began(*taken, ev.CubeOffered(at_s=0, player=BLACK, value=4))


def test_r36_only_on_turn_and_before_rolling(began, rolled, opened):
    board = read_diagram(
        """
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
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    with pytest.raises(EventError, match="R36"):
        began(*opened, ev.CubeOffered(at_s=0, player=WHITE, value=2), start=board)
    with pytest.raises(EventError, match="cannot follow in phase to_play"):
        began(*opened, rolled(BLACK, "5-2"), ev.CubeOffered(at_s=0, player=BLACK, value=2))
    with pytest.raises(EventError, match="cannot follow in phase opening"):
        began(ev.CubeOffered(at_s=0, player=WHITE, value=2))


def test_r36_a_cocked_throw_counts_as_thrown(began, opened):
    board = read_diagram(
        """
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
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    cocked = ev.RollVoided(at_s=0, player=BLACK, reason="cocked")
    state = began(*opened, cocked, start=board)
    assert (state.phase, state.turn, state.thrown) == (Phase.TO_ROLL, BLACK, True)
    with pytest.raises(EventError, match="R36"):
        began(*opened, cocked, ev.CubeOffered(at_s=0, player=BLACK, value=2))


def test_r37_r70_a_drop_loses_the_value_before_the_offer(began, opened):
    board = read_diagram(
        """
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
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    dropping = (*opened, ev.CubeOffered(at_s=0, player=BLACK, value=2), ev.CubeDropped(at_s=0, player=WHITE))
    state = began(*dropping, start=board)
    assert dropped(WHITE, state.cube, CLUB_DE, money=False).points == 1
    assert dropped(BLACK, Cube(4, BLACK, WHITE), CLUB_DE, money=False).points == 4
    ended = began(*dropping, ev.GameEnded(at_s=0, winner=BLACK, points=1, win=Win.SINGLE))
    assert (ended.score, ended.phase) == ((0, 1), Phase.BETWEEN_GAMES)


def test_r38_t17_no_number_may_be_skipped(began, opened):
    board = read_diagram(
        """
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
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    with pytest.raises(EventError, match="R38"):
        began(*opened, ev.CubeOffered(at_s=0, player=BLACK, value=4), start=board)


def test_r69_every_game_starts_at_1(began, opened):
    board = read_diagram(
        """
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
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    state = began(
        *opened, ev.GameEnded(at_s=0, winner=WHITE, points=1, win=Win.SINGLE), ev.GameStarted(at_s=0, position=board)
    )
    assert state.cube == Cube(1, None, None)


def test_r52_crawford_for_one_game_only(began, opened):
    board = read_diagram(
        """
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
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    again = ev.GameStarted(at_s=0, position=board)
    four = (*opened, ev.GameEnded(at_s=0, winner=WHITE, points=4, win=Win.SINGLE), again)
    assert began(*four).crawford
    with pytest.raises(EventError, match="R52"):
        began(*four, *opened, ev.CubeOffered(at_s=0, player=BLACK, value=2))
    after = (*four, *opened, ev.GameEnded(at_s=0, winner=BLACK, points=1, win=Win.SINGLE), again)
    assert not began(*after).crawford
    assert began(*after, *opened, ev.CubeOffered(at_s=0, player=BLACK, value=2)).cube.offered_by is BLACK
    assert not began(*four, profile="money").crawford
