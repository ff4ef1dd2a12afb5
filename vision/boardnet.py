"""The trained nets that look at a board: middles of checkers, what covers them, counts of points."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import nets
from vision.frame import Bgr
from vision.peaks import between_cells
from vision.strips import strips_of
from vision.window import STRIDE, net_input

Floats = npt.NDArray[np.float32]
BOARD, POINTS = "board.onnx", "points.onnx"
HEADS = 5
CHECKERS, UPPER, COVER = 0, 1, 4
"""Layers of the net's answer that are looked at; of dice and cube, the other two, another net knows more."""
LEAST = 0.08
"""Middles less likely than this are not worth telling."""
APART_CELLS = 2
"""Two middles of one kind are at least so far apart; checkers that touch are six cells apart."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Middles of one kind of thing: places (n × 2) in the window's pixels, and how likely each is."""

    xy: npt.NDArray[np.float64]
    p: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Found:
    """What the net saw in one window.

    `checkers` stand on the board, `upper` on other checkers; `cover` (rows × columns of cells) is how likely a
    hand or a thing hides the board there. `counts` (24 × 16, as seen) are log-likelihoods of 0–15 checkers on every
    point, of whatever colour, each row's best being 0.
    """

    checkers: Spots
    upper: Spots
    cover: Floats
    counts: npt.NDArray[np.float64]


def look(window: Bgr, bar: tuple[float, float]) -> Found:
    """What stands in a window (as `vision.window` cuts it); `bar` as in `BoardGeometry`."""
    (cells,) = nets.answer(BOARD, net_input(window))
    checkers, upper, cover = (1 / (1 + np.exp(-cells[layer])) for layer in (CHECKERS, UPPER, COVER))
    counts = nets.answer(POINTS, strips_of(cells[HEADS:], bar)).astype(np.float64)
    counts -= counts.max(axis=1, keepdims=True)
    return Found(spots_of(checkers), spots_of(upper), cover, counts)


def spots_of(heat: Floats) -> Spots:
    """The peaks of a layer, placed between the cells by the parabola through their neighbours."""
    size = 2 * APART_CELLS + 1
    highest = cv2.dilate(heat, np.ones((size, size), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > LEAST))
    cells = between_cells(np.log(heat + 1e-6), rows, columns)
    return Spots((cells + 0.5) * STRIDE - 0.5, heat[rows, columns].astype(np.float64))
