"""What the net looks at: the field warped to a fixed size, with a margin for what stands up or lies beside it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry, Corners, Matrix, homography
from vision.frame import Bgr

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
    across = geometry.sides_px[0] / FIELD_WH_PX[0]
    if across > 1.2:
        bgr = np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.45 * (across**2 - 1) ** 0.5), dtype=np.uint8)
    size = (WIDTH_PX, HEIGHT_PX)
    warped = cv2.warpPerspective(bgr, window_from_image(geometry), size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, dtype=np.uint8)


def net_input(window: Bgr) -> npt.NDArray[np.float32]:
    """The window as the net takes it, 1 × 3 × HEIGHT_PX × WIDTH_PX: free of exposure, mean 0 and spread 1."""
    mean, spread = cv2.meanStdDev(window)
    level, scale = float(mean.mean()), float(np.sqrt((spread**2 + (mean - mean.mean()) ** 2).mean()))
    return cv2.dnn.blobFromImage(window, 1 / max(scale, SPREAD_LEAST), mean=(level, level, level))  # type: ignore[return-value]
