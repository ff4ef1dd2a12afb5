"""Dice on a rectified board: where they lie, what they show, and how sure that is.

Pips are looked for first; a die's centre is a pip or the middle between two. Each such place is
compared with the six faces at all turns. A die that shows two faces, or lies tilted, fits no
face well: it is left unread rather than guessed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, apply
from vision.discs import Floats, lab_of
from vision.frame import Bgr
from vision.patterns import GRID_X, GRID_Y, Doubles, EdgeField, Pattern, PatternBank, square_body, step
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
    fit: float
    rank: float
    x: float
    y: float
    size: float
    light: float
    pips: int
    angle: float


def find_dice(bgr: Bgr, geometry: BoardGeometry, stretch: float = 1.0) -> tuple[DieSeen, ...]:
    """All dice on and just beside the field, the surest first."""
    upright = rectify(bgr, geometry, column_px=COLUMN_PX, stretch=stretch, margin_columns=0.8)
    light = lab_of(upright.bgr)[..., 0]
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), 0.8), dtype=np.float32)
    edges = EdgeField(soft)
    seen = []
    for die in _distinct(_candidates(soft, _pips(light))):
        if die.fit < WORTH_REFINING:
            continue
        fine = _refined(soft, die)
        confidence = _confidence(fine, edges)
        if confidence > 0:
            xy = (float(fine.x), float(fine.y))
            image = apply(upright.image_from_rectified, [xy])[0]
            field = ((xy[0] - upright.margin_px) / upright.width_px, (xy[1] - upright.margin_px) / upright.height_px)
            center = (float(image[0]), float(image[1]))
            seen.append(DieSeen(fine.pips, center, field, fine.size / COLUMN_PX, confidence))
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
            one = _candidate(bank, float(fits[n, best[n]]), int(best[n]), x, y, px, sign)
            found.append(replace(one, rank=one.rank - STRAY_COST * _strays(one, pips)))
    return sorted(found, key=lambda c: -c.rank)


def _strays(die: _Candidate, pips: Doubles) -> int:
    """Pips as strong as the die's own that lie inside it and that its number does not explain."""
    near = (np.hypot(pips[:, 0] - die.x, pips[:, 1] - die.y) < 0.68 * die.size) & (pips[:, 2] == die.light)
    strength = pips[near, 3]
    return max(0, int((strength > 0.5 * strength.max(initial=0)).sum()) - die.pips)


def _candidate(bank: PatternBank, fit: float, k: int, x: float, y: float, size: float, light: float) -> _Candidate:
    pips = int(bank.values[k])
    rank = fit + PIP_BONUS * pips
    return _Candidate(fit, rank, float(x), float(y), float(size), float(light), pips, float(bank.angles[k]))


def _distinct(candidates: list[_Candidate], most: int = 24) -> list[_Candidate]:
    """The best of each place: among overlapping ones, those that explain more pips go first."""
    kept: list[_Candidate] = []
    for one in candidates:
        if all(np.hypot(one.x - k.x, one.y - k.y) >= 0.75 * max(one.size, k.size) for k in kept):
            kept.append(one)
        if len(kept) >= most:
            break
    return kept


def _refined(light: Floats, die: _Candidate) -> _Candidate:
    """The same die with place, size and turn searched more finely."""
    bank = _bank()
    shift = np.arange(-2, 3) * 0.05
    dx, dy = (d.ravel() for d in np.meshgrid(shift, shift))
    best = die
    for scale in (0.88, 0.94, 1.0, 1.06, 1.13):
        size = die.size * scale
        centres = np.stack([die.x + dx * size, die.y + dy * size], axis=1)
        fits, _ = bank.match(light, centres, np.full(len(centres), size))
        fits *= die.light
        n, k = np.unravel_index(int(fits.argmax()), fits.shape)
        if fits[n, k] > best.fit:
            x, y = centres[n]
            best = _candidate(bank, float(fits[n, k]), int(k), x, y, size, die.light)
    return best


def _confidence(die: _Candidate, edges: EdgeField) -> float:
    """0 for what is no die, else how likely the number is right."""
    weakest, second, third, strongest = edges.sides(die.x, die.y, die.size, die.angle)
    if die.fit < FIT_LEAST or second < SIDE_LEAST or third + strongest < 4 * SIDE_LEAST:
        return 0.0
    body = min(1.0, (weakest + second + third + strongest) / (8 * SIDE_LEAST))
    return float(body / (1 + np.exp(-(die.fit - FIT_SURE + 0.05) / 0.02)))


def _same_size(dice: list[DieSeen]) -> tuple[DieSeen, ...]:
    """Dice of one table are of one size: those unlike the surest lose confidence."""
    dice = sorted(dice, key=lambda d: -d.confidence)
    if not dice:
        return ()
    size = dice[0].size
    kept = [d for d in dice if abs(d.size / size - 1) < 0.35]
    return tuple(d for d in kept if d.confidence >= 0.05)
