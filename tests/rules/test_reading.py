"""How well a position explains a picture."""

from math import inf

import pytest

from rules.position import START, Position, side_of
from rules.rehearsal import UNLIKELY, reading


def test_what_a_clear_picture_shows_explains_it_best() -> None:
    moved = Position(side_of({24: 1, 18: 1, 13: 5, 8: 3, 6: 5}), START.black)
    assert reading(START).log_likelihood(START) == 0.0
    assert reading(START).log_likelihood(moved) == 2 * UNLIKELY


def test_borne_off_checkers_are_out_of_sight_and_cost_nothing() -> None:
    board = Position(side_of({1: 2}, 15), side_of({1: 2}, 15))
    assert reading(board).log_likelihood(Position(side_of({1: 2}), board.black)) == 0.0


@pytest.mark.parametrize(
    "white",
    [{20: 1}, {13: 16}, {25: 16}],
    ids=["both colours on a point", "sixteen on a point", "sixteen on the bar"],
)
def test_what_no_board_can_show_explains_no_picture(white: dict[int, int]) -> None:
    impossible = Position(side_of(white), side_of({5: 2}))
    assert reading(START).log_likelihood(impossible) == -inf
