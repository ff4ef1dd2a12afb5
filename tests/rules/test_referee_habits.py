"""Tall stacks that are miscounted, and points that are taken for the other side's, the same way each time."""

import pytest

from rules.position import START, Player, Position
from rules.referee import Setup
from rules.referee.habits import TALL, Habit, corrected, learned, understood
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, Table, die, moved, reading, roll, types

WHITE, BLACK = Player


def stacked(seven: int = 7) -> Position:
    """White has so many on his ace point and the rest of seven off; black is on his bar point and his 8."""
    white = {1: seven, 0: 7 - seven, 2: 4, 3: 4}
    black = {7: 8, 8: 7}
    return Position(tuple(white.get(k, 0) for k in range(26)), tuple(black.get(k, 0) for k in range(26)))


def test_only_tall_stacks_of_the_same_colour_are_miscounted() -> None:
    assert learned(reading(stacked(6)), stacked(7)) == (Habit(1, 6, 7),)
    assert learned(reading(stacked(7)), stacked(7)) == ()
    short = moved(START, WHITE, "8/7")
    assert learned(reading(short), START) == ()


def test_black_stacks_count_negative_on_whites_points() -> None:
    told = moved(stacked(), BLACK, "7/off")
    assert learned(reading(told), stacked()) == (Habit(18, -7, -8),)
    assert corrected(told, (Habit(18, -7, -8),)) == stacked()


def test_a_stack_told_as_before_may_be_what_it_was() -> None:
    seen = reading(stacked(6))
    assert seen.log_likelihood(stacked(7)) == -20
    assert understood(seen, (Habit(1, 6, 7),)).log_likelihood(stacked(7)) == 0
    assert understood(seen, (Habit(1, 6, 7),)).position == stacked(6)


def test_low_stacks_are_counted_as_ever() -> None:
    low = moved(START, WHITE, "6/off 6/off 6/off")
    seen = understood(reading(low), (Habit(6, 5, 6),))
    assert [k for k in range(31) if seen.points[5].log_likelihood[k] == 0] == [15 + 2]
    assert TALL > 2


@pytest.mark.parametrize("told", [5, 7])
def test_a_stack_told_otherwise_is_taken_as_it_is_told(told: int) -> None:
    assert corrected(stacked(told), (Habit(1, 6, 7),)) == stacked(told)


def test_nothing_is_borne_in_that_is_not_off() -> None:
    whole = stacked(7)
    assert corrected(whole, (Habit(1, 7, 8),)) == whole


def test_a_miscount_of_the_start_is_no_fault_later() -> None:
    """One of five is not seen when the game begins, a little doubtful; later it is missing for certain."""
    told = moved(START, WHITE, "13/off")
    table = Table()
    opening = (die(2, RIGHT_HALF), die(6, LEFT_HALF))
    table.see(reading(told, doubt={13: 3.0}))
    assert table.referee.habits == (Habit(13, 4, 5),)
    table.see(reading(told, *opening, doubt={13: 3.0}))
    played = moved(told, BLACK, "24/18 13/11")
    assert types(table.see(reading(played))) == ["Played"]
    assert table.board == moved(START, BLACK, "24/18 13/11")


def test_a_match_that_goes_on_learns_from_its_first_picture() -> None:
    table = Table(Setup())
    table.stand(stacked(7), BLACK)
    told = stacked(6)
    table.see(reading(told), reading(told, *roll(2, 1, LEFT_HALF)))
    assert types(table.see(reading(moved(told, BLACK, "8/6 7/6")))) == ["Played"]
    assert table.board.count(WHITE, 1) == 7


def test_a_turn_that_went_by_unseen_leaves_tall_stacks_as_they_are_known() -> None:
    table = Table(Setup())
    table.stand(stacked(7), BLACK)
    told = stacked(6)
    table.see(reading(told))
    gone_on = moved(told, BLACK, "8/6 7/6")
    events = table.see(reading(gone_on, *roll(3, 1, RIGHT_HALF)))
    assert types(events) == ["Noted", "Rolled", "Played", "Rolled"]
    assert table.board == moved(stacked(7), BLACK, "8/6 7/6")


def recoloured(position: Position, point: int) -> Position:
    """White's checkers on one of his points taken for black's."""
    white, black = list(position.white), list(position.black)
    black[25 - point], white[point], white[0] = white[point], 0, white[0] + white[point]
    return Position(tuple(white), tuple(black))


def test_a_point_of_the_other_colour_is_learned_and_taken_for_what_it_was() -> None:
    told, seven = recoloured(stacked(), 3), stacked()
    black = list(told.black)
    black[0], black[7] = 0, 8
    assert learned(reading(told), seven) == (Habit(3, -4, 4),)
    spare = Position(told.white, (4, *told.black[1:7], 4, *told.black[8:]))
    habits = (Habit(3, -4, 4),)
    assert corrected(spare, habits).count(WHITE, 3) == 4
    assert corrected(spare, habits).count(BLACK, 22) == 0
    assert understood(reading(told), habits).log_likelihood(seven) == 0


def test_black_taken_for_white_is_understood_too() -> None:
    told, true = moved(START, BLACK, "6/off(5)"), START
    white = list(told.white)
    white[19], white[0] = 5, -5
    place = understood(reading(true), (Habit(19, 5, -5),)).points[18]
    assert place.of(0, 5) == 0


def test_what_cannot_be_turned_over_stays_as_it_is_told() -> None:
    """No checker of white's is off that could stand there."""
    told = Position((0, *START.white[1:]), START.black)
    assert corrected(told, (Habit(19, -5, 5),)) == told
