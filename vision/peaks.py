"""Peaks of a net's answer, placed between its cells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def between_cells(
    heights: npt.NDArray[np.floating], rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """Where the tops at these cells lie (n × 2: across, down, in cells), by the parabola through their neighbours."""
    padded = np.pad(heights, 1, mode="edge").astype(np.float64)
    r, c = rows + 1, columns + 1
    middle = padded[r, c]
    shifts = []
    for before, after in ((padded[r, c - 1], padded[r, c + 1]), (padded[r - 1, c], padded[r + 1, c])):
        bend = np.minimum(before + after - 2 * middle, -1e-3)
        shifts.append(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))
    return np.stack([columns + shifts[0], rows + shifts[1]], axis=1)
