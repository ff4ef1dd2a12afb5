"""Where the camera stands and how large the checkers are, from the field's corners and checkers that stand on it.

A picture tells no lengths: everything is measured in widths of a point, which is taken to be POINT_MM. What one
picture cannot tell well (lens, distance, thickness) is held near what is usual.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.geometry import COLUMNS, UNIT, BoardGeometry, Matrix, homography

POINT_MM = 40.0
"""What a point is taken to be wide; a board of other size makes every length so much larger or smaller."""
CORNER_SIGMA, STANDING_SIGMA = 0.004, 0.1
"""How well a corner is known, in widths of the field, and where a checker stands, in widths of a point."""
STEPS, DAMPING = 60, 1e-3
USUAL = {
    "focal": (math.log(0.95), 0.3),  # in longer sides of the picture, as logarithm
    "bend": (0.0, 0.05),
    "high": (math.log(10.8), 0.08),  # the field's height in points, as logarithm
    "radius": (0.46, 0.04),  # in points, as the next two
    "thick": (0.24, 0.05),
    "gap": (0.0, 0.04),
}
"""Means and deviations of what is usual."""
MOST_OBLIQUE_RAD = math.radians(75)


class FitError(CalibrationError, ValueError):
    """Corners and checkers that no camera can see so; the message says what does not fit."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A checker that stands on a point: its place (0–23, top row first, from the left), its number from the rail
    (0 is next to it), and where the middle of its upper face is in the picture.
    """

    place: int
    number: int
    xy_px: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Fit:
    """A camera and a board that explain the picture.

    `corners_px` is how far the corners lie off (root of the mean square), `checkers_px` the checkers (median);
    `oblique_rad` how far the camera looks from straight down, `height_mm` how far it is above the board; both with
    their standard deviations.
    """

    camera: Camera
    field_mm: tuple[float, float]
    bar_mm: float
    checker_mm: tuple[float, float]
    corners_px: float
    checkers_px: float
    oblique_rad: float
    oblique_deviation_rad: float
    height_mm: float
    height_deviation_mm: float


def fit_camera(geometry: BoardGeometry, checkers: Sequence[Standing], size_px: tuple[int, int]) -> Fit:
    """The camera that sees these corners and checkers so. Raises FitError when there is none."""
    left, right = geometry.bar
    width_mm = COLUMNS * POINT_MM / (1 - (right - left))
    start = _first_camera(geometry, width_mm, size_px)
    model = _Model(geometry, checkers, size_px, width_mm, start)
    values = np.array([0.0] * 6 + [math.log(start.focal_px / max(size_px)), *(USUAL[k][0] for k in list(USUAL)[1:])])
    values, spread = _least_squares(model.misfits, values)
    camera, high_mm, radius_mm, thick_mm = model.read(values)
    oblique = _oblique(camera)
    if not (camera.position_mm[2] > 0 and oblique < MOST_OBLIQUE_RAD):
        raise FitError("no camera above the table sees a board so; are these the corners of the 24 points?")
    off = np.linalg.norm(model.offsets_px(values), axis=1)
    slopes = [
        _slope(values, lambda v: _oblique(model.read(v)[0])),
        _slope(values, lambda v: model.read(v)[0].position_mm[2]),
    ]
    oblique_deviation, height_deviation = (float(np.sqrt(slope @ spread @ slope)) for slope in slopes)
    return Fit(
        camera=camera,
        field_mm=(width_mm, high_mm),
        bar_mm=width_mm * (right - left),
        checker_mm=(2 * radius_mm, thick_mm),
        corners_px=float(np.sqrt((off[:4] ** 2).mean())),
        checkers_px=float(np.median(off[4:])) if len(off) > 4 else 0.0,
        oblique_rad=oblique,
        oblique_deviation_rad=oblique_deviation,
        height_mm=camera.position_mm[2],
        height_deviation_mm=height_deviation,
    )


class _Model:
    """What the values mean, and what they leave unexplained.

    The values: position (3, in widths of the field) and turn (3, radians) from the first camera; then as in USUAL.
    """

    def __init__(
        self,
        geometry: BoardGeometry,
        checkers: Sequence[Standing],
        size_px: tuple[int, int],
        width_mm: float,
        start: Camera,
    ) -> None:
        self._size_px, self._width_mm, self._start = size_px, width_mm, start
        self._seen_px = np.array([*geometry.corners, *(one.xy_px for one in checkers)], dtype=np.float64)
        middles = [sum(geometry.column_edges(one.place % COLUMNS)) / 2 - 0.5 for one in checkers]
        self._x_mm = np.asarray(middles) * width_mm
        self._top = np.array([one.place < COLUMNS for one in checkers], dtype=bool)
        self._number = np.array([one.number for one in checkers], dtype=np.float64)
        corner_px = max(0.5, CORNER_SIGMA * geometry.sides_px[0])
        checker_px = max(0.5, STANDING_SIGMA * geometry.column_px)
        self._sigma_px = np.array([corner_px] * 4 + [checker_px] * len(checkers))

    def read(self, values: Matrix) -> tuple[Camera, float, float, float]:
        """Camera, the field's height, a checker's radius and thickness, in millimetres."""
        focal, bend, high, radius, thick, _ = (float(v) for v in values[6:])
        turn = cv2.Rodrigues(values[3:6])[0]
        axes = np.asarray(self._start.axes) @ turn
        position = np.asarray(self._start.position_mm) + values[:3] * self._width_mm
        right, down, forward = ((float(a), float(b), float(c)) for a, b, c in axes)
        x, y, z = (float(v) for v in position)
        pixels = math.exp(focal) * max(self._size_px)
        camera = Camera(self._size_px, pixels, self._start.centre_px, (x, y, z), (right, down, forward), (bend, 0.0))
        return camera, math.exp(high) * POINT_MM, radius * POINT_MM, thick * POINT_MM

    def offsets_px(self, values: Matrix) -> Matrix:
        """Where corners and checkers should be, less where they are seen (n × 2)."""
        camera, high, radius, thick = self.read(values)
        x, y = self._width_mm / 2, high / 2
        corners = [(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)]
        step = 2 * radius + values[11] * POINT_MM
        out = radius + self._number * step
        standing = np.column_stack([self._x_mm, np.where(self._top, out - y, y - out), np.full(len(out), thick)])
        expected: Matrix = camera.project(np.vstack([corners, standing]))
        return expected - self._seen_px

    def misfits(self, values: Matrix) -> Matrix:
        """Everything that should be nought, in deviations; checkers far off count for little."""
        off = self.offsets_px(values) / self._sigma_px[:, None]
        away = np.linalg.norm(off, axis=1, keepdims=True)
        off = off * np.sqrt(np.minimum(1.0, 2.0 / np.maximum(away, 1e-9)))
        usual = (values[6:] - [m for m, _ in USUAL.values()]) / [s for _, s in USUAL.values()]
        return np.append(off.ravel(), usual)


def _oblique(camera: Camera) -> float:
    return math.acos(max(-1.0, min(1.0, -camera.axes[2][2])))


def _first_camera(geometry: BoardGeometry, width_mm: float, size_px: tuple[int, int]) -> Camera:
    """The camera of usual lens that sees the corners of a usual board about so."""
    focal = math.exp(USUAL["focal"][0]) * max(size_px)
    centre = ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
    high_mm = math.exp(USUAL["high"][0]) * POINT_MM
    field_from_table = np.array([[1 / width_mm, 0, 0.5], [0, 1 / high_mm, 0.5], [0, 0, 1]])
    lens = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
    columns = np.linalg.solve(lens, homography(UNIT, geometry.corners) @ field_from_table)
    columns /= math.sqrt(float(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1])))
    if columns[2, 2] < 0:
        columns = -columns
    seen = np.column_stack([columns[:, 0], columns[:, 1], -np.cross(columns[:, 0], columns[:, 1])])
    u, _, v = np.linalg.svd(seen)
    axes = u @ v
    position = -axes.T @ columns[:, 2]
    right, down, forward = ((float(a), float(b), float(c)) for a, b, c in axes)
    x, y, z = (float(p) for p in position)
    return Camera(size_px, focal, centre, (x, y, z), (right, down, forward))


def _least_squares(misfits: Callable[[Matrix], Matrix], values: Matrix) -> tuple[Matrix, Matrix]:
    """Levenberg and Marquardt's method; the values and their covariance."""
    damping, off = DAMPING, misfits(values)
    for _ in range(STEPS):
        slopes = _slopes(misfits, values)
        bend, pull = slopes.T @ slopes, slopes.T @ off
        change = np.linalg.solve(bend + damping * np.diag(np.diag(bend)), -pull)
        after = misfits(values + change)
        if float(after @ after) < float(off @ off):
            values, damping, gained = values + change, damping / 5, float(off @ off - after @ after)
            off = after
            if gained < 1e-7:
                break
        else:
            damping *= 5
            if damping > 1e8:
                break
    slopes = _slopes(misfits, values)
    return values, np.asarray(np.linalg.inv(slopes.T @ slopes), dtype=np.float64)


def _slopes(function: Callable[[Matrix], Matrix], values: Matrix) -> Matrix:
    step = 1e-5
    return np.stack(
        [(function(values + d) - function(values - d)) / (2 * step) for d in step * np.eye(len(values))], axis=1
    )


def _slope(values: Matrix, function: Callable[[Matrix], float]) -> Matrix:
    out: Matrix = _slopes(lambda v: np.array([function(v)]), values)[0]
    return out
