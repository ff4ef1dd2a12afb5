"""The referee without pixels: what players and director say, and what follows from it."""

import pytest

from rules import decisions as de
from rules import events as ev
from rules.commands import Decided
from rules.errors import EventError
from rules.match import Phase
from rules.play import parse_play
from rules.position import START, Player, Position, side_of
from rules.rehearsal import LEFT_HALF, Table, moved, reading, roll, types
from rules.roll import Roll

WHITE, BLACK = Player


def test_t16_a_resignation_counts_once_it_is_accepted(table: Table) -> None:
    table.see(Decided(de.ResignationOffered(at_s=0, player=BLACK, win=ev.Win.GAMMON)))
    assert types(table.see(Decided(de.ResignationRefused(at_s=0, player=WHITE)))) == ["ResignationRefused"]
    table.see(Decided(de.ResignationOffered(at_s=0, player=BLACK, win=ev.Win.GAMMON)))
    _, ended = table.see(Decided(de.ResignationAccepted(at_s=0, player=WHITE)))
    assert ended == ev.GameEnded(at_s=ended.at_s, winner=WHITE, points=2, win=ev.Win.GAMMON)
    assert table.match.score == (2, 0)


def test_a_resignation_may_end_the_match() -> None:
    table = Table(length=1)
    table.stand(START, BLACK)
    table.see(Decided(de.ResignationOffered(at_s=0, player=BLACK, win=ev.Win.SINGLE)))
    events = table.see(Decided(de.ResignationAccepted(at_s=0, player=WHITE)))
    assert types(events) == ["ResignationAccepted", "GameEnded", "MatchEnded"]
    assert types(table.see(Decided(de.ResultConfirmed(at_s=0, player=WHITE)))) == ["ResultConfirmed"]


def test_what_cannot_be_so_is_refused_and_changes_nothing(table: Table) -> None:
    before = table.referee
    with pytest.raises(EventError, match="has offered no resignation"):
        table.see(Decided(de.ResignationAccepted(at_s=0, player=WHITE)))
    with pytest.raises(EventError, match="nobody has asked about cube_disputed"):
        table.see(Decided(de.Answered(at_s=0, key="cube_disputed", choice="as it lies")))
    with pytest.raises(EventError, match="nonsens is no irregularity"):
        table.see(Decided(de.Asked(at_s=0, key="nonsens", player=None, text="")))
    assert table.referee == before


def test_r37_a_drop_by_word(table: Table) -> None:
    table.see(Decided(ev.CubeOffered(at_s=0, player=BLACK, value=2)))
    assert types(table.see(Decided(ev.CubeDropped(at_s=0, player=WHITE)))) == ["CubeDropped", "GameEnded"]


@pytest.mark.parametrize(
    ("event", "winner"),
    [
        (de.MatchConceded(at_s=0, player=WHITE), BLACK),
        (de.PenaltyGiven(at_s=0, player=WHITE, points=5, reason="slow"), WHITE),
        (de.ScoreCorrected(at_s=0, score=(1, 5), reason="director"), BLACK),
    ],
)
def test_r45_r58_what_ends_a_match_at_once(table: Table, event: ev.Event, winner: Player) -> None:
    _, ended = table.see(Decided(event))
    assert ended == ev.MatchEnded(at_s=ended.at_s, winner=winner)


def test_a_point_more_does_not_end_a_match(table: Table) -> None:
    assert types(table.see(Decided(de.PenaltyGiven(at_s=0, player=WHITE, points=1, reason="slow")))) == ["PenaltyGiven"]


def test_a_roll_and_a_play_by_hand(table: Table) -> None:
    before, play = table.board, parse_play("13/9 13/11")
    after = moved(before, BLACK, "13/9 13/11")
    table.see(Decided(ev.Rolled(at_s=0, player=BLACK, roll=Roll(4, 2))))
    table.see(Decided(ev.Played(at_s=0, player=BLACK, roll=Roll(4, 2), play=play, position=after)))
    assert (table.board, table.match.turn) == (after, WHITE)


def test_the_last_checker_by_hand_ends_the_game() -> None:
    table = Table()
    last = Position(side_of({24: 1, 1: 4}, 15), side_of({1: 1}, 15))
    table.stand(last, BLACK)
    off = Decided(
        ev.Played(at_s=0, player=BLACK, roll=Roll(4, 2), play=parse_play("1/off"), position=moved(last, BLACK, "1/off"))
    )
    assert types(table.see(off)) == ["Played", "GameEnded"]
    assert table.match.phase is Phase.BETWEEN_GAMES


def test_a_ruling_that_a_play_stands_closes_its_window(table: Table) -> None:
    before = table.board
    table.play(roll(4, 2, LEFT_HALF), moved(before, BLACK, "13/9 13/10"))
    table.see(Decided(de.PlayStands(at_s=0, player=BLACK, reason="director")))
    assert table.see(reading(moved(before, BLACK, "13/9 13/11"))) == []


def test_a_throw_can_be_ruled_void_before_anything_was_seen(table: Table) -> None:
    table.referee = type(table.referee)(table.match, table.referee.setup)
    (voided,) = table.see(Decided(ev.RollVoided(at_s=0, player=BLACK, reason="touched")))
    assert isinstance(voided, ev.RollVoided)
    assert table.match.thrown
