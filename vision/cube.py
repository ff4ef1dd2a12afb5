"""The doubling cube: where it lies and the number on its upper face.

It is looked for on the bar, beside the field, and on the playing surface (an offer, R38); the
face is compared with drawn numerals at the four turns. A logo, a worn or engraved number
that fits none is not guessed: then no cube is reported.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, apply
from rules.reading import CubePlace
from vision.discs import Floats, lab_of
from vision.frame import Bgr
from vision.patterns import GRID, Doubles, EdgeField, Fit, Pattern, PatternBank, finer, square_body
from vision.rectify import Rectified, rectify

FACES = (2, 4, 8, 16, 32, 64)
COLUMN_PX = 32.0
MARGIN_COLUMNS = 1.6
SIZES = (0.55, 0.62, 0.70, 0.79, 0.90)
"""Cube sizes tried, in widths of a point."""
STRIDE = 0.09
FIT_LEAST, FIT_SURE, MOST_LIKELY = 0.68, 0.84, 12
SIDE_LEAST, REPORTED = 0.8, 0.5
CONTRAST_LEAST = 4.0
END_OF_BAR = 0.3


@dataclass(frozen=True, slots=True)
class CubeSeen:
    """The cube: the number on its upper face, its centre in image pixels, its place as seen, and a confidence."""

    value: int
    center_px: tuple[float, float]
    where: CubePlace
    offered: bool
    confidence: float


def find_cube(bgr: Bgr, geometry: BoardGeometry, stretch: float = 1.0) -> CubeSeen | None:
    """The surest cube in the picture, or None when no numeral is clear enough."""
    upright = rectify(bgr, geometry, column_px=COLUMN_PX, stretch=stretch, margin_columns=MARGIN_COLUMNS)
    light = np.asarray(cv2.GaussianBlur(lab_of(upright.bgr)[..., 0], (0, 0), 0.7), dtype=np.float32)
    edges = EdgeField(light)
    best: CubeSeen | None = None
    for likely in _matches(light, _places(upright))[:MOST_LIKELY]:
        sign = 1.0 if likely.value > 0 else -1.0
        fit = finer(_bank(), light, replace(likely, value=abs(likely.value)), sign)
        confidence = _confidence(fit.value, edges.sides(fit.x, fit.y, fit.size, 0.0))
        if best is None or confidence > best.confidence:
            image = apply(upright.image_from_rectified, [(fit.x, fit.y)])[0]
            where, offered = _where(upright, fit.x, fit.y)
            value = int(_bank().values[fit.index])
            best = CubeSeen(value, (float(image[0]), float(image[1])), where, offered, confidence)
    return best if best is not None and best.confidence >= REPORTED else None


def _places(upright: Rectified) -> Doubles:
    """Grid of centres, n × 2, wherever the cube may lie: everywhere but on the points' outer halves."""
    step = STRIDE * COLUMN_PX
    height, width = upright.bgr.shape[:2]
    edge = 0.4 * COLUMN_PX
    xs, ys = np.meshgrid(np.arange(edge, width - edge, step), np.arange(edge, height - edge, step))
    xy = np.stack([xs.ravel(), ys.ravel()], axis=1)
    fx = (xy[:, 0] - upright.margin_px) / upright.width_px
    fy = (xy[:, 1] - upright.margin_px) / upright.height_px
    left, right = upright.geometry.bar
    beside = (fx < 0) | (fx > 1)
    on_bar = (fx > left - 0.01) & (fx < right + 0.01) & (right > left)
    middle = abs(fy - 0.5) < 0.12
    places: Doubles = xy[(beside | on_bar | middle) & (fy > 0) & (fy < 1)]
    return places


@cache
def _bank() -> PatternBank:
    patterns = []
    for value in FACES:
        for font, thickness in ((cv2.FONT_HERSHEY_SIMPLEX, 14), (cv2.FONT_HERSHEY_DUPLEX, 20)):
            upright = _numeral(str(value), font, thickness)
            for quarter in range(4):
                marks = np.rot90(upright, quarter)
                patterns.append(Pattern(value, 0.0, np.asarray(marks, dtype=np.float64), square_body(0.0, 0.42)))
    return PatternBank(patterns)


def _numeral(text: str, font: int, thickness: int) -> Floats:
    """A numeral in the middle of the grid, about half the body high, 0–1."""
    scale = 4.2 if len(text) == 1 else 3.2
    canvas = np.zeros((200, 200), np.uint8)
    (w, h), _ = cv2.getTextSize(text, font, scale, thickness)
    cv2.putText(canvas, text, ((200 - w) // 2, (200 + h) // 2), font, scale, 255, thickness, cv2.LINE_AA)
    small = cv2.resize(canvas, (GRID, GRID), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32) / np.float32(255)


def _matches(light: Floats, places: Doubles) -> list[Fit]:
    """The likeliest fits, the best first; negative where the numeral is darker than its face."""
    bank = _bank()
    found: list[Fit] = []
    for size in SIZES:
        px = size * COLUMN_PX
        likely = places[_contrast(light, places, px) > CONTRAST_LEAST]
        if not len(likely):
            continue
        fits, contrast = bank.match(light, likely, np.full(len(likely), px))
        best = np.abs(fits).argmax(axis=1)
        rows = np.arange(len(best))
        value = fits[rows, best]
        clear = np.nonzero((np.abs(value) > FIT_LEAST) & (contrast[rows, best] > CONTRAST_LEAST))[0]
        found += [Fit(float(value[n]), int(best[n]), float(likely[n, 0]), float(likely[n, 1]), px) for n in clear]
    return sorted(found, key=lambda fit: -abs(fit.value))


def _contrast(light: Floats, places: Doubles, size_px: float) -> Doubles:
    """Standard deviation of L* within the inner square of each place: quick test for something there."""
    k = max(3, round(0.6 * size_px))
    mean = cv2.blur(light, (k, k))
    square = cv2.blur(light * light, (k, k))
    deviation = np.sqrt(np.maximum(square - mean * mean, 0))
    xy = places.round().astype(int)
    out: Doubles = deviation[xy[:, 1], xy[:, 0]].astype(np.float64)
    return out


def _confidence(fit: float, sides: tuple[float, float, float, float]) -> float:
    weakest, second, third, _ = sides
    body = min(1.0, (weakest + second + third) / (6 * SIDE_LEAST))
    return float(body / (1 + np.exp(-(fit - FIT_SURE) / 0.025)))


def _where(upright: Rectified, x: float, y: float) -> tuple[CubePlace, bool]:
    fx = (x - upright.margin_px) / upright.width_px
    fy = (y - upright.margin_px) / upright.height_px
    left, right = upright.geometry.bar
    slack = 0.3 * upright.geometry.column_width
    if fx < 0 or fx > 1 or left - slack <= fx <= right + slack:
        if fy < END_OF_BAR:
            return CubePlace.TOP, False
        if fy > 1 - END_OF_BAR:
            return CubePlace.BOTTOM, False
        return (CubePlace.OUTSIDE if fx < 0 or fx > 1 else CubePlace.BAR), False
    return (CubePlace.TOP if fy < 0.5 else CubePlace.BOTTOM), True
