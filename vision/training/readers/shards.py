"""Cut-outs for the readers in files of SHARD each: `python -m vision.training.readers.shards die FOLDER --count 24`."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.training.readers.crops import EXAMPLES
from vision.training.shardfile import asked, write_whole

SHARD = 4096
FIRST_SEED = 1_000_000
"""Training seeds begin here; what temperatures are measured on begins at CALIBRATION_SEED."""
CALIBRATION_SEED = 900_000
Crops = npt.NDArray[np.uint8]
Labels = npt.NDArray[np.int64]


def examples(kind: str, seeds: range) -> tuple[Crops, Labels]:
    """Cut-outs (n × px × px × 3) of `kind`, die or cube, and their classes."""
    made = [EXAMPLES[kind](seed) for seed in seeds]
    return np.stack([one.crop for one in made]), np.array([one.shows for one in made], np.int64)


def write_shard(folder: Path, kind: str, number: int) -> Path:
    """Make the shard of that number, unless it is there; it appears whole or not at all."""
    path = folder / f"{kind}{number:04}.npz"
    if not path.exists():
        first = FIRST_SEED + number * SHARD
        crops, shows = examples(kind, range(first, first + SHARD))
        write_whole(path, {"crops": crops, "shows": shows})
    return path


def read_shard(path: Path) -> tuple[Crops, Labels]:
    """The cut-outs and classes of a shard."""
    with np.load(path) as kept:
        return kept["crops"], kept["shows"]


def main() -> None:
    """Make shards from one number up to another, those that are missing."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("kind", choices=sorted(EXAMPLES))
    given, numbers = asked(parser, count=24)
    for number in numbers:
        write_shard(given.folder, given.kind, number)


if __name__ == "__main__":
    main()
