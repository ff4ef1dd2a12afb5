"""Makes a set of physically rendered pictures with their truth: `python -m vision.synth.testset -o FOLDER --to 200`.

Picture n comes of seed n alone. What is in the folder already is left as it is, so a broken run can be gone on with.
"""

from __future__ import annotations

import argparse
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from vision.frame import Bgr
from vision.synth.chance.variety import random_scene, random_table
from vision.synth.render.draw import Painter, viewed
from vision.synth.render.physical import render
from vision.synth.truth import picture_truth

SIZES_PX = ((640, 480), (640, 360), (720, 540), (800, 450), (800, 600))
SAMPLES = 25
LARGEST_BYTES = 58_000
"""Two hundred pictures together stay below 12 MB."""
QUALITIES = range(95, 20, -5)
TRUTH = "truth.jsonl"

log = logging.getLogger(__name__)


def numbered(number: int, samples: int = SAMPLES) -> tuple[Bgr, dict[str, Any]]:
    """Picture `number` and what is true of it; how much can be seen of each thing is told by the fast renderer."""
    table = random_table(number, SIZES_PX[number % len(SIZES_PX)])
    table = replace(table, sensor=replace(table.sensor, h264=0))  # the set is older than this trait
    scene = random_scene(table, number)
    _, shown = Painter(table, number).seen(scene)
    picture = render(table, scene, number, samples=samples)
    return picture, picture_truth(viewed(table, scene, 0.0), scene, shown)


def make(folder: Path, numbers: range, samples: int = SAMPLES) -> None:
    """Add to a folder the pictures of `numbers` that it lacks, each as a JPEG and as a line of `truth.jsonl`.

    Raises SourceError when Mitsuba is not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    truth = folder / TRUTH
    told = [json.loads(line) for line in truth.read_text("utf-8").splitlines()] if truth.exists() else []
    done = {line["seed"] for line in told}
    for number in numbers:
        if number in done:
            continue
        picture, facts = numbered(number, samples)
        name = f"{number:04}.jpg"
        (folder / name).write_bytes(_jpeg(picture))
        with truth.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"picture": name, "seed": number, **facts}) + "\n")
        log.info("%s", name)


def _jpeg(picture: Bgr) -> bytes:
    """The picture in the best quality that is not too large."""
    data = b""
    for quality in QUALITIES:
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= LARGEST_BYTES:
            break
    return data


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m vision.synth.testset", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first number")
    parser.add_argument("--to", type=int, required=True, help="the number after the last one")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="light paths of a pixel")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    make(given.output, range(given.first, given.to), given.samples)


if __name__ == "__main__":
    main()
