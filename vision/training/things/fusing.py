"""How much the word of the detector and of each reader counts: fitted on drawn scenes that nothing was trained on."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from vision.frame import Bgr
from vision.judging import evidence, lean_evidence, looked_at
from vision.smallthings import View, board_view, look
from vision.synth.chance.variety import random_scene, random_table
from vision.synth.render.draw import Painter, viewed
from vision.training.things.crop import DIE
from vision.training.things.scenes import Drawn, drawn
from vision.training.things.shards import plain_view, things_in

FIRST_SEED, BOARDS, LOOSE, BUSY = 900_000, 300, 60, 120
COCKED_SHARE = 0.07
"""So many dice lean where people play; boards drawn full of dice have more."""
SAME = 0.45
"""A thing is a true one when it lies within so many edges of it."""
STEPS, HELD = 60, 0.01
Doubles = npt.NDArray[np.float64]
Shown = tuple[Bgr, View, npt.NDArray[np.float32]]
"""A picture, its view, what lies in it (in the view's pixels)."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Measured:
    """Evidence of things that the detector told (n × 4), what each is: DIE, CUBE, 2 nothing; the evidence that it
    leans (n × 3), and whether it does.
    """

    rows: Doubles
    kinds: npt.NDArray[np.int64]
    lean_rows: Doubles
    leans: npt.NDArray[np.bool_]


def scenes(boards: int = BOARDS, loose: int = LOOSE) -> Iterator[Shown]:
    """Boards as they stand in games and muddles, and loose dice."""
    for seed in range(FIRST_SEED, FIRST_SEED + boards):
        width = (480, 640, 800, 1120)[seed % 4]
        table = random_table(seed, (width, width * 3 // 4))
        scene = random_scene(table, seed)
        picture, shown = Painter(table, seed).seen(scene)
        seen = viewed(table, scene, 0.0)
        view = board_view(picture, BoardGeometry(seen.corners, seen.bar))
        yield picture, view, things_in(Drawn(picture, seen, shown, True), view)
    for one in islice((one for one in _full() if not one.on_board), loose):
        view = plain_view(one, 1.0)
        yield one.picture, view, things_in(one, view)


def busy(boards: int = BUSY) -> Iterator[Shown]:
    """Boards full of dice, many of which lean."""
    for one in islice((one for one in _full() if one.on_board), boards):
        view = board_view(one.picture, BoardGeometry(one.table.corners, one.table.bar))
        yield one.picture, view, things_in(one, view)


def _full() -> Iterator[Drawn]:
    return (one for seed in count(FIRST_SEED) for one in islice(drawn(seed), 1))


def measured(shown: Iterable[Shown]) -> Measured:
    """What detector and readers say of all things that the detector tells, and the truth about them."""
    rows, kinds, leans, lean_rows = [], [], [], []
    for picture, view, there in shown:
        told = look(view)
        if not len(told.p):
            continue
        dice, cubes = looked_at(picture, told, least=(0.0, 0.0))
        known, leaning = evidence(told.p, dice, cubes), lean_evidence(dice, told.lean)
        back = np.linalg.inv(view.image_from_view)
        xy = cv2.perspectiveTransform(told.xy.reshape(-1, 1, 2), back).reshape(-1, 2)
        for place, row, lean_row in zip(xy, known, leaning, strict=True):
            away = np.hypot(*(there[:, 1:3] - place).T) / np.maximum(there[:, 3], 1)
            near = there[away < SAME]
            if len(near) and not near[:, 4].all():
                continue
            rows.append(row)
            kinds.append(int(near[0, 0]) if len(near) else 2)
            lean_rows.append(lean_row)
            leans.append(bool(len(near)) and bool(near[0, 5]))
    return Measured(np.asarray(rows), np.asarray(kinds), np.asarray(lean_rows), np.asarray(leans))


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


def lean_fitted(rows: Doubles, leans: npt.NDArray[np.bool_]) -> Doubles:
    """The weights (3) that make it likeliest which dice lean, if COCKED_SHARE of them do."""
    share = float(leans.mean())
    counts = np.where(leans, COCKED_SHARE / share, (1 - COCKED_SHARE) / (1 - share))
    weights = np.array([0.0, 0.5, 0.5])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (counts * (leans - p)) - HELD * weights
        bend = (rows * (counts * p * (1 - p))[:, None]).T @ rows + HELD * np.eye(3)
        weights = weights + np.clip(np.linalg.solve(bend, slope), -1, 1)
    return weights


def main() -> None:
    """Print the weights for `vision.judging`."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    usual, full = measured(scenes()), measured(busy())
    log.info("%d dice, %d cubes, %d times nothing", *(int((usual.kinds == k).sum()) for k in range(3)))
    for name, row in zip(("die", "cube"), fitted(usual.rows, usual.kinds), strict=True):
        log.info("%s: %s", name, _written(row))
    dice = full.kinds == DIE
    log.info("%d dice, %d of them lean", int(dice.sum()), int(full.leans[dice].sum()))
    log.info("leans: %s", _written(lean_fitted(full.lean_rows[dice], full.leans[dice])))


def _written(weights: Doubles) -> str:
    return ", ".join(f"{w:.2f}" for w in weights)


if __name__ == "__main__":
    main()
