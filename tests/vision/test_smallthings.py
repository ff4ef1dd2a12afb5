"""The detector of small things: its views lie where they should, and it tells each thing once."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry, apply, inverse
from rules.position import Player, Position
from vision.smallthings import (
    COLUMN_PX,
    DIE_PX,
    HEIGHT_PX,
    STRIDE,
    WIDTH_PX,
    Things,
    board_view,
    distinct,
    look,
    net_input,
    scaled_view,
    things_of,
)
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Die, Scene
from vision.synth.table import Table
from vision.window import level_of

FAR = CubeAt(64, (9.0, 9.0))


def test_a_boards_view_has_points_of_one_width_and_the_surroundings(
    table: Table, geometry: BoardGeometry, nothing: Position
) -> None:
    view = board_view(Painter(table).draw(Scene(nothing, cube=FAR)), geometry)
    assert view.bgr.shape == (HEIGHT_PX, WIDTH_PX, 3)
    corners = apply(inverse(view.image_from_view), geometry.corners)
    assert corners[1, 0] - corners[0, 0] == pytest.approx(COLUMN_PX / geometry.column_width)
    assert corners.mean(axis=0) == pytest.approx(((WIDTH_PX - 1) / 2, (HEIGHT_PX - 1) / 2))
    assert corners.min() > 20


@pytest.mark.parametrize("die_px", [8.0, 16.0, 37.0])
def test_a_scaled_view_leads_back_to_the_same_place(die_px: float) -> None:
    picture = np.full((230, 411, 3), 40, np.uint8)
    picture[100:120, 300:320] = 250
    view = scaled_view(picture, die_px)
    assert view.bgr.shape[1] == pytest.approx(411 * DIE_PX / die_px, abs=1)
    weight = view.bgr[..., 0].astype(np.float64) - 40
    rows, columns = np.indices(weight.shape)
    middle = (columns * weight).sum() / weight.sum(), (rows * weight).sum() / weight.sum()
    assert apply(view.image_from_view, [middle])[0] == pytest.approx((309.5, 109.5), abs=0.3)


def test_what_the_net_takes_is_filled_up_and_free_of_exposure() -> None:
    picture = np.random.default_rng(3).integers(0, 120, (50, 70, 3)).astype(np.uint8)
    bright = (picture + 100).astype(np.uint8)
    one, other = (net_input(bgr, *level_of(bgr)) for bgr in (picture, bright))
    assert one.shape == (1, 3, 64, 80)
    assert one[..., :50, :70] == pytest.approx(other[..., :50, :70], abs=1e-4)
    assert float(one[..., :50, :70].std()) == pytest.approx(1, abs=0.01)


def test_a_middle_lies_between_the_cells_and_has_its_edge() -> None:
    rows, columns = np.indices((20, 30))
    logits = (3 - ((columns - 11.3) ** 2 + (rows - 7.8) ** 2)).astype(np.float32)
    found = things_of(logits, np.full((20, 30), 0.5, np.float32), columns.astype(np.float32))
    assert found.xy == pytest.approx(np.array([[(11.3 + 0.5) * STRIDE - 0.5, (7.8 + 0.5) * STRIDE - 0.5]]), abs=0.05)
    assert found.side == pytest.approx([DIE_PX * math.sqrt(2)])
    assert found.p[0] == pytest.approx(1 / (1 + math.exp(-logits.max())))
    assert found.lean.tolist() == [11]


def test_of_two_in_one_place_the_likelier_stays() -> None:
    xy = np.array([(10.0, 10), (14, 10), (40, 10), (60, 10)])
    kept = distinct(Things(xy, np.full(4, 16.0), np.array([0.6, 0.9, 0.5, 0.7]), np.zeros(4)))
    assert kept.xy[:, 0].tolist() == [14, 60, 40]
    assert kept.p.tolist() == [0.9, 0.7, 0.5]
    nothing = distinct(Things(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0)))
    assert nothing.spots.shape == (0, 3)


def test_touching_dice_are_two_things_and_the_cube_a_third(table: Table, geometry: BoardGeometry) -> None:
    size = table.dice_of(Player.WHITE).size_mm
    left = (0.7, 0.5)
    right = (left[0] + 1.03 * size / table.board.width_mm, 0.5)
    dice = (Die(4, left, 0.0, Player.WHITE), Die(3, right, 0.0, Player.WHITE))
    found = look(board_view(Painter(table).draw(Scene(dice=dice, cube=CubeAt(8, (0.5, 0.5)))), geometry))
    sure = found.chosen(found.p > 0.5)
    sure = sure.chosen(sure.xy[:, 0].argsort().tolist())
    assert len(sure.p) == 3
    assert sure.xy == pytest.approx(apply(geometry.image_from_field, [(0.5, 0.5), left, right]), abs=7)
    wide = np.array([table.cube.size_mm, size, size]) / table.board.point_mm * geometry.column_px
    assert sure.side == pytest.approx(wide, rel=0.2)


def test_a_board_without_dice_and_cube_shows_none(table: Table, geometry: BoardGeometry) -> None:
    for seed in range(3):
        picture = Painter(replace(table, seed=seed)).draw(Scene(cube=FAR))
        assert (look(board_view(picture, geometry)).p > 0.5).sum() == 0
