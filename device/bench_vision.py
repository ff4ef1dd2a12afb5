"""One run of `schiri bench vision` in its own process: prints its CPU seconds as JSON."""

from __future__ import annotations

import json
import random
import sys
import time

import cv2

from calibration.geometry import BoardGeometry, parse_corners
from device.bench_worker import reference_s
from vision.frame import Bgr, Frame
from vision.observe import Eyes
from vision.settle import QUIET_S, Seeing, Settler
from vision.synth.chance.variety import random_scene
from vision.synth.render.draw import Painter
from vision.synth.scene import Scene
from vision.synth.table import Table

DRAWN = 6
"""Different pictures, read round and round."""


def measure(name: str, count: int) -> dict[str, float]:
    """CPU seconds for so many pictures, in one thread: read wholly, or looked at while nothing happens."""
    cv2.setNumThreads(1)
    table = Table().scaled(1280, 720)
    eyes = Eyes(BoardGeometry(parse_corners(table.corners), table.bar))
    painter = Painter(table)
    if name.startswith("reading"):
        chance = random.Random(1)
        pictures = [painter.draw(random_scene(table, chance.randrange(100))) for _ in range(DRAWN)]
        _read(eyes, pictures, DRAWN)
        start = time.process_time()
        _read(eyes, pictures, count)
    else:
        settler, still = Settler(eyes, stills=False), painter.draw(Scene())
        at_s = 0.0
        while settler.seeing is not Seeing.UNCHANGED:
            _feed(settler, still, at_s)
            at_s += QUIET_S
        start = time.process_time()
        for n in range(count):
            _feed(settler, still, at_s + n * QUIET_S)
    return {"cpu_s": time.process_time() - start, "reference_s": reference_s()}


def _read(eyes: Eyes, pictures: list[Bgr], count: int) -> None:
    for n in range(count):
        eyes.observe(Frame(pictures[n % len(pictures)], float(n), "bench"))


def _feed(settler: Settler, picture: Bgr, at_s: float) -> None:
    for _ in settler.feed(Frame(picture, at_s, "bench")):
        settler.eyes.keep_look()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
