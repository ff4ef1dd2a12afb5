"""Training pictures for the detector of small things: crops at its scale with the truth about them, in files."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, Matrix, apply, inverse, parse_corners
from rules.position import Player
from vision.frame import Bgr
from vision.smallthings import BEYOND, View, board_view, scaled_view
from vision.synth.solids import Box, Item, Role
from vision.training.shardfile import asked, decoded, packed, packed_jpegs, parts_of, write_whole
from vision.training.things.crop import CROP_PX, CUBE, DIE, FACTS, SIDES_PX, Crop, Rows, inside
from vision.training.things.scenes import SCENES, Drawn, drawn
from vision.training.things.traced import traced
from vision.window import level_of

SEEDS = 64
"""Seeds of a shard."""
CROPS, TRACED = 6, 12
"""Crops of a picture, most of which lie around a die or the cube; traced crops of a seed."""
MOST_BEYOND, TRIES = 0.5, 5
"""A crop that lies beyond the picture by a larger share is cut anew, so often."""
EACH = SCENES * CROPS + TRACED
FIRST_SEED = 1_000_000
SHOWN, DOUBTFUL = 0.3, 0.12
"""Of a thing to be found at least this share is seen; between the two it neither counts nor fails."""
CORNER_ERROR = 0.006
JPEG_QUALITY = 92


def crops(seed: int) -> Iterator[Crop]:
    """The training pictures of a seed."""
    chance = random.Random(seed * 31 + 7)
    for one in drawn(seed):
        view = _stretched(_view(one, chance), chance)
        things = things_in(one, view)
        level, spread = level_of(view.bgr)
        for _ in range(CROPS):
            left, top = _corner(view.bgr, things, chance)
            for _ in range(TRIES):
                if (_cut(view.bgr, left, top) == BEYOND).all(axis=2).mean() < MOST_BEYOND:
                    break
                left, top = _corner(view.bgr, things, chance)
            yield Crop(_cut(view.bgr, left, top), inside(things, left, top), level, spread)
    for number in range(TRACED):
        yield traced(seed * TRACED + number)


def _view(one: Drawn, chance: random.Random) -> View:
    """The picture as the detector is shown it: a board turned upright, or just another size."""
    table = one.table
    if one.on_board and chance.random() < 0.7:
        error = CORNER_ERROR * table.size_px[0] * chance.random() ** 2 * 2
        corners = [(x + chance.gauss(0, error), y + chance.gauss(0, error)) for x, y in table.corners]
        return board_view(one.picture, BoardGeometry(parse_corners(corners), table.bar))
    return plain_view(one, chance.uniform(0.6, 1.5))


def _stretched(view: View, chance: random.Random) -> View:
    """Now and then stretched one way: nobody knows how high a field is, and some photos are squeezed."""
    if chance.random() < 0.4:
        return view
    height, width = view.bgr.shape[:2]
    by = chance.uniform(1.0, 1.3) if chance.random() < 0.7 else chance.uniform(0.8, 1.0)
    size = (width, round(height * by)) if chance.random() < 0.75 else (round(width * by), height)
    back = np.diag([width / size[0], height / size[1], 1.0])
    return View(np.asarray(cv2.resize(view.bgr, size), dtype=np.uint8), view.image_from_view @ back)


def plain_view(one: Drawn, wrong: float) -> View:
    """The picture at the scale that the size of its dice gives, told wrong by a factor."""
    dice = [item for item, _ in one.shown if item.role is Role.DIE]
    return scaled_view(one.picture, float(np.median(_upper_faces(one, dice, np.eye(3))[1])) * wrong)


def _upper_faces(one: Drawn, things: list[Item], transform: Matrix) -> tuple[Matrix, Matrix]:
    """Middles (n × 2) and mean edges (n) of the upper faces of dice and cubes after a transform of the picture."""
    faces = np.concatenate([_box(item).sides()[0][4] for item in things]).reshape(-1, 4, 3)
    places = np.concatenate([faces, faces.mean(axis=1, keepdims=True)], axis=1).reshape(-1, 3)
    xy = apply(transform, one.table.camera.project(places)).reshape(-1, 5, 2)
    edges: Matrix = np.linalg.norm(xy[:, :4] - np.roll(xy[:, :4], 1, axis=1), axis=2).mean(axis=1)
    return xy[:, 4], edges


def _box(item: Item) -> Box:
    (box,) = item.solids
    assert isinstance(box, Box)
    return box


def things_in(one: Drawn, view: View) -> Rows:
    """Kind, x, y, edge length, whether it must be found and whether it leans, of each die and cube that is seen."""
    told = [(item, share) for item, share in one.shown if item.role in (Role.DIE, Role.CUBE) and share > DOUBTFUL]
    if not told:
        return np.zeros((0, FACTS), np.float32)
    middles, edges = _upper_faces(one, [item for item, _ in told], inverse(view.image_from_view))
    rows = []
    for (item, share), (x, y), side in zip(told, middles, edges, strict=True):
        kind = DIE if item.role is Role.DIE else CUBE
        low, high = SIDES_PX[kind]
        numeral = kind == DIE and one.table.dice_of(item.player or Player.WHITE).numerals
        must = share >= SHOWN and low <= side <= high and not numeral
        rows.append((kind, x, y, side, must, item.state == "cocked"))
    return np.asarray(rows, dtype=np.float32)


def _corner(view: Bgr, things: Rows, chance: random.Random, px: int = CROP_PX) -> tuple[int, int]:
    """Left and top of a crop: as a rule around some die or cube."""
    height, width = view.shape[:2]
    x, y = chance.uniform(0, width), chance.uniform(0, height)
    if len(things) and chance.random() < 0.7:
        cubes = np.flatnonzero(things[:, 0] == CUBE)
        n = int(cubes[0]) if len(cubes) and chance.random() < 0.25 else chance.randrange(len(things))
        _, x, y = (float(v) for v in things[n, :3])
        x, y = x + chance.uniform(-0.4, 0.4) * px, y + chance.uniform(-0.4, 0.4) * px
    left, top = (round(min(max(v - px / 2, 0), max(0, n - px))) for v, n in ((x, width), (y, height)))
    return left, top


def _cut(view: Bgr, left: int, top: int) -> Bgr:
    cut = view[top : top + CROP_PX, left : left + CROP_PX]
    below, right = CROP_PX - cut.shape[0], CROP_PX - cut.shape[1]
    whole = cv2.copyMakeBorder(cut, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(BEYOND,) * 3)
    return np.asarray(whole, dtype=np.uint8)


def part_of(crop: Crop, px: int, chance: random.Random) -> Crop:
    """A square part of a crop, as a rule around some die or cube."""
    left, top = _corner(crop.bgr, crop.things, chance, px)
    things = inside(crop.things, left, top, px)
    return Crop(crop.bgr[top : top + px, left : left + px], things, crop.level, crop.spread)


def write_shard(folder: Path, number: int) -> Path:
    """Make the shard of that number, unless it is there; it appears whole or not at all."""
    path = shard_path(folder, number)
    if path.exists():
        return path
    first = FIRST_SEED + number * SEEDS
    made = [crop for seed in range(first, first + SEEDS) for crop in crops(seed)]
    arrays = {
        **packed_jpegs([one.bgr for one in made], JPEG_QUALITY),
        **packed("things", [one.things for one in made]),
        "levels": np.asarray([(one.level, one.spread) for one in made]),
    }
    write_whole(path, arrays)
    return path


def read_shard(path: Path) -> list[Crop]:
    """The pictures of a shard."""
    with np.load(path) as kept:
        pictures = [decoded(jpeg) for jpeg in parts_of(kept, "jpeg")]
        things = parts_of(kept, "things")
        levels = kept["levels"]
    return [
        Crop(bgr, told, float(level), float(spread))
        for bgr, told, (level, spread) in zip(pictures, things, levels, strict=True)
    ]


def shard_path(folder: Path, number: int) -> Path:
    """Where a shard lies."""
    return folder / f"small{number:04}.npz"


def main() -> None:
    """Make shards from one number up to another, those that are missing."""
    given, numbers = asked(argparse.ArgumentParser(description=main.__doc__), count=40)
    for number in numbers:
        write_shard(given.folder, number)


if __name__ == "__main__":
    main()
