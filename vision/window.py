"""What the net looks at: the field warped to a fixed size, with a margin for what stands up or lies beside it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry, Corners, Matrix, homography
from vision.frame import Bgr
from vision.warp import shrunk

WIDTH_PX, HEIGHT_PX, MARGIN_PX = 416, 352, 26
FIELD_WH_PX = (WIDTH_PX - 2 * MARGIN_PX, HEIGHT_PX - 2 * MARGIN_PX)
STRIDE = 4
"""Pixels of the window to a cell of the net's answer."""
FIELD: Corners = (
    (MARGIN_PX, MARGIN_PX),
    (WIDTH_PX - MARGIN_PX, MARGIN_PX),
    (WIDTH_PX - MARGIN_PX, HEIGHT_PX - MARGIN_PX),
    (MARGIN_PX, HEIGHT_PX - MARGIN_PX),
)
SPREAD_LEAST = 4.0


def window_from_image(geometry: BoardGeometry) -> Matrix:
    """3×3 homography from image pixels to the window's."""
    return homography(geometry.corners, FIELD)


def window_of(bgr: Bgr, geometry: BoardGeometry) -> Bgr:
    """The window, HEIGHT_PX × WIDTH_PX × 3, uint8."""
    finer = geometry.sides_px[0] / FIELD_WH_PX[0]
    return shrunk(bgr, window_from_image(geometry), (WIDTH_PX, HEIGHT_PX), finer)


def level_of(bgr: Bgr) -> tuple[float, float]:
    """Mean and spread of a picture's grey levels."""
    mean, spread = cv2.meanStdDev(bgr.reshape(len(bgr), -1))
    return float(mean[0, 0]), max(SPREAD_LEAST, float(spread[0, 0]))


def net_input(window: Bgr) -> npt.NDArray[np.float32]:
    """The window as the net takes it, 1 × 3 × HEIGHT_PX × WIDTH_PX: free of exposure, mean 0 and spread 1."""
    return planes(window, *level_of(window))


def planes(bgr: Bgr, level: float, spread: float) -> npt.NDArray[np.float32]:
    """A picture as nets take it, 1 × 3 × height × width: grey levels above `level` in units of `spread`."""
    out = np.empty((1, 3, *bgr.shape[:2]), dtype=np.float32)
    for plane, channel in zip(out[0], cv2.split(bgr), strict=True):
        plane[...] = channel
        plane -= np.float32(level)
        plane *= np.float32(1 / spread)
    return out
