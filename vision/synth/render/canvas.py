"""A picture under work, and beside it which thing each of its pixels shows."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.geometry import Matrix
from vision.frame import Bgr
from vision.synth.table import Bgr3

BLEED_PX = 0.65
"""How far cv2's smooth polygons reach beyond their corners on each side; what is drawn is made smaller by it."""
OBSTACLE = 255
"""The id of rails and bar, which hide what is behind them; the bare board's is 0, things count from 1."""


Outline = npt.NDArray[np.int32]
"""Corners (n × 2) in sixteenths of pixels, as cv2 draws them."""


class Canvas:
    """`picture` is BGR; `ids` holds, height × width, the id of the thing that each pixel shows."""

    def __init__(self, picture: Bgr, camera: Camera) -> None:
        self.picture = picture
        self.camera = camera
        self.ids = np.zeros(picture.shape[:2], np.uint8)
        self.whole: dict[int, int] = {}
        """Pixels that each thing would cover if nothing hid it."""

    def copy(self) -> Canvas:
        """Another canvas with the same on it."""
        other = Canvas(self.picture.copy(), self.camera)
        other.ids, other.whole = self.ids.copy(), dict(self.whole)
        return other

    def fill(self, xy_px: Matrix, bgr: Bgr3, thing: int | None = None) -> None:
        """The hull of places (n × 2 pixels) in one colour; it is `thing`'s where given."""
        self.fill_hull(sixteenths(xy_px), bgr, thing)

    def fill_hull(self, places: Outline, bgr: Bgr3, thing: int | None = None) -> None:
        """The same of places in sixteenths."""
        hull = np.asarray(cv2.convexHull(places), dtype=np.int32)
        cv2.fillConvexPoly(self.picture, hull, bgr, cv2.LINE_AA, 4)
        if thing is not None:
            cv2.fillConvexPoly(self.ids, hull, thing, cv2.LINE_8, 4)
            self.whole[thing] = self.whole.get(thing, 0) + _inside(hull, self.ids.shape)

    def obstacle(self, outline: Outline, bgr: Bgr3) -> None:
        """A convex outline of a part of the board that hides what is behind it."""
        cv2.fillConvexPoly(self.picture, outline, bgr, cv2.LINE_AA, 4)
        cv2.fillConvexPoly(self.ids, outline, OBSTACLE, cv2.LINE_8, 4)

    def face(self, xy_px: Matrix, bgr: Bgr3) -> None:
        """A convex outline (n × 2 pixels, going round) in one colour."""
        cv2.fillConvexPoly(self.picture, sixteenths(xy_px), bgr, cv2.LINE_AA, 4)

    def darken(self, xy_px: Matrix, by: float, soft_px: float) -> None:
        """A soft shadow of a convex outline."""
        hull = hull_of(xy_px)
        place = self._window(hull, round(3 * soft_px) + 2)
        if place is None:
            return
        (top, bottom), (left, right) = place
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(mask, hull - (16 * left, 16 * top), round(255 * by), cv2.LINE_AA, 4)
        rest = 255 - cv2.GaussianBlur(mask, (0, 0), max(soft_px, 0.5))
        area = self.picture[top:bottom, left:right]
        area[:] = cv2.multiply(area, cv2.merge([rest] * 3), scale=1 / 255)

    def lay(self, sprite: Bgr, alpha: Bgr, corners_px: Matrix) -> None:
        """A square sprite (BGR) with its opacity (0–255) onto four corners TL TR BR BL in the picture."""
        place = self._window(sixteenths(corners_px), 1)
        if place is None:
            return
        (top, bottom), (left, right) = place
        transform = _onto(sprite.shape[0], corners_px - (left, top))
        size = (right - left, bottom - top)
        laid = cv2.warpPerspective(sprite, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        opaque = cv2.warpPerspective(alpha, transform, size, flags=cv2.INTER_LINEAR)
        area = self.picture[top:bottom, left:right]
        share = opaque.astype(np.uint16)[..., None]
        area[:] = ((laid * share + area * (255 - share) + 127) // 255).astype(np.uint8)

    def inlay(self, sprite: Bgr, corners_px: Matrix, within: Outline) -> None:
        """A square sprite onto four corners, but only inside a convex outline that is painted much the same already."""
        place = self._window(within, 0)
        if place is None:
            return
        (top, bottom), (left, right) = place
        transform = _onto(sprite.shape[0], corners_px - (left, top))
        laid = cv2.warpPerspective(sprite, transform, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
        mask = np.zeros(laid.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, within - (16 * left, 16 * top), 255, cv2.LINE_8, 4)
        cv2.copyTo(laid, mask, self.picture[top:bottom, left:right])

    def visible(self) -> list[float]:
        """Share of each thing's own pixels in the picture that nothing hides, by its id; 0 where it has none."""
        shown = cv2.calcHist([self.ids], [0], None, [256], [0, 256]).ravel()
        return [min(1.0, float(shown[k]) / self.whole[k]) if self.whole.get(k) else 0.0 for k in range(256)]

    def _window(self, outline: Outline, pad: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Rows and columns around an outline in the picture; None where it lies outside."""
        height, width = self.picture.shape[:2]
        x, y, wide, tall = cv2.boundingRect(outline)
        left, right = max(0, x // 16 - pad), min(width, (x + wide) // 16 + pad + 2)
        top, bottom = max(0, y // 16 - pad), min(height, (y + tall) // 16 + pad + 2)
        return ((top, bottom), (left, right)) if top < bottom and left < right else None


def _onto(px: int, corners_px: Matrix) -> Matrix:
    """The homography that lays a square sprite of px × px onto four corners TL TR BR BL."""
    source = np.array([(0, 0), (px, 0), (px, px), (0, px)], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(source, corners_px.astype(np.float32)), dtype=np.float64)


def sixteenths(xy_px: Matrix) -> Outline:
    """Places (… × 2 pixels) in the sixteenths of pixels that cv2 draws with."""
    return (xy_px * 16 + 0.5).astype(np.int32)


def inset(xy_px: Matrix, by_px: float = BLEED_PX) -> Matrix:
    """A convex outline (n × 2, going round) moved inwards on all sides; a sliver keeps a tenth of its width."""
    out: Matrix = insets(xy_px[None], by_px)[0]
    return out


def insets(outlines_px: Matrix, by_px: float = BLEED_PX) -> Matrix:
    """The same of many outlines with as many corners each (m × n × 2)."""
    following = np.roll(outlines_px, -1, axis=1) - outlines_px
    x, y, dx, dy = (*np.moveaxis(outlines_px, -1, 0), *np.moveaxis(following, -1, 0))
    lengths = np.maximum(np.hypot(dx, dy), 1e-9)
    area = (x * dy - y * dx).sum(axis=1) / 2
    by = np.copysign(np.minimum(by_px, 0.9 * np.abs(area) / lengths.sum(axis=1)), area)
    inward = np.stack([-dy, dx], axis=-1) / lengths[..., None]
    before = np.roll(inward, 1, axis=1)
    share = by[:, None] / np.maximum(1 + (inward * before).sum(axis=-1), 0.2)
    out: Matrix = outlines_px + share[..., None] * (inward + before)
    return out


def hull_of(xy_px: Matrix) -> Outline:
    """The convex hull of places (n × 2 pixels) in sixteenths of pixels."""
    return cv2.convexHull(sixteenths(xy_px))  # type: ignore[return-value]


def _inside(hull: Outline, shape: tuple[int, ...]) -> int:
    """How many pixels of a picture a hull covers."""
    left, top, width, height = cv2.boundingRect(hull)
    if left >= 0 and top >= 0 and left + width < 16 * shape[1] and top + height < 16 * shape[0]:
        round_it = cv2.arcLength(hull, True)
        return max(1, round(cv2.contourArea(hull) / 256 + round_it / 32))
    left, top = max(0, left // 16), max(0, top // 16)
    right, bottom = min(shape[1], (hull[:, 0, 0].max() // 16) + 2), min(shape[0], (hull[:, 0, 1].max() // 16) + 2)
    if left >= right or top >= bottom:
        return 0
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(mask, hull - (16 * left, 16 * top), 1, cv2.LINE_8, 4)
    return int(cv2.countNonZero(mask))
