"""The fast renderer: solids drawn from far to near over a flat picture of the board."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.camera import Camera
from vision.frame import Bgr
from vision.synth.layout import items
from vision.synth.render import ground, sensor
from vision.synth.render.canvas import Canvas
from vision.synth.render.floor import bare_ground
from vision.synth.render.lighting import Lighting
from vision.synth.render.order import far_to_near
from vision.synth.render.raised import Wall
from vision.synth.render.shading import Shading
from vision.synth.render.shadows import Shadows
from vision.synth.render.sight import GRID, Sight, stretched
from vision.synth.render.smear import Way, smear, ways
from vision.synth.render.strokes import Strokes, casts, px_per_mm
from vision.synth.render.woodwork import Woodwork
from vision.synth.scene import Scene, Shutter
from vision.synth.solids import UP, Item, Rod, Role
from vision.synth.table import Table

GLARE = 200


class Painter:
    """Draws scenes of one table; `seed` sets the camera's noise."""

    def __init__(self, table: Table, seed: int = 0) -> None:
        self.table = table
        self.ids = np.zeros(table.size_px[::-1], np.uint8)
        """Of each pixel of the picture drawn last, which thing it shows: 1 is the first that `seen` names, 0 none."""
        self._shading = Shading(table)
        self._random = np.random.default_rng(seed)
        self._sight = Sight(table.camera)
        self._codec = sensor.codec_of(table.sensor) if table.sensor.h264 else None
        self._bare: tuple[Camera, Canvas, Shadows, Woodwork] | None = None
        self._lying: tuple[Camera, Scene, Canvas] | None = None

    def draw(self, scene: Scene, at_s: float = 0.0, shutter: Shutter | None = None) -> Bgr:
        """The picture of `scene`: height × width × 3, uint8. What moves while the `shutter` is open is smeared."""
        return self.seen(scene, at_s, shutter)[0]

    def seen(
        self, scene: Scene, at_s: float = 0.0, shutter: Shutter | None = None
    ) -> tuple[Bgr, list[tuple[Item, float]]]:
        """The picture of `scene`, and each thing on the table with the share of it that can be seen."""
        table = viewed(self.table, scene, at_s)
        if self._sight.camera != table.camera:
            self._sight = Sight(table.camera)
        things = items(table, scene)
        moving = ways(table, items(table, shutter[0]), items(table, shutter[1])) if shutter else {}
        canvas = self._drawn(table, scene, things, moving)
        lit = self._lit(canvas.picture, table, scene, things, at_s)
        self.ids = canvas.ids
        shown = list(zip(things, canvas.visible()[1:], strict=False))
        return sensor.developed(lit, table.sensor, self._random, self._codec), shown

    def _drawn(self, table: Table, scene: Scene, things: list[Item], moving: dict[int, Way]) -> Canvas:
        """Everything without light: what lies still comes from the picture before, as long as it does."""
        lying = replace(scene, hands=(), light=1.0, head=None)
        if self._lying is None or self._lying[:2] != (table.camera, lying):
            self._lying = table.camera, lying, self._laid_out(table, things)
        canvas = self._lying[2].copy()
        strokes = Strokes(canvas, table, self._shading, [item for item in things if item.aloft])
        for step in far_to_near(things, [], table):
            if isinstance(step, Wall) or not step[0].aloft:
                continue
            item, number = step
            before = canvas.picture.copy() if number in moving else canvas.picture
            strokes.item(item, number)
            if number in moving:
                smear(canvas, before, number, moving[number])
        return canvas

    def _laid_out(self, table: Table, things: list[Item]) -> Canvas:
        """Board and things, all but what is in the air."""
        bare, thrown, woodwork = self._bare_board(table)
        canvas, shadows = bare.copy(), thrown.copy()
        shadows.add(casts([item for item in things if not item.aloft]))
        shadows.lay_on(canvas.picture)
        strokes = Strokes(canvas, table, self._shading, [item for item in things if not item.aloft])
        for step in far_to_near(things, woodwork.parts, table):
            if isinstance(step, Wall):
                woodwork.draw(canvas, step)
            elif not step[0].aloft:
                strokes.item(*step)
        return canvas

    def _bare_board(self, table: Table) -> tuple[Canvas, Shadows, Woodwork]:
        """The ground, the shadows of rails and bar, and these themselves, made once for each place of the camera."""
        if self._bare is None or self._bare[0] != table.camera:
            picture = bare_ground(table, self._sight)
            canvas = Canvas(glazed(picture, table, self._shading.lighting, self._sight), table.camera)
            shadows = Shadows(table, px_per_mm(table))
            woodwork = Woodwork(table, self._shading.lighting)
            shadows.add([(np.vstack([w.corners(0.0), w.corners(w.z_mm[1])]), 0.0, False) for w in woodwork.parts])
            self._bare = table.camera, canvas, shadows, woodwork
        return self._bare[1:]

    def _lit(self, picture: Bgr, table: Table, scene: Scene, things: list[Item], at_s: float) -> Bgr:
        width, height = table.size_px
        lighting, shape = self._shading.lighting, self._sight.shape
        reach = 3 * table.board.width_mm
        light = lighting.on_field(np.clip(self._sight.on_field(), -reach, reach), at_s)
        rods = [solid for item in things if item.role is Role.HAND for solid in item.solids if isinstance(solid, Rod)]
        light *= lighting.shades(scene, rods, table.camera, GRID, shape)[..., None]
        light *= sensor.gain(table.sensor, table.size_px, shape, self._random) * np.float32(scene.light)
        fine = stretched(np.asarray(cv2.convertScaleAbs(light, alpha=ground.EVEN), np.uint8), 0, 0, width, height)
        return np.asarray(cv2.multiply(picture, fine, scale=1 / ground.EVEN), dtype=np.uint8)


def viewed(table: Table, scene: Scene, at_s: float) -> Table:
    """The table as the camera sees it now: its board perhaps pushed, its mount sunk a little."""
    table = table.bumped(scene.bump)
    dx, dy = (at_s * v for v in table.sensor.drift_px_per_s)
    if not (dx or dy):
        return table
    cx, cy = table.camera.centre_px
    return replace(table, camera=replace(table.camera, centre_px=(cx + dx, cy + dy)))


def glazed(picture: Bgr, table: Table, lighting: Lighting, sight: Sight) -> Bgr:
    """The picture with the lamps that a glossy field mirrors."""
    if not table.board.gloss:
        return picture
    width, height = table.size_px
    places = sight.on_field()
    xyz = np.concatenate([places, np.zeros((*sight.shape, 1))], axis=-1)
    shine = lighting.glints(np.broadcast_to(UP, xyz.shape), xyz, table.camera, 90.0) * table.board.gloss * GLARE
    fine = stretched(shine.astype(np.uint8), 0, 0, width, height)
    return np.asarray(cv2.add(picture, cv2.merge([fine] * 3)), dtype=np.uint8)
