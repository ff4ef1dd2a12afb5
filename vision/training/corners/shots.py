"""Pictures of random tables for the nets that find boards, with where these lie, in files of SHARD pictures each."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from calibration.geometry import Matrix
from vision.frame import Bgr
from vision.marks import PLACES_OF_MARKS, marks_in_field
from vision.synth.chance.variety import framing, random_scene, random_table
from vision.synth.render.draw import Painter, viewed
from vision.synth.table import Board, Table
from vision.training.shardfile import asked, decoded, packed_jpegs, parts_of, write_whole

SHARD = 256
FIRST_SEED = 2_000_000
WIDTHS = (320, 480, 480, 640)
JPEG_QUALITY = 92
FREE = 0.35
"""Share of the pictures in which the board is smaller, or lies further aside, than a careful person has it."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture; in its pixels the board's marks (52 × 2, as `vision.marks` orders them) and the case (4 × 2)."""

    bgr: Bgr
    marks: Matrix
    case: Matrix

    @property
    def places(self) -> Matrix:
        """The corners and the bar's ends (8 × 2, as `vision.cornernet` orders them)."""
        return self.marks[PLACES_OF_MARKS]


def shot(seed: int, widths: tuple[int, ...] = WIDTHS) -> Shot:
    """The picture of a seed, as wide as one of `widths`."""
    chance = random.Random(seed)
    width = chance.choice(widths)
    table = random_table(seed, (width, width * 3 // 4))
    if chance.random() < FREE:
        table = _freely_framed(table, chance)
    scene = random_scene(table, seed)
    picture = Painter(table, seed).draw(scene)
    seen = viewed(table, scene, 0.0)
    a, c = seen.board.outline_mm
    case = [(sx, sy, 0.0) for sx, sy in ((-a, -c), (a, -c), (a, c), (-a, c))]
    return Shot(picture, seen.camera.project(_marks_mm(seen.board)), seen.camera.project(case))


def _marks_mm(board: Board) -> Matrix:
    """The board's marks in table space (52 × 3)."""
    half = board.bar_mm / board.width_mm / 2
    xy = marks_in_field((0.5 - half, 0.5 + half), board.point_length / 2)
    return np.array([(*board.mm((x, y)), 0.0) for x, y in xy.tolist()])


def _freely_framed(table: Table, chance: random.Random) -> Table:
    oblique = abs(chance.gauss(0, 0.4))
    camera = framing(
        table.board,
        table.size_px,
        fill=chance.uniform(0.45, 0.8) if chance.random() < 0.7 else chance.uniform(0.9, 1.2),
        shift=(chance.gauss(0, 0.1), chance.gauss(0, 0.08)),
        distance_mm=chance.uniform(700, 2200),
        oblique_rad=min(oblique, 0.95),
        from_rad=chance.gauss(0, 0.4),
        roll_rad=chance.gauss(0, 0.08),
        bend=table.camera.bend,
    )
    return replace(table, camera=camera)


def write_shard(folder: Path, number: int, seeds_from: int = FIRST_SEED, widths: tuple[int, ...] = WIDTHS) -> Path:
    """Make the shard of that number, unless it is there; it appears whole or not at all."""
    path = shard_path(folder, number)
    if path.exists():
        return path
    first = seeds_from + number * SHARD
    shots = [shot(seed, widths) for seed in range(first, first + SHARD)]
    arrays = {
        **packed_jpegs([one.bgr for one in shots], JPEG_QUALITY),
        "marks": np.stack([one.marks for one in shots]),
        "case": np.stack([one.case for one in shots]),
    }
    write_whole(path, arrays)
    return path


class Shots:
    """The pictures of the first `count` shards of a folder, kept as JPEG and decoded when asked for."""

    def __init__(self, folder: Path, count: int) -> None:
        self._kept: list[tuple[npt.NDArray[np.uint8], Matrix, Matrix]] = []
        for number in range(count):
            with np.load(shard_path(folder, number)) as kept:
                self._kept += zip(parts_of(kept, "jpeg"), kept["marks"], kept["case"], strict=True)

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, n: int) -> Shot:
        jpeg, marks, case = self._kept[n]
        return Shot(decoded(jpeg), marks, case)

    def at(self, step: int, seed: int, batch: int) -> Iterator[tuple[Shot, Shot, random.Random]]:
        """The pictures of a step, every one once in a round, each with another one and the step's chance."""
        chance = random.Random(f"{seed} {step}")
        each = len(self) // batch
        order = list(range(len(self)))
        random.Random(f"{seed} round {step // each}").shuffle(order)
        within = step % each * batch
        for k in order[within : within + batch]:
            yield self[k], self[chance.randrange(len(self))], chance


def shard_path(folder: Path, number: int) -> Path:
    """Where a shard lies."""
    return folder / f"shots{number:04}.npz"


def main() -> None:
    """Make shards from one number up to another, those that are missing."""
    given, numbers = asked(argparse.ArgumentParser(description=main.__doc__), count=32)
    for number in numbers:
        write_shard(given.folder, number)


if __name__ == "__main__":
    main()
