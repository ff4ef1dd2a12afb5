"""Measure what the confidence of a found board is made of, with the nets as they lie in `vision/models`."""

from __future__ import annotations

import argparse
import json
import logging
import random
from pathlib import Path

import numpy as np

from calibration.geometry import Matrix
from vision.board import CONFIDENCE, first_guess, straighten
from vision.frame import Bgr
from vision.training.corners.evaluate import RIGHT, corner_error
from vision.training.corners.shots import shot
from vision.training.corners.views import nothing

FIRST_SEED, COUNT = 900_000, 400
EMPTY_EVERY = 8
"""One picture in so many shows no board."""
STEPS = 100
TIGHT = 1.0
"""How firmly the weights are held towards nought: real boards differ from a drawn one more than drawn ones do."""
log = logging.getLogger(__name__)


def confidence_weights(seeds: range) -> list[float]:
    """The logistic regression of `vision.board.confidence_of`, on drawn pictures that the net was not trained on."""
    rows, right = [], []
    for seed in seeds:
        picture, truth = _picture(seed)
        guess = first_guess(picture)
        seen = None if guess is None else straighten(picture, guess)
        if seen is None:
            continue
        rows.append(seen[1].row())
        right.append(truth is not None and corner_error(np.asarray(seen[0].corners), truth) <= RIGHT)
    log.info("%d of %d told, %.1f %% of these right", len(rows), len(seeds), 100 * np.mean(right))
    return [round(float(v), 4) for v in logistic(np.asarray(rows), np.asarray(right, dtype=np.float64))]


def _picture(seed: int) -> tuple[Bgr, Matrix | None]:
    one = shot(seed)
    if seed % EMPTY_EVERY:
        return one.bgr, one.places[:4]
    return (_waves(seed) if seed % (2 * EMPTY_EVERY) else nothing(one, random.Random(seed))), None


def _waves(seed: int) -> Bgr:
    """Stripes and waves of two colours, as wood and cloth have them: no board, though as regular as one."""
    chance = random.Random(seed)
    x, y = np.meshgrid(np.arange(640.0), np.arange(480.0))
    turn, bend = chance.uniform(0, np.pi), chance.uniform(0, 3)
    across, along = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    wave = np.sin(across / chance.uniform(3, 40) + bend * np.sin(along / chance.uniform(10, 90)))
    if chance.random() < 0.4:
        wave = np.sign(wave)
    colours = np.array([[chance.uniform(0, 255) for _ in range(3)] for _ in range(2)])
    share = (wave[..., None] + 1) / 2
    return np.asarray(share * colours[0] + (1 - share) * colours[1], dtype=np.uint8)


def logistic(x: Matrix, wanted: Matrix) -> Matrix:
    """Weights by Newton's method, held towards nought by TIGHT."""
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ weights))
        bend = (x * (p * (1 - p))[:, None]).T @ x + TIGHT * len(x) / 100 * np.eye(len(weights))
        change = np.linalg.solve(bend, x.T @ (wanted - p) - TIGHT * len(x) / 100 * weights)
        weights = weights + np.clip(change, -1, 1)
        if np.abs(change).max() < 1e-6:
            break
    return weights


def main() -> None:
    """Measure the confidence and write it beside the nets."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path, help="vision/models")
    folder = parser.parse_args().folder
    weights = confidence_weights(range(FIRST_SEED, FIRST_SEED + COUNT))
    (folder / CONFIDENCE).write_text(json.dumps({"confidence": weights}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
