"""The parts of a board that stand above its field: rails, bar, the walls of the trays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.geometry import Matrix
from vision.synth.table import Bgr3, Board

SLOT_MM, DIVIDER_MM = 44.0, 9.0
"""Two dividers in each tray leave a slot for the cube."""
SAME_MM = 1e-3
OUTWARD = np.array([(0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)])
"""Which way the sides of a wall face: the one from its first corner to the second, and so on round it."""


@dataclass(frozen=True, slots=True)
class Wall:
    """An upright block, axis by axis: its ends in millimetres, its foot and top, its colour."""

    x_mm: tuple[float, float]
    y_mm: tuple[float, float]
    z_mm: tuple[float, float]
    bgr: Bgr3

    def corners(self, z_mm: float) -> Matrix:
        """Its outline (4 × 3, going round) at a height."""
        (x0, x1), (y0, y1) = self.x_mm, self.y_mm
        out: Matrix = np.array([(x0, y0, z_mm), (x1, y0, z_mm), (x1, y1, z_mm), (x0, y1, z_mm)])
        return out

    def outer_sides(self, board: Board) -> list[bool]:
        """Which of its sides, in the order of OUTWARD, are sides of the board's case."""
        out_w, out_h = board.outline_mm
        ways = (-self.y_mm[0] - out_h, self.x_mm[1] - out_w, self.y_mm[1] - out_h, -self.x_mm[0] - out_w)
        return [abs(way) < SAME_MM for way in ways]


def walls(board: Board) -> list[Wall]:
    """All raised parts of a board that has them: none on a printed one without rails."""
    half_w, half_h = board.width_mm / 2, board.height_mm / 2
    out_w, out_h = board.outline_mm
    found = []
    height = (-board.depth_mm, board.rail_height_mm)
    if board.rail_mm and board.rail_height_mm > 0:
        found += [
            Wall((-out_w, out_w), (s * half_h, s * out_h) if s > 0 else (-out_h, -half_h), height, board.rail_bgr)
            for s in (-1, 1)
        ]
        edges = {half_w, out_w - board.rail_mm}
        for x in edges:
            found += [
                Wall((x, x + board.rail_mm), (-half_h, half_h), height, board.rail_bgr),
                Wall((-x - board.rail_mm, -x), (-half_h, half_h), height, board.rail_bgr),
            ]
        if board.tray_mm:
            inner = half_w + board.rail_mm
            for x0 in (inner, -inner - board.tray_mm):
                for y0 in (-SLOT_MM / 2 - DIVIDER_MM, SLOT_MM / 2):
                    found.append(Wall((x0, x0 + board.tray_mm), (y0, y0 + DIVIDER_MM), height, board.rail_bgr))
    if board.bar_mm and board.bar_height_mm > 0:
        bar = (-board.bar_mm / 2, board.bar_mm / 2)
        found.append(Wall(bar, (-half_h, half_h), (0.0, board.bar_height_mm), board.bar_bgr))
    return found
