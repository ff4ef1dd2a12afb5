"""Where a picture's pixels look, worked out for every so many of them and stretched between."""

from __future__ import annotations

from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.geometry import Matrix

GRID = 8
"""Light and the ground's places are worked out for every so many pixels."""

Values = TypeVar("Values", npt.NDArray[np.uint8], npt.NDArray[np.float32])


class Sight:
    """Of one camera: the middles of squares of GRID pixels (`shape` is rows, columns), one beyond each edge too."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        width, height = camera.size_px
        x, y = (GRID * np.arange(-1, -(-n // GRID) + 1) + (GRID - 1) / 2 for n in (width, height))
        self.shape = len(y), len(x)
        self._rays = camera.rays(np.stack(np.meshgrid(x, y), axis=-1))
        self._field: Matrix | None = None

    def on_plane(self, z_mm: float) -> Matrix:
        """Places (rows × columns × 2, millimetres) that they show at a height."""
        return self.camera.along(self._rays, z_mm).reshape(*self.shape, 2)

    def on_field(self) -> Matrix:
        """The same on the playing surface, kept."""
        if self._field is None:
            self._field = self.on_plane(0.0)
        return self._field


def stretched(coarse: Values, left: int, top: int, width: int, height: int) -> Values:
    """The values of a Sight's grid at every pixel of a window."""
    first, last = (left // GRID, top // GRID), ((left + width - 1) // GRID + 2, (top + height - 1) // GRID + 2)
    part = coarse[first[1] : last[1] + 1, first[0] : last[0] + 1]
    fine = cv2.resize(part, (part.shape[1] * GRID, part.shape[0] * GRID), interpolation=cv2.INTER_LINEAR)
    x, y = left - (first[0] - 1) * GRID, top - (first[1] - 1) * GRID
    return fine[y : y + height, x : x + width]  # type: ignore[return-value]
