"""Dice: which of the small things in a picture are dice, what they show, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from calibration.geometry import BoardGeometry, apply
from vision.frame import Bgr
from vision.judging import LEAST, Judged, judged
from vision.readers import COCKED
from vision.smallthings import APART, Things, concat, distinct, look, scaled_view

THERE_LEAST = LEAST[0]
NUMBER_LEAST = 0.35
"""A number that is less likely than this is not told."""
SCALES = (1.0, 0.62)
"""Sizes tried of the size that a person names: he may mean the edge, or the width of all that is seen of a die."""
NAMED, STEP, SMALLEST_PX = 1.15, 1.6, 10.0
LARGEST, SMALLEST = 1 / 3, 1 / 140
"""Dice of unknown size are looked for between these shares of the picture's sides, each time STEP times larger."""
FITS = (0.62, 1.6)
"""A die is taken from a view in which its edge is between these shares of what the detector likes best."""
ALIKE = 2.2
"""Of the dice in one picture none is so many times larger or smaller than most."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die anywhere: its number (None when it cannot be read), the middle of its upper face and its edge in pixels.

    `confidence` is how likely a die is there and all that is said of it is right.
    """

    pips: int | None
    center_px: tuple[float, float]
    side_px: float
    cocked: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die: its number (None when it cannot be read), its centre in image pixels and in field space, its size.

    `size` is in widths of a point; `cocked` says that it leans; `pair` names the dice of one colour where there are
    two colours.
    """

    pips: int | None
    center_px: tuple[float, float]
    field_xy: tuple[float, float]
    size: float
    confidence: float
    cocked: bool = False
    pair: str | None = None


def find_dice(geometry: BoardGeometry, found: Judged) -> tuple[DieSeen, ...]:
    """What the dice show among the things on a board and around it, the surest first."""
    dice = dice_of(found)
    places = apply(geometry.field_from_image, [die.center_px for die in dice]).tolist()
    return tuple(
        DieSeen(die.pips, die.center_px, (x, y), die.side_px / geometry.column_px, die.confidence, die.cocked)
        for die, (x, y) in zip(dice, places, strict=True)
    )


def dice_of(found: Judged) -> tuple[Die, ...]:
    """The dice among some things, the surest first."""
    dice = []
    for (x, y, side), there, told in zip(found.things.spots, found.die, found.pips, strict=True):
        if there < THERE_LEAST:
            continue
        numbers = told[:COCKED]
        best, cocked = int(numbers.argmax()), bool(told[COCKED] > numbers.max())
        share = float(numbers[best] / max(numbers.sum(), 1e-9)) if cocked else float(numbers[best])
        right = float(told[COCKED] if cocked else numbers[best])
        pips = best + 1 if share >= NUMBER_LEAST else None
        dice.append(Die(pips, (float(x), float(y)), float(side), cocked, float(there) * right))
    kept: list[Die] = []
    for die in sorted(dice, key=lambda die: -die.confidence):
        near = (math.dist(die.center_px, one.center_px) / (die.side_px + one.side_px) for one in kept)
        if all(2 * share >= APART for share in near):  # else it is another face of that die
            kept.append(die)
    return tuple(kept)


def loose_dice(bgr: Bgr, size_px: float | None = None) -> tuple[Die, ...]:
    """All dice in any picture, the surest first; `size_px` is about how wide one is.

    Once it is known how large they are, they are looked for again at the scale that suits the detector best.
    """
    views = [_seen(bgr, edge) for edge in _edges(bgr, size_px)]
    found = judged(bgr, distinct(concat(views)))
    likely = found.die > THERE_LEAST
    if likely.any():
        views.append(_seen(bgr, float(np.median(found.things.side[likely]))))
        found = judged(bgr, distinct(concat(views)))
    dice = dice_of(found)
    sure = [die.side_px for die in dice if die.confidence > THERE_LEAST]
    usual = float(np.median(sure)) if sure else None
    return tuple(d for d in dice if usual is None or 1 / ALIKE < d.side_px / usual < ALIKE)


def _seen(bgr: Bgr, edge: float) -> Things:
    """What a thorough look finds of things with about that edge."""
    seen = look(scaled_view(bgr, edge), thoroughly=True)
    return seen.chosen((seen.side > FITS[0] * edge) & (seen.side < FITS[1] * edge))


def _edges(bgr: Bgr, size_px: float | None) -> list[float]:
    """The edges of dice to look for."""
    if size_px is not None:
        return [size_px / NAMED * scale for scale in SCALES]
    shorter, longer = sorted(bgr.shape[:2])
    first = max(SMALLEST_PX, SMALLEST * longer)
    count = max(1, int(np.ceil(np.log(max(1.0, LARGEST * shorter / first)) / np.log(STEP))))
    return [first * STEP**n for n in range(count)]
