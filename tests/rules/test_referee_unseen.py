"""The referee without pixels: throws of which one die, or none, was seen, and what they must have been."""

from dataclasses import replace

import pytest

from rules import decisions as de
from rules import events as ev
from rules.commands import Decided
from rules.position import START, Player, Position
from rules.reading import CubePlace, CubeReading, DieState
from rules.rehearsal import LEFT_HALF, Table, die, moved, reading, roll, types

WHITE, BLACK = Player
OFFERED_BY_WHITE = CubeReading(2, CubePlace.TOP, offered=True, confidence=0.99)
BESIDE_LEFT = (LEFT_HALF[0] + 0.1, 0.5)


def voided(events: list[ev.Event]) -> list[str]:
    return [event.reason for event in events if isinstance(event, ev.RollVoided)]


@pytest.mark.parametrize("state", [DieState.ON_CHECKER, DieState.OFF_BOARD])
def test_where_a_die_lies_is_plain_though_its_number_is_not(table: Table, state: DieState) -> None:
    second = die(2, BESIDE_LEFT, state, 0.4)
    assert voided(table.see(reading(table.board, die(4, LEFT_HALF), second))) == [state.value]


def test_how_a_die_leans_is_not_plain(table: Table) -> None:
    second = die(2, BESIDE_LEFT, DieState.COCKED, 0.4)
    assert table.see(reading(table.board, die(4, LEFT_HALF), second)) == []


def test_what_lay_on_a_checker_before_the_throw_is_no_die(table: Table) -> None:
    print_on_it = die(2, BESIDE_LEFT, DieState.ON_CHECKER, 0.4)
    lay = reading(table.board, print_on_it)
    assert table.see(lay, reading(table.board, die(4, LEFT_HALF), print_on_it)) == []


def test_two_dice_make_up_for_each_other(table: Table) -> None:
    both = tuple(replace(one, confidence=0.46) for one in roll(4, 2, LEFT_HALF))
    assert types(table.see(reading(table.board, *both))) == ["Rolled"]


def test_two_dice_that_are_hardly_seen_are_waited_for(table: Table) -> None:
    both = tuple(replace(one, confidence=0.4) for one in roll(4, 2, LEFT_HALF))
    assert table.see(reading(table.board, *both)) == []


def test_two_hinges_are_no_throw(table: Table) -> None:
    hinges = tuple(die(2, (0.5, y), DieState.OFF_BOARD, 0.66) for y in (0.2, 0.8))
    assert table.see(reading(table.board, *hinges)) == []


def test_hinges_of_a_match_that_goes_on_are_known_from_its_first_picture() -> None:
    table, hinges = Table(), tuple(die(2, (0.5, y), DieState.OFF_BOARD, 0.9) for y in (0.2, 0.8))
    table.stand(START, WHITE)
    assert table.see(reading(START, *hinges)) == []
    assert types(table.see(reading(START, *roll(4, 2), *hinges))) == ["Rolled"]


def test_a_die_that_was_read_otherwise_first_may_have_been_that(table: Table) -> None:
    """It is sure of its second number, and the play is one of the first."""
    board, (first, second) = table.board, roll(5, 5, LEFT_HALF)
    table.see(reading(board, first, replace(second, confidence=0.66)))
    after = moved(board, BLACK, "13/8(2) 8/3(2)")
    reread = table.see(reading(after, first, replace(second, pips=4, confidence=0.84)))
    assert types(reread) == ["Rolled"]
    rolled, played = table.see(reading(after))
    assert isinstance(rolled, ev.Rolled)
    assert str(rolled.roll) == "5-5"
    assert isinstance(played, ev.Played)
    assert table.referee.read_before == ()


def test_a_play_that_fits_several_numbers_of_an_unsure_die_is_asked_about() -> None:
    """4-4 was read, and a checker from 9 borne off: it was a 5 or a 6, and nobody has erred."""
    side = {1: 4, 2: 4, 3: 4, 5: 2, 9: 1}
    start = Position(tuple(side.get(k, 0) for k in range(26)), moved(START, BLACK, "24/6(2)").black)
    table = Table()
    table.stand(start, WHITE)
    unsure = replace(die(4, (0.85, 0.5)), confidence=0.66)
    flagged = table.play((die(4), unsure), moved(start, WHITE, "9/off"))[-1]
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("undecided", ())
    assert table.see(reading(moved(start, WHITE, "9/off"))) == []


def test_more_than_a_hand_can_do_is_no_play(table: Table) -> None:
    """Three points that change sides are a light that went on, not an opponent's checkers moved."""
    board = table.board
    swapped = moved(moved(board, BLACK, "13/9 13/11"), WHITE, "13/14(5)")
    flagged = table.play(roll(4, 2, LEFT_HALF), swapped)[-1]
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("undecided", ())


def swapped(position: Position) -> Position:
    """Both sides' back checkers taken for the other's."""
    white, black = list(position.white), list(position.black)
    white[24], white[1], black[24], black[1] = 0, 2, 0, 2
    return Position(tuple(white), tuple(black))


def test_colours_that_are_hard_to_tell_do_not_hide_a_play(table: Table) -> None:
    after = moved(table.board, BLACK, "13/9 13/11")
    unclear = reading(swapped(after), doubt={1: 4.0, 24: 4.0})
    played = table.see(reading(table.board, *roll(4, 2, LEFT_HALF)), unclear)[-1]
    assert isinstance(played, ev.Played)
    assert played.position == after
    assert table.see(unclear) == []


def test_only_other_colours_are_no_illegal_play(table: Table) -> None:
    after = moved(table.board, BLACK, "13/9 13/11")
    flagged = table.play(roll(4, 2, LEFT_HALF), swapped(after))[-1]
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("undecided", ())


def test_an_illegal_play_put_right_where_it_is_hard_to_see() -> None:
    """The hit checker was put away; it comes to the bar, where it is seen badly."""
    table, before = Table(), moved(START, WHITE, "24/20")
    table.stand(before, BLACK)
    hit = moved(before, BLACK, "8/5* 6/5")
    away = moved(hit, WHITE, "bar/off")
    flagged = table.play(roll(3, 1, LEFT_HALF), away)[-2]
    assert isinstance(flagged, ev.PlayFlagged)
    assert flagged.verdict == "illegal"
    seen = reading(hit)
    faint = replace(seen, bar_white=(-4.0, 0.0, *seen.bar_white[2:]))
    (corrected,) = table.see(faint)
    assert isinstance(corrected, ev.PlayCorrected)
    assert corrected.position == hit


def test_an_illegal_play_that_lies_there_still_stays(table: Table) -> None:
    wrong = moved(table.board, BLACK, "13/9 13/10")
    table.play(roll(4, 2, LEFT_HALF), wrong)
    assert table.see(reading(wrong), reading(wrong, doubt={14: 1.0, 15: 1.0})) == []


def test_one_die_and_the_checkers_tell_the_throw(table: Table) -> None:
    """Black's 2 was seen alone, then a 4 and a 2 lie played: white's throw is no wrong half."""
    after = moved(table.board, BLACK, "13/9 13/11")
    table.see(reading(table.board, die(2, LEFT_HALF)), reading(after))
    noted, rolled, played, next_roll = table.see(reading(after, *roll(6, 2)))
    assert isinstance(noted, ev.Noted)
    assert noted.key == "roll_worked_out"
    assert isinstance(rolled, ev.Rolled)
    assert (rolled.player, str(rolled.roll)) == (BLACK, "4-2")
    assert isinstance(played, ev.Played)
    assert isinstance(next_roll, ev.Rolled)
    assert next_roll.player is WHITE


def test_a_die_taken_up_alone_is_called_as_before(table: Table) -> None:
    events = table.see(reading(table.board, die(1, LEFT_HALF)), reading(table.board))
    assert voided(events) == ["one_die"]


def test_what_several_rolls_allow_is_not_written_down(table: Table) -> None:
    after = moved(table.board, BLACK, "13/6")
    recovered, rolled = table.see(reading(after, *roll(6, 2)))
    assert isinstance(recovered, ev.Recovered)
    assert isinstance(rolled, ev.Rolled)


def test_a_double_after_an_unseen_turn_counts(table: Table) -> None:
    after = moved(table.board, BLACK, "13/9 13/11")
    table.see(reading(after))
    events = table.see(reading(after, cube=OFFERED_BY_WHITE))
    assert types(events) == ["Noted", "Rolled", "Played", "CubeOffered"]


def test_an_opening_that_was_not_seen_is_worked_out() -> None:
    table = Table()
    table.see(reading(START))
    after = moved(START, WHITE, "8/4 6/4")
    table.see(reading(after))
    events = table.see(reading(after, *roll(2, 2, LEFT_HALF)))
    assert types(events) == ["Noted", "Rolled", "Played", "Rolled"]
    assert [str(event.roll) for event in events if isinstance(event, ev.Rolled)] == ["4-2", "2-2"]


def test_an_opening_that_is_no_play_is_not_worked_out() -> None:
    table = Table()
    table.see(reading(START))
    moved_about = moved(START, WHITE, "24/20 13/20 6/20")
    events = table.see(reading(moved_about, *roll(2, 2, LEFT_HALF)))
    assert types(events) == ["Asked", "RollVoided"]


def test_a_checker_found_after_a_play_that_was_not_clear_is_believed(table: Table) -> None:
    """No guess lacks one of black's: the one that is seen worst was lost."""
    after = moved(table.board, BLACK, "13/9 13/11")
    lies = reading(moved(after, BLACK, "8/7"), doubt={25 - 7: 3.0, 25 - 8: 3.0})
    (flagged,) = table.see(reading(table.board, *roll(4, 2, LEFT_HALF)), lies)[-1:]
    assert isinstance(flagged, ev.PlayFlagged)
    assert flagged.verdict == "undecided"
    events = table.see(Decided(de.CheckerFound(at_s=0, player=BLACK, to_bar=True)))
    assert types(events) == ["Recovered", "CheckerFound"]
    assert table.board.on_board(BLACK) == 15
    assert table.board.count(BLACK, 25) == 1


def test_a_start_whose_fifth_checkers_cannot_be_seen_is_one_once_dice_are_thrown() -> None:
    short = moved(moved(START, WHITE, "6/off 13/off"), BLACK, "6/off 13/off")
    table = Table()
    assert table.see(reading(short)) == []
    opening = (die(3), die(1, LEFT_HALF))
    assert types(table.see(reading(short, *opening))) == ["GameStarted", "Rolled"]
    assert table.board == START
    after = moved(START, WHITE, "8/5 6/5")
    told = moved(moved(after, WHITE, "13/off"), BLACK, "6/off 13/off")
    assert types(table.see(reading(told))) == ["Played"]
    assert table.board == after


def test_a_start_that_lacks_others_is_none() -> None:
    table = Table()
    assert table.see(reading(moved(START, WHITE, "24/off"), die(3), die(1, LEFT_HALF))) == []


def test_more_checkers_than_there_were_are_nobodys_fault() -> None:
    """One of white's was overlooked; that it is seen now makes his play no illegal one."""
    before = moved(START, WHITE, "13/off")
    lacking = Position((0, *before.white[1:]), before.black)
    table = Table()
    table.stand(lacking, WHITE)
    flagged = table.play(roll(3, 1), moved(START, WHITE, "8/5 6/5"))[-1]
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("undecided", ())
