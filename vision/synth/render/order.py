"""In which order things are drawn so that the near ones hide the far ones."""

from __future__ import annotations

import math
from bisect import bisect

from vision.synth.render.raised import Wall
from vision.synth.solids import Item, Role
from vision.synth.table import Board, Table

Step = Wall | tuple[Item, int]
"""A raised part of the board, or a thing with its number (from 1)."""


def far_to_near(things: list[Item], parts: list[Wall], table: Table) -> list[Step]:
    """Everything but the flat ground, ready to be drawn one over the other.

    Rails and bar cut the table into strips; a strip that is farther from the camera's own is drawn first, and in a
    strip the lower and farther things. What is in the air comes last, then the hands.
    """
    columns, rows = _cuts(table.board)
    eye = table.camera.position_mm
    home = bisect(columns, eye[0]), bisect(rows, eye[1])

    def strips(x: float, y: float) -> tuple[int, int]:
        return -abs(bisect(rows, y) - home[1]), -abs(bisect(columns, x) - home[0])

    keyed: list[tuple[tuple[float, ...], int, Step]] = []
    for part in parts:
        middle = sum(part.x_mm) / 2, sum(part.y_mm) / 2
        keyed.append(((0, *strips(*middle), 0, 0, 0), len(keyed), part))
    for number, item in enumerate(things, start=1):
        aloft = 2 if item.role is Role.HAND else int(item.aloft)
        far = -math.dist(item.centre_mm, eye)
        keyed.append(((aloft, *strips(*item.centre_mm[:2]), 1, item.layer, far), len(keyed), (item, number)))
    return [step for _, _, step in sorted(keyed, key=lambda one: one[:2])]


def _cuts(board: Board) -> tuple[list[float], list[float]]:
    """The x of the planes between strips from left to right, and the y from far to near."""
    half_w, half_h = board.width_mm / 2, board.height_mm / 2
    out_w, out_h = board.outline_mm
    right = [board.bar_mm / 2, half_w, half_w + board.rail_mm, out_w - board.rail_mm, out_w]
    return sorted({*right, *(-x for x in right)}), [-out_h, -half_h, half_h, out_h]
