"""How well boards are found in a test set with its truth, such as `tests/data/physical`."""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.geometry import Matrix
from vision.board import find_board
from vision.frame import Bgr

RIGHT = 0.02
"""Corners are right when each lies within this share of the field's width of the true one."""
SURE = 0.9
log = logging.getLogger(__name__)


def corner_error(found: Matrix, truth: Matrix) -> float:
    """How far the worst corner (of 4 × 2) lies off, in widths of the field; either side may be the upper one."""
    width = float(np.linalg.norm(truth[1] - truth[0]))
    return min(float(np.linalg.norm(np.roll(found, 2 * k, axis=0) - truth, axis=1).max()) for k in range(2)) / width


def pictures(folder: Path) -> Iterator[tuple[str, Bgr, Matrix, Matrix]]:
    """Name, picture, true corners and the bar's edges of a folder with `truth.jsonl`."""
    for text in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        picture = np.asarray(cv2.imread(str(folder / line["picture"])), dtype=np.uint8)
        yield line["picture"], picture, np.asarray(line["corners"]), np.asarray(line["bar"])


def evaluate(folder: Path) -> None:
    """Tell each miss, then the shares found right and claimed, and the errors."""
    errors, claims, bars = [], [], []
    for name, picture, truth, bar in pictures(folder):
        found = find_board(picture)
        error = 1.0 if found is None else corner_error(np.asarray(found.geometry.corners), truth)
        errors.append(error)
        claims.append(0.0 if found is None else found.confidence)
        if found is not None and error <= RIGHT:
            bars.append(abs(np.diff(found.geometry.bar)[0] - np.diff(bar)[0]))
        if error > RIGHT:
            log.info("%s: off by %.1f %%, confidence %.2f", name, 100 * error, claims[-1])
    off, sure = np.asarray(errors), np.asarray(claims) >= SURE
    log.info(
        "%d pictures: %.1f %% right, error of these %.2f %% (median) %.2f %% (90 of 100), bar's width off by %.2f %%",
        len(off),
        100 * (off <= RIGHT).mean(),
        *(100 * np.percentile(off[off <= RIGHT], p) for p in (50, 90)),
        100 * float(np.mean(bars)),
    )
    log.info("%.1f %% claimed, %d of these wrong", 100 * sure.mean(), int((off[sure] > RIGHT).sum()))


def main() -> None:
    """Find the boards of a test set."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    evaluate(parser.parse_args().folder)


if __name__ == "__main__":
    main()
