"""How much the word of the detector and of each reader counts: fitted on drawn scenes that nothing was trained on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import count, islice

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from vision.frame import Bgr
from vision.judging import evidence, looked_at
from vision.smallthings import View, board_view, look
from vision.synth.chance.variety import random_scene, random_table
from vision.synth.render.draw import Painter, viewed
from vision.training.things.scenes import Drawn, drawn
from vision.training.things.shards import plain_view, things_in

FIRST_SEED, BOARDS, LOOSE = 900_000, 300, 60
SAME = 0.45
"""A thing is a true one when it lies within so many edges of it."""
STEPS, HELD = 60, 0.01
Doubles = npt.NDArray[np.float64]
log = logging.getLogger(__name__)


def scenes(boards: int = BOARDS, loose: int = LOOSE) -> Iterator[tuple[Bgr, View, npt.NDArray[np.float32]]]:
    """Boards as they stand in games and muddles, and loose dice: picture, view, what lies in it (view's pixels)."""
    for seed in range(FIRST_SEED, FIRST_SEED + boards):
        width = (480, 640, 800, 1120)[seed % 4]
        table = random_table(seed, (width, width * 3 // 4))
        scene = random_scene(table, seed)
        picture, shown = Painter(table, seed).seen(scene)
        seen = viewed(table, scene, 0.0)
        view = board_view(picture, BoardGeometry(seen.corners, seen.bar))
        yield picture, view, things_in(Drawn(picture, seen, shown, True), view)
    beside = (one for seed in count(FIRST_SEED) for one in islice(drawn(seed), 1))
    for one in islice((one for one in beside if not one.on_board), loose):
        view = plain_view(one, 1.0)
        yield one.picture, view, things_in(one, view)


def measured() -> tuple[Doubles, npt.NDArray[np.int64]]:
    """Evidence (n × 4) of all things that the detector tells, and what each is: 0 a die, 1 a cube, 2 nothing."""
    rows, kinds = [], []
    for picture, view, there in scenes():
        told = look(view)
        if not len(told.p):
            continue
        known = evidence(told.p, *looked_at(picture, told, least=(0.0, 0.0)))
        back = np.linalg.inv(view.image_from_view)
        xy = cv2.perspectiveTransform(told.xy.reshape(-1, 1, 2), back).reshape(-1, 2)
        for place, row in zip(xy, known, strict=True):
            away = np.hypot(*(there[:, 1:3] - place).T) / np.maximum(there[:, 3], 1)
            near = there[away < SAME]
            if len(near) and not near[:, 4].all():
                continue
            rows.append(row)
            kinds.append(int(near[0, 0]) if len(near) else 2)
    return np.asarray(rows), np.asarray(kinds)


def fitted(rows: Doubles, kinds: npt.NDArray[np.int64]) -> Doubles:
    """The weights (2 × 4) that make the true kinds likeliest; no die asks the reader of cubes, no cube that of dice."""
    asked = np.array([[1, 1, 1, 0], [1, 1, 0, 1]], dtype=bool)
    weights = np.where(asked, 0.5, 0.0)
    wanted = np.stack([kinds == 0, kinds == 1], axis=1).astype(np.float64)
    for _ in range(STEPS):
        odds = np.exp(np.clip(rows @ weights.T, -30, 30))
        p = odds / (1 + odds.sum(axis=1, keepdims=True))
        slope = ((wanted - p).T @ rows - HELD * weights)[asked]
        bend = np.zeros((8, 8))
        for a in range(2):
            for b in range(2):
                share = p[:, a] * ((a == b) - p[:, b])
                bend[4 * a : 4 * a + 4, 4 * b : 4 * b + 4] = (rows * share[:, None]).T @ rows
        use = asked.ravel()
        step = np.linalg.solve(bend[np.ix_(use, use)] + HELD * np.eye(int(use.sum())), slope)
        weights[asked] += np.clip(step, -1, 1)
    return weights


def main() -> None:
    """Print the weights for `vision.judging`."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    rows, kinds = measured()
    log.info("%d dice, %d cubes, %d times nothing", *(int((kinds == k).sum()) for k in range(3)))
    for name, row in zip(("die", "cube"), fitted(rows, kinds), strict=True):
        log.info("%s: %s", name, ", ".join(f"{w:.2f}" for w in row))


if __name__ == "__main__":
    main()
