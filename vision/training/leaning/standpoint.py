"""Where a camera stands, as far as the four corners of a field and the size of the picture tell it."""

from __future__ import annotations

import math

import numpy as np

from calibration.geometry import UNIT, BoardGeometry, Corners, Matrix, homography
from vision.smallthings import ROWS

FOCAL_LENGTHS = np.exp(np.linspace(math.log(0.45), math.log(4.0), 120))
USUAL_FOCAL, FOCAL_SPREAD = 1.1, 0.5
"""Focal lengths in widths of the picture: those tried, the usual one, the spread (of logarithms) around it."""
SQUARE_ERROR, SHAPE_ERROR = 0.015, 0.05
"""How far a field seen through the true lens seems from square corners (cosine) and from its height (logarithm)."""


def standpoint(geometry: BoardGeometry, size_px: tuple[int, int]) -> tuple[float, float, float]:
    """Where the camera is, in widths of a point from the field's middle: to the right, to the near side, upwards.

    The optical axis is taken to meet the middle of the picture (`size_px`: width, height). Seen from straight above
    any lens explains the corners; the usual one is taken then, and how high the camera is stays a guess.
    """
    columns = 1 / geometry.column_width
    table: Corners = ((0, 0), (columns, 0), (columns, ROWS), (0, ROWS))
    image_from_table = geometry.image_from_field @ homography(table, UNIT)
    width, height = size_px
    middle: Matrix = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1]])
    seen = middle @ image_from_table
    lens = min(FOCAL_LENGTHS * max(size_px), key=lambda focal: _strangeness(seen, focal, max(size_px)))
    right, near, place = (np.diag([1 / lens, 1 / lens, 1]) @ seen).T
    unit = math.sqrt(float(np.linalg.norm(right) * np.linalg.norm(near)))
    if place[2] < 0:  # the table lies before the camera
        unit = -unit
    right, near, place = right / unit, near / unit, place / unit
    up = -np.cross(right, near)  # x to the right, y near and z up are left-handed
    axes = np.column_stack([right, near, up])
    x, y, z = np.linalg.solve(axes, -place)
    return float(x) - columns / 2, float(y) - ROWS / 2, float(z)


def _strangeness(seen: Matrix, focal_px: float, width_px: float) -> float:
    """How ill a focal length goes with a field's homography from the picture's middle."""
    right, near, _ = (np.diag([1 / focal_px, 1 / focal_px, 1]) @ seen).T
    wide, tall = float(np.linalg.norm(right)), float(np.linalg.norm(near))
    square = float(right @ near) / (wide * tall * SQUARE_ERROR)
    shape = math.log(wide / tall) / SHAPE_ERROR
    lens = math.log(focal_px / width_px / USUAL_FOCAL) / FOCAL_SPREAD
    return square**2 + shape**2 + lens**2
