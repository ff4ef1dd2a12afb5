"""Leaning dice: cut out as seen from above, with the side on which a camera sees what stands up."""

import numpy as np
import pytest

from calibration.geometry import BoardGeometry, apply
from vision.smallthings import view_from_image
from vision.synth.table import Table
from vision.training.leaning.seen import CROP_PX, EDGE_PX, cut_out, net_input, reliefs_at
from vision.warp import magnified

TABLE = Table()
GEOMETRY = BoardGeometry(TABLE.corners, TABLE.bar)


def test_what_stands_up_is_displaced_away_from_the_camera() -> None:
    spots = apply(GEOMETRY.image_from_field, [(0.05, 0.5), (0.95, 0.5), (0.5, 0.02), (0.5, 0.98)])
    left, right, far, near = reliefs_at(GEOMETRY, TABLE.size_px, spots)
    assert left[0] < -0.15
    assert right[0] > 0.15
    assert far[1] < near[1]


def test_a_die_is_cut_out_upright_and_as_large_as_the_net_expects() -> None:
    width, height = TABLE.size_px
    picture = np.zeros((height, width, 3), np.uint8)
    x, y = apply(GEOMETRY.image_from_field, [(0.3, 0.5)])[0]
    column = GEOMETRY.column_px
    half = round(column / 5)
    picture[round(y) - half : round(y) + half + 1, round(x) - half : round(x) + half + 1] = 255
    upright = view_from_image(GEOMETRY)
    u, v = apply(upright, [(x, y)])[0]
    edge = (2 * half + 1) * magnified(upright, (float(x), float(y)))
    crop = cut_out(picture, np.linalg.inv(upright), (float(u), float(v)), edge)
    rows, columns = np.nonzero(crop[..., 0] > 127)
    assert (rows.mean(), columns.mean()) == pytest.approx([(CROP_PX - 1) / 2] * 2, abs=1)
    assert np.sqrt(len(rows)) == pytest.approx(EDGE_PX, rel=0.12)


def test_the_net_is_told_the_relief_beside_the_pixels() -> None:
    given = net_input(np.zeros((2, CROP_PX, CROP_PX, 3), np.uint8), np.array([(0.1, -0.2), (0.3, 0.0)]))
    assert given.shape == (2, 5, CROP_PX, CROP_PX)
    assert (given[0, 3] == np.float32(0.1)).all()
    assert (given[0, 4] == np.float32(-0.2)).all()
    assert (given[1, 3] == np.float32(0.3)).all()
