"""Where the board lies in a picture, found without help."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, Matrix, apply, homography, inverse, parse_corners
from vision import cornernet, marknet
from vision.boardfit import convex, fitted
from vision.frame import Bgr
from vision.hills import Floats
from vision.marknet import FIELD_IN_VIEW, STRIDE, VIEW_WH_PX
from vision.marks import MARKS, PLACES_OF_MARKS
from vision.warp import warped

ALL_MARKS = list(range(MARKS))
LETTERBOX_PX = 8
"""Free rim of the view of a whole picture: a corner may lie a little outside it."""
LOOKS = 10
"""How often a straightened view is looked at at most, each time better straightened."""
NEAR_PX = 3.0
"""Once the corners move by no more than this the view's mirror image is looked at too."""
STILL_PX = 0.5
"""When the corners move by less than this from one look to the next they are found."""
LEAST_WEIGHT = 0.02
BAR_WEIGHT = 0.16
"""In a look at the whole picture the bar's ends count less than the corners."""
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

    `vague` is the mean share of the marks' likelihoods that lies elsewhere than where they are told; `misfit_px` how
    far the marks lie from the board drawn through them, as they weigh; `unsure_px` how far its worst corner may lie off
    for all they say; `moved_px` the corners in the last look; `overlap` of the seen field with that board.
    """

    vague: float
    misfit_px: float
    unsure_px: float
    moved_px: float
    overlap: float

    def row(self) -> Matrix:
        """The numbers with a one in front, about as large as each other."""
        pixels = (math.log(0.1 + min(px, 100.0)) for px in (self.misfit_px, self.unsure_px, self.moved_px))
        return np.array([1.0, math.log(0.02 + self.vague), *pixels, 1 - self.overlap])


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
    geometry, signs, field = guess, None, np.asarray(FIELD_IN_VIEW)
    look = marknet.look
    for _ in range(LOOKS):
        view_from_image = homography(geometry.corners, FIELD_IN_VIEW)
        seen = look(warped(bgr, view_from_image, VIEW_WH_PX))
        weight = np.maximum(LEAST_WEIGHT, seen.share)
        fit = fitted(seen.xy, weight, ALL_MARKS, field)
        if not convex(fit.corners):
            return None
        image = apply(inverse(view_from_image), fit.corners)
        if not convex(image):
            return None
        moved = float(np.abs(fit.corners - field).max())
        signs = Signs(
            vague=1 - float(seen.share.mean()),
            misfit_px=float((weight * fit.off_px).sum() / weight.sum()),
            unsure_px=fit.unsure_px,
            moved_px=moved,
            overlap=_overlap(seen.field, fit.corners),
        )
        geometry = BoardGeometry(parse_corners(image.tolist()), fit.bar)
        if moved < STILL_PX and look is marknet.look_twice:
            break
        if moved < NEAR_PX:
            look = marknet.look_twice
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
    seen = cornernet.look(warped(bgr, view_from_image, cornernet.VIEW_WH_PX))
    upright, turned = (float(mask[mask > MASK_LEAST].sum()) for mask in (seen.upright, seen.turned))
    if upright == turned == 0:
        return None
    if turned > upright:
        quarter = np.array([[0.0, 1, 0], [-1, 0, width - 1], [0, 0, 1]])
        view_from_image = _letterbox(width, height, quarter)
        seen = cornernet.look(warped(bgr, view_from_image, cornernet.VIEW_WH_PX))
    weight = np.maximum(LEAST_WEIGHT, seen.share)
    weight[4:] *= BAR_WEIGHT
    fit = fitted(seen.xy, weight, PLACES_OF_MARKS, seen.xy[:4])
    image = apply(inverse(view_from_image), fit.corners)
    return BoardGeometry(parse_corners(image.tolist()), fit.bar) if convex(image) else None


def _letterbox(width: int, height: int, turned_from_image: Matrix) -> Matrix:
    """view_from_image: the whole picture, turned, as large as the view allows."""
    ends = apply(turned_from_image, [(0, 0), (width - 1, height - 1)])
    low, size = ends.min(axis=0), np.abs(ends[1] - ends[0]) + 1
    scale = float(((np.asarray(cornernet.VIEW_WH_PX) - 2 * LETTERBOX_PX) / size).min())
    shift = (np.asarray(cornernet.VIEW_WH_PX) - scale * size) / 2 + scale * (0.5 - low) - 0.5
    return np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ turned_from_image


def _overlap(seen: Floats, corners: Matrix) -> float:
    """Of the field as seen cell by cell and the field between the corners, the share that both have."""
    inside = np.zeros(seen.shape, np.uint8)
    cells = ((corners + 0.5) / STRIDE - 0.5) * 16
    cv2.fillConvexPoly(inside, np.round(np.clip(cells, -9999, 9999)).astype(np.int32), 1, cv2.LINE_8, 4)
    field = inside > 0
    return float(np.minimum(seen, field).sum()) / max(1e-6, float(np.maximum(seen, field).sum()))
