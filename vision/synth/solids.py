"""The few solids that everything on the table is made of, in table space (millimetres).

Both renderers draw these, and the truth is told of them: nothing is drawn that is not here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np

from calibration.geometry import Matrix
from rules.position import Player
from vision.synth.table import Bgr3

Xyz = tuple[float, float, float]
UP: Xyz = (0.0, 0.0, 1.0)
UNDER_DICE, ON_TOP, ALOFT = 6, 7, 8
"""Layers of props, of dice that lie on something, and of what is in the air."""
ROUND = 28
"""Corners of a drawn circle."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker: the middle of its lower face, the direction of its upper one, how its grain is turned."""

    base_mm: Xyz
    radius_mm: float
    thickness_mm: float
    player: Player
    axis: Xyz = UP
    spin_rad: float = 0.0

    def ring(self, height_mm: float, radius_mm: float, corners: int = ROUND) -> Matrix:
        """Places (n × 3) on a circle about the axis."""
        return circle(np.asarray(self.base_mm) + height_mm * np.asarray(self.axis), self.axis, radius_mm, corners)

    @property
    def top_mm(self) -> Xyz:
        """The middle of the upper face."""
        x, y, z = np.asarray(self.base_mm) + self.thickness_mm * np.asarray(self.axis)
        return float(x), float(y), float(z)


@dataclass(frozen=True, slots=True)
class Box:
    """A box: its middle, three half edges at right angles, its colour, and what its six faces show.

    `faces` run +a −a +b −b +c −c along the half edges; a die's are its pips, a cube's its numbers, a card's its text.
    `roundness` is the radius of its edges as a share of the shortest edge, `mark_size` a pip's diameter as one of it.
    """

    centre_mm: Xyz
    halves_mm: tuple[Xyz, Xyz, Xyz]
    bgr: Bgr3
    faces: tuple[str, ...] = ()
    ink_bgr: Bgr3 = (30, 30, 30)
    roundness: float = 0.0
    mark_size: float = 0.2

    def corners(self, share: float = 1.0) -> Matrix:
        """The eight corners (8 × 3), or those of a box that is `share` as large."""
        out: Matrix = np.asarray(self.centre_mm) + CORNER_SIGNS @ (np.asarray(self.halves_mm) * share)
        return out

    def sides(self) -> tuple[Matrix, Matrix]:
        """Corners of the six faces (6 × 4 × 3, as their texts read: TL TR BR BL), their outward directions (6 × 3)."""
        halves = np.asarray(self.halves_mm)
        outward = np.repeat(halves, 2, axis=0) * np.array([1, -1] * 3)[:, None]
        outward /= np.sqrt((outward * outward).sum(axis=1, keepdims=True))
        corners: Matrix = np.asarray(self.centre_mm) + SIDE_SIGNS @ halves
        return corners, outward


def _side_signs() -> Matrix:
    """The corners of a box's faces in half edges, 6 × 4 × 3."""
    found = np.zeros((6, 4, 3))
    for axis in range(3):
        for back in (0, 1):
            found[2 * axis + back, :, axis] = 1 - 2 * back
            found[2 * axis + back, :, (axis + 1) % 3] = np.array([-1, 1, 1, -1]) * (1 - 2 * back)
            found[2 * axis + back, :, (axis + 2) % 3] = (-1, -1, 1, 1)
    return found


SIDE_SIGNS = _side_signs()
CORNER_SIGNS = np.array([(i, j, k) for i in (-1.0, 1.0) for j in (-1.0, 1.0) for k in (-1.0, 1.0)])


@dataclass(frozen=True, slots=True)
class Rod:
    """A rod with round ends: a finger, a forearm, a pen."""

    start_mm: Xyz
    end_mm: Xyz
    start_radius_mm: float
    end_radius_mm: float
    bgr: Bgr3


@dataclass(frozen=True, slots=True)
class Drum:
    """An upright drum, open at the top if `hollow`: a cup, a glass."""

    base_mm: Xyz
    base_radius_mm: float
    top_radius_mm: float
    height_mm: float
    bgr: Bgr3
    hollow: bool = False
    clear: bool = False

    def ring(self, height_mm: float, corners: int = ROUND) -> Matrix:
        """Places (n × 3) on its wall at a height above its base."""
        share = height_mm / self.height_mm
        radius = self.base_radius_mm + share * (self.top_radius_mm - self.base_radius_mm)
        x, y, z = self.base_mm
        return circle(np.asarray((x, y, z + height_mm)), UP, radius, corners)


Solid = Disc | Box | Rod | Drum


class Role(StrEnum):
    """What a thing on the table is to the referee."""

    CHECKER = "checker"
    DIE = "die"
    CUBE = "cube"
    PROP = "prop"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing: its solids, and what is true of it.

    `point` is a checker's own point (25 the bar, 0 off, None where it stands on none); `shows` a die's pips or the
    cube's number; `layer` 0 stands on the board, 1 on other checkers and so on, ALOFT is in the air; `state` is a
    die's (flat, cocked, on_checker, off_board) or a prop's kind.
    """

    role: Role
    solids: tuple[Solid, ...]
    centre_mm: Xyz
    player: Player | None = None
    point: int | None = None
    shows: int | None = None
    layer: int = 0
    state: str = ""
    angle_rad: float = 0.0

    @property
    def aloft(self) -> bool:
        """In the air: a hand, or what one carries."""
        return self.layer >= ALOFT


def both_rings(discs: list[Disc], corners: int) -> Matrix:
    """Places round the foot, then round the top, of many discs at once (n × 2·corners × 3)."""
    radii, thick = (
        np.array(values)[:, None, None] for values in ([d.radius_mm for d in discs], [d.thickness_mm for d in discs])
    )
    foot = np.array([d.base_mm for d in discs])[:, None] + unit_circle(corners) @ (
        radii * np.array([across(d.axis) for d in discs])
    )
    out: Matrix = np.concatenate([foot, foot + thick * np.array([d.axis for d in discs])[:, None]], axis=1)
    return out


def circle(middle: Matrix, axis: Xyz, radius_mm: float, corners: int = ROUND) -> Matrix:
    """Places (n × 3) on a circle about an axis."""
    out: Matrix = middle + radius_mm * (unit_circle(corners) @ across(axis))
    return out


@lru_cache(maxsize=16)
def unit_circle(corners: int) -> Matrix:
    """Places (n × 2) round the unit circle."""
    turns = np.linspace(0, 2 * math.pi, corners, endpoint=False)
    out: Matrix = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return out


@lru_cache(maxsize=256)
def across(axis: Xyz) -> Matrix:
    """Two unit directions (2 × 3) at right angles to an axis and to each other; for UP they are x and y."""
    n = np.asarray(axis, dtype=np.float64)
    u = np.array([1.0, 0.0, 0.0]) if abs(n[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    u = u - (u @ n) * n
    u /= math.sqrt(u @ u)
    (a, b, c), (d, e, f) = n, u
    out: Matrix = np.array([u, (b * f - c * e, c * d - a * f, a * e - b * d)])
    return out


def tilted(tilt_rad: float, toward_rad: float) -> Xyz:
    """The upward direction of a thing that leans over towards `toward_rad`."""
    s = math.sin(tilt_rad)
    return s * math.cos(toward_rad), s * math.sin(toward_rad), math.cos(tilt_rad)
