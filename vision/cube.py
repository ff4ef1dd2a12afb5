"""The doubling cube: where it lies, the number on its upper face, or why that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.geometry import BoardGeometry, apply
from rules.reading import CubePlace
from vision.frame import Bgr
from vision.judging import LEAST, Judged
from vision.lab import lab_of
from vision.readers import UNREADABLE, VALUES

THERE_LEAST = LEAST[1]
BLANK = 0.5
"""Of two likely cubes one without a number counts for so much less."""
NUMBER_LEAST = 0.4
END_OF_BAR = 0.3
SMALL_PX, DARK, BRIGHT = 11.0, 12.0, 96.0
TOO_SMALL = "the cube's number cannot be read: the cube is only {:.0f} pixels wide"
TOO_DARK = "the cube's number cannot be read: it is too dark"
TOO_BRIGHT = "the cube's number cannot be read: its upper face is overexposed"
NO_NUMBER = "the cube's number cannot be read: a logo, a worn or a turned face shows no clear number"


@dataclass(frozen=True, slots=True)
class CubeSeen:
    """The cube: the number on its upper face, its centre in image pixels, its place as seen, and a confidence.

    Without a number (None) `problem` says why.
    """

    value: int | None
    center_px: tuple[float, float]
    where: CubePlace
    offered: bool
    confidence: float
    problem: str | None = None


def find_cube(bgr: Bgr, geometry: BoardGeometry, found: Judged) -> CubeSeen | None:
    """The likeliest cube among the things of a picture, or None when none is likely."""
    if not len(found.cube):
        return None
    n = int((found.cube * (1 - BLANK * found.values[:, UNREADABLE])).argmax())
    there, row, (x, y, side) = float(found.cube[n]), found.values[n], found.things.spots[n]
    if there < THERE_LEAST:
        return None
    best = int(row[:UNREADABLE].argmax())
    clear = bool(row[best] > row[UNREADABLE] and row[best] >= NUMBER_LEAST)
    fx, fy = apply(geometry.field_from_image, [(x, y)])[0]
    where, offered = _where(geometry, float(fx), float(fy))
    return CubeSeen(
        value=VALUES[best] if clear else None,
        center_px=(float(x), float(y)),
        where=where,
        offered=offered,
        confidence=there * float(row[best] if clear else row[UNREADABLE]),
        problem=None if clear else _why(bgr, float(x), float(y), float(side)),
    )


def _why(bgr: Bgr, x: float, y: float, side: float) -> str:
    """Why the upper face cannot be read."""
    if side < SMALL_PX:
        return TOO_SMALL.format(side)
    half = max(2, round(side / 3))
    area = bgr[max(0, round(y) - half) : round(y) + half + 1, max(0, round(x) - half) : round(x) + half + 1]
    light = lab_of(area)[..., 0] if area.size else np.full(1, 50.0)
    if float(np.percentile(light, 90)) < DARK:
        return TOO_DARK
    return TOO_BRIGHT if float(np.percentile(light, 20)) > BRIGHT else NO_NUMBER


def _where(geometry: BoardGeometry, x: float, y: float) -> tuple[CubePlace, bool]:
    left, right = geometry.bar
    slack = 0.3 * geometry.column_width
    if x < 0 or x > 1 or left - slack <= x <= right + slack:
        if y < END_OF_BAR:
            return CubePlace.TOP, False
        if y > 1 - END_OF_BAR:
            return CubePlace.BOTTOM, False
        return (CubePlace.OUTSIDE if x < 0 or x > 1 else CubePlace.BAR), False
    return (CubePlace.TOP if y < 0.5 else CubePlace.BOTTOM), True
