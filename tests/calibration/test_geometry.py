"""Where the field lies: transforms there and back, columns, and every kind of corners that cannot be a board."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from calibration.errors import GeometryError
from calibration.geometry import TYPICAL_BAR, UNIT, BoardGeometry, apply, homography, inverse, parse_corners

SEEN = ((128.0, 61.0), (836.0, 57.0), (844.0, 548.0), (119.0, 551.0))
STRAIGHT = ((100.0, 50.0), (740.0, 50.0), (740.0, 450.0), (100.0, 450.0))
BAR = ((400.0, 50.0), (440.0, 50.0), (440.0, 450.0), (400.0, 450.0))


def test_a_homography_takes_each_corner_to_its_own() -> None:
    assert apply(homography(SEEN, UNIT), SEEN) == pytest.approx(np.asarray(UNIT), abs=1e-9)


@pytest.mark.parametrize("corners", [SEEN, STRAIGHT, ((300, 100), (500, 100), (700, 500), (100, 500))])
def test_picture_to_field_and_back(corners: tuple[tuple[float, float], ...]) -> None:
    geometry = BoardGeometry(tuple(corners))
    pixels = np.asarray([(310.0, 200.0), (412.5, 333.25), (500.0, 499.0)])
    field = apply(geometry.field_from_image, pixels)
    assert apply(geometry.image_from_field, field) == pytest.approx(pixels, abs=1e-6)
    assert apply(inverse(geometry.image_from_field), pixels) == pytest.approx(field, abs=1e-9)


def test_the_middle_of_a_board_seen_at_a_slant_is_where_its_diagonals_cross() -> None:
    geometry = BoardGeometry(((300, 100), (500, 100), (700, 500), (100, 500)))
    assert apply(geometry.image_from_field, [(0.5, 0.5)])[0] == pytest.approx((400, 200))


def test_field_space_runs_right_and_down() -> None:
    field = apply(BoardGeometry(STRAIGHT).field_from_image, [(100 + 640 * 0.25, 50 + 400 * 0.75)])
    assert field[0] == pytest.approx((0.25, 0.75))


def test_columns_leave_the_bar_out() -> None:
    geometry = BoardGeometry.from_corners(STRAIGHT, BAR)
    assert geometry.bar == pytest.approx((300 / 640, 340 / 640))
    assert geometry.column_edges(0) == pytest.approx((0, 50 / 640))
    assert geometry.column_edges(5)[1] == pytest.approx(300 / 640)
    assert geometry.column_edges(6)[0] == pytest.approx(340 / 640)
    assert geometry.column_edges(11)[1] == pytest.approx(1)
    assert geometry.column_px == pytest.approx(50)


def test_columns_of_a_board_without_a_bar_touch_in_the_middle() -> None:
    geometry = BoardGeometry.from_corners(STRAIGHT, None)
    edges = [geometry.column_edges(k) for k in range(12)]
    assert [left for left, _ in edges] == pytest.approx([k / 12 for k in range(12)])
    assert geometry.column_width == pytest.approx(1 / 12)


def test_a_bar_that_is_not_known_is_taken_to_be_a_usual_one() -> None:
    assert BoardGeometry.from_corners(STRAIGHT, None, bar_known=False).bar == TYPICAL_BAR


def test_numbers_from_a_file_may_be_whole() -> None:
    assert parse_corners([[0, 0], [100, 0], [100, 80], [0, 80]]) == (
        (0.0, 0.0),
        (100.0, 0.0),
        (100.0, 80.0),
        (0.0, 80.0),
    )


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        pytest.param([[0, 0], [9, 9], [9, 0], [0, 9]], "do not go round", id="crossed"),
        pytest.param([[0, 0], [0, 80], [100, 80], [100, 0]], "do not go round", id="the other way round"),
        pytest.param([[0, 0], [100, 0], [30, 20], [0, 80]], "do not go round", id="dented"),
        pytest.param([[0, 0], [100, 0], [200, 0], [300, 0]], "do not go round", id="on a line"),
        pytest.param([[5, 5]] * 4, "do not go round", id="all the same"),
        pytest.param([[0, 0], [100, 0], [100, 80]], "got 3", id="three"),
        pytest.param([[0, 0], [100, 0], [100, 80], [0, 80], [0, 40]], "got 5", id="five"),
        pytest.param([], "got 0", id="none"),
        pytest.param([[0, 0, 1], [100, 0, 1], [100, 80, 1], [0, 80, 1]], "four", id="three numbers each"),
        pytest.param([[0, 0], [100], [100, 80], [0, 80]], "four", id="one number missing"),
        pytest.param([["a", 0], [100, 0], [100, 80], [0, 80]], "four", id="not a number"),
        pytest.param([[None, 0], [100, 0], [100, 80], [0, 80]], "four", id="null"),
        pytest.param("1,2 3,4", "four", id="a string"),
        pytest.param([[math.nan, 0], [100, 0], [100, 80], [0, 80]], "four", id="NaN"),
        pytest.param([[0, 0], [math.inf, 0], [100, 80], [0, 80]], "four", id="infinite"),
        pytest.param(
            [[0, 0], [1e200, 0], [1e200, 1e200], [0, 1e200]], "outside every picture", id="beyond all pictures"
        ),
    ],
)
def test_corners_that_are_no_board(corners: list[list[float]], words: str) -> None:
    with pytest.raises(GeometryError, match=f"^corners: .*{words}"):
        BoardGeometry.from_corners(corners, None)


@pytest.mark.parametrize(
    ("bar", "words"),
    [
        pytest.param(STRAIGHT, "middle of the field", id="as wide as the field"),
        pytest.param([(x - 250, y) for x, y in BAR], "middle of the field", id="at the left"),
        pytest.param([(x + 900, y) for x, y in BAR], "middle of the field", id="outside"),
        pytest.param([BAR[0], BAR[2], BAR[1], BAR[3]], "do not go round", id="crossed"),
        pytest.param(BAR[:3], "got 3", id="three"),
    ],
)
def test_a_bar_that_is_none(bar: list[tuple[float, float]], words: str) -> None:
    with pytest.raises(GeometryError, match=f"^bar: .*{words}"):
        BoardGeometry.from_corners(STRAIGHT, bar)


@pytest.mark.parametrize(
    ("size", "fits"),
    [((960, 600), True), ((810, 530), True), ((790, 530), False), ((960, 400), False), ((320, 200), False)],
)
def test_the_field_lies_in_the_picture_or_hardly_outside(size: tuple[int, int], fits: bool) -> None:
    geometry = BoardGeometry(SEEN)
    if fits:
        geometry.check_inside(*size)
    else:
        with pytest.raises(GeometryError, match=f"outside the picture of {size[0]}×{size[1]}"):
            geometry.check_inside(*size)


def test_corners_left_of_the_picture_are_outside() -> None:
    with pytest.raises(GeometryError, match="-200,50 lies outside"):
        BoardGeometry(((-200, 50), *STRAIGHT[1:3], (-200, 450))).check_inside(960, 600)


def test_a_field_of_a_few_pixels_is_too_small() -> None:
    with pytest.raises(GeometryError, match="only 40 pixels"):
        BoardGeometry(((10, 10), (70, 10), (70, 50), (10, 50))).check_inside(960, 600)


@pytest.mark.parametrize(
    "corners",
    [
        pytest.param(((100, 0), (170, 0), (170, 599), (100, 599)), id="upright strip"),
        pytest.param(((0, 100), (900, 100), (900, 170), (0, 170)), id="lying strip"),
        pytest.param(((0, 0), (500, 235), (950, 590), (450, 355)), id="sliver across"),
    ],
)
def test_a_strip_is_no_board(corners: tuple[tuple[float, float], ...]) -> None:
    geometry = BoardGeometry(parse_corners(corners))
    with pytest.raises(GeometryError, match="a strip, not a board"):
        geometry.check_inside(960, 600)


def test_all_labelled_boards_pass(shared_dir: Path) -> None:
    lines = (shared_dir / "data/photos/labels.jsonl").read_text(encoding="utf-8").splitlines()
    for label in map(json.loads, lines):
        BoardGeometry.from_corners(label["corners"], label["bar"]).check_inside(*label["size"])
