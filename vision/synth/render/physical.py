"""The slow renderer: the same tables and scenes as `vision.synth.render.draw`, but light is followed on its way.

Needs Mitsuba (`pip install mitsuba`); with a shared LLVM library on the machine it is several times as fast.
Mitsuba's space is table space with y turned round, because it counts on right-handed axes.
"""

from __future__ import annotations

import ctypes.util
import math
import os
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.geometry import Matrix
from vision.errors import SourceError
from vision.frame import Bgr
from vision.synth.layout import items
from vision.synth.render import sensor
from vision.synth.render.materials import Materials, Part
from vision.synth.render.strokes import outline
from vision.synth.scene import Scene
from vision.synth.solids import Drum, Item, Rod, Xyz
from vision.synth.table import Table

Floats = npt.NDArray[np.float32]
LLVMS = (21, 20, 19, 18, 17)
"""Versions of LLVM that Mitsuba works well with, best first."""
BOUNCES = 4
NEWTON_STEPS = 8
GAMMA = 2.2
"""Gains are shares of stored values (sRGB); light is in proportion to their power of this."""
HEAD_MM = 105.0
HIGHEST = 0.9
"""Share of the way to the lamp up to which a shade is hung."""
ABOVE_MM = 15.0
"""How far above the highest thing the camera begins to see: what only casts a shadow hangs over that."""
WINDOW_MM = (1500.0, 700.0, 550.0, 850.0)
"""A window: how far off, half its width, half its height, the height of its middle."""
WINDOW_RGB = (0.95, 1.0, 1.06)


def render(table: Table, scene: Scene, seed: int, *, samples: int) -> Bgr:
    """The picture of `scene`, height × width × 3, uint8; `samples` are the light paths of a pixel.

    Raises SourceError when Mitsuba is not installed.
    """
    mi = mitsuba()
    table = table.bumped(scene.bump)
    things = items(table, scene)
    clear = any(isinstance(solid, Drum) and solid.clear for item in things for solid in item.solids)
    view = Pinhole.around(table.camera)
    clip_mm = _nearest_mm(table, things)
    materials = Materials(mi, table)
    parts = {
        "type": "scene",
        # only volpath lets a lamp's light through a glass, but it takes a third longer
        "integrator": {"type": "volpath" if clear else "path", "max_depth": BOUNCES, "hide_emitters": True},
        "sensor": view.sensor(mi, table.camera, clip_mm, samples),
        **materials.board(),
        **materials.things(things),
        **_lights(mi, table),
        **materials.dull(_shades(table, scene, clip_mm)),
    }
    light = mi.render(mi.load_dict(parts), seed=seed)
    rgb = view.bent(np.asarray(light, dtype=np.float32)[..., :3], table.camera)
    return _developed(rgb, table, scene.light, seed)


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A picture without a bent lens that holds all that a camera sees: its size, the middle of it straight ahead."""

    size_px: tuple[int, int]
    focal_px: float

    @classmethod
    def around(cls, camera: Camera) -> Pinhole:
        """The smallest that will do for a camera, as fine as its picture in the middle."""
        width, height = camera.size_px
        x, y = np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 33)
        rim = [(u, v) for u in x for v in (0, height - 1)] + [(u, v) for u in (0, width - 1) for v in y]
        reach = np.abs(_rays(camera, np.array(rim))).max(axis=0) * camera.focal_px
        return cls((2 * math.ceil(reach[0] + 2), 2 * math.ceil(reach[1] + 2)), camera.focal_px)

    def sensor(self, mi: Any, camera: Camera, clip_mm: float, samples: int) -> Part:
        """It as Mitsuba takes it; what is nearer than `clip_mm` is not seen."""
        width, height = self.size_px
        origin = np.asarray(camera.position_mm)
        _, down, forward = np.asarray(camera.axes)
        return {
            "type": "perspective",
            "fov_axis": "x",
            "fov": math.degrees(2 * math.atan(width / 2 / self.focal_px)),
            "near_clip": clip_mm,
            "far_clip": 1e5,
            "to_world": mi.ScalarTransform4f().look_at(
                origin=_flipped(origin), target=_flipped(origin + forward), up=_flipped(-down)
            ),
            "sampler": {"type": "multijitter", "sample_count": samples},
            "film": {
                "type": "hdrfilm",
                "width": width,
                "height": height,
                "pixel_format": "rgb",
                "rfilter": {"type": "box"},
            },
        }

    def bent(self, picture: Floats, camera: Camera) -> Floats:
        """This picture as the camera's lens shows it."""
        width, height = camera.size_px
        pixels = np.stack(np.meshgrid(np.arange(float(width)), np.arange(float(height))), axis=-1).reshape(-1, 2)
        middle = ((self.size_px[0] - 1) / 2, (self.size_px[1] - 1) / 2)
        source = (_rays(camera, pixels) * self.focal_px + middle).reshape(height, width, 2).astype(np.float32)
        return np.asarray(cv2.remap(picture, source[..., 0], source[..., 1], cv2.INTER_CUBIC), dtype=np.float32)


def _rays(camera: Camera, xy_px: Matrix) -> Matrix:
    """Where pixels (n × 2) look: right and down (n × 2) for a step straight ahead."""
    bent = (xy_px - np.asarray(camera.centre_px)) / camera.focal_px
    radius = np.linalg.norm(bent, axis=1, keepdims=True)
    k1, k2 = camera.bend
    straight = radius.copy()
    for _ in range(NEWTON_STEPS):
        r2 = straight**2
        straight -= (straight * (1 + k1 * r2 + k2 * r2 * r2) - radius) / (1 + 3 * k1 * r2 + 5 * k2 * r2 * r2)
    out: Matrix = bent * straight / np.maximum(radius, 1e-12)
    return out


def _nearest_mm(table: Table, things: list[Item]) -> float:
    """How far ahead of the camera begins what it sees: things, the board, the table in the corners of its picture."""
    half_w, half_h = table.board.outline_mm
    top, floor = table.board.rail_height_mm, -table.board.depth_mm
    places = [np.array([(x, y, top) for x in (-half_w, half_w) for y in (-half_h, half_h)])]
    places += [part for item in things for solid in item.solids for part in outline(solid)]
    eye, axes = np.asarray(table.camera.position_mm), np.asarray(table.camera.axes)
    depths = (np.concatenate(places) - eye) @ axes[2]
    width, height = table.size_px
    rim = _rays(table.camera, np.array([(u, v) for u in (0.0, width - 1) for v in (0.0, height - 1)]))
    falls = axes[2, 2] + rim @ axes[:2, 2]
    onto_table = (floor - eye[2]) / falls[falls < 0]
    return max(1.0, float(np.min([depths.min(), *onto_table])) - ABOVE_MM)


def _lights(mi: Any, table: Table) -> Part:
    """Lamps, window and the light from everywhere: together they make a white card in mid-field as bright as white."""
    light = table.light
    overhead = [(lamp, np.asarray(lamp.position_mm)) for lamp in light.lamps]
    norm = light.ambient + sum(lamp.strength * at[2] / np.linalg.norm(at) for lamp, at in overhead)
    found: Part = {"ambient": {"type": "constant", "radiance": _rgb(light.ambient / norm)}}
    for number, (lamp, at) in enumerate(overhead):
        radiance = lamp.strength / norm * float(at @ at) / lamp.radius_mm**2
        found[f"lamp_{number}"] = {
            "type": "sphere",
            "center": _flipped(at),
            "radius": lamp.radius_mm,
            "emitter": {"type": "area", "radiance": _rgb(radiance, lamp.bgr[::-1])},
        }
    if light.window:
        found["window"] = _window(mi, light.window_rad, 0.5 * light.window / norm)
    return found


def _window(mi: Any, toward_rad: float, strength: float) -> Part:
    """A window that gives the middle of the field so much light."""
    far, half_w, half_h, middle = WINDOW_MM
    at = np.array([far * math.cos(toward_rad), far * math.sin(toward_rad), middle])
    way = float(np.linalg.norm(at))
    seen = 4 * half_w * half_h * (middle / way) * (far / way) / way**2
    place = mi.ScalarTransform4f().look_at(origin=_flipped(at), target=_flipped(at * (0, 0, 1)), up=[0, 0, 1])
    return {
        "type": "rectangle",
        "to_world": place @ mi.ScalarTransform4f().scale([half_w, half_h, 1]),
        "emitter": {"type": "area", "radiance": _rgb(strength * math.pi / seen, WINDOW_RGB)},
    }


def _shades(table: Table, scene: Scene, clip_mm: float) -> list[Rod]:
    """A head that leans in and the camera's arm: hung where the camera does not see them, but the first lamp does."""
    if not table.light.lamps:
        return []
    shades = []
    if scene.head is not None:
        x, y = table.board.mm(scene.head)
        shades.append(((x - 1, y), (x + 1, y), HEAD_MM))
    if table.light.arm is not None:
        start, end, width = table.light.arm
        shades.append((table.board.mm(start), table.board.mm(end), width / 2))
    hung = [tuple(_hung(table, xy, size, clip_mm) for xy in (first, last)) for first, last, size in shades]
    return [Rod(first[0], last[0], first[1], last[1], (0, 0, 0)) for first, last in hung if first and last]


def _hung(table: Table, xy_mm: tuple[float, float], size_mm: float, clip_mm: float) -> tuple[Xyz, float] | None:
    """Where something must hang, and how large it is, to cast a shadow of `size_mm` unseen; None where it cannot."""
    foot, light = np.array([*xy_mm, 0.0]), np.asarray(table.light.lamps[0].position_mm)
    forward, eye = np.asarray(table.camera.axes[2]), np.asarray(table.camera.position_mm)
    depth, change = float((foot - eye) @ forward), float((light - foot) @ forward)
    share = (clip_mm - size_mm - depth) / change if change else 1.0
    if not 0 <= share < HIGHEST:
        return None
    x, y, z = foot + share * (light - foot)
    return (float(x), float(y), float(z)), size_mm * (1 - share)


def _developed(rgb: Floats, table: Table, light: float, seed: int) -> Bgr:
    """The camera's picture of so much light (linear red, green, blue; 1 is white)."""
    random = np.random.default_rng(seed)
    width, height = table.size_px
    gain = sensor.gain(table.sensor, table.size_px, (height, width), random) * light
    seen = np.clip(rgb[..., ::-1] * gain**GAMMA, 0, 1)
    stored = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)
    return sensor.developed(np.asarray(np.rint(stored * 255), dtype=np.uint8), table.sensor, random)


def _rgb(level: float, colour: tuple[float, ...] = (1.0, 1.0, 1.0)) -> Part:
    return {"type": "rgb", "value": [level * c for c in colour]}


def _flipped(xyz: Matrix) -> list[float]:
    x, y, z = (float(v) for v in xyz)
    return [x, -y, z]


@cache
def mitsuba() -> Any:
    """The Mitsuba module, set up for the fastest of its variants that works here."""
    try:
        import mitsuba as mi
    except ImportError as error:
        raise SourceError("the physical renderer needs Mitsuba: pip install 'mitsuba>=3.5,<4'") from error
    names = [ctypes.util.find_library(f"LLVM-{version}") for version in LLVMS]
    found = os.environ.get("DRJIT_LIBLLVM_PATH") or next((name for name in names if name), None)
    if found:
        os.environ["DRJIT_LIBLLVM_PATH"] = found
    mi.set_variant("llvm_ad_rgb" if found else "scalar_rgb")
    return mi
