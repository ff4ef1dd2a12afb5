"""Make the shards of pictures for the mark net, `python -m vision.training.marks.shots SHOTS`: as for the corner net,
but larger ones, and of tables of their own.
"""

from __future__ import annotations

import argparse

from vision.training.corners.shots import write_shard
from vision.training.shardfile import asked

FIRST_SEED = 4_000_000
WIDTHS = (480, 640, 640, 800)


def main() -> None:
    """Make shards from one number up to another, those that are missing."""
    given, numbers = asked(argparse.ArgumentParser(description=main.__doc__), count=24)
    for number in numbers:
        write_shard(given.folder, number, FIRST_SEED, WIDTHS)


if __name__ == "__main__":
    main()
