"""The board is found in drawn pictures, wherever it lies, and what is no board is not taken for one."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.geometry import UNIT, BoardGeometry, apply, homography, parse_corners
from vision import board, cornernet, marknet
from vision.board import FoundBoard, find_board, refined
from vision.cornernet import PLACES, STRIDE, VIEW_WH_PX, Look, told
from vision.frame import Bgr
from vision.marknet import FIELD_IN_VIEW
from vision.marks import MARKS, marks_in_field
from vision.synth.chance.variety import random_table
from vision.synth.render.draw import Painter
from vision.synth.scene import Scene
from vision.synth.table import Table
from vision.training.corners.evaluate import corner_error, pictures
from vision.warp import warped

RIGHT = 0.02
SURE = 0.8


def drawn(table: Table) -> Bgr:
    return Painter(table, 1).draw(Scene())


def off(found: FoundBoard | None, corners: np.ndarray) -> float:
    """How far the worst corner lies off, in widths of the field, whichever corner is named first."""
    assert found is not None
    width = np.linalg.norm(corners[1] - corners[0])
    got = np.asarray(found.geometry.corners)
    return min(np.linalg.norm(np.roll(got, k, axis=0) - corners, axis=1).max() for k in range(4)) / float(width)


@pytest.fixture(scope="module")
def table() -> Table:
    return Table()


@pytest.fixture(scope="module")
def picture(table: Table) -> Bgr:
    return drawn(table)


def test_the_usual_board(table: Table, picture: Bgr) -> None:
    found = find_board(picture)
    assert off(found, np.asarray(table.corners)) < RIGHT / 2
    assert found is not None
    assert found.confidence > SURE
    assert found.geometry.corners[0] == pytest.approx(table.corners[0], abs=8), "top left comes first"
    assert found.geometry.bar == pytest.approx(table.bar, abs=0.015)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_picture_turned_by_quarters(table: Table, picture: Bgr, turns: int) -> None:
    turned = np.ascontiguousarray(np.rot90(picture, turns))
    height, width = picture.shape[:2]
    corners = np.asarray(table.corners)
    for _ in range(turns):
        corners = np.column_stack([corners[:, 1], width - 1 - corners[:, 0]])
        height, width = width, height
    found = find_board(turned)
    assert off(found, corners) < RIGHT
    assert found is not None
    across = np.subtract(found.geometry.corners[1], found.geometry.corners[0])
    along = 1 if turns % 2 else 0
    assert abs(across[along]) > abs(across[1 - along]), "the bar lies across the sides that come first"


def test_a_small_board_aside_in_a_large_picture(table: Table, picture: Bgr) -> None:
    large = np.full((1000, 1800, 3), (96, 120, 130), np.uint8)
    small = cv2.resize(picture, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA)
    large[60 : 60 + small.shape[0], 950 : 950 + small.shape[1]] = small
    corners = (np.asarray(table.corners) + 0.5) * 0.8 - 0.5 + (950, 60)
    assert off(find_board(large), corners) < RIGHT


def test_a_board_without_a_bar_column(table: Table) -> None:
    without = replace(table, board=replace(table.board, bar_mm=0.0))
    found = find_board(drawn(without))
    assert off(found, np.asarray(without.corners)) < RIGHT
    assert found is not None
    assert found.geometry.bar[1] - found.geometry.bar[0] < 0.03


def test_boards_by_chance() -> None:
    offs = []
    for seed in range(40):
        random = random_table(seed, (640, 480))
        found = find_board(drawn(random))
        offs.append(1.0 if found is None else off(found, np.asarray(random.corners)))
    assert np.mean(np.asarray(offs) < RIGHT) >= 0.7, offs
    assert np.mean(np.asarray(offs) < 1.5 * RIGHT) >= 0.85, offs


def test_the_physical_test_set_is_found_as_well_as_the_model_card_says(root: Path) -> None:
    offs = []
    for _, picture, truth, _ in list(pictures(root / "tests/data/physical"))[::4]:
        found = find_board(picture)
        offs.append(1.0 if found is None else corner_error(np.asarray(found.geometry.corners), truth))
    assert np.mean(np.asarray(offs) < RIGHT) >= 0.85, offs
    assert np.mean(np.asarray(offs) < 1.5 * RIGHT) >= 0.9, offs


def test_the_refinement_mends_a_poor_guess(table: Table, picture: Bgr) -> None:
    poor = [
        (x + dx, y + dy)
        for (x, y), (dx, dy) in zip(table.corners, ((20, -9), (-14, 15), (9, 12), (-16, 0)), strict=True)
    ]
    assert off(refined(picture, BoardGeometry(parse_corners(poor))), np.asarray(table.corners)) < RIGHT / 2


@pytest.mark.parametrize("kind", ["grey", "noise", "stripes", "wood"])
def test_what_is_no_board_is_not_believed(kind: str) -> None:
    chance = np.random.default_rng(3)
    x, y = np.meshgrid(np.arange(640), np.arange(480))
    plain = {
        "grey": np.full((480, 640), 128.0),
        "noise": chance.uniform(0, 255, (480, 640)),
        "stripes": 128 + 100 * np.sign(np.sin(x / 25)),
        "wood": 120 + 20 * np.sin(y / 9 + np.sin(x / 60)),
    }[kind]
    found = find_board(np.repeat(plain[..., None], 3, axis=2).astype(np.uint8))
    assert found is None or found.confidence < 0.5


def test_the_net_says_places_between_its_cells() -> None:
    columns, rows = (n // STRIDE for n in VIEW_WH_PX)
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    logits = np.zeros((PLACES + 2, rows, columns), np.float32)
    for n in range(PLACES):
        logits[n] = -((x - 20.3 - n) ** 2 + (y - 11.7) ** 2) / 2 / 0.9**2
    seen = told(logits)
    assert seen.xy[2] == pytest.approx(((22.3 + 0.5) * STRIDE - 0.5, (11.7 + 0.5) * STRIDE - 0.5), abs=0.05)
    assert seen.share == pytest.approx(np.ones(PLACES), abs=0.01)
    assert seen.upright == pytest.approx(0.5 * np.ones((rows, columns)))


def test_a_mirror_image_tells_the_same_places(picture: Bgr) -> None:
    view = warped(picture, homography(Table().corners, FIELD_IN_VIEW), marknet.VIEW_WH_PX)
    one, other = (marknet.look_twice(np.ascontiguousarray(v)) for v in (view, view[:, ::-1]))
    assert marknet.VIEW_WH_PX[0] - 1 - other.xy[13, 0] == pytest.approx(one.xy[0, 0], abs=1e-3)
    assert other.xy[14, 1] == pytest.approx(one.xy[27, 1], abs=1e-3)
    assert one.xy == pytest.approx(marknet.look(view).xy, abs=4)


def test_the_marks_of_a_straightened_board_lie_where_they_belong(table: Table, picture: Bgr) -> None:
    view = warped(picture, homography(table.corners, FIELD_IN_VIEW), marknet.VIEW_WH_PX)
    expected = apply(homography(UNIT, FIELD_IN_VIEW), marks_in_field(table.bar, table.board.point_length / 2))
    off = np.linalg.norm(marknet.look_twice(view).xy - expected, axis=1)
    assert np.median(off) < 1
    assert np.quantile(off, 0.9) < 2


def test_corners_in_no_order_are_no_board(picture: Bgr, monkeypatch: pytest.MonkeyPatch) -> None:
    none = np.zeros((1, 1), np.float32)
    places = np.array([(250, 9), (5, 9), (250, 180), (5, 180), (120, 9), (130, 9), (130, 180), (120, 180)], float)
    marks = np.asarray(FIELD_IN_VIEW)[[1, 0, 2, 3]].repeat(MARKS // 4, axis=0)
    monkeypatch.setattr(cornernet, "look", lambda _view: Look(places, np.ones(PLACES), none + 1, none))
    monkeypatch.setattr(marknet, "look", lambda _view: marknet.Look(marks, np.ones(MARKS), none))
    assert refined(picture, BoardGeometry(((100, 50), (800, 50), (800, 550), (100, 550)))) is None
    assert board.find_board(picture) is None
