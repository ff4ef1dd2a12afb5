"""Colours as people see them, and the two that the checkers of a picture have."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Bgr

Floats = npt.NDArray[np.float32]
Lab = tuple[float, float, float]
"""L* (0–100), a* and b*."""


def lab_of(bgr: Bgr) -> Floats:
    """CIE L*a*b* of an 8-bit picture: height × width × 3, L* 0–100."""
    scaled = bgr.astype(np.float32) * np.float32(1 / 255)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2Lab), dtype=np.float32)


def two_colours(discs: Floats) -> tuple[Lab, Lab] | None:
    """The two checker colours (of n × 3), the lighter first, outliers left out; None with fewer than four discs."""
    if len(discs) < 4:
        return None
    kept, pair = discs, centres(discs, 2)
    for _ in range(2):
        distance = distances(discs, pair).min(axis=1)
        limit = 3 * max(6.0, 1.5 * float(np.median(distances(kept, pair).min(axis=1))))
        kept = discs[distance < limit]
        pair = centres(kept, 2)
    lighter, darker = sorted(pair, key=lambda c: -c[0])
    return lighter, darker


def centres(samples: Floats, k: int) -> list[Lab]:
    """The middles of the k groups into which the colours (n × 3) fall, the same every time."""
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.1)
    cv2.setRNGSeed(3)
    _, _, found = cv2.kmeans(samples, k, np.empty(0, np.int32), criteria, 6, cv2.KMEANS_PP_CENTERS)
    return [(float(c[0]), float(c[1]), float(c[2])) for c in found]


def distances(samples: Floats, colours: list[Lab]) -> Floats:
    """N × k distances in L*a*b*."""
    out: Floats = np.linalg.norm(samples[:, None] - np.asarray(colours, np.float32)[None], axis=2)
    return out
