"""The flat pictures of board and table: what a perfect camera straight above an empty board would see."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.geometry import Matrix
from vision.frame import Bgr
from vision.synth.render.canvas import BLEED_PX, inset, sixteenths
from vision.synth.table import Bgr3, Board, PointShape, Surface, shade

TILE_PX, TILES = 512, 4
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


@lru_cache(maxsize=4)
def playing_surface(board: Board, px_per_mm: float, seed: int) -> Flat:
    """Field, points and trays as far as the board's outline."""
    half_w, half_h = board.outline_mm
    flat = _empty(half_w, half_h, px_per_mm, board.tray_bgr)
    picture = flat.picture
    x, y = board.width_mm / 2, board.height_mm / 2
    _rectangle(flat, (-x, -y), (x, y), board.field_bgr)
    if board.ornament:
        _ornament(flat, board)
    for place in range(24):
        _point(flat, board, place)
    if not board.bar_mm:
        _rectangle(flat, (-0.7, -y), (0.7, y), shade(board.field_bgr, 0.6))
    weave(picture, board.surface, seed)
    return flat


@lru_cache(maxsize=4)
def raised_surface(board: Board, px_per_mm: float, seed: int) -> Flat:
    """The tops of rails, bar and the walls of trays, with hinges."""
    half_w, half_h = board.outline_mm
    flat = _empty(half_w, half_h, px_per_mm, board.rail_bgr)
    if board.bar_mm:
        b, y = board.bar_mm / 2, board.height_mm / 2
        _rectangle(flat, (-b, -y - board.rail_mm), (b, y + board.rail_mm), board.bar_bgr)
        _rectangle(flat, (-0.6, -y - board.rail_mm), (0.6, y + board.rail_mm), shade(board.bar_bgr, 0.55))
    weave(flat.picture, Surface.LEATHER if board.surface is Surface.FELT else board.surface, seed + 1)
    if board.hinges and board.bar_mm:
        for y in (-0.32, 0.32):
            _hinge(flat, board, y * board.height_mm)
    return flat


@lru_cache(maxsize=8)
def table_top(board: Board, seed: int) -> Bgr:
    """A tile of the table under the board, to be repeated by reflection."""
    tile = plain(TILE_PX // 2, TILE_PX // 2, board.ground_bgr)
    weave(tile, board.ground, seed + 2)
    return tile


def weave(picture: Bgr, surface: Surface, seed: int, fine: int = 1) -> None:
    """Lay the grain of a material over a picture, in place; `fine` makes it so many times smaller."""
    height, width = picture.shape[:2]
    tile = _tile(surface, seed % TILES)[::fine, ::fine]
    rows, columns = -(-height // len(tile)), -(-width // len(tile))
    mirrored = np.hstack([tile if k % 2 == 0 else tile[:, ::-1] for k in range(columns)])
    whole = np.vstack([mirrored if k % 2 == 0 else mirrored[::-1] for k in range(rows)])[:height, :width]
    cv2.multiply(picture, cv2.merge([whole] * 3), dst=picture, scale=1 / EVEN)


@lru_cache(maxsize=64)
def _tile(surface: Surface, seed: int) -> Bgr:
    """The grain of a material: TILE_PX square, EVEN where it changes nothing."""
    random = np.random.default_rng(1000 + seed)
    fine = random.normal(0, 1, (TILE_PX, TILE_PX)).astype(np.float32)

    def soft(x: float, y: float = 0.0) -> Matrix:
        out = cv2.GaussianBlur(fine, (0, 0), x, sigmaY=y or x, borderType=cv2.BORDER_REFLECT)
        return np.asarray(out / out.std(), dtype=np.float64)

    match surface:
        case Surface.FELT:
            grain = 0.035 * soft(0.8) + 0.015 * soft(30)
        case Surface.LEATHER:
            grain = 0.04 * np.tanh(soft(1.8)) + 0.02 * soft(40)
        case Surface.CORK:
            grain = 0.05 * soft(1.2) - 0.22 * (soft(2.5) > 1.7) + 0.08 * (soft(1.5) > 2.0)
        case Surface.WOOD:
            rings = np.sin(soft(3, 90) * 2.2 + np.linspace(0, 30 + 9 * seed, TILE_PX)[None, :])
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


def _polygon(flat: Flat, xy_mm: Matrix, bgr: Bgr3) -> None:
    """A convex outline in one colour."""
    cv2.fillConvexPoly(flat.picture, sixteenths(inset(flat.px(xy_mm))), bgr, cv2.LINE_AA, 4)


def _rectangle(flat: Flat, first: tuple[float, float], last: tuple[float, float], bgr: Bgr3) -> None:
    (x0, y0), (x1, y1) = first, last
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    _polygon(flat, corners, bgr)


def _disc(flat: Flat, xy: tuple[float, float], radius_mm: float, bgr: Bgr3) -> None:
    ((x, y),) = sixteenths(flat.px(np.array([xy])))
    radius = max(0.5, radius_mm * flat.px_per_mm - BLEED_PX)
    cv2.circle(flat.picture, (int(x), int(y)), round(radius * 16), bgr, -1, cv2.LINE_AA, 4)


def _point(flat: Flat, board: Board, place: int) -> None:
    column, top = place % 12, place < 12
    x = board.column_mm(column)
    half = board.point_mm * board.point_width / 2
    edge = -board.height_mm / 2
    length = board.point_length * board.height_mm / 2
    inward = 1.0
    if not top:
        edge, inward = -edge, -1.0
    bgr = board.points_bgr[(column + (not top)) % 2]
    tip = edge + inward * length

    def triangle(base: float, shrink: float, colour: Bgr3) -> None:
        corners = np.array([(x - shrink * half, base), (x + shrink * half, base), (x, base + shrink * (tip - base))])
        _polygon(flat, corners, colour)

    match board.shape:
        case PointShape.TRIANGLE:
            triangle(edge, 1.0, bgr)
        case PointShape.ROUND_TIP:
            triangle(edge, 1.0, bgr)
            _disc(flat, (x, tip - inward * half * 0.3), half * 0.3, bgr)
        case PointShape.ROUND_BASE:
            _disc(flat, (x, edge + inward * half), half, bgr)
            triangle(edge + inward * half * 1.1, 1.0, bgr)
        case PointShape.OUTLINE:
            triangle(edge, 1.0, bgr)
            triangle(edge, 0.84, board.field_bgr if (column + top) % 2 else shade(bgr, 0.8))
        case PointShape.ARROW:
            triangle(edge, 0.7, bgr)
            middle = tip - inward * half
            kite = np.array([(x, tip), (x + half * 0.6, middle), (x, middle - inward * half), (x - half * 0.6, middle)])
            _polygon(flat, kite, bgr)


def _ornament(flat: Flat, board: Board) -> None:
    """A printed mark in the middle of both halves."""
    ink = shade(board.field_bgr, 0.7)
    for side in (-1, 1):
        x = side * (board.bar_mm / 2 + 3 * board.point_mm)
        _disc(flat, (x, 0.0), 24, ink)
        _disc(flat, (x, 0.0), 20, board.field_bgr)
        star = [(x + r * math.cos(k * math.pi / 4), r * math.sin(k * math.pi / 4)) for k in range(8) for r in (18, 6)]
        _polygon(flat, np.array(star[::5][:3]), ink)


def _hinge(flat: Flat, board: Board, y: float) -> None:
    half = min(11.0, board.bar_mm / 2 - 2)
    brass: Bgr3 = (92, 164, 190)
    _rectangle(flat, (-half, y - 20), (half, y + 20), brass)
    for dx in (-0.6, 0.6):
        for dy in (-13, 13):
            _disc(flat, (dx * half, y + dy), 1.8, shade(brass, 0.5))
