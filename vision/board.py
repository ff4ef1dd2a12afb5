"""Where the board lies in a picture, found without help."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np

from calibration.geometry import UNIT, BoardGeometry, Corners, Matrix, apply, four, homography, inverse, parse_corners
from vision import cornernet
from vision.cornernet import STRIDE, VIEW_WH_PX, Look
from vision.frame import Bgr
from vision.warp import warped

LETTERBOX_PX = 8
"""Free rim of the view of a whole picture: a corner may lie a little outside it."""
MARGIN_PX = (30, 24)
"""Rim of the straightened view, beside the field and above it."""
_LEFT, _TOP = (m - 0.5 for m in MARGIN_PX)
_RIGHT, _BOTTOM = (n - m - 0.5 for n, m in zip(VIEW_WH_PX, MARGIN_PX, strict=True))
FIELD_IN_VIEW: Corners = ((_LEFT, _TOP), (_RIGHT, _TOP), (_RIGHT, _BOTTOM), (_LEFT, _BOTTOM))
LOOKS = 4
"""How often a straightened view is looked at, each time better straightened."""
STILL_PX = 0.25
"""When the corners move by less than this from one look to the next they are found."""
BAR_WEIGHT = 0.4
CENTRED = 60.0
"""How firmly the bar is held to the middle of the field: so many pixels is it off when it is off by a field."""
MASK_LEAST = 0.5
CONFIDENCE = "corners.json"


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board in a picture, and how sure it is that all corners lie within 2 % of the field's width of the true ones.

    Of a board that lies turned by 90° the corners begin where the picture, turned to have the points upright, has
    its top left.
    """

    geometry: BoardGeometry
    confidence: float


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for a board that was found: numbers for `confidence_of`.

    `least_share` and `mean_share` of the places' likelihoods close to where they are told; `misfit_px` of the eight
    places and the board drawn through them; `moved_px` in the last look; `overlap` of the seen field with that board.
    """

    least_share: float
    mean_share: float
    misfit_px: float
    moved_px: float
    overlap: float

    def row(self) -> Matrix:
        """The numbers with a one in front, about as large as each other."""
        shares = (-math.log(max(1e-3, share)) for share in (self.least_share, self.mean_share))
        pixels = (math.log(0.1 + px) for px in (self.misfit_px, self.moved_px))
        return np.array([1.0, *shares, *pixels, 1 - self.overlap])


def find_board(bgr: Bgr) -> FoundBoard | None:
    """The board in a picture; None when nothing in it looks like one."""
    guess = first_guess(bgr)
    return None if guess is None else refined(bgr, guess)


def refined(bgr: Bgr, guess: BoardGeometry) -> FoundBoard | None:
    """The board close to a guess of where it lies; None when there is none."""
    signs = straighten(bgr, guess)
    return None if signs is None else FoundBoard(signs[0], confidence_of(signs[1]))


def straighten(bgr: Bgr, guess: BoardGeometry) -> tuple[BoardGeometry, Signs] | None:
    """As `refined`, with the signs instead of the confidence."""
    geometry, signs = guess, None
    for _ in range(LOOKS):
        view_from_image = homography(geometry.corners, FIELD_IN_VIEW)
        seen = cornernet.look_twice(warped(bgr, view_from_image, VIEW_WH_PX))
        corners, bar, misfit = fitted(seen)
        moved = float(np.abs(corners - FIELD_IN_VIEW).max())
        image = apply(inverse(view_from_image), corners)
        if not _convex(image):
            return None
        signs = Signs(float(seen.share.min()), float(seen.share.mean()), misfit, moved, _overlap(seen, corners))
        geometry = BoardGeometry(parse_corners(image.tolist()), bar)
        if moved < STILL_PX:
            break
    return None if signs is None else (geometry, signs)


def confidence_of(signs: Signs) -> float:
    """How likely it is that all corners are right, as measured on drawn pictures the net was not trained on."""
    return float(1 / (1 + np.exp(-signs.row() @ _weights())))


@cache
def _weights() -> Matrix:
    text = (files("vision") / "models" / CONFIDENCE).read_text(encoding="utf-8")
    return np.asarray(json.loads(text)["confidence"], dtype=np.float64)


def first_guess(bgr: Bgr) -> BoardGeometry | None:
    """Corners and bar as the whole picture shows them, turned first where the points lie on their side."""
    height, width = bgr.shape[:2]
    view_from_image = _letterbox(width, height, np.eye(3))
    seen = cornernet.look(warped(bgr, view_from_image, VIEW_WH_PX))
    upright, turned = (float(mask[mask > MASK_LEAST].sum()) for mask in (seen.upright, seen.turned))
    if upright == turned == 0:
        return None
    if turned > upright:
        quarter = np.array([[0.0, 1, 0], [-1, 0, width - 1], [0, 0, 1]])
        view_from_image = _letterbox(width, height, quarter)
        seen = cornernet.look(warped(bgr, view_from_image, VIEW_WH_PX))
    corners, bar, _ = fitted(seen)
    image = apply(inverse(view_from_image), corners)
    return BoardGeometry(parse_corners(image.tolist()), bar) if _convex(image) else None


def _letterbox(width: int, height: int, turned_from_image: Matrix) -> Matrix:
    """view_from_image: the whole picture, turned, as large as the view allows."""
    ends = apply(turned_from_image, [(0, 0), (width - 1, height - 1)])
    low, size = ends.min(axis=0), np.abs(ends[1] - ends[0]) + 1
    scale = float(((np.asarray(VIEW_WH_PX) - 2 * LETTERBOX_PX) / size).min())
    shift = (np.asarray(VIEW_WH_PX) - scale * size) / 2 + scale * (0.5 - low) - 0.5
    return np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ turned_from_image


def fitted(seen: Look) -> tuple[Matrix, tuple[float, float], float]:
    """The corners (4 × 2, in the view) and the bar's edges that fit the eight places best; the worst misfit, pixels."""
    weight = np.sqrt(np.clip(seen.share, 0.02, 1.0))
    weight[4:] *= BAR_WEIGHT
    corners = seen.xy[:4].copy()
    ends = apply(homography(four(corners), UNIT), seen.xy[4:]) if _convex(corners) else np.full((4, 2), 0.5)
    values = np.append(corners.ravel(), [ends[[0, 3], 0].mean(), ends[[1, 2], 0].mean()])

    def misfits(values: Matrix) -> Matrix:
        left, right = values[8:]
        bar = apply(homography(UNIT, four(values[:8].reshape(4, 2))), [(left, 0), (right, 0), (right, 1), (left, 1)])
        return np.vstack([values[:8].reshape(4, 2), bar]) - seen.xy

    for _ in range(8):
        if not _convex(values[:8].reshape(4, 2)):
            break
        off = misfits(values)
        calm = weight * np.minimum(1.0, 2.0 / np.maximum(np.linalg.norm(off, axis=1), 1e-6))
        slopes = np.stack(
            [(misfits(values + step) - off).ravel() / 1e-4 for step in 1e-4 * np.eye(len(values))], axis=1
        )
        rows = np.repeat(calm, 2)[:, None]
        aside = np.append(np.zeros(8), [CENTRED / 2, CENTRED / 2])
        wanted = np.append(-off.ravel() * rows[:, 0], CENTRED / 2 - aside @ values)
        change = np.linalg.lstsq(np.vstack([slopes * rows, aside]), wanted, rcond=None)[0]
        values = values + change
        if np.abs(change).max() < 1e-3:
            break
    corners = values[:8].reshape(4, 2)
    left, right = (float(v) for v in np.clip(values[8:], 0.3, 0.7))
    if left > right:
        left = right = (left + right) / 2
    misfit = float(np.linalg.norm(misfits(values), axis=1).max()) if _convex(corners) else math.inf
    return corners, (left, right), misfit


def _convex(xy: Matrix) -> bool:
    """The four places go round clockwise."""
    sides = np.roll(xy, -1, axis=0) - xy
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 1e-6).all())


def _overlap(seen: Look, corners: Matrix) -> float:
    """Of the field as seen cell by cell and the field between the corners, the share that both have."""
    width, height = VIEW_WH_PX
    field = np.zeros((height // STRIDE, width // STRIDE), np.uint8)
    cv2.fillConvexPoly(field, np.round(((corners + 0.5) / STRIDE - 0.5) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    inside = field > 0
    both = float(np.minimum(seen.upright, inside).sum())
    return both / max(1e-6, float(np.maximum(seen.upright, inside).sum()))
