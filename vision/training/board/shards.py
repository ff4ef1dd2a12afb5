"""Training pictures: windows of random tables with the truth about them, kept in files of SHARD pictures each."""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import COLUMNS, BoardGeometry, apply, parse_corners
from calibration.orientation import Home, place_of
from rules.position import Player
from vision.frame import Bgr
from vision.synth.chance.variety import random_scene, random_table
from vision.synth.render.draw import Painter, viewed
from vision.synth.solids import Item, Role
from vision.training.shardfile import asked, decoded, packed, packed_jpegs, parts_of, write_whole
from vision.window import HEIGHT_PX, STRIDE, WIDTH_PX, window_from_image, window_of

SHARD = 256
LANE = 100
FIRST_SEED = 1_000_000
"""Training seeds begin here: whatever is tested has smaller ones."""
SHOWN, DOUBTFUL = 0.3, 0.12
"""Of a thing to be found at least this share is seen; between the two it neither counts nor fails."""
CHECKER, UPPER, DIE, CUBE = range(4)
CORNER_ERROR = 0.006
WIDTHS = (360, 480, 640, 800)
JPEG_QUALITY = 95


@dataclass(frozen=True, slots=True)
class Example:
    """One training picture.

    `window` as `vision.window` cuts it; `things` n × 4: kind (CHECKER …), x, y in the window's pixels, and 1 where
    it must be found, 0 where it may be; `cover` rows × columns of cells, 0–255: how far hands and props hide them;
    `counts` how many checkers stand on each of the 24 points as seen; `bar` as in `BoardGeometry`.
    """

    window: Bgr
    things: npt.NDArray[np.float32]
    cover: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.int64]
    bar: tuple[float, float]


def example(seed: int) -> Example:
    """The training picture of a seed."""
    chance = random.Random(seed)
    width = chance.choice(WIDTHS)
    table = random_table(seed, (width, width * 3 // 4))
    scene = random_scene(table, seed)
    painter = Painter(table, seed)
    picture, shown = painter.seen(scene)
    seen = viewed(table, scene, 0.0)
    error = CORNER_ERROR * width * (chance.random() ** 2) * 2
    corners = [(x + chance.gauss(0, error), y + chance.gauss(0, error)) for x, y in seen.corners]
    geometry = BoardGeometry(parse_corners(corners), seen.bar)
    transform = window_from_image(geometry)
    rows = [(kind, *item.centre_mm, share) for item, share in shown if (kind := _kind(item)) is not None]
    told = np.asarray(rows, dtype=np.float64).reshape(-1, 5)
    places = apply(transform, seen.camera.project(told[:, 1:4])) if len(told) else np.zeros((0, 2))
    inside = (places > 0).all(axis=1) & (places < (WIDTH_PX, HEIGHT_PX)).all(axis=1) & (told[:, 4] > DOUBTFUL)
    things = np.column_stack([told[:, 0], places, told[:, 4] >= SHOWN])[inside]
    covering = [n for n, (item, _) in enumerate(shown, start=1) if item.role in (Role.HAND, Role.PROP)]
    hidden = np.isin(painter.ids, covering).astype(np.uint8) * 255
    large = cv2.warpPerspective(hidden, transform, (WIDTH_PX, HEIGHT_PX))
    cover = cv2.resize(large, (WIDTH_PX // STRIDE, HEIGHT_PX // STRIDE), interpolation=cv2.INTER_AREA)
    return Example(
        window_of(picture, geometry),
        things.astype(np.float32),
        np.asarray(cover, dtype=np.uint8),
        _counts([item for item, _ in shown], seen.home),
        seen.bar,
    )


def _counts(items: list[Item], home: Home) -> npt.NDArray[np.int64]:
    counts = np.zeros(2 * COLUMNS, np.int64)
    for item in items:
        if item.role == Role.CHECKER and item.point is not None and 1 <= item.point <= 2 * COLUMNS:
            counts[place_of(item.point if item.player is Player.WHITE else 25 - item.point, home)] += 1
    return counts


def _kind(item: Item) -> int | None:
    match item.role:
        case Role.CHECKER:
            return UPPER if 0 < item.layer < 6 else CHECKER
        case Role.DIE:
            return DIE
        case Role.CUBE:
            return CUBE
        case _:
            return None


def write_shard(folder: Path, number: int) -> Path:
    """Make the shard of that number, unless it is there; it appears whole or not at all."""
    path = shard_path(folder, number)
    if path.exists():
        return path
    first = FIRST_SEED + number * SHARD
    examples = [example(seed) for seed in range(first, first + SHARD)]
    arrays = {
        **packed_jpegs([one.window for one in examples], JPEG_QUALITY),
        **packed("things", [one.things for one in examples]),
        "cover": np.stack([one.cover for one in examples]),
        "counts": np.stack([one.counts for one in examples]),
        "bars": np.array([one.bar for one in examples]),
    }
    write_whole(path, arrays)
    return path


def read_shard(path: Path) -> list[Example]:
    """The pictures of a shard."""
    with np.load(path) as kept:
        windows = [decoded(jpeg) for jpeg in parts_of(kept, "jpeg")]
        things = parts_of(kept, "things")
        cover, counts, bars = kept["cover"], kept["counts"], kept["bars"]
    return [
        Example(window, told, hidden, count, (float(left), float(right)))
        for window, told, hidden, count, (left, right) in zip(windows, things, cover, counts, bars, strict=True)
    ]


def nth_shard(n: int) -> int:
    """The number of the shard used n-th: two processes make them, LANE numbers apart, each from its first on."""
    return n % 2 * LANE + n // 2


def shard_path(folder: Path, number: int) -> Path:
    """Where a shard lies."""
    return folder / f"shard{number:04}.npz"


def main() -> None:
    """Make shards from one number up to another, those that are missing."""
    given, numbers = asked(argparse.ArgumentParser(description=main.__doc__), count=100)
    for number in numbers:
        write_shard(given.folder, number)


if __name__ == "__main__":
    main()
