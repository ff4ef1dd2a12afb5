"""Small pictures that are laid on solids: the tops of checkers, numbers and marks on the faces of boxes."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from vision.frame import Bgr
from vision.synth.bodies import PROFILES
from vision.synth.render.ground import EVEN, plain, weave
from vision.synth.table import Bgr3, CheckerKind, Checkers, Surface

Floats = npt.NDArray[np.float32]
FACE_PX = 96
GRAINS = 3
"""How many checkers with grains of their own there are; others repeat them turned."""
GRAINED = (CheckerKind.WOOD, CheckerKind.PEARL)
"""The kinds of checkers that have a grain."""
PIP_STEP = 0.27
"""Distance of a pip from the middle of its face, in edges."""

PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@lru_cache(maxsize=256)
def face_ink(text: str, px: int = FACE_PX) -> Bgr:
    """How much ink lies where on a face that shows `text`, px × px, 0–255; see Box.faces for what texts mean."""
    big = Image.new("L", (px, px), 0)
    pen = ImageDraw.Draw(big)
    if text == "*":
        pen.ellipse((px * 0.2, px * 0.2, px * 0.8, px * 0.8), outline=255, width=max(2, px // 16))
        star = [
            (px * (0.5 + r * math.sin(k * math.pi / 5)), px * (0.5 - r * math.cos(k * math.pi / 5)))
            for k, r in zip(range(10), (0.24, 0.1) * 5, strict=True)
        ]
        pen.polygon(star, fill=255)
    elif text == "_~":
        for k in range(9):
            pen.line(
                (px * 0.12, px * (0.1 + 0.09 * k), px * (0.5 + 0.37 * ((k * 7) % 5) / 4), px * (0.1 + 0.09 * k)), 190
            )
    elif text[0] in "=!" and text[1] == "1":
        return _stencilled(text[2:], px)
    else:
        word = text[2:] if text[0] in "=!" else text.lstrip("#_")
        size = px * (0.86 if len(word) == 1 else 0.62 if len(word) == 2 else 0.36)
        pen.text(
            (px / 2, px / 2), word, fill=255, font=ImageFont.load_default(size), anchor="mm", stroke_width=px // 48
        )
    return np.asarray(big, dtype=np.uint8)


def _stencilled(word: str, px: int) -> Bgr:
    """A number in the thick strokes of an engraver."""
    picture = np.zeros((px, px), np.uint8)
    scale = px / 96 * (2.1 if len(word) == 1 else 1.6)
    width = max(2, round(px / 14))
    (w, h), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, scale, width)
    at = ((px - w) // 2, (px + h) // 2)
    cv2.putText(picture, word, at, cv2.FONT_HERSHEY_DUPLEX, scale, 255, width, cv2.LINE_AA)
    return picture


def top_normals(style: Checkers, px: int) -> Floats:
    """Which way the top of a checker faces, px × px × 3 in its own x, y and up."""
    slopes = _slopes(style.kind, px) * np.float32(style.thickness_mm / style.diameter_mm * 2)
    normals = np.concatenate([slopes, np.ones((px, px, 1), np.float32)], axis=-1)
    out: Floats = normals / np.sqrt(np.einsum("...k,...k->...", normals, normals))[..., None]
    return out


@lru_cache(maxsize=64)
def _slopes(kind: CheckerKind, px: int) -> Floats:
    """How steeply the top of a checker as thick as its radius falls to the right and down (px × px × 2)."""
    x, y, r = _in_radii(px)
    outward = np.zeros_like(r)
    for (r0, z0), (r1, z1) in pairwise(PROFILES[kind][1:]):
        outward[(r >= r1) & (r <= r0)] = (z1 - z0) / max(r0 - r1, 1e-3)
    outward = cv2.GaussianBlur(outward, (0, 0), max(0.5, px / 64)) / r
    return np.stack([outward * x, outward * y], axis=-1)


@lru_cache(maxsize=16)
def _in_radii(px: int) -> tuple[Floats, Floats, Floats]:
    """Of the pixels of a top: right and down of its middle, and away from it, in radii."""
    y, x = ((np.indices((px, px)) - (px - 1) / 2) / (px / 2)).astype(np.float32)
    return x, y, np.maximum(np.hypot(x, y), np.float32(1e-6))


@lru_cache(maxsize=32)
def _clouds(px: int, grain: int) -> Bgr:
    """The shimmer of pearl (px × px × 3), EVEN where it changes nothing."""
    random = np.random.default_rng(grain)
    clouds = cv2.GaussianBlur(random.normal(0, 1, (px, px)).astype(np.float32), (0, 0), px / 7)
    shine = np.clip(EVEN * (1 + 0.11 * np.sin(5 * clouds / clouds.std())), 0, 255).astype(np.uint8)
    return np.asarray(cv2.merge([shine] * 3), dtype=np.uint8)


def top_paint(style: Checkers, bgr: Bgr3, px: int, grain: int) -> Bgr:
    """The colours of a checker's top before any light, px × px × 3; `grain` chooses one of GRAINS."""
    picture = plain(px, px, bgr)
    if style.kind is CheckerKind.WOOD:
        weave(picture, Surface.WOOD, grain, fine=5)
    elif style.kind is CheckerKind.PEARL:
        cv2.multiply(picture, _clouds(px, grain), dst=picture, scale=1 / EVEN)
    elif style.kind in (CheckerKind.RIMMED, CheckerKind.RINGED):
        r = _in_radii(px)[2]
        groove = (r > 0.74) & (r < 0.80) if style.kind is CheckerKind.RIMMED else (r > 0.41) & (r < 0.47)
        picture[groove] = (picture[groove] * 0.82).astype(np.uint8)
    return picture
