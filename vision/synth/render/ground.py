"""The flat pictures of board and table: what a perfect camera straight above an empty board would see."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import Matrix
from vision.frame import Bgr
from vision.synth.render.canvas import insets, sixteenths
from vision.synth.solids import unit_circle
from vision.synth.table import Bgr3, Board, PointShape, Surface, shade

Floats = npt.NDArray[np.float32]
TILE_PX, TILES = 512, 4
TABLE_PX_PER_MM = 0.7
BRASS: Bgr3 = (92, 164, 190)
EVEN = 128
"""The value of a tile that changes nothing."""


@dataclass(frozen=True, slots=True)
class Flat:
    """A flat picture (BGR) in table space: pixel (0, 0) lies at `left_mm`, `top_mm`."""

    picture: Bgr
    left_mm: float
    top_mm: float
    px_per_mm: float

    def px(self, xy_mm: Matrix) -> Matrix:
        """Pixels (n × 2) of places in table space."""
        out: Matrix = (xy_mm - (self.left_mm, self.top_mm)) * self.px_per_mm
        return out


Shapes = tuple[Matrix, list[Bgr3]]
"""Convex outlines with as many corners each (m × n × 2, mm), and their colours."""


def playing_surface(board: Board, px_per_mm: float, seed: int) -> Flat:
    """Field, points and trays as far as the board's outline."""
    half_w, half_h = board.outline_mm
    flat = _empty(half_w, half_h, px_per_mm, board.tray_bgr)
    for outlines, colours in markings(board):
        _polygons(flat, outlines, colours)
    weave(flat.picture, board.surface, seed)
    return flat


def markings(board: Board) -> list[Shapes]:
    """Trays, field, points and prints without their grain, in the order in which they are laid on each other."""
    x, y = board.width_mm / 2, board.height_mm / 2
    out_x, out_y = board.outline_mm
    found = [
        _rectangle((-out_x, -out_y), (out_x, out_y), board.tray_bgr),
        _rectangle((-x, -y), (x, y), board.field_bgr),
    ]
    if board.ornament:
        found += _ornament(board)
    found += _points(board)
    if not board.bar_mm:
        found.append(_rectangle((-0.7, -y), (0.7, y), shade(board.field_bgr, 0.6)))
    return found


def raised_surface(board: Board, px_per_mm: float, seed: int) -> Flat:
    """The tops of rails, bar and the walls of trays, with hinges."""
    half_w, half_h = board.outline_mm
    flat = _empty(half_w, half_h, px_per_mm, board.rail_bgr)
    if board.bar_mm:
        b, y = board.bar_mm / 2, board.height_mm / 2
        for half, bgr in ((b, board.bar_bgr), (0.6, shade(board.bar_bgr, 0.55))):
            _polygons(flat, *_rectangle((-half, -y - board.rail_mm), (half, y + board.rail_mm), bgr))
    weave(flat.picture, Surface.LEATHER if board.surface is Surface.FELT else board.surface, seed + 1)
    if board.hinges and board.bar_mm:
        for y in (-0.32, 0.32):
            _hinge(flat, board, y * board.height_mm)
    return flat


def table_top(board: Board, seed: int) -> Bgr:
    """A tile of the table under the board, to be repeated by reflection."""
    tile = plain(TILE_PX // 2, TILE_PX // 2, board.ground_bgr)
    weave(tile, board.ground, seed + 2)
    return tile


def weave(picture: Bgr, surface: Surface, seed: int, fine: int = 1) -> None:
    """Lay the grain of a material over a picture, in place; `fine` makes it so many times smaller."""
    height, width = picture.shape[:2]
    grain = mirrored(surface, seed)[::fine, ::fine]
    if height > len(grain) or width > len(grain):
        grain = np.tile(grain, (-(-height // len(grain)), -(-width // len(grain))))
    cv2.multiply(picture, cv2.merge([grain[:height, :width]] * 3), dst=picture, scale=1 / EVEN)


def mirrored(surface: Surface, seed: int) -> Bgr:
    """The grain of a material, EVEN where it changes nothing: a square (one channel) that goes on at its edges."""
    return _mirrored(surface, seed % TILES)


@lru_cache(maxsize=32)
def _mirrored(surface: Surface, seed: int) -> Bgr:
    tile = _tile(surface, seed)
    half = np.hstack([tile, tile[:, ::-1]])
    return np.asarray(np.vstack([half, half[::-1]]), dtype=np.uint8)


def _tile(surface: Surface, seed: int) -> Bgr:
    """A quarter of it, TILE_PX square."""
    fine = np.random.default_rng(1000 + seed).normal(0, 1, (TILE_PX, TILE_PX)).astype(np.float32)

    def soft(x: float, y: float = 0.0) -> Floats:
        small_x, small_y = (1 << max(0, int(sigma / 3).bit_length() - 1) for sigma in (x, y or x))
        size = (TILE_PX // small_x, TILE_PX // small_y)
        out = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
        out = cv2.GaussianBlur(out, (0, 0), x / small_x, sigmaY=(y or x) / small_y, borderType=cv2.BORDER_REFLECT)
        return np.asarray(cv2.resize(out / out.std(), (TILE_PX, TILE_PX)), dtype=np.float32)

    match surface:
        case Surface.FELT:
            grain = 0.035 * soft(0.8) + 0.015 * soft(30)
        case Surface.LEATHER:
            grain = 0.04 * np.tanh(soft(1.8)) + 0.02 * soft(40)
        case Surface.CORK:
            grain = 0.05 * soft(1.2) - 0.22 * (soft(2.5) > 1.7) + 0.08 * (soft(1.5) > 2.0)
        case Surface.WOOD:
            rings = np.sin(soft(3, 90) * 2.2 + np.linspace(0, 30 + 9 * seed, TILE_PX, dtype=np.float32)[None, :])
            grain = 0.05 * rings + 0.045 * soft(1, 28) + 0.035 * soft(18, 120)
            grain = grain.T if seed % 2 else grain
        case _:
            grain = 0.008 * soft(0.7)
    return np.asarray(np.clip(EVEN * (1 + grain), 0, 255), dtype=np.uint8)


def _empty(half_w: float, half_h: float, px_per_mm: float, bgr: Bgr3) -> Flat:
    return Flat(
        plain(math.ceil(2 * half_w * px_per_mm) + 1, math.ceil(2 * half_h * px_per_mm) + 1, bgr),
        -half_w,
        -half_h,
        px_per_mm,
    )


def plain(width: int, height: int, bgr: Bgr3) -> Bgr:
    """A picture of one colour (cv2 fills several times faster than numpy)."""
    picture = np.empty((height, width, 3), np.uint8)
    cv2.rectangle(picture, (0, 0), (width, height), bgr, -1)
    return picture


def _polygons(flat: Flat, outlines_mm: Matrix, bgrs: list[Bgr3]) -> None:
    for outline, bgr in zip(sixteenths(insets(flat.px(outlines_mm))), bgrs, strict=True):
        cv2.fillConvexPoly(flat.picture, outline, bgr, cv2.LINE_AA, 4)


def _rectangle(first: tuple[float, float], last: tuple[float, float], bgr: Bgr3) -> Shapes:
    (x0, y0), (x1, y1) = first, last
    return np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]]), [bgr]


def _discs(middles_mm: Matrix, radius_mm: float, bgrs: list[Bgr3]) -> Shapes:
    return middles_mm[:, None] + radius_mm * unit_circle(20), bgrs


def _points(board: Board) -> list[Shapes]:
    columns, top = np.tile(np.arange(12), 2), np.arange(24) < 12
    x = np.array([board.column_mm(column) for column in columns.tolist()])
    half = board.point_mm * board.point_width / 2
    inward = np.where(top, 1.0, -1.0)
    edge = -inward * board.height_mm / 2
    tip = edge + inward * board.point_length * board.height_mm / 2
    kinds = ((columns + ~top) % 2).tolist()
    colours = [board.points_bgr[kind] for kind in kinds]

    def shapes(*corners: tuple[Matrix, Matrix]) -> Matrix:
        return np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)

    def triangles(base: Matrix, shrink: float) -> Matrix:
        end = base + shrink * (tip - base)
        return shapes((x - shrink * half, base), (x + shrink * half, base), (x, end))

    match board.shape:
        case PointShape.TRIANGLE:
            return [(triangles(edge, 1.0), colours)]
        case PointShape.ROUND_TIP:
            ends = np.stack([x, tip - inward * half * 0.3], axis=1)
            return [(triangles(edge, 1.0), colours), _discs(ends, half * 0.3, colours)]
        case PointShape.ROUND_BASE:
            feet = np.stack([x, edge + inward * half], axis=1)
            return [_discs(feet, half, colours), (triangles(edge + inward * half * 1.1, 1.0), colours)]
        case PointShape.OUTLINE:
            inner = [shade(bgr, 0.8) if kind else board.field_bgr for kind, bgr in zip(kinds, colours, strict=True)]
            return [(triangles(edge, 1.0), colours), (triangles(edge, 0.84), inner)]
        case PointShape.ARROW:
            middle = tip - inward * half
            kites = shapes((x, tip), (x + half * 0.6, middle), (x, middle - inward * half), (x - half * 0.6, middle))
            return [(triangles(edge, 0.7), colours), (kites, colours)]


def _ornament(board: Board) -> list[Shapes]:
    """A printed mark in the middle of both halves."""
    ink = shade(board.field_bgr, 0.7)
    middles = np.array([(side * (board.bar_mm / 2 + 3 * board.point_mm), 0.0) for side in (-1, 1)])
    star = [(r * math.cos(k * math.pi / 4), r * math.sin(k * math.pi / 4)) for k in range(8) for r in (18, 6)]
    rings = [_discs(middles, 24, [ink] * 2), _discs(middles, 20, [board.field_bgr] * 2)]
    return [*rings, (middles[:, None] + np.array(star[::5][:3]), [ink] * 2)]


def _hinge(flat: Flat, board: Board, y: float) -> None:
    half = min(11.0, board.bar_mm / 2 - 2)
    _polygons(flat, *_rectangle((-half, y - 20), (half, y + 20), BRASS))
    screws = np.array([(dx * half, y + dy) for dx in (-0.6, 0.6) for dy in (-13, 13)])
    _polygons(flat, *_discs(screws, 1.8, [shade(BRASS, 0.5)] * 4))
