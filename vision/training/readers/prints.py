"""Print and displays beside the board: what looks like a cube's number to whoever never saw a caption or a clock."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from vision.frame import Bgr
from vision.synth.chance import palette
from vision.synth.table import Bgr3
from vision.training.readers.closeup import Floats
from vision.training.readers.faces import STROKES, fonts, glyphs

LETTERS = "AAABCDDEEEEFGHIIKLMNNOOPRRSSTTUVWXYZaaabcdeeeefghiiklmnnoorrssttuvwxyz"
NUMBERS = "0123456789"
_LIT = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg")
SEGMENTS = dict(zip(NUMBERS, _LIT, strict=True))
"""Which of the seven bars of a display are lit."""
_ENDS = ((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (1, 2)), ((0, 2), (1, 2)), ((0, 1), (0, 2)), ((0, 0), (0, 1))
_BARS = dict(zip("abcdefg", (*_ENDS, ((0, 1), (1, 1))), strict=True))
CLOCK, COLON = 96, 0.45
"""A digit's height on the canvas, and the room of a colon in digits' widths."""
PANELS: tuple[tuple[Bgr3, Bgr3], ...] = (
    *(((150, 165, 155), (40, 45, 42)), ((120, 150, 130), (30, 40, 34)), ((175, 180, 178), (30, 30, 34))),
    *(((22, 22, 26), (50, 50, 235)), ((20, 26, 22), (90, 230, 110)), ((40, 30, 24), (235, 220, 190))),
)
"""Panel and digits: liquid crystals, then glowing ones."""


def line(chance: random.Random, ground: Bgr, side: float) -> None:
    """A line of print through the middle of `ground`, letters about `side` high, in place."""
    word = "".join(chance.choices(LETTERS, k=chance.randint(2, 12)))
    if chance.random() < 0.2:
        word = "".join(chance.choices(NUMBERS, k=chance.randint(3, 8)))
    ink = glyphs(word, chance.randrange(len(fonts()) + len(STROKES)), chance.choice((0, 0, 2, 4)))
    tall = side * chance.uniform(0.3, 1.2)
    colour = palette.jittered(chance, chance.choice(((240, 240, 240), (30, 26, 26), palette.cloth(chance))), 20)
    _laid(chance, ground, np.asarray(ink / 255, dtype=np.float32), tall / ink.shape[0], [(colour, None)])


def display(chance: random.Random, ground: Bgr, side: float) -> None:
    """The display of a chess clock over the middle of `ground`, its digits about `side` high, in place."""
    text = f"{chance.randrange(3)}:{chance.randrange(60):02}" + (f":{chance.randrange(60):02}" * chance.randrange(2))
    if chance.random() < 0.4:
        text = f"{chance.randrange(60):02}:{chance.randrange(60):02}"
    panel, lit = chance.choice(PANELS)
    digits = _digits(text, chance.uniform(0.4, 0.65), chance.uniform(0.08, 0.2), chance.uniform(0.0, 0.2))
    tall = side * chance.uniform(0.5, 1.3)
    pane = np.ones_like(digits)
    scale = tall / CLOCK
    glow = [(palette.jittered(chance, panel, 20), pane), (palette.jittered(chance, lit, 20), None)]
    _laid(chance, ground, digits, scale, glow)


def _digits(text: str, wide: float, thick: float, slant: float) -> Floats:
    """Lit bars (0–1) of a text of digits and colons, with a margin; `wide` and `slant` in heights."""
    step, margin = CLOCK * (wide + 0.22), CLOCK * 0.4
    width = sum(step if sign != ":" else COLON * step for sign in text) + 2 * margin
    canvas = np.zeros((round(CLOCK + 2 * margin), round(width + slant * CLOCK)), np.uint8)
    x = margin
    stroke = max(2, round(thick * CLOCK))
    for sign in text:
        if sign == ":":
            for y in (0.3, 0.7):
                at = round(x + slant * CLOCK * (1 - y)), round(margin + y * CLOCK)
                cv2.circle(canvas, at, stroke // 2 + 1, 255, -1, cv2.LINE_AA)
            x += COLON * step
            continue
        for bar in SEGMENTS[sign]:
            ends = [
                (round(x + u * wide * CLOCK + slant * CLOCK * (1 - v / 2)), round(margin + v * CLOCK / 2))
                for u, v in _BARS[bar]
            ]
            cv2.line(canvas, ends[0], ends[1], 255, stroke, cv2.LINE_AA)
        x += step
    return np.asarray(canvas / 255, dtype=np.float32)


def _laid(
    chance: random.Random, ground: Bgr, ink: Floats, scale: float, coats: list[tuple[Bgr3, Floats | None]]
) -> None:
    """Coats of colour, each where its mask says (None: where the ink is), any part of them over the ground's middle."""
    height, width = ink.shape
    turn = chance.gauss(0, 0.25) if chance.random() < 0.6 else chance.uniform(0, 2 * math.pi)
    c, s = scale * math.cos(turn), scale * math.sin(turn)
    u, v = chance.uniform(0.1, 0.9) * width, height / 2 + chance.gauss(0, 0.1) * height
    middle = len(ground) / 2
    there = np.array([[c, -s, middle - c * u + s * v], [s, c, middle - s * u - c * v]], np.float32)
    size = (ground.shape[1], ground.shape[0])
    smooth = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    soft = cv2.GaussianBlur(ink, (0, 0), max(0.3, 0.4 / scale))
    for colour, mask in coats:
        share = cv2.warpAffine(soft if mask is None else mask, there, size, flags=smooth)[..., None]
        ground[:] = np.clip(ground + share * (np.asarray(colour, np.float32) - ground), 0, 255).astype(np.uint8)
