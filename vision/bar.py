"""A checker on the bar that the net has overlooked: may there be one, by the bar's colours?"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from vision.frame import Bgr
from vision.lab import Lab, lab_of
from vision.window import FIELD_WH_PX, HEIGHT_PX, MARGIN_PX

CLEAR, PERHAPS = -16.0, -6.0
"""Log-likelihood of a checker overlooked on a bar that shows nothing of its colour, and on one that does."""
DISC, MOST = 0.6, 0.75
"""Side of the square that is looked for, in widths of a point, and how much of it must have the colour."""
ALIKE = 15.0
"""Colours nearer than this in L*a*b* may be one."""


def overlooked(window: Bgr, geometry: BoardGeometry, colours: tuple[Lab, Lab]) -> npt.NDArray[np.float64]:
    """Log-likelihood (2) that the bar holds one checker of white, or of black, more than was found."""
    left, right = (round(MARGIN_PX + x * FIELD_WH_PX[0]) for x in geometry.bar)
    side = max(2, round(DISC * geometry.column_width * FIELD_WH_PX[0]))
    if right - left < side:
        return np.full(2, PERHAPS)
    bar = lab_of(np.ascontiguousarray(window[MARGIN_PX : HEIGHT_PX - MARGIN_PX, left:right]))
    told = []
    for colour in colours:
        alike = (np.linalg.norm(bar - np.asarray(colour, np.float32), axis=2) < ALIKE).astype(np.float32)
        most = float(cv2.boxFilter(alike, -1, (side, side), borderType=cv2.BORDER_CONSTANT).max())
        told.append(PERHAPS if most > MOST else CLEAR)
    return np.array(told)
