"""A piece of a picture warped to a small view, without what the view is too small to hold."""

from __future__ import annotations

import math

import cv2
import numpy as np

from calibration.geometry import Matrix, apply, inverse
from vision.frame import Bgr


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
    grey = cv2.mean(bgr)
    while scale < 0.5:
        bgr = np.asarray(cv2.resize(bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        view_from_image = view_from_image @ np.array([[2.0, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
        scale *= 2
    if scale < 0.85:
        bgr = np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.45 * math.sqrt(1 / scale**2 - 1)), dtype=np.uint8)
    view = cv2.warpPerspective(bgr, view_from_image, size, borderValue=grey)
    return np.asarray(view, dtype=np.uint8)
