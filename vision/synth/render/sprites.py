"""Small pictures that are laid on solids: the tops of checkers, numbers and marks on the faces of boxes."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from calibration.geometry import Matrix
from vision.frame import Bgr
from vision.synth.bodies import PROFILES
from vision.synth.render.ground import EVEN, weave
from vision.synth.table import Bgr3, CheckerKind, Checkers, Surface

FACE_PX = 96
GRAINS = 3
"""How many checkers with grains of their own there are; others repeat them turned."""
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


@lru_cache(maxsize=64)
def top_normals(style: Checkers, px: int) -> Matrix:
    """Which way the top of a checker faces, px × px × 3 in its own x, y and up."""
    profile = PROFILES[style.kind]
    slopes = []
    for (r0, z0), (r1, z1) in pairwise(profile[1:]):
        rise = (z1 - z0) * style.thickness_mm / (max(r0 - r1, 1e-3) * style.diameter_mm / 2)
        slopes.append((r1, r0, rise))
    y, x = (np.indices((px, px)) - (px - 1) / 2) / (px / 2)
    r = np.maximum(np.hypot(x, y), 1e-6)
    outward = np.zeros_like(r)
    for inner, outer, rise in slopes:
        outward[(r >= inner) & (r <= outer)] = rise
    outward = cv2.GaussianBlur(outward, (0, 0), max(0.5, px / 64))
    normals = np.stack([outward * x / r, outward * y / r, np.ones_like(r)], axis=-1)
    out: Matrix = normals / np.linalg.norm(normals, axis=-1, keepdims=True)
    return out


@lru_cache(maxsize=64)
def top_paint(style: Checkers, bgr: Bgr3, px: int, grain: int) -> Bgr:
    """The colours of a checker's top before any light, px × px × 3; `grain` chooses one of GRAINS."""
    picture = np.full((px, px, 3), bgr, np.uint8)
    if style.kind is CheckerKind.WOOD:
        weave(picture, Surface.WOOD, grain, fine=5)
    elif style.kind is CheckerKind.PEARL:
        random = np.random.default_rng(grain)
        clouds = cv2.GaussianBlur(random.normal(0, 1, (px, px)).astype(np.float32), (0, 0), px / 7)
        shine = np.clip(EVEN * (1 + 0.11 * np.sin(5 * clouds / clouds.std())), 0, 255).astype(np.uint8)
        cv2.multiply(picture, cv2.merge([shine] * 3), dst=picture, scale=1 / EVEN)
    elif style.kind in (CheckerKind.RIMMED, CheckerKind.RINGED):
        y, x = (np.indices((px, px)) - (px - 1) / 2) / (px / 2)
        r = np.hypot(x, y)
        groove = (r > 0.74) & (r < 0.80) if style.kind is CheckerKind.RIMMED else (r > 0.41) & (r < 0.47)
        picture[groove] = (picture[groove] * 0.82).astype(np.uint8)
    return picture
