from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cube import Cube
from rules.position import START, Player, Position, side_of
from rules.roll import Roll
from webui.board import (
    BAR_X,
    FIELD_BOTTOM,
    FIELD_TOP,
    HALVES_X,
    HEIGHT,
    MIDDLE,
    STACK,
    TRAYS_X,
    WIDTH,
    board_view,
    point_x,
)

W, B = Player.WHITE, Player.BLACK


def test_white_bears_off_at_the_right_in_the_standard_set_up() -> None:
    assert point_x(1, True) == point_x(24, True) > point_x(6, True) > BAR_X > point_x(7, True) > point_x(12, True)
    assert point_x(13, True) == point_x(12, True)


def test_the_mirrored_set_up_swaps_left_and_right() -> None:
    assert all(point_x(p, False) == WIDTH - point_x(p, True) for p in range(1, 25))


def test_every_point_has_its_own_place_and_number() -> None:
    points = board_view(START).points
    assert len({(p.x, p.number_y) for p in points}) == 24
    assert [p.number for p in points] == list(range(1, 25))
    assert [p.number for p in board_view(START, counted_by=B).points] == list(range(24, 0, -1))


def test_start_has_all_thirty_checkers_and_no_numbers() -> None:
    checkers = board_view(START).checkers
    assert len(checkers) == 30
    assert all(c.count is None for c in checkers)
    assert len({(c.x, c.y) for c in checkers}) == 30


def test_a_stack_of_more_than_five_shows_five_and_its_number() -> None:
    position = Position(white=side_of({6: 7}, 15), black=side_of({6: 6}, 15))
    checkers = board_view(position).checkers
    assert [c.count for c in checkers if c.player is W] == [None] * 4 + [7]
    assert [c.count for c in checkers if c.player is B] == [None] * 4 + [6]


def test_white_stacks_grow_up_from_the_bottom_and_black_ones_on_his_six_point_down_from_the_top() -> None:
    checkers = board_view(Position(white=side_of({6: 2}), black=side_of({6: 2}))).checkers
    white, black = ([c for c in checkers if c.player is p] for p in (W, B))
    assert FIELD_BOTTOM > white[0].y > white[1].y > MIDDLE
    assert FIELD_TOP < black[0].y < black[1].y < MIDDLE
    assert white[0].x == black[0].x == point_x(6, True)


def test_checkers_on_the_bar_wait_where_they_enter() -> None:
    checkers = board_view(Position(white=side_of({25: 2}), black=side_of({25: 1}))).checkers
    assert [(c.player, c.x, c.y < MIDDLE) for c in checkers] == [(W, BAR_X, True), (W, BAR_X, True), (B, BAR_X, False)]


@pytest.mark.parametrize(("home_right", "side"), [(True, 1), (False, 0)])
def test_borne_off_checkers_lie_at_their_home_and_the_cube_opposite(home_right: bool, side: int) -> None:
    view = board_view(Position(white=side_of({1: 1}, 15), black=side_of({}, 15)), home_right=home_right)
    assert [t.count for t in view.trays] == [14, 15]
    assert all(0 <= t.x - TRAYS_X[side] <= 72 for t in view.trays)
    assert 0 <= view.cube.x - TRAYS_X[1 - side] <= 72


def test_the_cube_lies_in_the_middle_or_with_its_owner() -> None:
    middle, white, black = (board_view(START, cube=Cube(4, owner)).cube for owner in (None, W, B))
    assert black.y < middle.y == MIDDLE < white.y
    assert not middle.offered


def test_an_offered_cube_lies_at_the_opponents_right_hand_with_the_new_value() -> None:
    by_white, by_black = (board_view(START, cube=Cube(2, None, by)).cube for by in (W, B))
    assert (by_white.value, by_white.offered) == (4, True)
    assert by_white.x < BAR_X < by_black.x


def test_the_cube_rests_in_the_crawford_game() -> None:
    assert board_view(START, crawford=True).cube.resting


def test_each_throws_to_his_right_and_a_roll_of_nobody_is_shared() -> None:
    roll = Roll(6, 2)
    assert all(d.x > BAR_X for d in board_view(START, roll=roll, roller=W).dice)
    assert all(d.x < BAR_X for d in board_view(START, roll=roll, roller=B).dice)
    left, right = board_view(START, roll=roll).dice
    assert (left.pips, right.pips, left.player) == (6, 2, None)
    assert left.x < HALVES_X[1] < right.x
    assert board_view(START).dice == ()


@given(
    st.lists(st.integers(0, 15), min_size=26, max_size=26),
    st.lists(st.integers(0, 15), min_size=26, max_size=26),
    st.booleans(),
)
def test_whatever_lies_there_is_drawn_inside_the_frame(white: list[int], black: list[int], home_right: bool) -> None:
    view = board_view(Position(tuple(white), tuple(black)), home_right=home_right)
    assert all(0 < c.x < WIDTH and 0 < c.y < HEIGHT for c in view.checkers)
    assert all(FIELD_TOP <= y <= FIELD_BOTTOM for t in view.trays for y in t.slabs)
    assert len(view.checkers) == sum(min(n, STACK) for side in (white, black) for n in side[1:])
