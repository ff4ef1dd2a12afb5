"""What a die shows and what a doubling cube shows: two small nets that look at one cut-out each."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import cv2
import numpy as np
import numpy.typing as npt

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
LEAST_PX = 6
SPREAD_LEAST = 4.0
WEIGHTS_DIE, WEIGHTS_CUBE = "die.onnx", "cube.onnx"


def read_dice(bgr: Bgr, spots: npt.ArrayLike) -> Doubles:
    """Likelihoods, n × 8, of pips 1 to 6, COCKED and NO_DIE at spots, n × 3: middle x, y and side of the upper face.

    All in pixels of `bgr`; each row sums to 1.
    """
    return _read(WEIGHTS_DIE, bgr, spots, DIE_PX, mirrored=True)


def read_cubes(bgr: Bgr, spots: npt.ArrayLike) -> Doubles:
    """Likelihoods, n × 8, of VALUES, UNREADABLE and NO_CUBE at spots, n × 3: middle x, y and side of the upper face.

    All in pixels of `bgr`; each row sums to 1.
    """
    return _read(WEIGHTS_CUBE, bgr, spots, CUBE_PX, mirrored=False)


def cut_out(bgr: Bgr, x: float, y: float, side: float, px: int) -> Bgr:
    """The square of REACH sides around a place, px × px × 3; beyond the picture its border goes on."""
    wide = max(LEAST_PX, round(REACH * side))
    cut = cv2.getRectSubPix(bgr, (wide, wide), (float(x), float(y)))
    how = cv2.INTER_AREA if wide > px else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(cut, (px, px), interpolation=how), dtype=np.uint8)


def net_input(crops: npt.NDArray[np.uint8]) -> Floats:
    """Cut-outs, n × px × px × 3, as the nets take them, n × 3 × px × px: each free of exposure and contrast."""
    whole = crops.astype(np.float32)
    level = whole.mean(axis=(1, 2, 3), keepdims=True)
    scale = np.maximum(whole.std(axis=(1, 2, 3), keepdims=True), SPREAD_LEAST)
    return np.ascontiguousarray(((whole - level) / scale).transpose(0, 3, 1, 2))


def _read(weights: str, bgr: Bgr, spots: npt.ArrayLike, px: int, *, mirrored: bool) -> Doubles:
    """Likelihoods at spots; where a mirror image shows the same it is read too, and both count alike."""
    places = np.asarray(spots, dtype=np.float64).reshape(-1, 3)
    if not len(places):
        return np.zeros((0, CLASSES))
    crops = np.stack([cut_out(bgr, x, y, side, px) for x, y, side in places])
    net = _net(weights)
    net.setInput(net_input(np.concatenate([crops, crops[:, :, ::-1]]) if mirrored else crops))
    logits = np.asarray(net.forward(), dtype=np.float64).reshape(-1, len(places), CLASSES).mean(axis=0)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    told: Doubles = shares / shares.sum(axis=1, keepdims=True)
    return told


@cache
def _net(name: str) -> cv2.dnn.Net:
    weights = (files("vision") / "models" / name).read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
