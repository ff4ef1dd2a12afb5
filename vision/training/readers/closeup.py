"""Close pictures of dice and cubes: blocks with rounded edges, traced ray by ray under lamps and a window."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Bgr

Floats = npt.NDArray[np.float32]
HALF = 0.5
FINE = 2
"""Each pixel is traced FINE × FINE times."""
STEPS = 7
UNCUT, SEAM = 0.86, 0.035
"""Balls that large cut nothing; over so much, in edges, a face turns into the ball that cuts it, with a glint."""
CLOSE = 0.012
"""A ray that comes so close to a block, in edges, meets it."""
SHINE = 190.0
INTO_GROUND, REACH = 0.35, 0.16
"""How dark the ground is just beside a block, and over how many edges that fades."""


@dataclass(frozen=True, slots=True)
class Skin:
    """What a block's six faces look like: +x −x +y −y +z −z beside each other.

    `paint` is t × 6t × 3, `slopes` t × 6t × 2 how the surface rises along its columns and rows.
    `gloss` 0–1, `sharp` the exponent of its highlights, `clear` how much of the ground shines through.
    """

    paint: Bgr
    slopes: Floats | None
    gloss: float
    sharp: float
    clear: float


@dataclass(frozen=True, slots=True)
class Block:
    """A cube of edge `size` around `centre`; rows of `axes` are its own x, y and z; rounded by `edge`, cut by a ball.

    `edge` and `ball` are radii in edges; a ball of UNCUT and more cuts nothing. `bulge` is how much its faces curve,
    outwards or (below 0) inwards: flat in outline, but not in what they mirror.
    """

    centre: Floats
    axes: Floats
    size: float
    edge: float
    ball: float
    bulge: float
    skin: Skin

    def own(self, xyz: Floats) -> Floats:
        """Places (3 × n) in the block's own space, in edges."""
        return ((self.axes @ (xyz - self.centre[:, None])) / np.float32(self.size)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Lamp:
    """A far lamp: the direction to it, its strength in blue, green and red, how soft its shadows are in edges."""

    toward: Floats
    bgr: Floats
    soft: float


@dataclass(frozen=True, slots=True)
class Light:
    """All light; `pane` is a window that glossy faces mirror: its direction, half width, half height, and the
    share of it that is open in the middle, as in a lamp that is a ring.
    """

    ambient: float
    lamps: tuple[Lamp, ...]
    pane: tuple[Floats, float, float, float] | None


@dataclass(frozen=True, slots=True)
class View:
    """A pinhole camera: where it is, its right, down and forward directions (rows), focal length and size in pixels."""

    eye: Floats
    axes: Floats
    focal_px: float
    px: int

    def project(self, xyz: Floats) -> Floats:
        """Pixels (n × 2) of places (n × 3)."""
        seen = (xyz - self.eye) @ self.axes.T
        return (seen[:, :2] / seen[:, 2:] * self.focal_px + (self.px - 1) / 2).astype(np.float32)

    def rays(self, fine: int = 1) -> Floats:
        """Unit directions (3 × n) of fine × fine rays for each pixel, row by row."""
        steps = ((np.arange(self.px * fine, dtype=np.float32) + 0.5) / fine - 0.5 - (self.px - 1) / 2) / self.focal_px
        x, y = np.meshgrid(steps, steps)
        rays = self.axes.T @ np.stack([x.ravel(), y.ravel(), np.ones(x.size, np.float32)])
        return (rays / _length(rays)).astype(np.float32)


def drawn(ground: Bgr, blocks: list[Block], light: Light, view: View) -> Bgr:
    """Blocks over a picture of the ground (view.px × view.px × 3) with their shadows, before the sensor."""
    rays = view.rays(FINE)
    lit = _shaded_ground(ground, blocks, light, view)
    side = view.px * FINE
    fine = np.asarray(cv2.resize(lit, (side, side), interpolation=cv2.INTER_LINEAR), np.float32).reshape(-1, 3)
    nearest = np.full(rays.shape[1], np.inf, np.float32)
    for block in blocks:
        near = _near(block, view, side)
        hit, along, place = _met(block, rays[:, near], view.eye)
        hit = near[hit]
        front = along < nearest[hit]
        hit, place = hit[front], place[:, front]
        nearest[hit] = along[front]
        if len(hit):
            fine[hit] = _coloured(block, place, rays[:, hit], light, fine[hit].T).T
    small = cv2.resize(fine.reshape(side, side, 3), (view.px, view.px), interpolation=cv2.INTER_AREA)
    return np.clip(small, 0, 255).astype(np.uint8)


def _near(block: Block, view: View, side: int) -> npt.NDArray[np.intp]:
    """The numbers of the rays, `side` to a row, that may meet a block."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    outline = (view.project((block.centre + HALF * block.size * signs @ block.axes).astype(np.float32)) + 0.5) * FINE
    left, top = np.clip(np.floor(outline.min(axis=0)).astype(int), 0, side)
    right, bottom = np.clip(np.ceil(outline.max(axis=0)).astype(int), 0, side)
    rows, columns = np.mgrid[top:bottom, left:right]
    return np.asarray((rows * side + columns).ravel(), dtype=np.intp)


def _length(xyz: Floats) -> Floats:
    return np.sqrt(_dot(xyz, xyz))


def _dot(one: Floats, two: Floats) -> Floats:
    out: Floats = one[0] * two[0] + one[1] * two[1] + one[2] * two[2]
    return out


def _largest(xyz: Floats) -> Floats:
    return np.maximum(np.maximum(xyz[0], xyz[1]), xyz[2])


def _slabs(start: Floats, rays: Floats) -> tuple[Floats, Floats]:
    """Where rays (3 × n) enter and leave the cube of edge 1 around the origin; they miss it if they leave first."""
    over = 1 / np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays)
    middle, half = np.asarray(-start * over, np.float32), np.asarray(HALF * np.abs(over), np.float32)
    return _largest(middle - half), -_largest(-middle - half)


def _met(block: Block, rays: Floats, eye: Floats) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
    """Of the rays that meet a block: their numbers, how far they go, where they meet it in its own space."""
    start = block.own(eye[:, None])
    own = (block.axes @ rays).astype(np.float32)
    enter, leave = _slabs(start, own)
    hit = np.nonzero(enter < leave)[0]
    own, along, leave = own[:, hit], enter[hit], leave[hit]
    place = start + along * own
    away = np.zeros(len(hit), np.float32)
    for _ in range(STEPS):
        away = _away(block, place)
        along = along + away
        place = start + along * own
    there = (away < CLOSE) & (along < leave + 0.01)
    return hit[there], along[there] * np.float32(block.size), place[:, there]


def _away(block: Block, place: Floats) -> Floats:
    """How far places lie outside a block's surface."""
    out = np.abs(place) - np.float32(HALF - block.edge)
    away: Floats = _length(np.maximum(out, 0)) + np.minimum(_largest(out), 0) - np.float32(block.edge)
    if block.ball < UNCUT:
        away = np.maximum(away, _length(place) - np.float32(block.ball))
    return away


def _coloured(block: Block, place: Floats, rays: Floats, light: Light, behind: Floats) -> Floats:
    """The colours (3 × n) of places on a block."""
    skin, count = block.skin, np.arange(place.shape[1])
    axis = np.abs(place).argmax(axis=0)
    sign = np.sign(place[axis, count])
    first, second = (axis + 1) % 3, (axis + 2) % 3
    side = skin.paint.shape[0]
    u = np.clip(place[first, count] * sign + HALF, 0, 1) * (side - 1) + (2 * axis + (sign < 0)) * side
    v = np.clip(place[second, count] + HALF, 0, 1) * (side - 1)
    at = u.astype(np.float32)[None], v.astype(np.float32)[None]
    paint = cv2.remap(skin.paint, *at, cv2.INTER_LINEAR)[0].T.astype(np.float32)
    normal = np.maximum(np.abs(place) - np.float32(HALF - block.edge), 0) * np.sign(place)
    normal = normal / np.maximum(_length(normal), 1e-6)
    if block.ball < UNCUT:
        far = _length(place)
        cut = np.asarray(np.clip(1 - (block.ball - far) / SEAM, 0, 1), dtype=np.float32)
        normal = (1 - cut) * normal + cut / far * place
    normal = np.asarray(normal + block.bulge * place, dtype=np.float32)
    normal /= _length(normal)
    if skin.slopes is not None:
        rise = cv2.remap(skin.slopes, *at, cv2.INTER_LINEAR)[0]
        normal[first, count] -= rise[:, 0] * sign
        normal[second, count] -= rise[:, 1]
        normal /= _length(normal)
    normal = block.axes.T @ normal
    bright = np.tile(np.float32(light.ambient) * (0.72 + 0.28 * normal[2]), (3, 1))
    glint = np.zeros_like(bright)
    for lamp in light.lamps:
        bright += np.maximum(lamp.toward @ normal, 0) * lamp.bgr[:, None]
        half = lamp.toward[:, None] - rays
        facing = np.maximum(_dot(normal, half) / _length(half), 0)
        glint += facing ** np.float32(skin.sharp) * lamp.bgr[:, None]
    if light.pane is not None:
        glint += 0.8 * _in_pane(rays - 2 * _dot(rays, normal) * normal, light.pane)
    grazing = 1 - np.abs(_dot(rays, normal))
    body = paint * bright
    if skin.clear:
        body = (1 - skin.clear) * body + skin.clear * behind * (0.25 + 0.75 * paint / 255)
    out: Floats = body + skin.gloss * (glint * SHINE + grazing**4 * 90 * light.ambient)
    return out


def _in_pane(mirrored: Floats, pane: tuple[Floats, float, float, float]) -> Floats:
    """How much of a window mirrored directions (3 × n) show, 0–1, with soft borders."""
    toward, wide, high, hole = pane
    across = np.array([-toward[1], toward[0], 1e-6], np.float32)
    across /= np.linalg.norm(across)
    up = np.cross(toward, across).astype(np.float32)
    x, y = np.abs(across @ mirrored), np.abs(up @ mirrored)
    inside = np.minimum(wide - x, high - y)
    if hole:
        inside = np.minimum(inside, np.maximum(x - hole * wide, y - hole * high))
    return (np.clip(inside / 0.04 + 0.5, 0, 1) * (toward @ mirrored > 0)).astype(np.float32)


def _shaded_ground(ground: Bgr, blocks: list[Block], light: Light, view: View) -> Floats:
    """The ground in light and shadow, view.px × view.px × 3."""
    rays = view.rays()
    place = view.eye[:, None] - view.eye[2] / np.minimum(rays[2], -1e-3) * rays
    own = [block.own(place) for block in blocks]
    full = light.ambient + sum(lamp.bgr * lamp.toward[2] for lamp in light.lamps)
    bright = np.full((place.shape[1], 3), light.ambient, np.float32)
    for lamp in light.lamps:
        dark = np.zeros(place.shape[1], np.float32)
        for block, at in zip(blocks, own, strict=True):
            enter, leave = _slabs(at, (block.axes @ lamp.toward)[:, None])
            dark[(enter < leave) & (leave > 0)] = 1
        soft = max(0.4, lamp.soft * view.focal_px / float(np.linalg.norm(view.eye)))
        shade = cv2.GaussianBlur(dark.reshape(view.px, view.px), (0, 0), soft).reshape(-1, 1)
        bright += (1 - shade) * lamp.bgr * lamp.toward[2]
    for at in own:
        out = np.maximum(np.abs(at[:2]) - HALF, 0)
        bright *= (1 - INTO_GROUND * np.exp(-np.hypot(out[0], out[1]) / REACH))[:, None]
    return (ground.reshape(-1, 3) * bright / full).reshape(view.px, view.px, 3).astype(np.float32)
