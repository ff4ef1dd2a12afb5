"""Colours as boards, checkers, dice, skin and cloth have them (BGR)."""

from __future__ import annotations

import random

import cv2
import numpy as np

from vision.synth.table import Bgr3, CheckerKind, Surface, shade

FIELDS: dict[Surface, tuple[Bgr3, ...]] = {
    Surface.FELT: (
        (96, 112, 70),
        (120, 84, 44),
        (70, 60, 150),
        (150, 150, 150),
        (60, 90, 40),
        (120, 160, 190),
        (50, 48, 46),
    ),
    Surface.LEATHER: ((44, 62, 98), (60, 50, 110), (150, 190, 205), (190, 205, 212), (40, 40, 44), (90, 60, 40)),
    Surface.CORK: ((120, 160, 196), (96, 138, 182), (84, 110, 140)),
    Surface.WOOD: ((70, 120, 184), (52, 92, 150), (50, 66, 98), (104, 160, 206), (40, 52, 84)),
    Surface.PRINT: ((216, 220, 222), (190, 196, 196), (70, 120, 90), (120, 70, 50), (60, 60, 60)),
}
POINTS: tuple[tuple[Bgr3, Bgr3], ...] = (
    ((222, 232, 238), (40, 36, 34)),
    ((40, 40, 180), (36, 34, 34)),
    ((214, 224, 230), (60, 50, 160)),
    ((150, 196, 226), (36, 48, 76)),
    ((210, 214, 216), (120, 70, 30)),
    ((90, 130, 60), (200, 214, 222)),
    ((60, 96, 150), (150, 190, 214)),
    ((170, 170, 170), (70, 70, 74)),
    ((200, 120, 70), (230, 234, 236)),
)
RAILS: tuple[Bgr3, ...] = (
    (34, 36, 38),
    (44, 66, 104),
    (60, 100, 150),
    (28, 34, 60),
    (96, 140, 176),
    (60, 40, 34),
    (40, 36, 96),
)
CHECKERS: tuple[tuple[Bgr3, Bgr3], ...] = (
    ((224, 234, 238), (40, 36, 38)),
    ((200, 222, 236), (34, 52, 92)),
    ((214, 226, 234), (50, 40, 150)),
    ((226, 230, 232), (150, 80, 30)),
    ((200, 210, 214), (80, 120, 50)),
    ((70, 110, 230), (60, 140, 60)),
    ((120, 190, 224), (60, 70, 90)),
    ((150, 190, 220), (60, 84, 130)),
    ((196, 200, 202), (120, 124, 126)),
    ((90, 190, 230), (44, 40, 40)),
    ((170, 176, 236), (60, 36, 60)),
)
DICE: tuple[tuple[Bgr3, Bgr3], ...] = (
    ((238, 240, 242), (28, 26, 26)),
    ((36, 34, 34), (236, 236, 236)),
    ((44, 36, 170), (236, 238, 240)),
    ((170, 70, 40), (236, 238, 240)),
    ((70, 130, 50), (236, 238, 240)),
    ((180, 214, 228), (40, 44, 60)),
    ((60, 170, 220), (30, 30, 30)),
    ((130, 60, 90), (230, 234, 238)),
)
SKINS: tuple[Bgr3, ...] = (
    (172, 196, 232),
    (150, 182, 228),
    (118, 158, 208),
    (92, 130, 186),
    (66, 96, 150),
    (48, 66, 104),
    (34, 44, 70),
)
CLOTHS: tuple[Bgr3, ...] = (
    *((36, 34, 34), (80, 60, 40), (120, 100, 96), (190, 190, 188), (60, 50, 120), (70, 90, 60), (140, 90, 50)),
    *((48, 72, 110), (90, 120, 150), (212, 216, 218), (110, 60, 40)),
)
LIGHTER_BY = 14.0
"""White's checkers are lighter than black's by at least so much CIE L*."""


def jittered(chance: random.Random, bgr: Bgr3, by: float = 10.0) -> Bgr3:
    """The colour, a little off."""
    level = 1 + chance.gauss(0, 0.06)
    b, g, r = (max(8, min(250, round(c * level + chance.gauss(0, by / 2)))) for c in bgr)
    return b, g, r


def near(chance: random.Random, bgr: Bgr3) -> Bgr3:
    """A colour that can hardly be told from another."""
    return jittered(chance, bgr, 5.0)


def board(chance: random.Random, surface: Surface) -> tuple[Bgr3, Bgr3, Bgr3, Bgr3]:
    """Field, both kinds of points, rails."""
    field = jittered(chance, chance.choice(FIELDS[surface]))
    first, second = chance.choice(POINTS)
    if chance.random() < 0.5:
        first, second = second, first
    if surface is Surface.WOOD and chance.random() < 0.5:
        first, second = shade(field, chance.uniform(1.15, 1.5)), shade(field, chance.uniform(0.45, 0.75))
    rails = shade(field, 0.8) if surface is Surface.WOOD else chance.choice(RAILS)
    return field, jittered(chance, first), jittered(chance, second), jittered(chance, rails)


def checkers(chance: random.Random, kind: CheckerKind) -> tuple[Bgr3, Bgr3]:
    """White's and black's checkers; white's are the lighter ones."""
    pairs = CHECKERS[6:8] + CHECKERS[1:2] if kind is CheckerKind.WOOD else CHECKERS
    for _ in range(20):
        first, second = (jittered(chance, bgr, 14.0) for bgr in chance.choice(pairs))
        if lightness(first) - lightness(second) > LIGHTER_BY:
            return first, second
    return CHECKERS[0]


def die(chance: random.Random) -> tuple[Bgr3, Bgr3]:
    """Body and pips of a die."""
    body, pips = chance.choice(DICE)
    return jittered(chance, body), jittered(chance, pips, 6.0)


def skin(chance: random.Random) -> Bgr3:
    """Of any tone."""
    return jittered(chance, chance.choice(SKINS), 6.0)


def cloth(chance: random.Random) -> Bgr3:
    """A sleeve's, a table cloth's."""
    return jittered(chance, chance.choice(CLOTHS))


def lightness(bgr: Bgr3) -> float:
    """CIE L*, 0–100."""
    lab = cv2.cvtColor(np.asarray([[bgr]], dtype=np.float32) / 255, cv2.COLOR_BGR2LAB)
    return float(lab[0, 0, 0])
