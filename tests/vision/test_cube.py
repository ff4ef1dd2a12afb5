"""The doubling cube: every number, at its four turns, in every place; without a number the reason."""

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from rules.reading import CubePlace
from vision.cube import NO_NUMBER, TOO_BRIGHT, TOO_DARK, TOO_SMALL, CubeSeen, find_cube
from vision.frame import Bgr
from vision.judging import Judged, judged
from vision.readers import UNREADABLE
from vision.smallthings import Things, board_view, look
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Scene
from vision.synth.table import Table

VALUES = (2, 4, 8, 16, 32, 64)
PLACES = (
    ((-0.075, 0.5), CubePlace.OUTSIDE, False),
    ((-0.075, 0.1), CubePlace.TOP, False),
    ((-0.075, 0.9), CubePlace.BOTTOM, False),
    ((0.5, 0.5), CubePlace.BAR, False),
    ((0.3, 0.45), CubePlace.TOP, True),
    ((0.7, 0.55), CubePlace.BOTTOM, True),
)
EVERY_TURN = [(value, (k + row) % 4, place) for row, value in enumerate(VALUES) for k, place in enumerate(PLACES[:4])]
OFFERED = [(value, 0, place) for value in (2, 16) for place in PLACES[4:]]


def seen_on(picture: Bgr, geometry: BoardGeometry) -> CubeSeen | None:
    return find_cube(picture, geometry, judged(picture, look(board_view(picture, geometry))))


def upper_face_px(table: Table, xy: tuple[float, float]) -> tuple[float, float]:
    """Where the camera sees the middle of the cube's upper face."""
    x, y = table.board.mm(xy)
    ((u, v),) = table.camera.project([(x, y, table.board.height_at(x, y) + table.cube.size_mm)])
    return float(u), float(v)


@pytest.mark.parametrize(("value", "quarter", "place"), EVERY_TURN + OFFERED)
def test_number_and_place_are_read(
    table: Table,
    geometry: BoardGeometry,
    value: int,
    quarter: int,
    place: tuple[tuple[float, float], CubePlace, bool],
) -> None:
    xy, where, offered = place
    seen = seen_on(Painter(table).draw(Scene(cube=CubeAt(value, xy, quarter))), geometry)
    assert seen is not None
    assert (seen.value, seen.where, seen.offered) == (value, where, offered)
    assert seen.confidence > 0.5
    assert seen.center_px == pytest.approx(upper_face_px(table, xy), abs=4)


def test_without_a_cube_none_is_reported(table: Table, geometry: BoardGeometry) -> None:
    picture = Painter(table).draw(Scene(cube=CubeAt(64, (-0.075, 0.5))))
    x, y = (round(v) for v in upper_face_px(table, (-0.075, 0.5)))
    picture[y - 40 : y + 40, x - 40 : x + 40] = picture[y + 60, x]
    assert seen_on(picture, geometry) is None


@pytest.mark.parametrize(
    ("side", "grey", "why"),
    [(8.0, 128, TOO_SMALL.format(8)), (20.0, 3, TOO_DARK), (20.0, 254, TOO_BRIGHT), (20.0, 128, NO_NUMBER)],
)
def test_a_cube_without_a_number_says_why(geometry: BoardGeometry, side: float, grey: int, why: str) -> None:
    there, values = np.array([0.2, 0.9]), np.zeros((2, UNREADABLE + 1))
    values[0, 0], values[1, UNREADABLE], values[1, 0] = 1, 0.8, 0.2
    things = Things(np.array([(300.0, 200), (100, 100)]), np.full(2, side), there, np.zeros(2))
    found = Judged(things, 1 - there, there, values, values)
    seen = find_cube(np.full((600, 960, 3), grey, np.uint8), geometry, found)
    assert seen is not None
    assert (seen.value, seen.center_px, seen.problem) == (None, (100, 100), why)
    assert seen.confidence == pytest.approx(0.72)


def test_of_two_likely_cubes_the_one_with_a_number_counts(geometry: BoardGeometry) -> None:
    values = np.zeros((2, UNREADABLE + 1))
    values[0, UNREADABLE], values[1, 3] = 1, 1
    there = np.array([0.9, 0.7])
    things = Things(np.array([(300.0, 200), (100, 100)]), np.full(2, 20.0), there, np.zeros(2))
    seen = find_cube(np.zeros((600, 960, 3), np.uint8), geometry, Judged(things, 1 - there, there, values, values))
    assert seen is not None
    assert (seen.value, seen.center_px, seen.problem) == (16, (100, 100), None)
