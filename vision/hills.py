"""Where a net's hills stand: of each place that is looked for it tells how likely each cell of a view is."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import Matrix

Floats = npt.NDArray[np.float32]


def hills(logits: Floats, stride: int, reach: int) -> tuple[Matrix, Matrix]:
    """The places (n × 2, pixels of the view) of n layers (n × rows × columns), and each one's share (n).

    A cell is `stride` pixels wide. A place is the mean of its hill so many cells about the top, its share how much of
    its likelihood lies there.
    """
    heat = np.exp(logits - logits.max(axis=(1, 2), keepdims=True))
    heat /= heat.sum(axis=(1, 2), keepdims=True)
    found = np.array([_place(layer, reach) for layer in heat])
    return (found[:, :2] + 0.5) * stride - 0.5, found[:, 2]


def _place(heat: Floats, reach: int) -> tuple[float, float, float]:
    """Column, row, share."""
    smooth = cv2.GaussianBlur(heat, (0, 0), 1.0, borderType=cv2.BORDER_CONSTANT)
    row, column = divmod(int(smooth.argmax()), heat.shape[1])
    top, left = max(0, row - reach), max(0, column - reach)
    near = heat[top : row + reach + 1, left : column + reach + 1]
    share = float(near.sum())
    x, y = (float(near.sum(axis=axis) @ np.arange(near.shape[1 - axis])) / share for axis in (0, 1))
    return left + x, top + y, share
