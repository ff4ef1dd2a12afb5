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
from vision.synth.render.canvas import BLEED_PX, insets, sixteenths
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
    _points(flat, board)
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
    grain = mirrored(surface, seed % TILES)[::fine, ::fine]
    if height > len(grain) or width > len(grain):
        grain = np.tile(grain, (-(-height // len(grain)), -(-width // len(grain))))
    cv2.multiply(picture, cv2.merge([grain[:height, :width]] * 3), dst=picture, scale=1 / EVEN)


@lru_cache(maxsize=32)
def mirrored(surface: Surface, seed: int) -> Bgr:
    """The grain of a material, EVEN where it changes nothing: a square (one channel) that goes on at its edges."""
    tile = _tile(surface, seed)
    half = np.hstack([tile, tile[:, ::-1]])
    return np.asarray(np.vstack([half, half[::-1]]), dtype=np.uint8)


def _tile(surface: Surface, seed: int) -> Bgr:
    """A quarter of it, TILE_PX square."""
    fine = np.random.default_rng(1000 + seed).standard_normal((TILE_PX, TILE_PX), dtype=np.float32)

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


def _polygons(flat: Flat, xy_mm: Matrix, bgrs: list[Bgr3]) -> None:
    """Convex outlines (m × n × 2) in their colours."""
    for outline, bgr in zip(sixteenths(insets(flat.px(xy_mm))), bgrs, strict=True):
        cv2.fillConvexPoly(flat.picture, outline, bgr, cv2.LINE_AA, 4)


def _polygon(flat: Flat, xy_mm: Matrix, bgr: Bgr3) -> None:
    _polygons(flat, xy_mm[None], [bgr])


def _rectangle(flat: Flat, first: tuple[float, float], last: tuple[float, float], bgr: Bgr3) -> None:
    (x0, y0), (x1, y1) = first, last
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    _polygon(flat, corners, bgr)


def _disc(flat: Flat, xy: tuple[float, float], radius_mm: float, bgr: Bgr3) -> None:
    ((x, y),) = sixteenths(flat.px(np.array([xy])))
    radius = max(0.5, radius_mm * flat.px_per_mm - BLEED_PX)
    cv2.circle(flat.picture, (int(x), int(y)), round(radius * 16), bgr, -1, cv2.LINE_AA, 4)


def _points(flat: Flat, board: Board) -> None:
    columns, top = np.tile(np.arange(12), 2), np.arange(24) < 12
    x = np.array([board.column_mm(column) for column in columns.tolist()])
    half = board.point_mm * board.point_width / 2
    inward = np.where(top, 1.0, -1.0)
    edge = -inward * board.height_mm / 2
    tip = edge + inward * board.point_length * board.height_mm / 2
    kinds = (columns + ~top) % 2
    colours = [board.points_bgr[k] for k in kinds]

    def triangles(base: Matrix, shrink: float, bgrs: list[Bgr3]) -> None:
        left, right, end = x - shrink * half, x + shrink * half, base + shrink * (tip - base)
        corners = np.stack([np.stack([left, base], 1), np.stack([right, base], 1), np.stack([x, end], 1)], axis=1)
        _polygons(flat, corners, bgrs)

    match board.shape:
        case PointShape.TRIANGLE:
            triangles(edge, 1.0, colours)
        case PointShape.ROUND_TIP:
            triangles(edge, 1.0, colours)
            for k in range(24):
                _disc(flat, (x[k], tip[k] - inward[k] * half * 0.3), half * 0.3, colours[k])
        case PointShape.ROUND_BASE:
            for k in range(24):
                _disc(flat, (x[k], edge[k] + inward[k] * half), half, colours[k])
            triangles(edge + inward * half * 1.1, 1.0, colours)
        case PointShape.OUTLINE:
            triangles(edge, 1.0, colours)
            inner = [shade(bgr, 0.8) if k else board.field_bgr for k, bgr in zip(kinds, colours, strict=True)]
            triangles(edge, 0.84, inner)
        case PointShape.ARROW:
            triangles(edge, 0.7, colours)
            middle = tip - inward * half
            places = ((x, tip), (x + half * 0.6, middle), (x, middle - inward * half), (x - half * 0.6, middle))
            _polygons(flat, np.stack([np.stack(place, axis=1) for place in places], axis=1), colours)


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
    _rectangle(flat, (-half, y - 20), (half, y + 20), BRASS)
    for dx in (-0.6, 0.6):
        for dy in (-13, 13):
            _disc(flat, (dx * half, y + dy), 1.8, shade(BRASS, 0.5))
