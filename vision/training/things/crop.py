"""One training picture of the detector of small things, and what is told of what lies in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.frame import Bgr

CROP_PX = 192
DIE, CUBE = range(2)
SIDES_PX = ((8.0, 30.0), (14.0, 48.0))
"""Dice and cubes that are smaller or larger in a crop need not be found."""
EDGE_PX = 6.0
FACTS = 6
Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Crop:
    """One training picture, CROP_PX square.

    `things` n × FACTS: kind (DIE, CUBE), middle x, y and mean edge of the upper face in pixels, 1 where it must be
    found and 0 where it may be, 1 where it leans; `level` and `spread` of the grey levels of the whole picture that
    it was cut from.
    """

    bgr: Bgr
    things: Rows
    level: float
    spread: float


def inside(things: Rows, left: int, top: int, px: int = CROP_PX) -> Rows:
    """The things in a square; those that its edge cuts only may be found."""
    moved = things - np.array([0, left, top, 0, 0, 0], np.float32)
    places = moved[:, 1:3]
    moved = moved[((places > -EDGE_PX) & (places < px + EDGE_PX)).all(axis=1)]
    places = moved[:, 1:3]
    moved[:, 4] *= ((places > EDGE_PX) & (places < px - EDGE_PX)).all(axis=1)
    return moved
