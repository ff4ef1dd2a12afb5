"""The trained net that looks at a straightened board: where each of its marks is, and how narrowly that is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.geometry import Corners, Matrix
from vision import nets
from vision.frame import Bgr
from vision.hills import Floats, hills
from vision.marks import MARKS, MIRRORED
from vision.window import net_input

VIEW_WH_PX = (352, 288)
MARGIN_PX = (32, 28)
"""Rim of the view, beside the field and above it."""
STRIDE = 4
"""Pixels of the view to a cell of the net's answer."""
_LEFT, _TOP = (m - 0.5 for m in MARGIN_PX)
_RIGHT, _BOTTOM = (n - m - 0.5 for n, m in zip(VIEW_WH_PX, MARGIN_PX, strict=True))
FIELD_IN_VIEW: Corners = ((_LEFT, _TOP), (_RIGHT, _TOP), (_RIGHT, _BOTTOM), (_LEFT, _BOTTOM))
REACH_CELLS = 2
WEIGHTS = "marks.onnx"


@dataclass(frozen=True, slots=True)
class Look:
    """What the net saw in a view.

    `xy` (MARKS × 2) in the view's pixels; `share` (MARKS) of each mark's likelihood that lies close to it; `field`
    (rows × columns of cells) how likely each cell belongs to the field.
    """

    xy: Matrix
    share: Matrix
    field: Floats


def look_twice(view: Bgr) -> Look:
    """The mean of what a view and its mirror image show; each mark counts by its share."""
    one, other = look(view), look(np.ascontiguousarray(view[:, ::-1]))
    xy = other.xy[MIRRORED].copy()
    xy[:, 0] = view.shape[1] - 1 - xy[:, 0]
    share = other.share[MIRRORED]
    weight = (one.share / (one.share + share))[:, None]
    return Look(
        xy=weight * one.xy + (1 - weight) * xy,
        share=(one.share + share) / 2,
        field=np.asarray((one.field + other.field[:, ::-1]) / 2, dtype=np.float32),
    )


def look(view: Bgr) -> Look:
    """What a view of VIEW_WH_PX shows."""
    (logits,) = nets.answer(WEIGHTS, net_input(view))
    return told(logits)


def told(logits: Floats) -> Look:
    """The net's answer (MARKS + 1 × rows × columns) in words: marks and field."""
    xy, share = hills(logits[:MARKS], STRIDE, REACH_CELLS)
    return Look(xy, share, np.asarray(1 / (1 + np.exp(-logits[MARKS])), dtype=np.float32))
