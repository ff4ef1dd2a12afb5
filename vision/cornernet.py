"""The trained net that finds a board: where its corners and its bar's ends are in a small view of a picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import Matrix
from vision import nets
from vision.frame import Bgr
from vision.window import net_input

Floats = npt.NDArray[np.float32]
VIEW_WH_PX = (256, 192)
STRIDE = 4
"""Pixels of the view to a cell of the net's answer."""
PLACES = 8
"""The field's corners (TL TR BR BL), then the bar's ends (TL TR BR BL)."""
UPRIGHT, TURNED = PLACES, PLACES + 1
"""Further layers of the answer: the field's cells, of a board whose points run up and down, or left and right."""
REACH_CELLS = 3
MIRRORED = [1, 0, 3, 2, 5, 4, 7, 6]
"""Which place is which in the mirror image."""
WEIGHTS = "corners.onnx"


@dataclass(frozen=True, slots=True)
class Look:
    """What the net saw in one view.

    `xy` (PLACES × 2) in the view's pixels; `share` (PLACES) of each place's likelihood that lies close to it;
    `upright` and `turned` (rows × columns of cells) how likely each cell belongs to such a field.
    """

    xy: Matrix
    share: Matrix
    upright: Floats
    turned: Floats


def look(view: Bgr) -> Look:
    """What a view of VIEW_WH_PX shows."""
    (logits,) = nets.answer(WEIGHTS, net_input(view))
    return told(logits)


def look_twice(view: Bgr) -> Look:
    """The mean of what a view and its mirror image show; each place counts by its share."""
    one, other = look(view), look(np.ascontiguousarray(view[:, ::-1]))
    xy = other.xy[MIRRORED].copy()
    xy[:, 0] = view.shape[1] - 1 - xy[:, 0]
    share = other.share[MIRRORED]
    weight = (one.share / (one.share + share))[:, None]
    return Look(
        xy=weight * one.xy + (1 - weight) * xy,
        share=(one.share + share) / 2,
        upright=np.asarray((one.upright + other.upright[:, ::-1]) / 2, dtype=np.float32),
        turned=np.asarray((one.turned + other.turned[:, ::-1]) / 2, dtype=np.float32),
    )


def told(logits: Floats) -> Look:
    """The net's answer (PLACES + 2 × rows × columns) in words: each place is the mean of the hill about its top."""
    heat = np.exp(logits[:PLACES] - logits[:PLACES].max(axis=(1, 2), keepdims=True))
    heat /= heat.sum(axis=(1, 2), keepdims=True)
    places = [_place(layer) for layer in heat]
    masks = 1 / (1 + np.exp(-logits[PLACES:]))
    return Look(np.array([xy for xy, _ in places]), np.array([share for _, share in places]), masks[0], masks[1])


def _place(heat: Floats) -> tuple[tuple[float, float], float]:
    smooth = cv2.GaussianBlur(heat, (0, 0), 1.0, borderType=cv2.BORDER_CONSTANT)
    row, column = divmod(int(smooth.argmax()), heat.shape[1])
    top, left = max(0, row - REACH_CELLS), max(0, column - REACH_CELLS)
    near = heat[top : row + REACH_CELLS + 1, left : column + REACH_CELLS + 1]
    share = float(near.sum())
    y, x = (float((near.sum(axis=1 - axis) * np.arange(near.shape[axis])).sum()) / share for axis in (0, 1))
    return ((left + x + 0.5) * STRIDE - 0.5, (top + y + 0.5) * STRIDE - 0.5), share
