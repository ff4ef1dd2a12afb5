"""Triangles for the solids of a table: what a ray tracer needs of a disc, a box, a rod or a drum.

All in table space (millimetres). Triangles run so that (b − a) × (c − a), computed there as if it were
right-handed, points outwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.geometry import Matrix
from vision.synth.bodies import PROFILES
from vision.synth.solids import UP, Box, Disc, Drum, Rod, Xyz, across
from vision.synth.table import CheckerKind

TURNS = 56
"""Corners of a turned thing's circles."""
CREASE = math.cos(math.radians(38))
"""Two stretches of a profile that bend by less than this look round where they meet."""
ARC = 5
"""Steps of a box's rounded edge from the face to the middle of the edge, and of a rod's round end."""
WALL_MM = 2.5
"""How thick the wall of a cup or a glass is."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Corners (n × 3), unit normals (n × 3), places in a texture (n × 2, 0–1 from its top left), triangles (m × 3)."""

    xyz_mm: Matrix
    normals: Matrix
    uv: Matrix
    triangles: npt.NDArray[np.int64]

    @classmethod
    def joined(cls, meshes: Iterable[Mesh]) -> Mesh:
        """All of them in one; at least one must be given."""
        parts = list(meshes)
        starts = np.cumsum([0, *(len(part.xyz_mm) for part in parts[:-1])])
        return cls(
            np.concatenate([part.xyz_mm for part in parts]),
            np.concatenate([part.normals for part in parts]),
            np.concatenate([part.uv for part in parts]),
            np.concatenate([part.triangles + start for part, start in zip(parts, starts, strict=True)]),
        )


def disc_mesh(disc: Disc, kind: CheckerKind) -> Mesh:
    """A checker. Its texture lies flat across it, turned and shifted by its spin, so that no two look alike."""
    profile = [(0.0, PROFILES[kind][0][1]), *PROFILES[kind]]
    sized = [(r * disc.radius_mm, h * disc.thickness_mm) for r, h in profile]
    mesh = _turned(sized, disc.base_mm, disc.axis)
    flat = (mesh.xyz_mm - np.asarray(disc.base_mm)) @ np.asarray(across(disc.axis)).T / (2 * disc.radius_mm)
    c, s = math.cos(disc.spin_rad), math.sin(disc.spin_rad)
    uv = 0.5 * flat @ np.array([[c, s], [-s, c]]) + 7.0 * disc.spin_rad % 1.0
    return replace(mesh, uv=uv)


def rod_mesh(rod: Rod) -> Mesh:
    """A rod with its two round ends."""
    along = np.asarray(rod.end_mm) - np.asarray(rod.start_mm)
    length = float(np.linalg.norm(along))
    quarter = np.linspace(0, math.pi / 2, ARC + 1)
    low = [(rod.start_radius_mm * math.sin(a), -rod.start_radius_mm * math.cos(a)) for a in quarter]
    high = [(rod.end_radius_mm * math.cos(a), length + rod.end_radius_mm * math.sin(a)) for a in quarter]
    x, y, z = along / length
    return _turned([*low, *high], rod.start_mm, (float(x), float(y), float(z)))


def drum_mesh(drum: Drum) -> Mesh:
    """A cup or a glass with its wall, or a closed drum."""
    low, high, top = drum.base_radius_mm, drum.top_radius_mm, drum.height_mm
    inside = [(high - WALL_MM, top), (low - WALL_MM, WALL_MM), (0.0, WALL_MM)] if drum.hollow else [(0.0, top)]
    return _turned([(0.0, 0.0), (low, 0.0), (high, top), *inside], drum.base_mm, UP)


def block_mesh(x_mm: tuple[float, float], y_mm: tuple[float, float], z_mm: tuple[float, float]) -> Mesh:
    """A block that lies along the axes, between its two ends on each."""
    low, high = np.array([x_mm, y_mm, z_mm]).T
    x, y, z = (float(v) for v in (low + high) / 2)
    a, b, c = ((float(i), float(j), float(k)) for i, j, k in np.diag((high - low) / 2))
    return box_mesh(Box((x, y, z), (a, b, c), (255, 255, 255)))


def _nowhere(_: int) -> tuple[float, float, float, float]:
    return 0.0, 0.0, 0.0, 0.0


def box_mesh(box: Box, tile: Callable[[int], tuple[float, float, float, float]] = _nowhere) -> Mesh:
    """A box with rounded edges; `tile` tells where a face's picture lies: left, top, right, bottom of the texture.

    Pictures lie as `Box.face` has their corners.
    """
    halves = np.asarray(box.halves_mm)
    sizes = np.linalg.norm(halves, axis=1)
    axes = halves / sizes[:, None]
    radius = 2 * box.roundness * float(sizes.min())
    return Mesh.joined(_face(box, number, axes, sizes, radius, tile(number)) for number in range(2 * len(sizes)))


def _face(
    box: Box, number: int, axes: Matrix, sizes: Matrix, radius: float, tile: tuple[float, float, float, float]
) -> Mesh:
    """One face and its half of the rounded edges around it."""
    axis, back = divmod(number, 2)
    n, u, v = axis, (axis + 1) % 3, (axis + 2) % 3
    along_u, along_v = _steps(sizes[u], radius), _steps(sizes[v], radius)
    local = np.empty((len(along_v) * len(along_u), 3))
    local[:, u], local[:, v] = (grid.ravel() for grid in np.meshgrid(along_u, along_v))
    local[:, n] = sizes[n] * (1 - 2 * back)
    left, top, right, bottom = tile
    share_u, share_v = ((local[:, k] / sizes[k] + 1) / 2 for k in (u, v))
    if back:
        share_u = 1 - share_u
    uv = np.stack([left + share_u * (right - left), top + share_v * (bottom - top)], axis=1)
    inner = np.clip(local, radius - sizes, sizes - radius)
    normals = local - inner if radius else np.eye(3)[[n] * len(local)] * (1 - 2 * back)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    xyz = np.asarray(box.centre_mm) + (inner + radius * normals) @ axes
    triangles = _grid(len(along_v), len(along_u))
    return Mesh(xyz, normals @ axes, uv, triangles[:, ::-1] if back else triangles)


def _steps(half: float, radius: float) -> Matrix:
    """Where a face is cut: only at its ends, or also along its rounded edges."""
    if not radius:
        return np.array([-half, half])
    arc = half - radius + radius * np.tan(np.linspace(0, math.pi / 4, ARC + 1))
    return np.concatenate([-arc[::-1], arc])


def _turned(profile: Sequence[tuple[float, float]], base: Xyz, axis: Xyz) -> Mesh:
    """A turned thing: its profile, (radius, height) from foot to top, carried round the axis.

    Every stretch of the profile has corners of its own; where two meet smoothly they share the normal.
    """
    path = np.asarray(profile, dtype=np.float64)
    ways = np.diff(path, axis=0)
    out = np.stack([ways[:, 1], -ways[:, 0]], axis=1)
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    first, last = out.copy(), out.copy()
    for k in range(1, len(out)):
        if out[k - 1] @ out[k] > CREASE:
            between = out[k - 1] + out[k]
            first[k] = last[k - 1] = between / np.linalg.norm(between)
    turns = np.linspace(0, 2 * math.pi, TURNS + 1)
    u, v = across(axis)
    spokes = np.cos(turns)[:, None] * u + np.sin(turns)[:, None] * v
    places = np.stack([path[:-1], path[1:]], axis=1).reshape(-1, 2)
    facing = np.stack([first, last], axis=1).reshape(-1, 2)
    xyz = np.asarray(base) + places[:, None, :1] * spokes + places[:, None, 1:] * np.asarray(axis)
    normals = facing[:, None, :1] * spokes + facing[:, None, 1:] * np.asarray(axis)
    strip, count = _grid(2, TURNS + 1), 2 * (TURNS + 1)
    triangles = np.concatenate([strip + k * count for k in range(len(ways))])
    flat = xyz.reshape(-1, 3)
    return Mesh(flat, normals.reshape(-1, 3), np.zeros((len(flat), 2)), triangles)


def _grid(rows: int, columns: int) -> npt.NDArray[np.int64]:
    """The triangles of a grid of corners that are counted row by row."""
    corner = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]
    return np.concatenate([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)]).reshape(-1, 3)
