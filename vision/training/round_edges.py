"""Round edges: how much a disc of a given radius fits around every pixel.

The gradient's direction is compared with the direction away from the centre, whatever its
sign, so that a checker half on a dark point and half on a light field still counts
(radial symmetry after G. Loy and A. Zelinsky, 2003, here on the gradient's structure tensor).
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.lab import Floats

HALF_STRENGTH = 6.0
CHANNEL_WEIGHTS = (1.0, 1.6, 1.6)


def edge_tensor(lab: Floats) -> Floats:
    """Height × width × 2: cos 2θ and sin 2θ of the strongest channel's gradient, weighted 0–1 by its strength."""
    tensor = np.zeros((*lab.shape[:2], 2), np.float32)
    strongest = np.zeros(lab.shape[:2], np.float32)
    for channel, weight in enumerate(CHANNEL_WEIGHTS):
        smooth = cv2.GaussianBlur(lab[..., channel], (0, 0), 1.0)
        gx = cv2.Scharr(smooth, cv2.CV_32F, 1, 0) * (weight / 32)
        gy = cv2.Scharr(smooth, cv2.CV_32F, 0, 1) * (weight / 32)
        power = gx * gx + gy * gy
        better = power > strongest
        strongest = np.where(better, power, strongest)
        tensor[..., 0] = np.where(better, gx * gx - gy * gy, tensor[..., 0])
        tensor[..., 1] = np.where(better, 2 * gx * gy, tensor[..., 1])
    strength = strongest / (strongest + HALF_STRENGTH**2)
    tensor *= (strength / np.maximum(strongest, 1e-6))[..., None]
    return tensor


def disc_score(tensor: Floats, radius_px: float) -> Floats:
    """Height × width, −1 to 1: 1 where a whole circle of `radius_px` has edges that all point to or from the pixel."""
    reach = int(np.ceil(radius_px + 3))
    yy, xx = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    ring = np.exp(-(((np.hypot(xx, yy) - radius_px) / 1.2) ** 2) / 2)
    ring /= ring.sum()
    angle = 2 * np.arctan2(yy, xx)
    score = cv2.filter2D(tensor[..., 0], -1, ring * np.cos(angle)) + cv2.filter2D(
        tensor[..., 1], -1, ring * np.sin(angle)
    )
    return np.asarray(score, dtype=np.float32)


def peaks(score: Floats, radius_px: float, least: float) -> npt.NDArray[np.bool_]:
    """Mask of the local maxima of `score` over `least`, at most one within about a disc."""
    size = max(3, 2 * int(radius_px) - 3)
    result: npt.NDArray[np.bool_] = (score == cv2.dilate(score, np.ones((size, size), np.uint8))) & (score > least)
    return result
