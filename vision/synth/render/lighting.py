"""How much light falls where: lamps, the window, and the shadows of what is in the way."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.geometry import Matrix
from vision.synth.scene import Scene
from vision.synth.solids import UP, Rod, circle
from vision.synth.table import Lamp, Light, Table

Floats = npt.NDArray[np.float32]
SHADE_Z_MM = 6.0
"""Light is measured a little above the field, where the things are."""
BOUNCE = 0.14
"""Light that upright sides get back from what they stand on."""
ARM_SHADOW, HEAD_SHADOW, HAND_SHADOW = 0.35, 0.45, 0.4


class Lighting:
    """The light on one table; directions and strengths are taken at the middle of the field."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.light: Light = table.light
        self.directions = [_toward(lamp, np.zeros(3)) for lamp in self.light.lamps]
        self._norm = self.light.ambient + sum(
            lamp.strength * d[2] for lamp, d in zip(self.light.lamps, self.directions, strict=True)
        )

    def facing(self, normals: npt.ArrayLike) -> Matrix:
        """Light on surfaces that face along `normals` (… × 3); 1 for one that faces up in the middle."""
        n = np.asarray(normals)
        upward = n[..., 2]
        total = self.light.ambient * (0.7 + 0.3 * upward) + BOUNCE * self._norm * (1 - np.abs(upward))
        for lamp, d in zip(self.light.lamps, self.directions, strict=True):
            total = total + lamp.strength * np.maximum(n @ d.astype(n.dtype), 0)
        out: Matrix = total / self._norm
        return out

    def glints(self, normals: npt.ArrayLike, at_mm: npt.ArrayLike, camera: Camera, sharp: float = 70.0) -> Matrix:
        """How strongly lamps are mirrored (0–1) by surfaces at `at_mm` (… × 3) that face along `normals`."""
        n, places = np.asarray(normals), np.asarray(at_mm, dtype=np.float64)
        view = _unit(np.asarray(camera.position_mm) - places)
        total = np.zeros(n.shape[:-1])
        for lamp in self.light.lamps:
            half = _unit(_unit(np.asarray(lamp.position_mm) - places) + view)
            total += lamp.strength * np.clip(np.einsum("...k,...k->...", n, half), 0, 1) ** sharp
        out: Matrix = np.clip(total, 0, 1)
        return out

    def on_field(self, xy_mm: Matrix, at_s: float) -> Floats:
        """Light (… × 3, BGR; about 1) on places (… × 2) of the field that nothing shades."""
        x, y = xy_mm[..., 0].astype(np.float32), xy_mm[..., 1].astype(np.float32)
        parts: list[tuple[Floats, tuple[float, float, float]]] = []
        for lamp in self.light.lamps:
            left, near, up = lamp.position_mm
            rise = up - SHADE_Z_MM
            d2 = (x - left) ** 2 + (y - near) ** 2 + rise**2
            straight = left * left + near * near + up * up
            parts.append((lamp.strength * rise * straight / self._norm / (d2 * np.sqrt(d2)), lamp.bgr))
        if self.light.window:
            turn = self.light.window_rad + self.light.wander_per_s * at_s
            across = (x * math.cos(turn) + y * math.sin(turn)) / self._table.board.width_mm
            wander = 1 + 0.3 * math.sin(2.3 * self.light.wander_per_s * at_s)
            shine = self.light.window * wander / self._norm * np.clip(0.5 + across, 0, 1.6)
            parts.append((shine, (1.06, 1.0, 0.95)))
        everywhere = np.full(x.shape, self.light.ambient / self._norm, np.float32)
        bgr = [sum((light * colour[k] for light, colour in parts), everywhere) for k in range(3)]
        return np.asarray(cv2.merge(bgr), dtype=np.float32)

    def shades(self, scene: Scene, rods: list[Rod], camera: Camera, step: int, shape: tuple[int, int]) -> Floats:
        """What is left of the light (rows × columns) under camera arm, heads and hands, every `step` pixels."""
        left = np.ones(shape, np.float32)
        lamp = self.light.lamps[0] if self.light.lamps else Lamp()
        if rods:
            mask = np.zeros(shape, np.uint8)
            for rod in rods:
                _fill(mask, self._cast(rod, lamp), camera, step)
            left *= _soft(mask, 22 / step, HAND_SHADOW)
        if self.light.arm is not None:
            mask = np.zeros(shape, np.uint8)
            start, end, width = self.light.arm
            a, b = np.asarray(self._table.board.mm(start)), np.asarray(self._table.board.mm(end))
            side = np.array([-(b - a)[1], (b - a)[0]]) / np.linalg.norm(b - a) * width / 2
            _fill(mask, np.array([a - side, a + side, b + side, b - side]), camera, step)
            left *= _soft(mask, 14 / step, ARM_SHADOW)
        if scene.head is not None:
            mask = np.zeros(shape, np.uint8)
            middle = np.asarray(self._table.board.mm(scene.head))
            turns = np.linspace(0, 2 * math.pi, 24, endpoint=False)
            _fill(mask, middle + np.stack([95 * np.cos(turns), 120 * np.sin(turns)], axis=1), camera, step)
            left *= _soft(mask, 40 / step, HEAD_SHADOW)
        return left

    @staticmethod
    def _cast(rod: Rod, lamp: Lamp) -> Matrix:
        """The outline (n × 2, mm) of a rod's shadow on the field."""
        ends = []
        for place, radius in ((rod.start_mm, rod.start_radius_mm), (rod.end_mm, rod.end_radius_mm)):
            ends.append(shadow_of(circle(np.asarray(place), UP, radius, 12), lamp))
        return np.asarray(cv2.convexHull(np.concatenate(ends).astype(np.float32)).reshape(-1, 2), dtype=np.float64)


def shadow_of(xyz_mm: Matrix, lamp: Lamp, on_z_mm: float | Matrix = 0.0) -> Matrix:
    """Where the shadows (n × 2) of places (n × 3) fall on level planes; what lies lower stays where it is."""
    x, y, z = lamp.position_mm
    rise = np.clip((xyz_mm[:, 2] - on_z_mm) / np.maximum(z - xyz_mm[:, 2], 1.0), 0.0, 1.0)
    out: Matrix = xyz_mm[:, :2] + (xyz_mm[:, :2] - (x, y)) * rise[:, None]
    return out


def _toward(lamp: Lamp, place: Matrix) -> Matrix:
    return _unit(np.asarray(lamp.position_mm) - place)


def _unit(way: Matrix) -> Matrix:
    out: Matrix = way / np.linalg.norm(way, axis=-1, keepdims=True)
    return out


def _fill(mask: npt.NDArray[np.uint8], outline_mm: Matrix, camera: Camera, step: int) -> None:
    pixels = camera.project(np.hstack([outline_mm, np.full((len(outline_mm), 1), SHADE_Z_MM)])) / step
    hull = cv2.convexHull((np.clip(pixels, -2000, 2000) * 16).round().astype(np.int32))
    cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, 4)


def _soft(mask: npt.NDArray[np.uint8], sigma: float, depth: float) -> Floats:
    blurred = cv2.GaussianBlur(mask, (0, 0), max(sigma, 0.5))
    return np.asarray(1 - depth / 255 * blurred.astype(np.float32), dtype=np.float32)
