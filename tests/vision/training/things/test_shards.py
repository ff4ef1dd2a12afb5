"""Pictures full of dice: their labels lie on the things, and every picture follows from its seed."""

from pathlib import Path

import numpy as np
import pytest

from calibration.geometry import BoardGeometry, apply
from rules.position import Player, Position
from vision.smallthings import COLUMN_PX, DIE_PX, board_view
from vision.synth.render.draw import Painter
from vision.synth.scene import Die, Scene
from vision.synth.table import Table
from vision.training.things import shards
from vision.training.things.crop import CROP_PX, CUBE, DIE
from vision.training.things.scenes import Drawn
from vision.training.things.shards import (
    EACH,
    crops,
    plain_view,
    read_shard,
    things_in,
    write_shard,
)


def test_a_picture_follows_from_its_seed() -> None:
    first, again = list(crops(5)), list(crops(5))
    assert len(first) == EACH
    for one, two in zip(first, again, strict=True):
        assert np.array_equal(one.bgr, two.bgr)
        assert np.array_equal(one.things, two.things)
    assert not np.array_equal(first[0].bgr, next(crops(6)).bgr)


def test_labels_are_of_both_kinds_and_inside() -> None:
    found = [one for seed in range(6) for one in crops(seed)]
    things = np.concatenate([one.things for one in found])
    assert all(one.bgr.shape == (CROP_PX, CROP_PX, 3) for one in found)
    assert set(things[:, 0].astype(int)) == {DIE, CUBE}
    must = things[things[:, 4] == 1]
    assert ((must[:, 1:3] > 0) & (must[:, 1:3] < CROP_PX)).all()
    assert 0.4 < len(must) / len(things) < 1
    assert any(not len(one.things) for one in found)


def test_labels_lie_on_upper_faces() -> None:
    table = Table()
    scene = Scene(Position((0,) * 26, (0,) * 26), dice=(Die(3, (0.7, 0.5), 0.5, Player.WHITE),))
    picture, shown = Painter(table).seen(scene)
    one = Drawn(picture, table, shown, on_board=True)
    x, y = table.board.mm((0.7, 0.5))
    size = table.dice_of(Player.WHITE).size_mm
    top = table.camera.project([(x, y, size)])
    for view in (plain_view(one, 0.8), board_view(picture, BoardGeometry(table.corners, table.bar))):
        die, cube = things_in(one, view)
        assert (die[0], die[4], cube[0]) == (DIE, 1, CUBE)
        assert apply(view.image_from_view, [die[1:3]]) == pytest.approx(top, abs=0.5)
    assert die[3] == pytest.approx(COLUMN_PX * size / table.board.point_mm, rel=0.1)
    assert things_in(one, plain_view(one, 0.8))[0, 3] == pytest.approx(DIE_PX / 0.8, rel=0.01)


def test_a_shard_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SEEDS", 1)
    path = write_shard(tmp_path, 2)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    made = list(crops(shards.FIRST_SEED + 2))
    for one, two in zip(read_shard(path), made, strict=True):
        assert np.array_equal(one.things, two.things)
        assert (one.level, one.spread) == (two.level, two.spread)
        assert np.abs(one.bgr.astype(int) - two.bgr).mean() < 6
    assert write_shard(tmp_path, 2) == path
