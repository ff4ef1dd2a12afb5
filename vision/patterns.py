"""Square faces with marks on them (dice, the cube), found by correlation with drawn patterns.

A pattern is a square body and its marks; a patch of the picture is compared with all patterns
at once, brightness and contrast left out of it. The body's four sides must show an edge too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.discs import Floats

Doubles = npt.NDArray[np.float64]

GRID = 20
_STEPS = (np.arange(GRID) + 0.5) / GRID - 0.5
GRID_X, GRID_Y = np.meshgrid(_STEPS, _STEPS)
INSIDE: npt.NDArray[np.bool_] = np.hypot(GRID_X, GRID_Y) < 0.5


@dataclass(frozen=True, slots=True)
class Pattern:
    """One face at one turn: `marks` and `body` are GRID × GRID, 0–1; `value` what it says."""

    value: int
    angle_rad: float
    marks: Doubles
    body: Doubles


class PatternBank:
    """Normalised correlation of patches with many patterns."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.values = np.asarray([p.value for p in patterns])
        self.angles = np.asarray([p.angle_rad for p in patterns])
        weight = np.stack([p.body[INSIDE] for p in patterns])
        marks = np.stack([p.marks[INSIDE] for p in patterns])
        mass = weight.sum(axis=1)
        centred = marks - (weight * marks).sum(axis=1, keepdims=True) / mass[:, None]
        self._norm = np.sqrt((weight * centred**2).sum(axis=1)).astype(np.float32)
        self._weight, self._mass = weight.astype(np.float32), mass.astype(np.float32)
        self._pattern = (weight * centred).astype(np.float32)

    def match(self, picture: Floats, xy_px: Doubles, size_px: Doubles) -> tuple[Floats, Floats]:
        """Correlation (n × patterns, −1 to 1; positive where the marks are lighter) and the patches' contrast.

        `xy_px` n × 2 centres, `size_px` n body sizes, both in pixels of the one-channel `picture`.
        """
        mx = (xy_px[:, :1] + GRID_X[INSIDE] * size_px[:, None]).astype(np.float32)
        my = (xy_px[:, 1:] + GRID_Y[INSIDE] * size_px[:, None]).astype(np.float32)
        patches = _sampled(picture, mx, my)
        patches -= patches.mean(axis=1, keepdims=True)
        first, second = patches @ self._weight.T, (patches * patches) @ self._weight.T
        spread = np.maximum(second - first * first / self._mass, 1e-6)
        correlation: Floats = (patches @ self._pattern.T) / (self._norm * np.sqrt(spread))
        contrast: Floats = np.sqrt(spread / self._mass)
        return correlation, contrast


@dataclass(frozen=True, slots=True)
class Fit:
    """How well pattern number `index` fits a square at (x, y) of `size` pixels: `value` −1 to 1."""

    value: float
    index: int
    x: float
    y: float
    size: float


def finer(bank: PatternBank, picture: Floats, near: Fit, light: float) -> Fit:
    """The best fit close to `near`, its place, size and pattern searched more finely; `light` is the marks' sign."""
    shift = np.arange(-2, 3) * 0.05
    dx, dy = (d.ravel() for d in np.meshgrid(shift, shift))
    best = near
    for scale in (0.88, 0.94, 1.0, 1.06, 1.13):
        size = near.size * scale
        centres = np.stack([near.x + dx * size, near.y + dy * size], axis=1)
        fits = light * bank.match(picture, centres, np.full(len(centres), size))[0]
        n, k = np.unravel_index(int(fits.argmax()), fits.shape)
        if fits[n, k] > best.value:
            best = Fit(float(fits[n, k]), int(k), float(centres[n, 0]), float(centres[n, 1]), size)
    return best


class EdgeField:
    """Gradient of a one-channel picture, to ask how strong the sides of a square are."""

    def __init__(self, picture: Floats) -> None:
        self._gx = cv2.Scharr(picture, cv2.CV_32F, 1, 0) / np.float32(32)
        self._gy = cv2.Scharr(picture, cv2.CV_32F, 0, 1) / np.float32(32)

    def sides(self, x_px: float, y_px: float, size_px: float, angle_rad: float) -> tuple[float, float, float, float]:
        """Edge strength (units a pixel) along each side of the square, weakest first."""
        along = np.linspace(-0.33, 0.33, 9)
        found = []
        for quarter in range(4):
            turn = angle_rad + quarter * np.pi / 2
            nx, ny = np.cos(turn), np.sin(turn)
            best = 0.0
            for out in (0.44, 0.5, 0.56):
                px = (x_px + size_px * (out * nx - along * ny)).astype(np.float32)[None]
                py = (y_px + size_px * (out * ny + along * nx)).astype(np.float32)[None]
                across = _sampled(self._gx, px, py)[0] * nx + _sampled(self._gy, px, py)[0] * ny
                best = max(best, float(abs(np.median(across))))
            found.append(best)
        a, b, c, d = sorted(found)
        return a, b, c, d


def _sampled(picture: Floats, mx: Floats, my: Floats) -> Floats:
    """Bilinear samples of a picture; cv2 remaps at most 32,767 rows at a time."""
    parts = [
        cv2.remap(picture, mx[k : k + 30000], my[k : k + 30000], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for k in range(0, len(mx), 30000)
    ]
    return np.concatenate(parts).astype(np.float32)


def step(distance: Doubles, softness: float = 0.03) -> Doubles:
    """1 inside (negative distance), 0 outside, soft between."""
    out: Doubles = 1 / (1 + np.exp(np.clip(distance / softness, -50, 50)))
    return out


def square_body(angle_rad: float, half: float = 0.47) -> Doubles:
    """The body of a square turned by `angle_rad` on the grid."""
    x = GRID_X * np.cos(angle_rad) + GRID_Y * np.sin(angle_rad)
    y = -GRID_X * np.sin(angle_rad) + GRID_Y * np.cos(angle_rad)
    return step(np.maximum(abs(x), abs(y)) - half)
