"""Readers without a net, to measure ours against: round edges fitted (`classical`), and circles by Hough."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.geometry import COLUMNS, BoardGeometry
from rules.position import CHECKERS
from vision.belief import Belief, believe
from vision.frame import Bgr
from vision.lab import lab_of, two_colours
from vision.rectify import rectify
from vision.training.classical import learn_look, read_checkers

COLUMN_PX = 40.0
LEAST_VOTES = 16.0
RADII = (0.36, 0.52)
"""Of a checker, in points."""


def classical(picture: Bgr, geometry: BoardGeometry) -> Belief:
    """The reading by round edges and two colours."""
    return believe(read_checkers(picture, geometry, learn_look(picture, geometry)))


def hough(picture: Bgr, geometry: BoardGeometry) -> Belief:
    """Circles of the straightened board, each to the point under its middle, each of the nearer of two colours.

    A point's colour is that of most of its circles. Nothing is claimed.
    """
    upright = rectify(picture, geometry, column_px=COLUMN_PX)
    grey = cv2.medianBlur(cv2.cvtColor(upright.bgr, cv2.COLOR_BGR2GRAY), 3)
    least, most = (round(r * COLUMN_PX) for r in RADII)
    circles = cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT, 1, 1.6 * least, param1=110, param2=LEAST_VOTES, minRadius=least, maxRadius=most
    )
    counts, bar = [0] * (2 * COLUMNS), [0, 0]
    if circles is not None:
        xy = np.asarray(circles).reshape(-1, 3)[:, :2].astype(np.float64)
        lab = cv2.blur(lab_of(upright.bgr), (round(0.3 * COLUMN_PX),) * 2)
        places = xy.round().astype(int)
        colours = lab[places[:, 1], places[:, 0]]
        two = two_colours(colours)
        if two is not None:
            side = np.linalg.norm(colours - two[1], axis=1) - np.linalg.norm(colours - two[0], axis=1)
            field = (xy - upright.margin_px) / (upright.width_px, upright.height_px)
            _count(field.tolist(), np.sign(side).astype(int).tolist(), geometry, counts, bar)
    clipped = tuple(int(np.clip(n, -CHECKERS, CHECKERS)) for n in counts)
    return Belief(clipped, (bar[0], bar[1]), (0.5,) * (2 * COLUMNS), (0.5, 0.5), 0.0)


def _count(xy: list[list[float]], side: list[int], geometry: BoardGeometry, counts: list[int], bar: list[int]) -> None:
    on: list[list[int]] = [[] for _ in counts]
    for (x, y), sign in zip(xy, side, strict=True):
        column = next(
            (c for c in range(COLUMNS) if geometry.column_edges(c)[0] <= x < geometry.column_edges(c)[1]), None
        )
        if column is not None and -0.05 < y < 1.05:
            on[column + COLUMNS * int(y > 0.5)].append(sign)
        elif geometry.bar[0] <= x < geometry.bar[1]:
            bar[int(sign < 0)] += 1
    for place, signs in enumerate(on):
        counts[place] = len(signs) * (1 if sum(signs) >= 0 else -1)
