"""The picture turned upright: the field seen straight from above, with a margin around it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, Corners, Matrix, four, homography, inverse
from vision.frame import Bgr


@dataclass(frozen=True, slots=True)
class Rectified:
    """The field straightened.

    `bgr` holds the field of `width_px` × `height_px` inside a margin of `margin_px` on all sides;
    one point is about `column_px` wide. `image_from_rectified` maps its pixels to the picture's.
    """

    bgr: Bgr
    geometry: BoardGeometry
    column_px: float
    width_px: float
    height_px: float
    margin_px: int
    image_from_rectified: Matrix

    def x_px(self, field_x: float) -> float:
        """Rectified x of a field-space x."""
        return self.margin_px + field_x * self.width_px

    def y_px(self, field_y: float) -> float:
        """Rectified y of a field-space y."""
        return self.margin_px + field_y * self.height_px


def rectify(
    bgr: Bgr, geometry: BoardGeometry, *, column_px: float, stretch: float = 1.0, margin_columns: float = 1.5
) -> Rectified:
    """Straighten the field so that a point is `column_px` wide.

    Its height follows from the corners as if the camera looked straight down, times `stretch`:
    an oblique camera or a squashed picture needs a value other than 1 for round checkers.
    """
    bgr, shrunk = _shrunk(bgr, geometry, column_px)
    width = column_px / geometry.column_width
    side_x, side_y = geometry.sides_px
    height = width * side_y / side_x * stretch
    m = round(margin_columns * column_px)
    target: Corners = ((m, m), (m + width, m), (m + width, m + height), (m, m + height))
    transform = homography(shrunk.corners, target)
    size = (round(width) + 2 * m, round(height) + 2 * m)
    shrinks = column_px < shrunk.column_px
    source = _softened(bgr, shrunk.column_px / column_px) if shrinks else bgr
    warped = cv2.warpPerspective(source, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Rectified(
        bgr=np.asarray(warped, dtype=np.uint8),
        geometry=geometry,
        column_px=column_px,
        width_px=width,
        height_px=height,
        margin_px=m,
        image_from_rectified=inverse(homography(geometry.corners, target)),
    )


def _shrunk(bgr: Bgr, geometry: BoardGeometry, column_px: float) -> tuple[Bgr, BoardGeometry]:
    """The picture halved as often as a point stays at least `column_px` wide: far cheaper than a blur."""
    finer, corners = geometry.column_px / column_px, np.asarray(geometry.corners)
    if finer < 2:
        return bgr, geometry
    while finer >= 2:
        height, width = (side // 2 for side in bgr.shape[:2])
        small = cv2.resize(bgr[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
        bgr, corners, finer = np.asarray(small, dtype=np.uint8), (corners + 0.5) / 2 - 0.5, finer / 2
    return bgr, BoardGeometry(four(corners), geometry.bar)


def _softened(bgr: Bgr, factor: float) -> Bgr:
    """Blur away what `factor` times fewer pixels cannot hold."""
    sigma = 0.5 * (factor**2 - 1) ** 0.5
    return np.asarray(cv2.GaussianBlur(bgr, (0, 0), sigma), dtype=np.uint8) if sigma > 0.3 else bgr
