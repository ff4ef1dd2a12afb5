"""The referee without pixels: the cube, the end of a game and of the match."""

from dataclasses import replace

import pytest

from rules import decisions as de
from rules import events as ev
from rules.commands import Decided
from rules.cube import Cube
from rules.match import Phase
from rules.position import START, Player, Position, side_of
from rules.reading import CubePlace, CubeReading, DieState, Reading
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, Table, die, moved, reading, roll, types

WHITE, BLACK = Player
LAST_CHECKER = Position(side_of({24: 1, 1: 4}, 15), side_of({1: 1}, 15))
"""Black has one checker left, on his ace point."""


def cube(value: int | None, where: CubePlace, *, offered: bool = False) -> CubeReading:
    return CubeReading(value, where, offered, 0.9)


def test_r38_the_cube_on_the_opponents_half_is_an_offer_and_in_his_slot_a_take(table: Table) -> None:
    board = table.board
    (offer,) = table.see(reading(board, cube=cube(2, CubePlace.BOTTOM, offered=True)))
    assert offer == ev.CubeOffered(at_s=offer.at_s, player=BLACK, value=2)
    assert table.see(reading(board, cube=cube(2, CubePlace.BOTTOM, offered=True))) == []
    (take,) = table.see(reading(board, cube=cube(2, CubePlace.BOTTOM)))
    assert take == ev.CubeTaken(at_s=take.at_s, player=WHITE, value=2)
    assert table.match.cube == Cube(2, WHITE)
    assert table.match.turn is BLACK


def test_r37_a_drop_is_seen_by_the_new_game_and_loses_the_value_before(table: Table) -> None:
    board = table.board
    table.see(reading(board, cube=cube(2, CubePlace.BOTTOM, offered=True)))
    events = table.see(reading(START, cube=cube(64, CubePlace.OUTSIDE)))
    assert types(events) == ["CubeDropped", "GameEnded", "GameStarted"]
    assert table.match.score == (0, 1)


@pytest.mark.parametrize(
    "offer",
    [
        cube(2, CubePlace.TOP, offered=True),
        cube(4, CubePlace.BOTTOM, offered=True),
        cube(None, CubePlace.BOTTOM, offered=True),
        cube(2, CubePlace.BOTTOM),
    ],
    ids=["own half", "number skipped", "unreadable", "not on the board"],
)
def test_what_is_no_offer(table: Table, offer: CubeReading) -> None:
    assert "CubeOffered" not in types(table.see(reading(table.board, cube=offer)))
    assert table.match.cube == Cube()


def asked(table: Table, *readings: Reading) -> list[tuple[str, Player | None]]:
    """What is asked, and about whom."""
    return [(one.key, one.player) for one in table.see(*readings) if isinstance(one, de.Asked)]


def test_r36_no_offer_after_the_throw(table: Table) -> None:
    offer = cube(2, CubePlace.BOTTOM, offered=True)
    board = table.board
    assert types(table.see(reading(board, *roll(4, 2, LEFT_HALF), cube=offer))) == ["Rolled"]
    assert asked(table, reading(board, *roll(4, 2, LEFT_HALF), cube=offer)) == [("double_too_late", BLACK)]


def test_r36_no_offer_after_a_throw_that_did_not_count(table: Table) -> None:
    assert types(table.see(reading(table.board, *roll(4, 2, LEFT_HALF, DieState.COCKED)))) == ["RollVoided"]
    late = reading(table.board, cube=cube(2, CubePlace.BOTTOM, offered=True))
    assert asked(table, late, late) == [("double_too_late", BLACK)]


def test_r35_t17_an_offer_that_cannot_be_is_asked_about_and_nothing_else(table: Table) -> None:
    board = table.board
    assert asked(table, reading(board, cube=cube(2, CubePlace.TOP, offered=True))) == [("double_too_late", WHITE)]
    assert asked(table, reading(board, cube=cube(4, CubePlace.BOTTOM, offered=True))) == [("cube_skipped", BLACK)]
    table.tell(de.CubeCorrected(at_s=0, value=2, owner=WHITE, reason="R30"))
    offered = reading(board, cube=cube(4, CubePlace.BOTTOM, offered=True))
    assert asked(table, offered) == [("double_by_non_owner", BLACK)]
    table.tell(de.CubeCorrected(at_s=0, value=64, owner=BLACK, reason="R30"))
    assert asked(table, reading(board, cube=cube(2, CubePlace.BOTTOM, offered=True))) == [("cube_past_64", BLACK)]
    assert asked(table, reading(board, cube=replace(offered.cube or cube(2, CubePlace.BAR), confidence=0.7))) == []


def test_t17_a_throw_after_an_offer_means_it_was_taken(table: Table) -> None:
    offer = cube(2, CubePlace.BOTTOM, offered=True)
    table.see(reading(table.board, cube=offer))
    events = table.see(reading(table.board, *roll(4, 2, LEFT_HALF), cube=offer))
    assert types(events) == ["CubeTaken", "Asked", "Rolled"]
    assert table.match.cube == Cube(2, WHITE)
    assert [one.key for one in table.match.questions] == ["cube_forgotten"]
    table.tell(de.CubeCorrected(at_s=0, value=2, owner=WHITE, reason="R30"))
    assert table.match.questions == ()


def test_r31_an_eight_in_the_middle_goes_to_the_director(table: Table) -> None:
    board = table.board
    for good in (
        cube(64, CubePlace.BAR),
        cube(1, CubePlace.BAR),
        cube(None, CubePlace.BAR),
        cube(8, CubePlace.OUTSIDE),
    ):
        assert asked(table, reading(board, cube=good), reading(board, cube=good)) == []
    nonsense = reading(board, cube=cube(8, CubePlace.BAR))
    assert asked(table, nonsense) == []
    assert asked(table, nonsense, nonsense) == [("nonsense", None)]


def test_r30_a_cube_that_lies_otherwise_than_recorded_is_asked_about(table: Table) -> None:
    board = table.board
    table.tell(de.CubeCorrected(at_s=0, value=2, owner=WHITE, reason="R30"))
    good = reading(board, cube=cube(2, CubePlace.BOTTOM))
    assert asked(table, good, good) == []
    wrong = reading(board, cube=cube(4, CubePlace.BOTTOM))
    assert asked(table, wrong, wrong, wrong) == [("cube_disputed", None)]
    table.see(Decided(de.CubeCorrected(at_s=0, value=4, owner=WHITE, reason="R30")))
    assert (table.match.cube, table.match.questions) == (Cube(4, WHITE), ())


def test_a_double_closes_the_window_where_the_profile_says_so() -> None:
    table = Table(profile="ukbgf")
    table.see(reading(START), reading(START, die(3, RIGHT_HALF), die(1, LEFT_HALF)))
    wrong = moved(START, WHITE, "8/5 6/4")
    table.see(reading(wrong))
    events = table.see(reading(wrong, cube=cube(2, CubePlace.BOTTOM, offered=True)))
    assert types(events) == ["PlayStands", "CubeOffered"]


def test_r34_r39_the_last_checker_off_ends_the_game_at_the_cubes_value() -> None:
    table = Table()
    table.stand(LAST_CHECKER, BLACK)
    table.tell(de.CubeCorrected(at_s=0, value=2, owner=WHITE, reason="R30"))
    played, ended = table.play(roll(4, 2, LEFT_HALF), moved(LAST_CHECKER, BLACK, "1/off"))[1:]
    assert isinstance(played, ev.Played)
    assert ended == ev.GameEnded(at_s=2, winner=BLACK, points=2, win=ev.Win.SINGLE)


def test_the_match_ends_with_the_game_that_reaches_its_length() -> None:
    table = Table()
    table.stand(LAST_CHECKER, BLACK)
    table.tell(de.ScoreCorrected(at_s=0, score=(0, 4), reason="director"))
    events = table.play(roll(4, 2, LEFT_HALF), moved(LAST_CHECKER, BLACK, "1/off"))
    assert types(events) == ["Rolled", "Played", "GameEnded", "MatchEnded"]
    assert table.see(reading(START, *roll(4, 2, LEFT_HALF))) == []
    assert table.match.phase is Phase.MATCH_OVER
