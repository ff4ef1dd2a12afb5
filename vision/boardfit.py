"""The board that fits best the places where its marks were seen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from calibration.geometry import TYPICAL_BAR, UNIT, Matrix, apply, four, homography
from vision.marks import marks_in_field

CALM_PX = 2.0
"""What lies further off than this counts the less, the further."""
CENTRED = 60.0
"""How firmly the bar is held to the middle of the field: so many pixels is it off when it is off by a field."""
USUAL_REACH, AS_USUAL = 0.4, 10.0
"""How far the points of most boards reach, and how firmly they are held to that."""
NARROW = 100.0
"""How firmly the outermost points are held to the field's sides."""
STEPS = 10
_CORNERS, _BAR, _REACH, _GAP = slice(0, 8), slice(8, 10), 10, 11


@dataclass(frozen=True, slots=True)
class Fit:
    """A board in a view: its corners (4 × 2 pixels), the bar's edges and the points' reach in field space.

    `off_px` is how far each place (n) was seen from where this board has it; `unsure_px` how far the worst corner may
    lie off, as far as the places' agreement tells.
    """

    corners: Matrix
    bar: tuple[float, float]
    reach: float
    off_px: Matrix
    unsure_px: float


def fitted(xy: Matrix, weight: Matrix, which: list[int], start: Matrix) -> Fit:
    """The board whose marks `which` (n) lie closest to `xy` (n × 2), each as important as its weight.

    `start` (4 × 2) is where its corners are looked for first.
    """
    values = np.concatenate([start.ravel(), TYPICAL_BAR, [USUAL_REACH, 0.0]])
    held = np.zeros((3, len(values)))
    held[0, _BAR], held[1, _REACH], held[2, _GAP] = CENTRED / 2, AS_USUAL, NARROW
    wanted = np.array([CENTRED / 2, AS_USUAL * USUAL_REACH, 0.0])
    normal = np.eye(len(values))
    for _ in range(STEPS):
        if not convex(values[_CORNERS].reshape(4, 2)):
            break
        off = _seen(values, which) - xy
        far = np.linalg.norm(off, axis=1)
        rows = np.repeat(np.sqrt(weight * np.minimum(1.0, CALM_PX / np.maximum(far, 1e-6))), 2)
        slopes = np.stack([(_seen(values + s, which) - xy - off).ravel() / 1e-4 for s in 1e-4 * np.eye(len(values))])
        left = np.vstack([slopes.T * rows[:, None], held])
        normal = left.T @ left
        change = np.linalg.solve(
            normal + 1e-6 * np.eye(len(values)), left.T @ np.append(-off.ravel() * rows, wanted - held @ values)
        )
        values = values + change
        if np.abs(change).max() < 1e-3:
            break
    return _told(values, xy, weight, which, normal)


def _told(values: Matrix, xy: Matrix, weight: Matrix, which: list[int], normal: Matrix) -> Fit:
    corners = values[_CORNERS].reshape(4, 2)
    left, right = (float(v) for v in np.clip(values[_BAR], 0.3, 0.7))
    if left > right:
        left = right = (left + right) / 2
    if not convex(corners):
        return Fit(corners, (left, right), float(values[_REACH]), np.full(len(xy), math.inf), math.inf)
    off = np.linalg.norm(_seen(values, which) - xy, axis=1)
    spread = float((weight * np.minimum(off, CALM_PX) ** 2).sum() / max(1e-6, weight.sum()))
    vague = np.diag(np.linalg.inv(normal + 1e-6 * np.eye(len(values))))[_CORNERS].reshape(4, 2).sum(axis=1)
    return Fit(corners, (left, right), float(values[_REACH]), off, math.sqrt(spread * float(vague.max())))


def _seen(values: Matrix, which: list[int]) -> Matrix:
    marks = marks_in_field((values[8], values[9]), values[_REACH], values[_GAP])[which]
    return apply(homography(UNIT, four(values[_CORNERS].reshape(4, 2))), marks)


def convex(xy: Matrix) -> bool:
    """The four places go round clockwise."""
    sides = np.roll(xy, -1, axis=0) - xy
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 1e-6).all())
