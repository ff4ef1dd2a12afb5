"""Draw a scene: flat shapes with soft shadows, seen by a camera that is not perfect."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from calibration.geometry import Corners, homography
from calibration.orientation import place_of
from rules.position import BAR, OFF, POINTS, Player, Position
from vision.dice import FACES
from vision.discs import Floats
from vision.frame import Bgr
from vision.synth.scene import CubeAt, Die, Scene, Table

COLUMN_PX = 64
MARGIN_PX = 160
FIRST_LAYER = 5
DIE_SIZE, CUBE_SIZE = 0.38, 0.72
"""In widths of a point."""
NOISE = 2.5
SHADOW = 0.55

Colour = tuple[int, int, int]
Paint = Colour | int
SKIN: tuple[Paint, Paint, Paint] = ((92, 66, 52), (132, 164, 214), (138, 172, 222))
"""Sleeve, wrist and fist."""
USUAL_WIDTH_PX = 960


class Painter:
    """Draws scenes of one table; `seed` sets the camera's noise."""

    def __init__(self, table: Table, seed: int = 0) -> None:
        self.table = table
        self._random = np.random.default_rng(seed)
        self.column = (1 - (table.bar[1] - table.bar[0])) / 12
        self.width = round(COLUMN_PX / self.column)
        corners = np.asarray(table.corners)
        across = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3]))
        down = float(np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1]))
        self.height = round(self.width * down / across)

    def draw(self, scene: Scene) -> Bgr:
        """The picture of `scene`: height × width × 3, uint8."""
        board = _empty_board(self.table, self.width, self.height).copy()
        self._checkers(board, scene.position)
        for die in scene.dice:
            self._die(board, die)
        self._cube(board, scene.cube)
        picture = self._photographed(board)
        if scene.hand is not None:
            self._hand(picture, scene.hand)
        return self._developed(picture)

    def xy_px(self, xy: tuple[float, float]) -> tuple[float, float]:
        """Drawing pixels of a place in field space."""
        return MARGIN_PX + xy[0] * self.width, MARGIN_PX + xy[1] * self.height

    def standing(self, position: Position) -> list[tuple[Player, int, tuple[float, float]]]:
        """(player, his own point, field-space centre) of every checker on the points and on the bar."""
        found = []
        for player in Player:
            for point in POINTS:
                place = place_of(point if player is Player.WHITE else 25 - point, self.table.home)
                found += [(player, point, self.checker_xy(place, n)) for n in range(position.count(player, point))]
            found += [(player, BAR, self.bar_xy(player, n)) for n in range(position.count(player, BAR))]
        return found

    def _checkers(self, board: Bgr, position: Position) -> None:
        for player, _, xy in self.standing(position):
            self._checker(board, xy, player)
        for player in Player:
            for n in range(position.count(player, OFF)):
                self._borne_off(board, player, n)

    def checker_xy(self, place: int, n: int) -> tuple[float, float]:
        """Field-space centre of the `n`-th checker (from 0) on a place."""
        column = place % 12
        left, right = (0.0, self.table.bar[0]) if column < 6 else (self.table.bar[1], 1.0)
        x = left + (column % 6 + 0.5) * (right - left) / 6
        layer, k = divmod(n, FIRST_LAYER)
        diameter = 2 * self.table.checker_radius * COLUMN_PX / self.height
        y = (k + 0.52 + 0.06 * layer) * diameter
        return x + 0.004 * layer, y if place < 12 else 1 - y

    def bar_xy(self, player: Player, n: int) -> tuple[float, float]:
        """Field-space centre of the `n`-th checker of `player` on the bar: in his opponent's half."""
        diameter = 2 * self.table.checker_radius * COLUMN_PX / self.height
        top = (player is Player.WHITE) == self.table.home.at_bottom
        y = 0.36 - n * diameter
        return sum(self.table.bar) / 2, y if top else 1 - y

    def _checker(self, board: Bgr, xy: tuple[float, float], player: Player) -> None:
        colour = self.table.white_bgr if player is Player.WHITE else self.table.black_bgr
        x, y = self.xy_px(xy)
        radius = self.table.checker_radius * COLUMN_PX
        _shadow_disc(board, x + 3, y + 4, radius)
        _disc(board, x, y, radius, _shade(colour, 0.72))
        _disc(board, x, y, radius * 0.93, colour)
        cv2.circle(board, _fixed(x, y), _fixed_radius(radius * 0.62), _shade(colour, 0.9), 2, cv2.LINE_AA, 4)

    def _borne_off(self, board: Bgr, player: Player, n: int) -> None:
        """On edge in the tray beside the home board."""
        colour = self.table.white_bgr if player is Player.WHITE else self.table.black_bgr
        bottom = (player is Player.WHITE) == self.table.home.at_bottom
        y = 0.985 - n * 0.026 if bottom else 0.015 + n * 0.026
        x = 1.075 if self.table.home.at_right else -0.15
        cx, cy = self.xy_px((x, y))
        corner = (int(cx - 0.4 * COLUMN_PX), int(cy - 0.011 * self.height))
        size = (int(0.8 * COLUMN_PX), int(0.022 * self.height))
        cv2.rectangle(board, (*corner, *size), colour, -1)
        cv2.rectangle(board, (*corner, *size), _shade(colour, 0.7), 1)

    def _die(self, board: Bgr, die: Die) -> None:
        x, y = self.xy_px(die.xy)
        size = DIE_SIZE * COLUMN_PX
        white = die.player is Player.WHITE
        body: Colour = (238, 240, 242) if white else (40, 36, 150)
        mark: Colour = (28, 26, 26) if white else (236, 236, 240)
        _square(board, x + 3, y + 4, size, die.angle_rad, None)
        _square(board, x, y, size, die.angle_rad, body)
        c, s = np.cos(die.angle_rad), np.sin(die.angle_rad)
        for px, py in FACES[die.pips - 1][1]:
            _disc(board, x + size * (px * c - py * s), y + size * (px * s + py * c), size * 0.095, mark)

    def _cube(self, board: Bgr, cube: CubeAt) -> None:
        x, y = self.xy_px(cube.xy)
        size = CUBE_SIZE * COLUMN_PX
        _square(board, x + 3, y + 4, size, 0.0, None)
        _square(board, x, y, size, 0.0, (228, 236, 238))
        face = np.full((96, 96), 0, np.uint8)
        text = str(cube.value)
        scale = 2.0 if len(text) == 1 else 1.55
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 6)
        cv2.putText(face, text, ((96 - w) // 2, (96 + h) // 2), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, 6, cv2.LINE_AA)
        turned = np.ascontiguousarray(np.rot90(face, cube.quarter))
        half = int(size / 2)
        ink = cv2.resize(turned, (2 * half, 2 * half), interpolation=cv2.INTER_AREA)[..., None] / 255
        patch = board[int(y) - half : int(y) + half, int(x) - half : int(x) + half]
        patch[:] = (patch * (1 - ink) + np.asarray((40, 30, 30)) * ink).astype(np.uint8)

    def _photographed(self, board: Bgr) -> Bgr:
        m = MARGIN_PX
        source: Corners = ((m, m), (m + self.width, m), (m + self.width, m + self.height), (m, m + self.height))
        a, b, c, d = self.table.corners
        transform = homography(source, (a, b, c, d))
        warped = cv2.warpPerspective(
            board, transform, self.table.size_px, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(cv2.GaussianBlur(warped, (0, 0), 0.7), dtype=np.uint8)

    def hand_mask(self, hand: tuple[float, float, bool]) -> Bgr:
        """Height × width, uint8: 255 where a hand that reaches to a place of the field, and its arm, lie."""
        width, height = self.table.size_px
        mask = np.zeros((height, width), np.uint8)
        self._hand(mask, hand, (255, 255, 255))
        return mask

    def _hand(self, picture: Bgr, hand: tuple[float, float, bool], shades: tuple[Paint, Paint, Paint] = SKIN) -> None:
        """A forearm and a fist that reach to a place of the field."""
        x, y, near = hand
        corners = np.asarray(self.table.corners)
        tip = corners[0] + x * (corners[1] - corners[0]) + y * (corners[3] - corners[0])
        width, height = self.table.size_px
        shoulder = np.array([0.5 * width + 0.4 * (tip[0] - width / 2), height + 60.0 if near else -60.0])
        elbow = tip + 0.28 * (shoulder - tip)
        sleeve, wrist, fist = shades
        scale = width / USUAL_WIDTH_PX
        cv2.line(picture, _fixed(*elbow), _fixed(*shoulder), sleeve, round(74 * scale), cv2.LINE_AA, 4)
        cv2.line(picture, _fixed(*tip), _fixed(*elbow), wrist, round(40 * scale), cv2.LINE_AA, 4)
        cv2.circle(picture, _fixed(*tip), _fixed_radius(27 * scale), fist, -1, cv2.LINE_AA, 4)

    def _developed(self, picture: Bgr) -> Bgr:
        noise = self._random.normal(0, NOISE, picture.shape).astype(np.float32)
        lit = picture.astype(np.float32) * _light(self.table.size_px) + noise
        return np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)


@lru_cache(maxsize=4)
def _light(size_px: tuple[int, int]) -> Floats:
    """A lamp left of the middle and the lens's fall-off: height × width × 1."""
    width, height = size_px
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    light = 1.02 - 0.10 * ((x + 0.25) ** 2 + y**2)
    return np.asarray(light[..., None], dtype=np.float32)


@lru_cache(maxsize=4)
def _empty_board(table: Table, width: int, height: int) -> Bgr:
    m = MARGIN_PX
    board = np.empty((height + 2 * m, width + 2 * m, 3), np.uint8)
    board[:] = (70, 78, 84)
    case = round(1.9 * COLUMN_PX)
    cv2.rectangle(board, (m - case, m - 26), (m + width + case, m + height + 26), table.wood_bgr, -1)
    for x in (m - round(1.7 * COLUMN_PX), m + width + round(0.35 * COLUMN_PX)):
        cv2.rectangle(board, (x, m), (x + round(1.35 * COLUMN_PX), m + height), _shade(table.felt_bgr, 0.75), -1)
    cv2.rectangle(board, (m, m), (m + width, m + height), table.felt_bgr, -1)
    for place in range(24):
        _triangle(board, table, place, width, height)
    left, right = (m + round(x * width) for x in table.bar)
    if right > left:
        cv2.rectangle(board, (left, m - 26), (right, m + height + 26), table.wood_bgr, -1)
        cv2.line(
            board, ((left + right) // 2, m - 26), ((left + right) // 2, m + height + 26), _shade(table.wood_bgr, 0.8), 2
        )
    grain = np.random.default_rng(11).normal(1.0, 0.025, board.shape[:2]).astype(np.float32)
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 1.2), dtype=np.float32)
    return np.asarray(np.clip(board * grain[..., None], 0, 255), dtype=np.uint8)


def _triangle(board: Bgr, table: Table, place: int, width: int, height: int) -> None:
    column = place % 12
    left, right = (0.0, table.bar[0]) if column < 6 else (table.bar[1], 1.0)
    step = (right - left) / 6
    x0 = MARGIN_PX + (left + (column % 6 + 0.06) * step) * width
    x1 = MARGIN_PX + (left + (column % 6 + 0.94) * step) * width
    base, tip = (0.0, 0.40) if place < 12 else (1.0, 0.60)
    y0, y1 = MARGIN_PX + base * height, MARGIN_PX + tip * height
    corners = np.asarray([(x0, y0), (x1, y0), ((x0 + x1) / 2, y1)]) * 16
    colour = table.points_bgr[(column + (place >= 12)) % 2]
    cv2.fillPoly(board, [corners.round().astype(np.int32)], colour, cv2.LINE_AA, 4)


def _fixed(x: float, y: float) -> tuple[int, int]:
    return round(x * 16), round(y * 16)


def _fixed_radius(radius: float) -> int:
    return round(radius * 16)


def _disc(board: Bgr, x: float, y: float, radius: float, colour: Colour) -> None:
    cv2.circle(board, _fixed(x, y), _fixed_radius(radius), colour, -1, cv2.LINE_AA, 4)


def _shadow_disc(board: Bgr, x: float, y: float, radius: float) -> None:
    _darken(board, x, y, radius, lambda mask, c: cv2.circle(mask, c, round(radius), 255, -1, cv2.LINE_AA))


def _square(board: Bgr, x: float, y: float, size: float, angle_rad: float, colour: Colour | None) -> None:
    """A filled square; without a colour its soft shadow."""
    c, s = np.cos(angle_rad) * size / 2, np.sin(angle_rad) * size / 2
    corners = np.asarray(
        [(x - c + s, y - s - c), (x + c + s, y + s - c), (x + c - s, y + s + c), (x - c - s, y - s + c)]
    )
    if colour is not None:
        cv2.fillPoly(board, [(corners * 16).round().astype(np.int32)], colour, cv2.LINE_AA, 4)
        return

    def fill(mask: Bgr, centre: tuple[int, int]) -> None:
        local = corners - (x, y) + centre
        cv2.fillPoly(mask, [local.round().astype(np.int32)], 255, cv2.LINE_AA)

    _darken(board, x, y, size, fill)


def _darken(board: Bgr, x: float, y: float, reach: float, fill: Callable[[Bgr, tuple[int, int]], object]) -> None:
    """Multiply a soft mask into the board around (x, y)."""
    r = int(reach) + 8
    cx, cy = round(x), round(y)
    top, left = max(cy - r, 0), max(cx - r, 0)
    area = board[top : cy + r, left : cx + r]
    mask = np.zeros(area.shape[:2], np.uint8)
    fill(mask, (cx - left, cy - top))
    soft = cv2.GaussianBlur(mask, (0, 0), 2.5).astype(np.float32) / 255
    area[:] = (area * (1 - (1 - SHADOW) * soft[..., None])).astype(np.uint8)


def _shade(colour: Colour, factor: float) -> Colour:
    b, g, r = (min(255, round(c * factor)) for c in colour)
    return b, g, r
