"""Dice that lie flat and dice that lean, each cut out as it is seen from above, in files: drawn and traced ones.

`python -m vision.training.leaning.examples FOLDER --count 12`
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry, Matrix, apply, inverse, parse_corners
from vision.frame import Bgr
from vision.smallthings import board_view
from vision.synth.solids import Box, Item, Role
from vision.training.leaning.seen import cut_out
from vision.training.readers.closeup import View
from vision.training.readers.crops import as_seen
from vision.training.shardfile import asked, write_whole
from vision.training.things import traced
from vision.training.things.crop import DIE
from vision.training.things.scenes import Drawn
from vision.training.things.scenes import drawn as drawn_tables
from vision.training.things.shards import CORNER_ERROR, DOUBTFUL, things_in

FIRST_SEED = 3_000_000
"""Training seeds begin here; what the net is judged by begins at JUDGING_SEED."""
JUDGING_SEED = 2_900_000
SEEDS, TRACED = 48, 10
"""Seeds of a shard; traced pictures of a seed."""
LEANS = 0.2
"""A die leans when it leans by so much, in radians; less, yet not nothing, is shown to nobody."""
SHOWN, LEAST_PX = 0.6, 7.5
"""Of a die so much is seen, and its edge is so many pixels of its picture, else it is not shown."""
PLACE_ERROR, SIZE_ERROR, STRETCH = 0.09, 0.12, 0.09
"""How far off the detector is, in edges; how wrong its sizes; how wrong a field's height may be taken (logarithms)."""
RELIEF_ERROR, RELIEF_SCALE = 0.06, 0.2
"""How wrong the camera's place is taken: as a share of a height, and as a logarithm of the relief."""
Reliefs = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Example:
    """One die: its cut-out, the relief there as `seen.reliefs_at` would tell it, whether it leans."""

    crop: Bgr
    relief: tuple[float, float]
    leans: bool


def examples(seed: int) -> Iterator[Example]:
    """The dice of a seed."""
    chance = random.Random(f"leaning {seed}")
    for one in drawn_tables(seed):
        if one.on_board:
            yield from _on_a_board(one, chance)
    for number in range(TRACED):
        yield from _traced(chance, seed * TRACED + number)


def _on_a_board(one: Drawn, chance: random.Random) -> Iterator[Example]:
    table = one.table
    error = CORNER_ERROR * table.size_px[0] * chance.random() ** 2 * 2
    corners = [(x + chance.gauss(0, error), y + chance.gauss(0, error)) for x, y in table.corners]
    view = board_view(one.picture, BoardGeometry(parse_corners(corners), table.bar))
    dice = [(item, share) for item, share in one.shown if item.role in (Role.DIE, Role.CUBE) and share > DOUBTFUL]
    x, y, z = table.camera.position_mm
    for (item, share), row in zip(dice, things_in(one, view), strict=True):
        tilt = _tilt(item)
        if item.role is not Role.DIE or share < SHOWN or 0 < tilt < LEANS:
            continue
        mm_x, mm_y, _ = item.centre_mm
        told = _told(chance, (float(row[1]), float(row[2])), float(row[3]))
        if told is None or not _inside(one.picture, view.image_from_view, told[0]):
            continue
        relief = _mistaken(chance, ((mm_x - x) / z, (mm_y - y) / z))
        yield Example(_cut(chance, one.picture, view.image_from_view, *told), relief, tilt >= LEANS)


def _traced(chance: random.Random, seed: int) -> Iterator[Example]:
    """Blocks and checkers on the ground, traced ray by ray."""
    lit, view, blocks, side = traced.pictured(chance, seed)
    picture = as_seen(chance, lit, side)
    above = traced.ground_from_above(view, side)
    for block, kind, _ in blocks:
        tilt = math.acos(min(1.0, float(block.axes[2, 2])))
        if kind != DIE or 1e-3 < tilt < LEANS:
            continue
        _, u, v, edge, *_ = traced.lies((block, kind, False), view, above)
        told = _told(chance, (u, v), edge)
        image_from_upright = inverse(above.astype(np.float64))
        if told is None or side < LEAST_PX or not _inside(picture, image_from_upright, told[0]):
            continue
        relief = _mistaken(chance, _seen_from(view, block.centre))
        yield Example(_cut(chance, picture, image_from_upright, *told), relief, tilt >= LEANS)


def _inside(bgr: Bgr, image_from_upright: Matrix, at: tuple[float, float]) -> bool:
    (x, y) = apply(image_from_upright, [at])[0]
    return bool(0 < x < bgr.shape[1] - 1 and 0 < y < bgr.shape[0] - 1)


def _seen_from(view: View, place: npt.NDArray[np.float32]) -> tuple[float, float]:
    x, y = (place[:2] - view.eye[:2]) / view.eye[2]
    return float(x), float(y)


def _tilt(item: Item) -> float:
    (box,) = item.solids
    assert isinstance(box, Box)
    up = np.asarray(box.halves_mm[2])
    return math.acos(min(1.0, float(up[2] / np.linalg.norm(up)))) if item.state == "cocked" else 0.0


def _told(chance: random.Random, at: tuple[float, float], edge: float) -> tuple[tuple[float, float], float] | None:
    """Middle and edge as the detector would tell them."""
    if edge < 1:
        return None
    x, y = (v + chance.gauss(0, PLACE_ERROR) * edge for v in at)
    return (x, y), edge * math.exp(chance.gauss(0, SIZE_ERROR))


def _mistaken(chance: random.Random, relief: tuple[float, float]) -> tuple[float, float]:
    scale = math.exp(chance.gauss(0, RELIEF_SCALE))
    x, y = (scale * v + chance.gauss(0, RELIEF_ERROR) for v in relief)
    return x, y


def _cut(chance: random.Random, bgr: Bgr, image_from_upright: Matrix, at: tuple[float, float], edge: float) -> Bgr:
    """The cut-out, from an upright view that is a little too high or too low."""
    by = math.exp(chance.gauss(0, STRETCH))
    stretched = image_from_upright @ np.diag([1.0, 1 / by, 1.0])
    return cut_out(bgr, stretched, (at[0], at[1] * by), edge * math.sqrt(by))


def shard_path(folder: Path, number: int) -> Path:
    """Where the shard of a number lies."""
    return folder / f"leaning{number:04}.npz"


def write_shard(folder: Path, number: int, first_seed: int = FIRST_SEED) -> Path:
    """Make the shard of that number, unless it is there; it appears whole or not at all."""
    path = shard_path(folder, number)
    if not path.exists():
        first = first_seed + number * SEEDS
        made = [one for seed in range(first, first + SEEDS) for one in examples(seed)]
        write_whole(
            path,
            {
                "crops": np.stack([one.crop for one in made]),
                "reliefs": np.array([one.relief for one in made], np.float32),
                "leans": np.array([one.leans for one in made], np.float32),
            },
        )
    return path


def read_shards(paths: list[Path]) -> tuple[npt.NDArray[np.uint8], Reliefs, Reliefs]:
    """The cut-outs, reliefs and truths of some shards."""
    kept = []
    for path in paths:
        with np.load(path) as shard:
            kept.append((shard["crops"], shard["reliefs"], shard["leans"]))
    crops, reliefs, leans = (np.concatenate(part) for part in zip(*kept, strict=True))
    return crops, reliefs, leans


def main() -> None:
    """Make shards from one number up to another, those that are missing."""
    cv2.setNumThreads(1)
    given, numbers = asked(argparse.ArgumentParser(description=main.__doc__), count=12)
    for number in numbers:
        write_shard(given.folder, number)


if __name__ == "__main__":
    main()
