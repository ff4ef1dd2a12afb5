"""A pinhole camera with a lens that bends: from millimetres on the table to pixels and back.

*Table space*: millimetres from the middle of the field, x to the right and y towards the near side
(as field space in a picture taken from there), z upwards from the playing surface.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import Matrix

Xyz = tuple[float, float, float]
NEAREST_MM = 20.0
"""What is nearer than this is drawn as if it were so far away."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Where a camera stands, how it looks, and what its lens does.

    `position_mm` in table space; `axes` its right, down and forward directions there, unit length;
    `focal_px` and `centre_px` in pixels; `bend` the radial terms k1, k2 of Brown's model (as in OpenCV).
    """

    size_px: tuple[int, int]
    focal_px: float
    centre_px: tuple[float, float]
    position_mm: Xyz
    axes: tuple[Xyz, Xyz, Xyz]
    bend: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def looking(
        cls,
        size_px: tuple[int, int],
        focal_px: float,
        *,
        distance_mm: float,
        oblique_rad: float = 0.0,
        from_rad: float = 0.0,
        roll_rad: float = 0.0,
        target_mm: tuple[float, float] = (0.0, 0.0),
        bend: tuple[float, float] = (0.0, 0.0),
    ) -> Camera:
        """A camera that looks at a place of the table from `distance_mm` away.

        `oblique_rad` is measured from straight overhead, `from_rad` round the table from the near side to the
        right, `roll_rad` turns the picture.
        """
        level, height = math.sin(oblique_rad), math.cos(oblique_rad)
        outward = np.array([level * math.sin(from_rad), level * math.cos(from_rad), height])
        position = np.array([*target_mm, 0.0]) + distance_mm * outward
        right = np.array([math.cos(from_rad), -math.sin(from_rad), 0.0])
        forward = -outward
        down = _cross(right, forward)  # table space is left-handed: y runs towards the viewer
        c, s = math.cos(roll_rad), math.sin(roll_rad)
        width, tall = size_px
        return cls(
            size_px,
            focal_px,
            ((width - 1) / 2, (tall - 1) / 2),
            _three(position),
            (_three(c * right + s * down), _three(c * down - s * right), _three(forward)),
            bend,
        )

    def scaled(self, width_px: int, height_px: int) -> Camera:
        """The same view in a picture of another size; what no longer fits is cut off."""
        by = max(width_px / self.size_px[0], height_px / self.size_px[1])
        centre = ((width_px - 1) / 2, (height_px - 1) / 2)
        return replace(self, size_px=(width_px, height_px), focal_px=self.focal_px * by, centre_px=centre)

    def moved(self, by_mm: tuple[float, float], turn_rad: float) -> Camera:
        """The camera as it sees the table after the board was pushed by `by_mm` and turned about its middle."""
        c, s = math.cos(turn_rad), math.sin(turn_rad)
        back = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        position = back @ (np.asarray(self.position_mm) - (*by_mm, 0.0))
        axes = np.asarray(self.axes) @ back.T
        right, down, forward = (_three(axis) for axis in axes)
        return replace(self, position_mm=_three(position), axes=(right, down, forward))

    def project(self, xyz_mm: npt.ArrayLike) -> Matrix:
        """Pixels (n × 2) of places in table space (n × 3); what lies behind the camera goes far out of the picture."""
        seen = (np.asarray(xyz_mm, dtype=np.float64).reshape(-1, 3) - self.position_mm) @ np.asarray(self.axes).T
        flat = seen[:, :2] / np.maximum(seen[:, 2:], NEAREST_MM)
        x, y = flat[:, :1], flat[:, 1:]
        r2 = np.minimum(x * x + y * y, self._widest)
        bent = flat * (1 + self.bend[0] * r2 + self.bend[1] * r2 * r2)
        out: Matrix = bent * self.focal_px + self.centre_px
        return out

    @property
    def _widest(self) -> float:
        """The squared radius up to which the lens's formula can be true: beyond it would fold the picture back."""
        k1 = self.bend[0]
        return -1 / (3 * k1) if k1 < 0 else 4.0

    def on_plane(self, xy_px: npt.ArrayLike, z_mm: float = 0.0) -> Matrix:
        """Places (n × 2, millimetres) at the height `z_mm` that pixels (n × 2) show."""
        return self.along(self.rays(xy_px), z_mm)

    def rays(self, xy_px: npt.ArrayLike) -> Matrix:
        """Directions (n × 3, table space) in which pixels (n × 2) look."""
        pixels = np.asarray(xy_px, dtype=np.float64).reshape(-1, 1, 2)
        (cx, cy), f = self.centre_px, self.focal_px
        lens = np.array([[f, 0, cx], [0, f, cy], [0, 0, 1.0]])
        flat = cv2.undistortPoints(pixels, lens, np.array([*self.bend, 0.0, 0.0])).reshape(-1, 2)
        out: Matrix = np.hstack([flat, np.ones((len(flat), 1))]) @ np.asarray(self.axes)
        return out

    def along(self, rays: Matrix, z_mm: float) -> Matrix:
        """Places (n × 2, millimetres) where directions (n × 3, of `rays`) reach the height `z_mm`."""
        position = np.asarray(self.position_mm)
        out: Matrix = position[:2] + rays[:, :2] * ((z_mm - position[2]) / rays[:, 2:])
        return out

    def toward(self, xyz_mm: npt.ArrayLike) -> Matrix:
        """Unit direction from a place to the camera (3)."""
        way = np.asarray(self.position_mm) - np.asarray(xyz_mm, dtype=np.float64)
        out: Matrix = way / np.linalg.norm(way)
        return out


def _cross(a: Matrix, b: Matrix) -> Matrix:
    """The cross product of two directions (numpy's own takes ten times as long for so few numbers)."""
    (ax, ay, az), (bx, by, bz) = a, b
    out: Matrix = np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
    return out


def _three(values: Matrix) -> Xyz:
    x, y, z = (float(v) for v in values)
    return x, y, z
