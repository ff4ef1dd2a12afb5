"""Positions and rolls as values."""

import pytest

from rules.errors import PositionError, RollError
from rules.position import START, Player, Position, side_of
from rules.roll import Roll

WHITE, BLACK = Player


def test_the_start() -> None:
    assert START.problems() == []
    assert (START.pips(WHITE), START.on_board(BLACK), START.total(WHITE)) == (167, 15, 15)
    assert WHITE.opponent is BLACK
    assert BLACK.opponent is WHITE


def test_all_problems_are_listed_at_once() -> None:
    odd = Position(side_of({24: 2, 6: 5}), side_of({1: 1, 6: 15}))
    assert odd.problems() == [
        "white has 7 checkers instead of 15",
        "black has 16 checkers instead of 15",
        "white and black both stand on white's 24 point (2 and 1)",
    ]
    assert odd.problems({WHITE: 7, BLACK: 16}) == odd.problems()[2:]


def test_a_side_needs_26_counts_none_negative() -> None:
    with pytest.raises(PositionError, match="white: expected 26 counts"):
        Position((0,) * 25, START.black)
    with pytest.raises(PositionError, match="black: a count is negative"):
        Position(START.white, (-1, *START.black[1:]))


def test_the_rest_is_borne_off() -> None:
    assert side_of([(6, 2)], 15)[0] == 13
    assert side_of({6: 2})[0] == 0


def test_a_roll_is_the_same_in_either_order() -> None:
    assert Roll(1, 6) == Roll(6, 1)
    assert str(Roll(1, 6)) == "6-1"
    assert Roll(2, 2).is_double
    assert (Roll(2, 2).numbers, Roll(3, 5).numbers) == ((2, 2, 2, 2), (5, 3))


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (1, 7)])
def test_no_die_shows_that(dice: tuple[int, int]) -> None:
    with pytest.raises(RollError, match="a die shows 1 to 6"):
        Roll(*dice)
