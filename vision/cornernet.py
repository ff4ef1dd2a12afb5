"""The trained net that finds a board: where its corners and its bar's ends are in a small view of a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.geometry import Matrix
from vision import nets
from vision.frame import Bgr
from vision.hills import Floats, hills
from vision.window import net_input

VIEW_WH_PX = (256, 192)
STRIDE = 4
"""Pixels of the view to a cell of the net's answer."""
PLACES = 8
"""The field's corners (TL TR BR BL), then the bar's ends (TL TR BR BL)."""
UPRIGHT, TURNED = PLACES, PLACES + 1
"""Further layers of the answer: the field's cells, of a board whose points run up and down, or left and right."""
REACH_CELLS = 3
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


def told(logits: Floats) -> Look:
    """The net's answer (PLACES + 2 × rows × columns) in words: places and masks."""
    xy, share = hills(logits[:PLACES], STRIDE, REACH_CELLS)
    masks = 1 / (1 + np.exp(-logits[PLACES:]))
    return Look(xy, share, masks[0], masks[1])
