"""The strip of the net's answer over each point, rail first: what the checkers there are counted from."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from calibration.geometry import COLUMNS, BoardGeometry
from vision.window import FIELD, FIELD_WH_PX, HEIGHT_PX, MARGIN_PX, STRIDE, WIDTH_PX

Floats = npt.NDArray[np.float32]
LONG, ACROSS = 48, 12
"""Cells of a strip along its point and across it."""
REACH = 0.8
"""How far a strip reaches to either side of its point's middle, in points."""


@lru_cache(maxsize=8)
def across_weights(bar: tuple[float, float]) -> Floats:
    """What each column of the net's cells adds to each column of the strips: (12 · ACROSS) × cells.

    `bar` as in `BoardGeometry`.
    """
    geometry = BoardGeometry(FIELD, bar)
    middles = np.array([sum(geometry.column_edges(column)) / 2 for column in range(COLUMNS)])
    steps = np.linspace(-REACH, REACH, ACROSS) * geometry.column_width
    px = MARGIN_PX + (middles[:, None] + steps).ravel() * FIELD_WH_PX[0]
    cells = (px + 0.5) / STRIDE - 0.5
    apart = np.abs(cells[:, None] - np.arange(WIDTH_PX // STRIDE))
    return np.asarray(np.maximum(0, 1 - apart), dtype=np.float32)


def strips_of(answer: Floats, bar: tuple[float, float]) -> Floats:
    """24 × channels × LONG × ACROSS, top row first, each with the rail at its beginning.

    `answer` is channels × rows × columns of the net's cells.
    """
    channels, rows, _ = answer.shape
    assert rows == HEIGHT_PX // STRIDE
    cut = (answer.reshape(channels * rows, -1) @ across_weights(bar).T).reshape(channels, rows, COLUMNS, ACROSS)
    strips = np.empty((2, COLUMNS, channels, LONG, ACROSS), dtype=np.float32)
    strips[0] = cut[:, :LONG].transpose(2, 0, 1, 3)
    strips[1] = cut[:, ::-1][:, :LONG].transpose(2, 0, 1, 3)
    return strips.reshape(2 * COLUMNS, channels, LONG, ACROSS)
