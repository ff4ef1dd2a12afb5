"""The light on checkers, worked out once for a table and kept: their tops and their walls."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import Matrix
from rules.position import Player
from vision.frame import Bgr
from vision.synth.render import sprites
from vision.synth.render.lighting import Lighting
from vision.synth.solids import Xyz, across, unit_circle
from vision.synth.table import Bgr3, Table, shade

Floats = npt.NDArray[np.float32]
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
        self._light: dict[int, tuple[Floats, Floats | None]] = {}
        self._sides: dict[tuple[Player, Xyz], tuple[Matrix, list[Bgr3]]] = {}

    def top(self, player: Player, px: int, grain: int) -> Bgr:
        """The upper face of a checker in the light at the middle of the field, px × px × 3."""
        style = self._table.checkers
        key = player, px, grain if style.kind in sprites.GRAINED else 0
        if key not in self._tops:
            facing, shine = self._on_tops(px)
            lit = cv2.multiply(sprites.top_paint(style, style.bgr(player), px, key[2]), facing, dtype=cv2.CV_32F)
            self._tops[key] = np.asarray(cv2.convertScaleAbs(lit if shine is None else cv2.add(lit, shine)), np.uint8)
        return self._tops[key]

    def _on_tops(self, px: int) -> tuple[Floats, Floats | None]:
        """What the light multiplies a top's colours by, and what lamps mirrored in it add (px × px × 3 each)."""
        if px not in self._light:
            style = self._table.checkers
            normals = sprites.top_normals(style, px)
            facing = cv2.merge([self.lighting.facing(normals).astype(np.float32)] * 3)
            shine = None
            if style.gloss:
                glints = self.lighting.glints(normals, MIDDLE, self._table.camera, sharpness(style.gloss))
                added = style.gloss * SHINE * np.clip(glints - glints[px // 2, px // 2], 0, 1)
                shine = np.asarray(cv2.merge([added.astype(np.float32)] * 3), np.float32)
            self._light[px] = np.asarray(facing, np.float32), shine
        return self._light[px]

    def sides(self, player: Player, axis: Xyz) -> tuple[Matrix, list[Bgr3]]:
        """Outward directions (FACETS × 3) of the wall of a checker that stands along `axis`, and how each looks."""
        key = player, axis
        if key not in self._sides:
            outward: Matrix = unit_circle(FACETS) @ across(axis)
            light = 0.9 * self.lighting.facing(outward) + 0.06
            bgr = self._table.checkers.bgr(player)
            self._sides[key] = outward, [shade(bgr, by) for by in ((light + np.roll(light, -1)) / 2).tolist()]
        return self._sides[key]


def sharpness(gloss: float) -> float:
    """The exponent of a highlight: the glossier, the smaller the spot that a lamp makes."""
    return 40 + 300 * gloss
