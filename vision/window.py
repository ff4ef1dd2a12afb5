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
    bgr = softened(bgr, geometry.sides_px[0] / FIELD_WH_PX[0])
    size = (WIDTH_PX, HEIGHT_PX)
    warped = cv2.warpPerspective(bgr, window_from_image(geometry), size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, dtype=np.uint8)


def softened(bgr: Bgr, factor: float) -> Bgr:
    """Blur away what `factor` times fewer pixels cannot hold."""
    if factor <= 1.2:
        return bgr
    return np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.45 * (factor**2 - 1) ** 0.5), dtype=np.uint8)


def level_of(bgr: Bgr) -> tuple[float, float]:
    """Mean and spread of a picture's grey levels."""
    mean, spread = cv2.meanStdDev(bgr)
    level = float(mean.mean())
    return level, max(SPREAD_LEAST, float(np.sqrt((spread**2 + (mean - level) ** 2).mean())))


def net_input(window: Bgr) -> npt.NDArray[np.float32]:
    """The window as the net takes it, 1 × 3 × HEIGHT_PX × WIDTH_PX: free of exposure, mean 0 and spread 1."""
    level, spread = level_of(window)
    return cv2.dnn.blobFromImage(window, 1 / spread, mean=(level, level, level))  # type: ignore[return-value]
