"""The light on checkers, worked out once for a table and kept: their tops and their walls."""

from __future__ import annotations

import numpy as np

from calibration.geometry import Matrix
from rules.position import Player
from vision.frame import Bgr
from vision.synth.render import sprites
from vision.synth.render.lighting import Lighting
from vision.synth.solids import Xyz, across, unit_circle
from vision.synth.table import Table

FACETS = 20
"""Flat pieces of which the wall of a checker is made."""
SHINE = 130.0
MIDDLE: Xyz = (0.0, 0.0, 0.0)


class Shading:
    """What the light on one table makes of its checkers."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.lighting = Lighting(table)
        self._tops: dict[tuple[Player, int, int], Bgr] = {}
        self._sides: dict[Xyz, tuple[Matrix, list[float]]] = {}

    def top(self, player: Player, px: int, grain: int) -> Bgr:
        """The upper face of a checker in the light at the middle of the field, px × px × 3."""
        key = player, px, grain
        if key not in self._tops:
            style = self._table.checkers
            normals = sprites.top_normals(style, px)
            paint = sprites.top_paint(style, style.bgr(player), px, grain)
            lit = paint * self.lighting.facing(normals)[..., None]
            if style.gloss:
                glints = self.lighting.glints(normals, MIDDLE, self._table.camera, sharpness(style.gloss))
                lit += (style.gloss * SHINE * np.clip(glints - glints[px // 2, px // 2], 0, 1))[..., None]
            self._tops[key] = np.clip(lit, 0, 255).astype(np.uint8)
        return self._tops[key]

    def sides(self, axis: Xyz) -> tuple[Matrix, list[float]]:
        """Outward directions (FACETS × 3) of the wall of a checker that stands along `axis`, and the light on each."""
        if axis not in self._sides:
            outward: Matrix = unit_circle(FACETS) @ across(axis)
            light = 0.9 * self.lighting.facing(outward) + 0.06
            self._sides[axis] = outward, [float(v) for v in (light + np.roll(light, -1)) / 2]
        return self._sides[axis]


def sharpness(gloss: float) -> float:
    """The exponent of a highlight: the glossier, the smaller the spot that a lamp makes."""
    return 40 + 300 * gloss
