"""Training pictures: their labels lie on the things, and every picture follows from its seed."""

from pathlib import Path

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from vision.training.board import shards
from vision.training.board.shards import CHECKER, CUBE, DIE, UPPER, example, nth_shard, read_shard, write_shard
from vision.window import FIELD, FIELD_WH_PX, HEIGHT_PX, MARGIN_PX, STRIDE, WIDTH_PX


def test_a_picture_follows_from_its_seed() -> None:
    first, again, other = example(5), example(5), example(6)
    assert np.array_equal(first.window, again.window)
    assert np.array_equal(first.things, again.things)
    assert not np.array_equal(first.window, other.window)


def test_labels_are_of_every_kind_and_inside() -> None:
    found = [example(seed) for seed in range(12)]
    things = np.concatenate([one.things for one in found])
    assert set(things[:, 0].astype(int)) == {CHECKER, UPPER, DIE, CUBE}
    assert ((things[:, 1:3] > 0) & (things[:, 1:3] < (WIDTH_PX, HEIGHT_PX))).all()
    assert set(things[:, 3]) == {0.0, 1.0}
    assert all(one.window.shape == (HEIGHT_PX, WIDTH_PX, 3) for one in found)
    assert all(one.cover.shape == (HEIGHT_PX // STRIDE, WIDTH_PX // STRIDE) for one in found)
    assert any(one.cover.max() == 255 for one in found)


def test_counts_are_of_the_points_on_which_the_checkers_lie() -> None:
    for seed in range(6):
        one = example(seed)
        geometry = BoardGeometry(FIELD, one.bar)
        standing = one.things[(one.things[:, 0] <= UPPER) & (one.things[:, 3] == 1)]
        for place, count in enumerate(one.counts):
            left, right = (MARGIN_PX + x * FIELD_WH_PX[0] for x in geometry.column_edges(place % 12))
            near = (standing[:, 1] > left) & (standing[:, 1] < right)
            near &= (standing[:, 2] < HEIGHT_PX / 2) == (place < 12)
            assert (near.sum() > 0) <= (count > 0 or near.sum() < 3)
    assert any(example(seed).counts.max() > 5 for seed in range(12))


def test_a_shard_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", 3)
    path = write_shard(tmp_path, 2)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    kept = read_shard(path)
    made = [example(shards.FIRST_SEED + 6 + k) for k in range(3)]
    for one, two in zip(kept, made, strict=True):
        assert np.array_equal(one.things, two.things)
        assert np.array_equal(one.cover, two.cover)
        assert np.array_equal(one.counts, two.counts)
        assert one.bar == two.bar
        assert np.abs(one.window.astype(int) - two.window).mean() < 4
    assert write_shard(tmp_path, 2) == path


def test_two_lanes_are_used_in_turn() -> None:
    assert [nth_shard(n) for n in range(5)] == [0, 100, 1, 101, 2]
