"""Rails, bar and the walls of trays as one camera sees them: their sides, their tops with grain, fold and hinges."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import Matrix
from vision.frame import Bgr
from vision.synth.render import ground
from vision.synth.render.canvas import Canvas, Outline, insets, sixteenths
from vision.synth.render.lighting import Lighting
from vision.synth.render.raised import OUTWARD, Wall, walls
from vision.synth.solids import unit_circle
from vision.synth.table import Bgr3, Surface, Table, shade

COARSER = 1.6
"""How many times larger the grain on raised parts is."""
TURNS = 6
"""Wood's grain runs along the parts: in so many directions of half a turn."""
SHEET_PX = 512
SCREW_MM = 1.8


class Woodwork:
    """The raised parts of one table, ready to be drawn on canvases of its camera; `parts` names them."""

    def __init__(self, table: Table, lighting: Lighting) -> None:
        self.parts = walls(table.board)
        self._table = table
        self._faces: dict[Wall, list[tuple[Outline, Bgr3]]] = {}
        self._tops: dict[Wall, Outline] = {}
        if not self.parts:
            return
        corners = np.array(
            [[part.corners(z) for z in (part.z_mm[0], max(0.0, part.z_mm[0]), part.z_mm[1])] for part in self.parts]
        )
        pixels = table.camera.project(corners.reshape(-1, 3)).reshape(-1, 3, 4, 2)
        following = np.roll(pixels, -1, axis=2)
        # only the case's outer sides are seen down to the table: the playing surface hides the foot of the others
        outer = np.array([part.outer_sides(table.board) for part in self.parts])[..., None]
        low, low_next = (np.where(outer, px[:, 0], px[:, 1]) for px in (pixels, following))
        high, high_next = pixels[:, 2], following[:, 2]
        sides = np.stack([low, low_next, high_next, high], axis=2)
        outlines = sixteenths(insets(np.concatenate([sides.reshape(-1, 4, 2), high])))
        self._light = [0.9 * float(light) for light in lighting.facing(OUTWARD)]
        eye = np.asarray(table.camera.position_mm)
        shown = ((eye - corners[:, 0]) * OUTWARD).sum(axis=-1) > 0
        for n, part in enumerate(self.parts):
            faces = [(outlines[4 * n + k], shade(part.bgr, self._light[k])) for k in range(4) if shown[n, k]]
            self._tops[part] = outlines[4 * len(self.parts) + n]
            self._faces[part] = [*faces, (self._tops[part], part.bgr)]

    def draw(self, canvas: Canvas, part: Wall) -> None:
        """Draw a raised part; the bar's colour goes on over the rails at both its ends."""
        for outline, bgr in self._faces[part]:
            canvas.obstacle(outline, bgr)
        board, z = self._table.board, part.z_mm[1]
        crossed = bool(board.bar_mm) and part.x_mm[0] < 0 < part.x_mm[1]
        if crossed:
            b = board.bar_mm / 2
            folds = [_rectangle((-half, half), part.y_mm, z) for half in (b, 0.6)]
            self._flat(canvas, folds, [board.bar_bgr, shade(board.bar_bgr, 0.55)])
        self._grain(canvas, part)
        half = min(11.0, board.bar_mm / 2 - 2)
        if crossed and board.hinges and half > 0 and part.y_mm[0] < 0 < part.y_mm[1]:
            middles = [y * board.height_mm for y in (-0.32, 0.32)]
            self._flat(canvas, [_rectangle((-half, half), (y - 20, y + 20), z) for y in middles], [ground.BRASS] * 2)
            screws = np.array([(dx * half, y + dy, z) for y in middles for dx in (-0.6, 0.6) for dy in (-13, 13)])
            ring = np.column_stack([SCREW_MM * unit_circle(8), np.zeros(8)])
            self._flat(canvas, list(screws[:, None] + ring), [shade(ground.BRASS, 0.5)] * len(screws))

    def _flat(self, canvas: Canvas, outlines: list[Matrix], colours: list[Bgr3]) -> None:
        """Outlines with as many corners each (n × 3, mm) in their colours."""
        pixels = self._table.camera.project(np.concatenate(outlines)).reshape(len(outlines), -1, 2)
        for outline, bgr in zip(sixteenths(insets(pixels)), colours, strict=True):
            cv2.fillConvexPoly(canvas.picture, outline, bgr, cv2.LINE_AA, 4)

    def _grain(self, canvas: Canvas, part: Wall) -> None:
        outline = self._tops[part]
        x, y, wide, high = cv2.boundingRect(outline)
        left, top = max(0, x // 16), max(0, y // 16)
        height, width = canvas.picture.shape[:2]
        right, bottom = min(width, (x + wide) // 16 + 1), min(height, (y + high) // 16 + 1)
        if left >= right or top >= bottom:
            return
        board, turn = self._table.board, 0
        surface = Surface.LEATHER if board.surface is Surface.FELT else board.surface
        if surface is Surface.WOOD:
            (ax, ay), (bx, by), (cx, cy) = outline[:3].tolist()
            dx, dy = max((bx - ax, by - ay), (cx - bx, cy - by), key=lambda way: math.hypot(*way))
            turn = round(math.atan2(dy, dx) / math.pi * TURNS) % TURNS
        area = canvas.picture[top:bottom, left:right]
        grain = _cut(_sheet(surface, turn), round(3 * part.x_mm[0]), round(5 * part.y_mm[0]), area.shape)
        mask = np.zeros(area.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, outline - (16 * left, 16 * top), 255, cv2.LINE_8, 4)
        cv2.copyTo(cv2.multiply(area, cv2.merge([grain] * 3), scale=1 / ground.EVEN), mask, area)


@lru_cache(maxsize=16)
def _sheet(surface: Surface, turn: int) -> Bgr:
    """Grain (one channel), that of wood turned by so many steps of half a turn / TURNS from level."""
    around = turn * math.pi / TURNS - math.pi / 2  # the tile's own grain runs down
    c, s = math.cos(around) / COARSER, math.sin(around) / COARSER
    source_from_sheet = np.array([(c, s, 0.0), (-s, c, 0.0)])
    grain = ground.mirrored(surface, 0)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpAffine(grain, source_from_sheet, (SHEET_PX, SHEET_PX), flags=how, borderMode=cv2.BORDER_WRAP)
    return np.asarray(laid, dtype=np.uint8)


def _cut(sheet: Bgr, x: int, y: int, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """A piece of a sheet, mirrored where it ends."""
    height, width = shape[:2]
    x, y = x % (SHEET_PX // 2), y % (SHEET_PX // 2)
    below, beyond = max(0, y + height - SHEET_PX), max(0, x + width - SHEET_PX)
    if below or beyond:
        sheet = np.asarray(cv2.copyMakeBorder(sheet, 0, below, 0, beyond, cv2.BORDER_REFLECT), dtype=np.uint8)
    return sheet[y : y + height, x : x + width]


def _rectangle(x_mm: tuple[float, float], y_mm: tuple[float, float], z_mm: float) -> Matrix:
    (x0, x1), (y0, y1) = x_mm, y_mm
    return np.array([(x0, y0, z_mm), (x1, y0, z_mm), (x1, y1, z_mm), (x0, y1, z_mm)])
