"""What a die shows and what a doubling cube shows: two small nets that look at one cut-out each."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision import nets
from vision.frame import Bgr

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
CLASSES = 8
COCKED, NO_DIE = 6, 7
"""Classes of a die after its pips 1–6 at 0–5: leaning or on an edge; no die at all."""
VALUES = (2, 4, 8, 16, 32, 64)
UNREADABLE, NO_CUBE = 6, 7
"""Classes of a cube after its VALUES: no number can be read; no cube at all."""
DIE_PX, CUBE_PX = 32, 40
REACH = 1.7
"""Side of a cut-out in sides of the upper face."""
CUBE_SIZES = (1.0, 0.87, 1.15)
"""A cube is cut out in these shares of its told size, each a quarter turn on, for one view alone errs more often."""
LEAST_PX = 6
SPREAD_LEAST = 4.0
WEIGHTS_DIE, WEIGHTS_CUBE = "die.onnx", "cube.onnx"


def read_dice(bgr: Bgr, spots: npt.ArrayLike) -> Doubles:
    """Likelihoods, n × 8, of pips 1 to 6, COCKED and NO_DIE at spots, n × 3: middle x, y and side of the upper face.

    All in pixels of `bgr`; each row sums to 1.
    """
    places = np.asarray(spots, dtype=np.float64).reshape(-1, 3)
    if not len(places):
        return np.zeros((0, CLASSES))
    crops = np.stack([cut_out(bgr, x, y, side, DIE_PX) for x, y, side in places])
    return _read(WEIGHTS_DIE, [crops, crops[:, :, ::-1]])


def read_cubes(bgr: Bgr, spots: npt.ArrayLike, sizes: Sequence[float] = CUBE_SIZES) -> Doubles:
    """Likelihoods, n × 8, of VALUES, UNREADABLE and NO_CUBE at spots, n × 3: middle x, y and side of the upper face.

    All in pixels of `bgr`; each row sums to 1. Fewer `sizes` are faster and err more often.
    """
    places = np.asarray(spots, dtype=np.float64).reshape(-1, 3)
    if not len(places):
        return np.zeros((0, CLASSES))
    views = []
    for quarters, share in enumerate(sizes):
        crops = np.stack([cut_out(bgr, x, y, share * side, CUBE_PX) for x, y, side in places])
        views.append(np.rot90(crops, quarters, axes=(1, 2)))
    return _read(WEIGHTS_CUBE, views)


def cut_out(bgr: Bgr, x: float, y: float, side: float, px: int) -> Bgr:
    """The square of REACH sides around a place, px × px × 3; beyond the picture its border goes on."""
    wide = max(LEAST_PX, round(REACH * side))
    cut = cv2.getRectSubPix(bgr, (wide, wide), (float(x), float(y)))
    how = cv2.INTER_AREA if wide > px else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(cut, (px, px), interpolation=how), dtype=np.uint8)


def net_input(crops: npt.NDArray[np.uint8]) -> Floats:
    """Cut-outs, n × px × px × 3, as the nets take them, n × 3 × px × px: each free of exposure and contrast."""
    flat = crops.reshape(len(crops), -1).astype(np.float32)
    flat -= flat.mean(axis=1, keepdims=True)
    flat /= np.maximum(np.sqrt((flat * flat).mean(axis=1, keepdims=True)), SPREAD_LEAST)
    return np.ascontiguousarray(flat.reshape(crops.shape).transpose(0, 3, 1, 2))


def _read(weights: str, crops: list[npt.NDArray[np.uint8]]) -> Doubles:
    """Likelihoods by several views (n × px × px × 3) of the same things, the mean of what each view says."""
    logits = nets.answer(weights, net_input(np.concatenate(crops))).astype(np.float64).reshape(len(crops), -1, CLASSES)
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    told: Doubles = (shares / shares.sum(axis=-1, keepdims=True)).mean(axis=0)
    return told
