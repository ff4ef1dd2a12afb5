"""Soft shadows on the board: gathered over all things, blurred once, laid on the picture."""

from __future__ import annotations

from copy import copy

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.geometry import Matrix
from vision.frame import Bgr
from vision.synth.render.canvas import sixteenths
from vision.synth.render.lighting import shadow_of
from vision.synth.table import Lamp, Light, Table

CAST, CONTACT = 0.62, 0.30
SKIRT = 1.10
"""How far the dark rim round a standing thing reaches, in radii."""
SKIRT_MM, EDGE_MM = 1.6, 0.4
DARKEST = 0.8
COARSE = 2
"""Masks are so many times smaller than the picture: shadows are soft."""


class Shadows:
    """The shadows of one picture: a mask for every lamp, and one for the dark rims where things stand."""

    def __init__(self, table: Table, px_per_mm: float) -> None:
        self._table, self._px_per_mm = table, px_per_mm
        width, height = table.size_px
        shape = (-(-height // COARSE), -(-width // COARSE))
        self._rims = np.zeros(shape, np.uint8)
        self._masks = [np.zeros(shape, np.uint8) for _ in table.light.lamps]
        self._rise_mm = [0.0]

    def add(self, standing: list[tuple[Matrix, float, bool]]) -> None:
        """Cast the shadows of many hulls: (places n × 3, height of the plane they fall on, whether it stands there).

        The first half of the places is the foot; where it stands, a dark rim goes round it.
        """
        if not standing:
            return
        places = np.concatenate([xyz for xyz, _, _ in standing])
        planes = np.repeat([z for _, z, _ in standing], [len(xyz) for xyz, _, _ in standing])
        for mask, lamp in zip(self._masks, self._table.light.lamps, strict=True):
            outlines = outline_px(self._table.camera, places, lamp, planes)
            _fill_hulls(mask, outlines, [len(xyz) for xyz, _, _ in standing])
        self._rise_mm += [float(xyz[:, 2].max()) - z for xyz, z, _ in standing]
        feet = [xyz[: len(xyz) // 2] for xyz, _, stands in standing if stands]
        if feet:
            middles = np.concatenate([np.broadcast_to(foot.sum(axis=0) / len(foot), foot.shape) for foot in feet])
            skirts = self._table.camera.project(middles + (np.concatenate(feet) - middles) * SKIRT)
            _fill_hulls(self._rims, skirts, [len(foot) for foot in feet])

    def copy(self) -> Shadows:
        """Other shadows that begin with the same."""
        other = copy(self)
        other._rims, other._masks = self._rims.copy(), [mask.copy() for mask in self._masks]
        other._rise_mm = list(self._rise_mm)
        return other

    def lay_on(self, picture: Bgr) -> None:
        """Darken the picture, in place."""
        rise = float(np.mean(self._rise_mm[1:])) if len(self._rise_mm) > 1 else 0.0
        left = 255 - CONTACT * _soft(self._rims, SKIRT_MM * self._px_per_mm)
        for mask, lamp in zip(self._masks, self._table.light.lamps, strict=True):
            soft_px = (EDGE_MM + lamp.radius_mm * rise / lamp.position_mm[2]) * self._px_per_mm
            left *= 1 - depth(self._table.light, lamp) / 255 * _soft(mask, soft_px)
        height, width = left.shape
        fine = cv2.resize(left.astype(np.uint8), (width * COARSE, height * COARSE))
        rest = fine[: picture.shape[0], : picture.shape[1]]
        cv2.multiply(picture, cv2.merge([rest] * 3), dst=picture, scale=1 / 255)


def depth(light: Light, lamp: Lamp) -> float:
    """How much darker it is where a lamp is hidden."""
    total = light.ambient + light.window + sum(one.strength for one in light.lamps)
    return min(DARKEST, CAST * lamp.strength / total)


def outline_px(camera: Camera, xyz_mm: Matrix, lamp: Lamp, on_z_mm: Matrix) -> Matrix:
    """Where the shadows of places (n × 3) fall on level planes (n), in pixels (n × 2)."""
    flat = shadow_of(xyz_mm, lamp, on_z_mm)
    return camera.project(np.column_stack([flat, on_z_mm]))


def _fill_hulls(mask: Bgr, xy_px: Matrix, counts: list[int]) -> None:
    """The hulls of groups of places (the first `counts[0]`, the next …; pixels of the picture) on a coarse mask."""
    coarse = sixteenths((xy_px + 0.5) / COARSE - 0.5)
    start = 0
    for count in counts:
        cv2.fillConvexPoly(mask, cv2.convexHull(coarse[start : start + count]), 255, cv2.LINE_AA, 4)
        start += count


def _soft(mask: Bgr, sigma_px: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    blurred = cv2.GaussianBlur(mask, (0, 0), max(0.5, sigma_px / COARSE))
    return np.asarray(blurred, dtype=np.float32)
