"""One run of `schiri bench sim` in its own process: prints its CPU seconds as JSON."""

from __future__ import annotations

import json
import sys
import time
from itertools import islice

import cv2

from device.bench_worker import reference_s
from vision.synth.chance.variety import random_scene, random_table
from vision.synth.film import Film
from vision.synth.render.draw import Painter
from vision.synth.story.plan import Plan
from vision.synth.table import Table
from vision.synth.truth import picture_truth

WARM_UP = 8
"""Pictures drawn before the clock runs."""


def stills(first: int, count: int) -> None:
    """Pictures with their truth, each of a table of its own."""
    for seed in range(first, first + count):
        table = random_table(seed, (640, 480))
        scene = random_scene(table, seed)
        picture_truth(table, scene, Painter(table, seed).seen(scene)[1])


def measure(name: str, count: int) -> dict[str, float]:
    """CPU seconds for so many pictures, in one thread."""
    cv2.setNumThreads(1)
    if name.startswith("stills"):
        stills(0, WARM_UP)
        start = time.process_time()
        stills(WARM_UP, count)
    else:
        film = Film(Plan(seed=1), Table().scaled(1280, 720), fps=10.0)
        frames, painter = film.frames(), Painter(film.table)
        for frame in islice(frames, WARM_UP):
            painter.draw(frame.scene, frame.at_s, frame.shutter)
        start = time.process_time()
        for frame in islice(frames, count):
            painter.draw(frame.scene, frame.at_s, frame.shutter)
    seconds = time.process_time() - start
    return {"cpu_s": seconds, "reference_s": reference_s()}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
