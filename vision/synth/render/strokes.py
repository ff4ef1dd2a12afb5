"""How each kind of solid is drawn: its sides, its upper face, its shadow, the light on it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.geometry import Matrix
from vision.synth.render import ground, sprites
from vision.synth.render.canvas import BLEED_PX, Canvas, Outline, sixteenths
from vision.synth.render.shading import FACETS, Shading, sharpness
from vision.synth.render.shadows import depth, outline_px
from vision.synth.solids import (
    UNDER_DICE,
    UP,
    Box,
    Disc,
    Drum,
    Item,
    Rod,
    Role,
    Solid,
    Xyz,
    across,
    both_rings,
    circle,
    unit_circle,
)
from vision.synth.table import CheckerKind, Table, shade

LEAST_WALL_PX = 5.0
SPRITE_PX = (24, 32, 48, 64, 96, 128)
GLARE = 190.0
ROD_SHADES = ((1.0, 0.62), (0.86, 0.78), (0.68, 0.92), (0.42, 1.04))
"""(share of the radius, light) of the strips that make a rod look round."""


SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


@dataclass(frozen=True, slots=True)
class _DrawnDisc:
    """Of a disc in the picture: outlines of foot, shoulder and top (FACETS each, in sixteenths), the corners round its
    top (4 × 2 pixels), the outlines of its facets, whether these can be told apart, the direction to the camera, how
    far its top faces that way (a cosine), and grey levels by which lamps, mirrored in it, brighten it.
    """

    outlines: Outline
    corners_px: Matrix
    quads: Outline
    tall: bool
    toward: Matrix
    leaning: float
    glare: float


class Strokes:
    """Draws solids on a canvas in the light of one table; `things` are all that will come."""

    def __init__(self, canvas: Canvas, table: Table, shading: Shading, things: list[Item]) -> None:
        self._canvas, self._table = canvas, table
        self._shading, self._lighting = shading, shading.lighting
        self._camera = table.camera
        self._px_per_mm = px_per_mm(table)
        discs = [solid for item in things for solid in item.solids if isinstance(solid, Disc)]
        self._discs = dict(zip(map(id, discs), self._drawn(discs), strict=True)) if discs else {}

    def _drawn(self, discs: list[Disc]) -> list[_DrawnDisc]:
        """What is needed to draw discs, worked out for all at once."""
        shoulder = 0.6 if self._table.checkers.kind is CheckerKind.DOMED else 0.9
        bases, axes = (np.array(values) for values in ([d.base_mm for d in discs], [d.axis for d in discs]))
        views = np.asarray(self._camera.position_mm) - bases
        away = np.sqrt((views * views).sum(axis=1, keepdims=True))
        radii = np.array([[d.radius_mm] for d in discs]) - away * (BLEED_PX / self._camera.focal_px)
        planes = np.maximum(radii, 1.0)[..., None] * np.array([across(d.axis) for d in discs])
        flat = unit_circle(FACETS) @ planes
        up = (np.array([[d.thickness_mm] for d in discs]) * axes)[:, None]
        places = [flat, flat + shoulder * up, 0.97 * flat + up, SQUARE @ planes + up]
        whole = np.concatenate(places, axis=1) + bases[:, None]
        pixels = self._camera.project(whole.reshape(-1, 3)).reshape(len(discs), -1, 2)
        outlines = sixteenths(pixels[:, : 3 * FACETS])
        foot, rise = outlines[:, :FACETS], outlines[:, FACETS : 2 * FACETS]
        quads = np.stack([foot, np.roll(foot, -1, axis=1), np.roll(rise, -1, axis=1), rise], axis=2)
        tall = np.abs(foot - rise).max(axis=(1, 2)) > LEAST_WALL_PX * 16
        toward = views / away
        leaning = (axes * toward).sum(axis=1)
        return [
            _DrawnDisc(outlines[k], pixels[k, 3 * FACETS :], quads[k], tall[k], toward[k], float(leaning[k]), glare)
            for k, glare in enumerate(self._glare(discs))
        ]

    def _bleed_mm(self, place: Xyz) -> float:
        """What BLEED_PX is at a place."""
        return BLEED_PX * math.dist(place, self._camera.position_mm) / self._camera.focal_px

    def _glare(self, discs: list[Disc]) -> list[float]:
        """Grey levels by which lamps, mirrored in the flat tops, brighten them."""
        gloss = self._table.checkers.gloss
        if not discs or not gloss:
            return [0.0] * len(discs)
        axes, tops = np.array([disc.axis for disc in discs]), np.array([disc.top_mm for disc in discs])
        return [float(v) for v in GLARE * gloss * self._lighting.glints(axes, tops, self._camera, sharpness(gloss))]

    def item(self, item: Item, number: int) -> None:
        """Draw a thing; its pixels are known by its number."""
        if item.layer and item.role not in (Role.HAND, Role.PROP):
            self._shadow_below(item)
        solids = item.solids
        if item.role is Role.HAND:
            solids = tuple(sorted(solids, key=self._nearness))
        for solid in solids:
            self._solid(solid, number)

    def _shadow_below(self, item: Item) -> None:
        """The shadow of a thing that stands on others, or is in the air, on what is under it."""
        places = np.concatenate(outline(item.solids[0]))
        thickness = self._table.checkers.thickness_mm
        under = min(thickness * (item.layer if item.layer < UNDER_DICE else 1), float(places[:, 2].min()))
        planes = np.full(len(places), under)
        for lamp in self._table.light.lamps:
            soft_px = 0.8 + 0.02 * (float(places[:, 2].max()) - under) * self._px_per_mm
            self._canvas.darken(outline_px(self._camera, places, lamp, planes), depth(self._table.light, lamp), soft_px)

    def _nearness(self, solid: Solid) -> float:
        middle = outline(solid)[1].mean(axis=0)
        return -math.dist(middle, self._camera.position_mm)

    def _solid(self, solid: Solid, number: int) -> None:
        match solid:
            case Disc():
                self._disc(solid, number)
            case Box():
                self._box(solid, number)
            case Rod():
                self._rod(solid, number)
            case Drum():
                self._drum(solid, number)

    def _disc(self, disc: Disc, number: int) -> None:
        bgr = self._table.checkers.bgr(disc.player)
        drawn = self._discs[id(disc)]
        self._canvas.fill_hull(drawn.outlines, shade(bgr, 0.62), number)
        if drawn.tall:
            outward, colours = self._shading.sides(disc.player, disc.axis)
            for k in np.flatnonzero(outward @ drawn.toward > 0).tolist():
                cv2.fillConvexPoly(self._canvas.picture, drawn.quads[k], colours[k], cv2.LINE_AA, 4)
        if drawn.leaning > 0.02:
            self._top(disc, drawn)
        elif drawn.leaning < -0.02:
            light = float(self._lighting.facing(-np.asarray(disc.axis)))
            self._canvas.fill_hull(drawn.outlines[:FACETS], shade(bgr, light))

    def _top(self, disc: Disc, drawn: _DrawnDisc) -> None:
        style, glare = self._table.checkers, drawn.glare
        level = 1.0 if disc.axis == UP else float(self._lighting.facing(disc.axis))
        (left, up), _, (right, down), _ = drawn.corners_px.tolist()
        wide = max(abs(left - right), abs(up - down))
        px = next((size for size in SPRITE_PX if size >= wide * 0.9), SPRITE_PX[-1])
        sprite = self._shading.top(disc.player, px, int(disc.spin_rad * 7) % sprites.GRAINS)
        if glare > 1 or level != 1.0:
            level *= 1 - glare / 255  # the lamp's light comes in place of the colour, or bright colours would turn
            sprite = np.asarray(cv2.convertScaleAbs(sprite, alpha=level, beta=glare), dtype=np.uint8)
        b, g, r = (min(255, round(c * level + glare)) for c in style.bgr(disc.player))
        rim = drawn.outlines[2 * FACETS :]
        cv2.fillConvexPoly(self._canvas.picture, rim, (b, g, r), cv2.LINE_AA, 4)
        self._canvas.inlay(sprite, drawn.corners_px, rim)

    def _rod(self, rod: Rod, number: int) -> None:
        lamp = self._lighting.directions[0] if self._lighting.directions else np.array([0.0, 0.0, 1.0])
        drift = np.array([lamp[0], lamp[1], 0.0]) * 0.35
        ends = ((rod.start_mm, rod.start_radius_mm), (rod.end_mm, rod.end_radius_mm))
        x, y, z = (float(v) for v in self._camera.toward(rod.start_mm))
        ring = unit_circle(14) @ across((round(x, 2), round(y, 2), round(z, 2)))
        places = [
            np.asarray(place) + radius * ((1 - share) * drift + share * ring)
            for share, _ in ROD_SHADES
            for place, radius in ends
        ]
        pixels = self._camera.project(np.concatenate(places)).reshape(len(ROD_SHADES), -1, 2)
        for (share, light), strip in zip(ROD_SHADES, pixels, strict=True):
            self._canvas.fill(strip, shade(rod.bgr, light), number if share == 1.0 else None)

    def _drum(self, drum: Drum, number: int) -> None:
        low, high = drum.ring(0.0), drum.ring(drum.height_mm)
        pixels = self._camera.project(np.concatenate([low, high]))
        if drum.clear:
            self._canvas.darken(pixels, 0.12, 0.8)
            rim = self._camera.project(high)
            line = (rim * 16).round().astype(np.int32)
            cv2.polylines(self._canvas.picture, [line], True, shade(drum.bgr, 1.1), 2, cv2.LINE_AA, 4)
            return
        self._canvas.fill(pixels, shade(drum.bgr, 0.75), number)
        count = len(low)
        outward = (low - low.mean(axis=0)) / max(drum.base_radius_mm, 1.0)
        light = self._lighting.facing(outward)
        view = self._camera.toward(drum.base_mm)
        for k in np.flatnonzero(outward @ view > -0.1):
            nxt = (k + 1) % count
            self._canvas.fill(pixels[[k, nxt, count + nxt, count + k]], shade(drum.bgr, 0.9 * float(light[k]) + 0.08))
        self._canvas.fill(pixels[count:], shade(drum.bgr, 1.15), number)
        if drum.hollow:
            inside = circle(high.mean(axis=0), UP, drum.top_radius_mm * 0.9)
            floor = circle(low.mean(axis=0) + np.array([0.0, 0.0, 4.0]), UP, drum.base_radius_mm * 0.9)
            self._canvas.fill(self._camera.project(inside), shade(drum.bgr, 0.4))
            self._canvas.fill(self._camera.project(floor), shade(drum.bgr, 0.25))

    def _box(self, box: Box, number: int) -> None:
        box = _smaller(box, self._bleed_mm(box.centre_mm))
        edge = 2 * min(math.hypot(*half) for half in box.halves_mm)
        sides, outward = box.sides()
        eye = np.asarray(self._camera.position_mm)
        shown = np.flatnonzero(np.einsum("ij,ij->i", eye - sides[:, 0], outward) > 0)
        middles = sides.mean(axis=1, keepdims=True)
        inner = middles + (sides - middles) * (1 - 1.1 * box.roundness)
        rim = box.corners()
        if box.roundness:
            x, y, z = (round(float(v), 2) for v in self._camera.toward(box.centre_mm))
            ball = edge * box.roundness * (unit_circle(10) @ across((x, y, z)))
            rim = (box.corners(1 - 2 * box.roundness)[:, None] + ball).reshape(-1, 3)
        places = np.concatenate([rim, inner[shown].reshape(-1, 3), sides[shown].reshape(-1, 3)])
        pixels = self._camera.project(places)
        hull, faces = pixels[: len(rim)], pixels[len(rim) :].reshape(2, len(shown), 4, 2)
        light = self._lighting.facing(outward)
        self._canvas.fill(hull, shade(box.bgr, 0.72 + 0.1 * float(outward[shown, 2].max())), number)
        for k, inside_px, corners_px in zip(shown, *faces, strict=True):
            self._canvas.face(inside_px, shade(box.bgr, 0.94 * float(light[k]) + 0.04))
            text = box.faces[k] if box.faces else ""
            if text.isdigit():
                self._pips(box, int(text), sides[k], float(light[k]))
            elif text:
                self._mark(box, text, corners_px, float(light[k]))

    def _pips(self, box: Box, pips: int, corners: Matrix, light: float) -> None:
        edges = np.array([corners[1] - corners[0], corners[3] - corners[0]])
        middles = sprites.PIP_STEP * np.asarray(sprites.PIPS[pips])
        edge_mm = math.hypot(*edges[0])
        radius = max(0.05, box.mark_size / 2 - 0.8 * self._bleed_mm(box.centre_mm) / edge_mm)
        flat = middles[:, None] + radius * unit_circle(12)
        pixels = self._camera.project((corners.mean(axis=0) + flat @ edges).reshape(-1, 3))
        ink = shade(box.ink_bgr, light)
        for pip in sixteenths(pixels).reshape(pips, -1, 2):
            cv2.fillConvexPoly(self._canvas.picture, pip, ink, cv2.LINE_AA, 4)

    def _mark(self, box: Box, text: str, corners_px: Matrix, light: float) -> None:
        """A number, a word or a logo."""
        px = sprites.FACE_PX if float(np.ptp(corners_px[:, 0])) > 30 else sprites.FACE_PX // 2
        ink = sprites.face_ink(text, px)
        if text[0] == "!":
            dent = np.full((px, px, 3), 255, np.uint8)
            self._canvas.lay(dent, (ink * 0.5).astype(np.uint8), corners_px + 0.7)
        self._canvas.lay(ground.plain(px, px, shade(box.ink_bgr, light)), ink, corners_px)


def _smaller(box: Box, by_mm: float) -> Box:
    """The box with all its sides moved inwards, as far as that goes."""
    halves = np.asarray(box.halves_mm)
    lengths = np.sqrt((halves * halves).sum(axis=1, keepdims=True))
    a, b, c = (tuple(float(v) for v in half) for half in halves * np.maximum(1 - by_mm / lengths, 0.1))
    return replace(box, halves_mm=(a, b, c))  # type: ignore[arg-type]


def px_per_mm(table: Table) -> float:
    """Pixels of a millimetre in the middle of the field."""
    return table.camera.focal_px / float(np.linalg.norm(table.camera.position_mm))


def casts(things: list[Item]) -> list[tuple[Matrix, float, bool]]:
    """What Shadows.add wants to know of things: each solid's places, the plane below, whether it stands on it."""
    parts = [(solid, item.layer in (0, UNDER_DICE)) for item in things for solid in item.solids]
    discs = [solid for solid, _ in parts if isinstance(solid, Disc)]
    round_discs = dict(zip(map(id, discs), both_rings(discs, 12), strict=True)) if discs else {}
    found = []
    for solid, stands in parts:
        places = round_discs[id(solid)] if isinstance(solid, Disc) else np.concatenate(outline(solid))
        found.append((places, float(places[: len(places) // 2, 2].min()) if stands else 0.0, stands))
    return found


def outline(solid: Solid) -> tuple[Matrix, Matrix]:
    """Places round the foot and round the top of a solid (n × 3 each)."""
    match solid:
        case Disc():
            return solid.ring(0.0, solid.radius_mm, 16), solid.ring(solid.thickness_mm, solid.radius_mm, 16)
        case Drum():
            return solid.ring(0.0, 16), solid.ring(solid.height_mm, 16)
        case Box():
            corners = solid.corners()
            return corners[::2], corners[1::2]
        case Rod():
            ends = ((solid.start_mm, solid.start_radius_mm), (solid.end_mm, solid.end_radius_mm))
            first, last = (circle(np.asarray(place), UP, radius, 12) for place, radius in ends)
            return (first, last) if first[0, 2] < last[0, 2] else (last, first)
