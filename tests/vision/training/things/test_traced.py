"""Crops of traced dice: decided by their seeds, and labels lie on upper faces, also of a ground seen from above."""

import random

import numpy as np
import pytest

from vision.training.readers.closeup import View
from vision.training.things.crop import CROP_PX, CUBE, DIE
from vision.training.things.traced import ground_from_above, laid, lies, traced


def test_a_crop_follows_from_its_seed() -> None:
    one, again, other = traced(3), traced(3), traced(4)
    assert one.bgr.shape == (CROP_PX, CROP_PX, 3)
    assert np.array_equal(one.bgr, again.bgr)
    assert np.array_equal(one.things, again.things)
    assert not np.array_equal(one.bgr, other.bgr)


def test_crops_hold_dice_and_cubes_of_which_some_lean() -> None:
    things = np.concatenate([traced(seed).things for seed in range(12)])
    dice = things[things[:, 0] == DIE]
    assert set(things[:, 0].astype(int)) == {DIE, CUBE}
    assert 0.05 < dice[:, 5].mean() < 0.5


def test_seen_from_above_flat_dice_are_squares_of_their_size_wherever_they_lie() -> None:
    lean = 0.7
    up = np.array([np.sin(lean), 0, np.cos(lean)], np.float32)
    axes = np.array([(0, -1, 0), (-np.cos(lean), 0, np.sin(lean)), -up], np.float32)
    view = View(60 * up, axes, 60.0 * 16, CROP_PX)
    turn = ground_from_above(view, 16.0)
    blocks, _ = laid(random.Random(8), 3.0)
    rows = np.array([lies(one, view, turn) for one in blocks if one[1] == DIE and not one[2]])
    assert len(rows) > 2
    assert rows[:, 3] == pytest.approx(16 * 60 / (60 - 1 / np.cos(lean)), rel=0.06)
