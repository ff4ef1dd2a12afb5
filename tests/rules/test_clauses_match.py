"""The match, clause by clause.

`O` is white, to move unless said otherwise; the numbers are white's points.
"""

import pytest

from rules import decisions as de
from rules import events as ev
from rules.diagram import read_diagram
from rules.errors import EventError
from rules.events import Win
from rules.game import apply
from rules.match import MatchState, Phase
from rules.position import START, Player

WHITE, BLACK = Player


def test_r45_a_conceded_match_is_final_once_official(began, opened):
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
    state = began(*opened, de.MatchConceded(at_s=0, player=BLACK), start=board)
    assert (state.phase, state.conceded_by) == (Phase.MATCH_OVER, BLACK)
    back = began(*opened, de.MatchConceded(at_s=0, player=BLACK), de.ConcessionWithdrawn(at_s=0, player=BLACK))
    assert (back.phase, back.turn, back.conceded_by) == (Phase.TO_ROLL, BLACK, None)
    with pytest.raises(EventError, match="R45"):
        began(*opened, de.ConcessionWithdrawn(at_s=0, player=BLACK))
    official = (*opened, de.MatchConceded(at_s=0, player=BLACK), de.ResultOfficial(at_s=0))
    assert began(*official).official
    with pytest.raises(EventError, match="R45"):
        began(*official, de.ConcessionWithdrawn(at_s=0, player=BLACK))
    assert began(*official, ev.Noted(at_s=0, key="x", text="y")).official


def test_r46_both_confirm_the_result(began, opened):
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
    ended = (*opened, ev.GameEnded(at_s=0, winner=WHITE, points=1, win=Win.SINGLE))
    one = began(*ended, de.ResultConfirmed(at_s=0, player=WHITE), start=board)
    both = began(*ended, de.ResultConfirmed(at_s=0, player=WHITE), de.ResultConfirmed(at_s=1, player=BLACK))
    assert (one.confirmed_by, both.confirmed_by) == ({WHITE}, {WHITE, BLACK})
    following = began(*ended, de.ResultConfirmed(at_s=0, player=WHITE), ev.GameStarted(at_s=2, position=START))
    assert following.confirmed_by == set()


def test_r55_r57_a_penalty_point_goes_to_the_opponent_at_once(began, opened):
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
    state = began(*opened, de.PenaltyGiven(at_s=0, player=WHITE, points=1, reason="slow"), start=board)
    assert (state.score, state.phase, state.turn) == ((1, 0), Phase.TO_ROLL, BLACK)


def test_r58_a_penalty_point_may_end_the_match_and_crawford_waits_for_the_next_game(began, opened):
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
    four = [de.PenaltyGiven(at_s=k, player=WHITE, points=1, reason="late") for k in range(4)]
    state = began(*opened, *four, start=board)
    assert (state.score, state.crawford) == ((4, 0), False)
    five = began(*opened, *four, four[0])
    assert (five.score, five.phase) == ((5, 0), Phase.MATCH_OVER)
    put_right = began(*opened, *four, four[0], de.ScoreCorrected(at_s=9, score=(3, 0), reason="director"))
    assert (put_right.score, put_right.phase) == ((3, 0), Phase.TO_ROLL)
    ended = ev.GameEnded(at_s=0, winner=BLACK, points=1, win=Win.SINGLE)
    following = began(*opened, *four, ended, ev.GameStarted(at_s=0, position=board))
    assert following.crawford


def test_t16_a_resignation_is_offered_and_answered(began, opened):
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
    offered = (*opened, de.ResignationOffered(at_s=0, player=BLACK, win=Win.GAMMON))
    assert began(*offered, start=board).resignation == (BLACK, Win.GAMMON)
    assert began(*offered, de.ResignationRefused(at_s=0, player=WHITE)).resignation is None
    accepted = (*offered, de.ResignationAccepted(at_s=0, player=WHITE))
    ended = began(*accepted, ev.GameEnded(at_s=0, winner=WHITE, points=2, win=Win.GAMMON))
    assert (ended.score, ended.resignation) == ((2, 0), None)
    for wrong in (de.ResignationAccepted(at_s=0, player=BLACK), de.ResignationRefused(at_s=0, player=BLACK)):
        with pytest.raises(EventError, match="T16"):
            began(*offered, wrong)
    with pytest.raises(EventError, match="T16"):
        began(*opened, de.ResignationAccepted(at_s=0, player=WHITE))


def test_t18_nothing_is_written_after_the_game_has_ended(began, rolled, opened):
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
    over = (*opened, ev.GameEnded(at_s=0, winner=WHITE, points=1, win=Win.SINGLE))
    with pytest.raises(EventError, match="between_games"):
        began(*over, rolled(BLACK, "2-1"), start=board)


def test_r44_a_match_is_closed_to_spectators_until_it_is_opened_or_another_begins(began):
    closed = apply(began(), de.ViewSet(at_s=1, shown=False))
    assert (began().shown, closed.shown) == (True, False)
    assert apply(closed, de.ViewSet(at_s=2, shown=True)) == began()
    with pytest.raises(EventError, match="ViewSet cannot follow in phase no_match"):
        apply(MatchState(), de.ViewSet(at_s=0, shown=False))
