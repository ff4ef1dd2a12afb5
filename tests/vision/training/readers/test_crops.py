"""Cut-outs for the readers: decided by their seeds, of every class, and showing what they say."""

from pathlib import Path

import numpy as np
import pytest

from vision.readers import CLASSES, CUBE_PX, DIE_PX
from vision.training.readers import shards
from vision.training.readers.closeup import Block, Light, Skin, View, drawn
from vision.training.readers.crops import EXAMPLES

SIDES = {"die": DIE_PX, "cube": CUBE_PX}


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_cut_outs_follow_from_their_seeds_and_are_of_every_class(kind: str) -> None:
    crops, shows = shards.examples(kind, range(200))
    assert crops.shape == (200, SIDES[kind], SIDES[kind], 3)
    assert set(shows.tolist()) == set(range(CLASSES))
    again, told = shards.examples(kind, range(40, 60))
    assert np.array_equal(again, crops[40:60])
    assert np.array_equal(told, shows[40:60])


def test_a_shard_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", 3)
    path = shards.write_shard(tmp_path, "die", 2)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    crops, shows = shards.read_shard(path)
    made = [EXAMPLES["die"](shards.FIRST_SEED + 6 + k) for k in range(3)]
    assert shows.tolist() == [one.shows for one in made]
    assert np.array_equal(crops, np.stack([one.crop for one in made]))


def _seen_from_above(block: Block) -> np.ndarray:
    view = View(np.array([0, 0, 30], np.float32), np.array([[1, 0, 0], [0, 1, 0], [0, 0, -1]], np.float32), 29 * 20, 40)
    return drawn(np.full((40, 40, 3), 90, np.uint8), [block], Light(1.0, (), None), view)


def test_a_block_shows_its_upper_face_as_it_reads() -> None:
    paint = np.full((64, 6 * 64, 3), 40, np.uint8)
    paint[:32, 4 * 64 : 4 * 64 + 32] = 240  # the upper left quarter of the face on +z
    skin = Skin(paint, None, gloss=0.0, sharp=10.0, clear=0.0)
    middle, axes = np.array([0, 0, 0.5], np.float32), np.eye(3, dtype=np.float32)
    block = Block(middle, axes, size=1.0, edge=0.02, ball=1.0, bulge=0.0, skin=skin)
    seen = _seen_from_above(block)[..., 0].astype(int)
    assert seen[14, 14] > 200
    assert max(seen[14, 26], seen[26, 14], seen[26, 26]) < 60
    assert seen[2, 2] > 60
    assert seen[9, 20] < seen[2, 2] - 10  # just beside it the ground is darker
