"""A piece of a picture warped to a small view, without what the view is too small to hold."""

from __future__ import annotations

import math

import cv2
import numpy as np

from calibration.geometry import Matrix, apply, inverse
from vision.frame import Bgr

FINER = 1.18
"""A picture that many times finer than a view is smoothed first."""
HALF: Matrix = np.array([[2.0, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
"""From the pixels of a picture of half the size to its own."""


def magnified(transform: Matrix, at: tuple[float, float]) -> float:
    """How many times as long a transform makes things at a place, both ways together."""
    x, y = at
    here, right, below = apply(transform, [(x, y), (x + 1, y), (x, y + 1)])
    (a, b), (c, d) = right - here, below - here
    return math.sqrt(abs(float(a * d - b * c)))


def warped(bgr: Bgr, view_from_image: Matrix, size: tuple[int, int]) -> Bgr:
    """The view of that width and height, grey where the picture ends; smoothed first as far as it shrinks."""
    x, y = apply(inverse(view_from_image), [((size[0] - 1) / 2, (size[1] - 1) / 2)])[0]
    scale = magnified(view_from_image, (float(x), float(y)))
    return shrunk(bgr, view_from_image, size, 1 / scale, beyond=tuple(cv2.mean(bgr)[:3]))


def shrunk(
    bgr: Bgr, view_from_image: Matrix, size: tuple[int, int], finer: float, *, beyond: tuple[float, ...] | None = None
) -> Bgr:
    """The view of that width and height of a picture that is so many times finer, without what it cannot hold.

    Where the picture ends, `beyond` (B, G, R) goes on, or its border.
    """
    bgr, view_from_image = _seen(bgr, view_from_image, size, finer)
    while finer >= 2:  # half the size is far cheaper than a wide blur, and smooths as much
        height, width = (side // 2 for side in bgr.shape[:2])
        small = cv2.resize(bgr[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
        bgr, view_from_image, finer = np.asarray(small, dtype=np.uint8), view_from_image @ HALF, finer / 2
    if finer > FINER:
        sigma = 0.45 * math.sqrt(finer**2 - 1)
        bgr = np.asarray(cv2.GaussianBlur(bgr, (2 * math.ceil(2 * sigma) + 1,) * 2, sigma), dtype=np.uint8)
    mode, value = (cv2.BORDER_REPLICATE, ()) if beyond is None else (cv2.BORDER_CONSTANT, beyond)
    view = cv2.warpPerspective(bgr, view_from_image, size, borderMode=mode, borderValue=value)
    return np.asarray(view, dtype=np.uint8)


def _seen(bgr: Bgr, view_from_image: Matrix, size: tuple[int, int], finer: float) -> tuple[Bgr, Matrix]:
    """The part of a picture that a view shows, a little more all round, and the view's transform from there."""
    corners = np.array([(x, y, 1.0) for x in (0, size[0] - 1) for y in (0, size[1] - 1)]) @ inverse(view_from_image).T
    if corners[:, 2].min() * corners[:, 2].max() <= 0:  # the view reaches to the horizon
        return bgr, view_from_image
    xy, more = corners[:, :2] / corners[:, 2:], 3 + 2 * math.ceil(finer)
    height, width = bgr.shape[:2]
    left, top = (np.clip(np.floor(xy.min(axis=0)) - more, 0, (width - 1, height - 1))).astype(int)
    right, bottom = (np.clip(np.ceil(xy.max(axis=0)) + more, (left, top), (width - 1, height - 1))).astype(int)
    shift: Matrix = np.array([[1.0, 0, left], [0, 1, top], [0, 0, 1]])
    return bgr[top : bottom + 1, left : right + 1], view_from_image @ shift
