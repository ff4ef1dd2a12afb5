"""What happens at the table beside the plays, clause by clause.

`O` is white, to move unless said otherwise; the numbers are white's points.
"""

import pytest

from rules import decisions as de
from rules import events as ev
from rules.cube import Cube
from rules.diagram import read_diagram
from rules.errors import EventError
from rules.faults import Fault
from rules.match import Phase
from rules.play import parse_play
from rules.position import BAR, OFF, START, Player, Position, side_of
from rules.roll import Roll
from rules.ruleset import CLUB_DE
from rules.ruling import judge
from rules.scoring import finished
from rules.transcript import moved

WHITE, BLACK = Player


def test_r8_the_opening_is_never_a_double(began, rolled):
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
    with pytest.raises(EventError, match="R8"):
        began(rolled(WHITE, "3-3"), start=board)
    tie = began(ev.RollVoided(at_s=0, player=None, reason="opening_tie"), start=board)
    assert tie.phase is Phase.OPENING
    state = began(ev.RollVoided(at_s=0, player=None, reason="opening_tie"), rolled(BLACK, "6-2"), start=board)
    assert (state.phase, state.turn, state.roll) == (Phase.TO_PLAY, BLACK, Roll(6, 2))


def test_r9_then_each_in_turn(began, opened):
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
    state = began(*opened, start=board)
    assert (state.phase, state.turn) == (Phase.TO_ROLL, BLACK)


def test_r18_r32_an_illegal_play_stands_once_the_window_has_closed(faults, began, rolled):
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
    flagged = ev.PlayFlagged(
        at_s=0,
        player=WHITE,
        roll=Roll(3, 1),
        verdict="illegal",
        faults=("both_dice_playable",),
        explanation="",
        position=moved(board, WHITE, parse_play("8/5")),
    )
    state = began(rolled(WHITE, "3-1"), flagged, rolled(BLACK, "5-2"), de.PlayStands(at_s=0, player=WHITE), start=board)
    assert state.games[-1].turns[-1].stands
    assert state.position.count(WHITE, 5) == 1
    right = parse_play("8/5 6/5")
    corrected = ev.PlayCorrected(at_s=0, player=WHITE, roll=Roll(3, 1), play=right, position=moved(board, WHITE, right))
    state = began(rolled(WHITE, "3-1"), flagged, corrected, start=board)
    assert state.games[-1].turns[-1].verdict == "legal"
    assert (state.position.count(WHITE, 5), state.turn) == (2, BLACK)


def test_r29_a_wrong_set_up_is_put_right(began, opened):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        | O           X    |   | X              O |
        | O           X    |   | X              O |
        | O           X    |   | X                |
        | O                |   | X                |
        | O                |   | X                |
        | X                |   |                  |
        | X           O    |   | O                |
        | X           O    |   | O                |
        | X           O    |   | O              X |
        | X           O    |   | O              X | off O 0 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    state = began(de.SetupCorrected(at_s=0, position=START), start=board)
    assert state.position == state.games[0].start == START
    later = began(*opened, de.SetupCorrected(at_s=0, position=board))
    assert (later.position, later.games[0].start) == (board, START)


def test_r30_the_cube_counts_as_it_lies(began, opened):
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
    state = began(*opened, de.CubeCorrected(at_s=0, value=4, owner=BLACK, reason="R30"), start=board)
    assert state.cube == Cube(4, BLACK)


def test_r33_a_found_checker_goes_to_the_bar_or_stays_out(began, rolled):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        | O           X    |   | X              O |
        | O           X    |   | X                |
        | O           X    |   | X                |
        | O                |   | X                |
        | O                |   | X                |
        | X                |   | O                |
        | X                |   | O                |
        | X           O    |   | O                |
        | X           O    |   | O              X |
        | X           O    |   | O              X | off O 1 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    entered = began(rolled(WHITE, "2-1"), de.CheckerFound(at_s=0, player=WHITE, to_bar=True), start=board)
    assert (entered.position.count(WHITE, BAR), entered.position.count(WHITE, OFF), entered.lost) == (1, 0, (0, 0))
    state = began(rolled(WHITE, "2-1"), de.CheckerFound(at_s=0, player=WHITE, to_bar=False), start=board)
    assert (state.position.total(WHITE), state.lost) == (14, (1, 0))
    with pytest.raises(EventError, match="R33"):
        began(rolled(WHITE, "2-1"), de.CheckerFound(at_s=0, player=BLACK, to_bar=True), start=board)


def test_r33_all_means_14_for_who_plays_with_14(plays, faults):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   | O  X             |
        |                  |   | O  X             | off O 13 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    short = Position(side_of({6: 2}, 14), board.black)
    assert plays(short, "6-5") == {"6/off 6/1"}
    won = Position(side_of({}, 14), board.black)
    assert finished(won, Cube(), CLUB_DE, money=False) is not None
    missing = Position(side_of({6: 1}, 13), board.black)
    assert Fault.CHECKER_COUNT in judge(short, WHITE, Roll(6, 5), missing).faults


def test_t10_a_closed_out_side_need_not_throw(began, rolled, played):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        | O                | X |                X |
        | O                |   |                X |
        | O                |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   | O  O  O  O  O  O |
        |                  |   | O  O  O  O  O  O | off O 0 X 12
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    state = began(rolled(WHITE, "2-1"), played(WHITE, "2-1", "13/11 13/12", board), rolled(WHITE, "6-5"), start=board)
    assert (state.turn, state.roll) == (WHITE, Roll(6, 5))


def test_r10_r11_an_invalid_throw_is_thrown_again_by_the_same_player(began, rolled, played, opened):
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
    for reason in ("wrong_half", "cocked", "on_checker"):
        voided = ev.RollVoided(at_s=0, player=BLACK, reason=reason)
        state = began(*opened, rolled(BLACK, "5-2"), voided, start=board)
        assert (state.phase, state.turn, state.roll, state.games[-1].turns[1:]) == (Phase.TO_ROLL, BLACK, None, ())
        again = began(*opened, voided, rolled(BLACK, "6-5"), start=board)
        assert (again.phase, again.roll) == (Phase.TO_PLAY, Roll(6, 5))
        after = began(*opened, voided, rolled(BLACK, "6-5"), played(BLACK, "6-5", "24/13", again.position))
        assert not after.thrown
