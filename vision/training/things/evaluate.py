"""How well dice and cube are found and read in a test set with its truth, such as `tests/data/physical`."""

from __future__ import annotations

import argparse
import json
import logging
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, parse_corners
from vision.cube import CubeSeen, find_cube
from vision.dice import DieSeen, find_dice
from vision.judging import judged
from vision.smallthings import board_view, look

SURE = 0.9
NEAR = 0.3
"""A die is found when it is told within so many widths of a point of where it is."""
SHOWN, DOUBTFUL = 0.5, 0.12
"""Dice and cubes of which less is seen do not count; those of which hardly anything is seen need not be told."""
log = logging.getLogger(__name__)


def evaluate(folder: Path) -> Counter[str]:
    """Counts over a folder with `truth.jsonl`."""
    score: Counter[str] = Counter()
    for text in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        bgr = np.asarray(cv2.imread(str(folder / line["picture"])), dtype=np.uint8)
        left, right = line["bar"]
        geometry = BoardGeometry(parse_corners(line["corners"]), (left, right))
        seen = judged(bgr, look(board_view(bgr, geometry)))
        _dice(score, line["dice"], find_dice(geometry, seen), geometry.column_px)
        _cube(score, line["cube"], find_cube(bgr, geometry, seen), geometry.column_px)
    return score


def _dice(score: Counter[str], truth: list[dict[str, Any]], told: tuple[DieSeen, ...], column_px: float) -> None:
    left = list(told)
    for die in truth:
        near = [one for one in left if np.hypot(*np.subtract(one.center_px, die["center"])) < NEAR * column_px]
        best = min(near, key=lambda one: float(np.hypot(*np.subtract(one.center_px, die["center"]))), default=None)
        if best is not None:
            left.remove(best)
        if die["share"] < SHOWN:
            continue
        score["dice"] += 1
        if best is None:
            continue
        cocked = die["state"] == "cocked"
        score["cocked dice claimed flat"] += cocked and not best.cocked and best.confidence >= SURE
        score["dice found"] += 1
        score["cocked dice"] += cocked
        score["cocked dice known"] += cocked and best.cocked
        score["flat dice told cocked"] += best.cocked and not cocked
        if cocked:
            continue
        right = best.pips == die["pips"] and not best.cocked
        score["flat dice found"] += 1
        score["flat dice right"] += right
        score["flat dice claimed"] += best.confidence >= SURE
        score["flat dice claimed, wrong"] += best.confidence >= SURE and not right
    score["false dice"] += len(left)
    score["false dice, claimed"] += sum(one.confidence >= SURE for one in left)


def _cube(score: Counter[str], truth: dict[str, Any] | None, told: CubeSeen | None, column_px: float) -> None:
    there = truth is not None and truth["share"] >= DOUBTFUL
    near = truth is not None and told is not None
    if near and truth is not None and told is not None:
        near = bool(np.hypot(*np.subtract(told.center_px, truth["center"])) < 2 * NEAR * column_px)
    score["false cubes"] += told is not None and not (there and near)
    if truth is None or truth["share"] < SHOWN:
        return
    score["cubes"] += 1
    if not near or told is None:
        return
    score["cubes found"] += 1
    score["cube numbers right"] += told.value == truth["value"]
    score["cube numbers told"] += told.value is not None
    score["cube numbers claimed"] += told.value is not None and told.confidence >= SURE
    score["cube numbers claimed, wrong"] += told.confidence >= SURE and told.value not in (None, truth["value"])


def main() -> None:
    """Score detector and readers."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    for name, count in evaluate(parser.parse_args().folder).items():
        log.info("%-28s%d", name, count)


if __name__ == "__main__":
    main()
