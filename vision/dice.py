"""Dice on a rectified board: where they lie, what they show, and how sure that is.

Pips are looked for first; a die's centre is a pip or the middle between two. Each such place is
compared with the six faces at all turns. A die that shows two faces, or lies tilted, fits no
face well: it is left unread rather than guessed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, apply
from vision.discs import Floats, lab_of
from vision.frame import Bgr
from vision.patterns import GRID_X, GRID_Y, Doubles, EdgeField, Fit, Pattern, PatternBank, finer, square_body, step
from vision.rectify import rectify

COLUMN_PX = 72.0
SIZES = (0.30, 0.35, 0.40, 0.46, 0.53)
"""Die sizes tried, in widths of a point."""
OFFSET, PIP_RADIUS = 0.27, 0.095
_CORNERS = ((-OFFSET, -OFFSET), (OFFSET, OFFSET), (-OFFSET, OFFSET), (OFFSET, -OFFSET))
Pips = tuple[tuple[float, float], ...]
FACES: tuple[tuple[int, Pips], ...] = (
    (1, ((0, 0),)),
    (2, _CORNERS[:2]),
    (3, (*_CORNERS[:2], (0, 0))),
    (4, _CORNERS),
    (5, (*_CORNERS, (0, 0))),
    (6, (*_CORNERS, (-OFFSET, 0), (OFFSET, 0))),
    (6, tuple((x, y) for x in (-OFFSET, 0, OFFSET) for y in (-0.19, 0.19))),
)
"""Where the pips sit, in sizes of the die; many makers set the two rows of the six closer."""
TURN_DEG = 10
PIP_SIGMAS = (1.7, 2.3, 3.1)
PIP_LEAST, MOST_PIPS, SAME_PX = 5.0, 500, 2
CONTRAST_LEAST = 3.0
WORTH_REFINING, FIT_LEAST, FIT_SURE = 0.70, 0.80, 0.90
SIDE_LEAST = 0.35
PIP_BONUS, STRAY_COST = 0.02, 0.05


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die: its number, its centre in image pixels and in field space, its size in widths of a point."""

    pips: int
    center_px: tuple[float, float]
    field_xy: tuple[float, float]
    size: float
    confidence: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A fit that may be a die: `rank` orders those that overlap, `light` is 1 where the pips are lighter."""

    fit: Fit
    rank: float
    light: float
    pips: int


def find_dice(bgr: Bgr, geometry: BoardGeometry, stretch: float = 1.0) -> tuple[DieSeen, ...]:
    """All dice on and just beside the field, the surest first."""
    upright = rectify(bgr, geometry, column_px=COLUMN_PX, stretch=stretch, margin_columns=0.8)
    light = lab_of(upright.bgr)[..., 0]
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), 0.8), dtype=np.float32)
    edges = EdgeField(soft)
    seen = []
    for die in _distinct(_candidates(soft, _pips(light))):
        if die.fit.value < WORTH_REFINING:
            continue
        fit = finer(_bank(), soft, die.fit, die.light)
        confidence = _confidence(fit, edges)
        if confidence > 0:
            xy = (fit.x, fit.y)
            image = apply(upright.image_from_rectified, [xy])[0]
            field = ((xy[0] - upright.margin_px) / upright.width_px, (xy[1] - upright.margin_px) / upright.height_px)
            center = (float(image[0]), float(image[1]))
            pips = int(_bank().values[fit.index])
            seen.append(DieSeen(pips, center, field, fit.size / COLUMN_PX, confidence))
    return _same_size(seen)


@cache
def _bank() -> PatternBank:
    patterns = []
    for value, pips in FACES:
        turns = 90 if value in (1, 4, 5) else 180
        for degrees in range(0, turns, TURN_DEG):
            angle = math.radians(degrees)
            x: Doubles = GRID_X * np.cos(angle) + GRID_Y * np.sin(angle)
            y: Doubles = -GRID_X * np.sin(angle) + GRID_Y * np.cos(angle)
            marks: Doubles = np.max([step(np.hypot(x - px, y - py) - PIP_RADIUS) for px, py in pips], axis=0)
            patterns.append(Pattern(value, angle, marks, square_body(angle)))
    return PatternBank(patterns)


def _pips(light: Floats) -> Doubles:
    """Round spots: n × 4 of x, y, sign (1 light, −1 dark) and strength, the strongest first."""
    spots: list[tuple[float, float, float, float]] = []
    for sigma in PIP_SIGMAS:
        response = cv2.Laplacian(cv2.GaussianBlur(light, (0, 0), sigma), cv2.CV_32F) * np.float32(sigma**2)
        for sign in (1.0, -1.0):
            strength = response * np.float32(-sign)
            size = 2 * int(1.5 * sigma) + 1
            top = (strength == cv2.dilate(strength, np.ones((size, size), np.uint8))) & (strength > PIP_LEAST)
            ys, xs = np.nonzero(top)
            spots += [(float(strength[y, x]), float(x), float(y), sign) for x, y in zip(xs, ys, strict=True)]
    kept: list[tuple[float, float, float, float]] = []
    taken: set[tuple[int, int, float]] = set()
    for power, x, y, sign in sorted(spots, reverse=True):
        cell = (int(x) // SAME_PX, int(y) // SAME_PX, sign)
        if cell in taken:
            continue
        taken.update((cell[0] + dx, cell[1] + dy, sign) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        kept.append((x, y, sign, power))
        if len(kept) >= MOST_PIPS:
            break
    return np.asarray(kept, dtype=np.float64).reshape(-1, 4)


def _centres(pips: Doubles) -> Doubles:
    """Possible centres of dice: every pip, and the middle of every two that one die could hold."""
    if len(pips) < 2:
        return pips
    apart = np.hypot(pips[:, None, 0] - pips[None, :, 0], pips[:, None, 1] - pips[None, :, 1])
    near, far = 0.22 * SIZES[0] * COLUMN_PX, 0.85 * SIZES[-1] * COLUMN_PX
    first, second = np.nonzero(np.triu((apart > near) & (apart < far) & (pips[:, None, 2] == pips[None, :, 2])))
    return np.vstack([pips, (pips[first] + pips[second]) / 2])


def _candidates(light: Floats, pips: Doubles) -> list[_Candidate]:
    found: list[_Candidate] = []
    if not len(pips):
        return found
    bank, centres = _bank(), _centres(pips)
    for size in SIZES:
        px = size * COLUMN_PX
        fits, contrast = bank.match(light, centres[:, :2], np.full(len(centres), px))
        fits *= centres[:, 2:3]
        best = fits.argmax(axis=1)
        rows = np.arange(len(best))
        for n in np.nonzero((fits[rows, best] > FIT_LEAST - 0.15) & (contrast[rows, best] > CONTRAST_LEAST))[0]:
            x, y, sign, _ = centres[n]
            fit = Fit(float(fits[n, best[n]]), int(best[n]), float(x), float(y), px)
            face = int(bank.values[fit.index])
            rank = fit.value + PIP_BONUS * face - STRAY_COST * _strays(fit, face, sign, pips)
            found.append(_Candidate(fit, rank, float(sign), face))
    return sorted(found, key=lambda c: -c.rank)


def _strays(fit: Fit, face: int, sign: float, pips: Doubles) -> int:
    """Pips as strong as the die's own that lie inside it and that its number does not explain."""
    near = (np.hypot(pips[:, 0] - fit.x, pips[:, 1] - fit.y) < 0.68 * fit.size) & (pips[:, 2] == sign)
    strength = pips[near, 3]
    return max(0, int((strength > 0.5 * strength.max(initial=0)).sum()) - face)


def _distinct(candidates: list[_Candidate], most: int = 24) -> list[_Candidate]:
    """The best of each place: among overlapping ones, those that explain more pips go first."""
    kept: list[_Candidate] = []
    for one in candidates:
        a = one.fit
        if all(np.hypot(a.x - b.x, a.y - b.y) >= 0.75 * max(a.size, b.size) for b in (k.fit for k in kept)):
            kept.append(one)
        if len(kept) >= most:
            break
    return kept


def _confidence(fit: Fit, edges: EdgeField) -> float:
    """0 for what is no die, else how likely the number is right."""
    angle = float(_bank().angles[fit.index])
    weakest, second, third, strongest = edges.sides(fit.x, fit.y, fit.size, angle)
    if fit.value < FIT_LEAST or second < SIDE_LEAST or third + strongest < 4 * SIDE_LEAST:
        return 0.0
    body = min(1.0, (weakest + second + third + strongest) / (8 * SIDE_LEAST))
    return float(body / (1 + np.exp(-(fit.value - FIT_SURE + 0.05) / 0.02)))


def _same_size(dice: list[DieSeen]) -> tuple[DieSeen, ...]:
    """Dice of one table are of one size: those unlike the surest lose confidence."""
    dice = sorted(dice, key=lambda d: -d.confidence)
    if not dice:
        return ()
    size = dice[0].size
    kept = [d for d in dice if abs(d.size / size - 1) < 0.35]
    return tuple(d for d in kept if d.confidence >= 0.05)
