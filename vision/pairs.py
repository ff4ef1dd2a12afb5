"""Whose pair a die is of: the colours of the dice in one picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.dice import DieSeen
from vision.frame import Bgr
from vision.lab import lab_of

PART = 0.36
"""Half the side of the part of a face whose colour is taken, in edges of the die."""
APART = 22.0
"""Dice of two pairs differ by at least so much L*a*b*, and much more than those of one pair do."""
SCATTER = 2.5


def paired(bgr: Bgr, dice: tuple[DieSeen, ...], column_px: float) -> tuple[DieSeen, ...]:
    """The dice with their pairs: `a` the lighter ones, `b` the others; None where all are of one colour."""
    if len(dice) < 2:
        return dice
    colours = np.array([face_lab(bgr, die, column_px) for die in dice])
    apart = np.linalg.norm(colours[:, None] - colours[None], axis=2)
    first, second = np.unravel_index(int(apart.argmax()), apart.shape)
    if apart[first, second] < APART:
        return dice
    nearer = apart[:, first] <= apart[:, second]
    groups = [colours[nearer], colours[~nearer]]
    middles = [group.mean(axis=0) for group in groups]
    spread = max(float(np.linalg.norm(g - m, axis=1).max()) for g, m in zip(groups, middles, strict=True))
    if float(np.linalg.norm(middles[0] - middles[1])) < SCATTER * spread:
        return dice
    lighter = 0 if middles[0][0] > middles[1][0] else 1
    names = ["ab"[lighter if near else 1 - lighter] for near in nearer]
    return tuple(replace(die, pair=name) for die, name in zip(dice, names, strict=True))


def face_lab(bgr: Bgr, die: DieSeen, column_px: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The usual L*a*b* of the face of `die`: pips are less than half of it."""
    x, y = die.center_px
    half = max(1, round(PART * die.size * column_px))
    area = bgr[max(0, round(y) - half) : round(y) + half + 1, max(0, round(x) - half) : round(x) + half + 1]
    if not area.size:
        return np.zeros(3, np.float32)
    return np.asarray(np.median(lab_of(area).reshape(-1, 3), axis=0), dtype=np.float32)
