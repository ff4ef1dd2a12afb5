"""One picture of checkers that lie still, read for calibration: which stand where, both colours, the light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.fit import Standing
from calibration.geometry import COLUMNS, BoardGeometry, Matrix, apply
from rules.position import CHECKERS
from vision.belief import Belief
from vision.checkers import read_checkers
from vision.frame import Bgr
from vision.lab import Lab, lab_of
from vision.netcheckers import Discs, places_of
from vision.window import FIELD_WH_PX, MARGIN_PX, window_of

THERE = 0.5
LAYER = 5
"""More checkers than this on a point lie on each other."""
Bgr3 = tuple[int, int, int]
QUARTERS = ("top left", "top right", "bottom left", "bottom right")
DISC = 0.55
"""Radius, in points, around a disc's middle that is no background."""
TIP = 0.40


@dataclass(frozen=True, slots=True)
class Still:
    """What was read.

    `standing` the checkers of points that tell one layer; `colours` white's and black's, L*a*b* and B, G, R, None
    with too few checkers; `quarters` how bright the free board is (0–100) in the order of QUARTERS; `blown` the
    share of the board that is as bright as a picture can be; `covered` the share of it that something hides.
    """

    belief: Belief
    standing: tuple[Standing, ...]
    lab: tuple[Lab, Lab] | None
    bgr: tuple[Bgr3, Bgr3] | None
    quarters: tuple[float, float, float, float]
    blown: float
    covered: float


def read_still(bgr: Bgr, geometry: BoardGeometry, checkers: int = CHECKERS) -> Still:
    """Read the picture of a board."""
    window = window_of(bgr, geometry)
    seen = read_checkers(window, geometry, checkers=checkers)
    discs, colours = seen.discs, seen.colours
    field = window[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
    return Still(
        belief=seen.belief,
        standing=_standing(discs, seen.belief, geometry),
        lab=colours,
        bgr=(_bgr(colours[0]), _bgr(colours[1])) if colours else None,
        quarters=_quarters(field, discs, geometry),
        blown=float((field.max(axis=2) >= 250).mean()),
        covered=float((seen.found.cover > THERE).mean()),
    )


def backgrounds(bgr: Bgr, geometry: BoardGeometry) -> list[Bgr3]:
    """The middle colour (B, G, R) of each of the 24 points, without what stands there: for an empty board."""
    window, colours = window_of(bgr, geometry), list[Bgr3]()
    for place in range(2 * COLUMNS):
        left, right = (MARGIN_PX + x * FIELD_WH_PX[0] for x in geometry.column_edges(place % COLUMNS))
        y = (0.0, TIP) if place < COLUMNS else (1 - TIP, 1.0)
        top, bottom = (MARGIN_PX + v * FIELD_WH_PX[1] for v in y)
        b, g, r = (
            np.median(window[round(top) : round(bottom), round(left) : round(right)], axis=(0, 1)).round().astype(int)
        )
        colours.append((int(b), int(g), int(r)))
    return colours


def _standing(discs: Discs, belief: Belief, geometry: BoardGeometry) -> tuple[Standing, ...]:
    sure = discs.p > THERE
    xy, place = discs.xy[sure], places_of(discs.xy, geometry)[sure]
    pixels: Matrix = apply(geometry.image_from_field, xy)
    found = []
    for number in range(2 * COLUMNS):
        on = np.flatnonzero(place == number)
        if len(on) != abs(belief.counts[number]) or len(on) > LAYER:
            continue
        out = xy[on, 1] if number < COLUMNS else 1 - xy[on, 1]
        for k, disc in enumerate(on[np.argsort(out)]):
            found.append(Standing(number, k, (float(pixels[disc, 0]), float(pixels[disc, 1]))))
    return tuple(found)


def _quarters(field: Bgr, discs: Discs, geometry: BoardGeometry) -> tuple[float, float, float, float]:
    free = np.full(field.shape[:2], 255, np.uint8)
    radius = round(DISC * geometry.column_width * FIELD_WH_PX[0])
    for x, y in discs.xy:
        cv2.circle(free, (round(x * FIELD_WH_PX[0]), round(y * FIELD_WH_PX[1])), radius, 0, -1)
    left, right = (round(x * FIELD_WH_PX[0]) for x in geometry.bar)
    free[:, left:right] = 0
    lightness = lab_of(field)[..., 0]
    rows, columns = field.shape[:2]
    told = list[float]()
    for down in (slice(rows // 2), slice(rows // 2, rows)):
        for across in (slice(columns // 2), slice(columns // 2, columns)):
            mask = free[down, across] > 0
            told.append(float(lightness[down, across][mask].mean()) if mask.any() else 0.0)
    a, b, c, d = told
    return a, b, c, d


def _bgr(lab: Lab) -> Bgr3:
    pixel = cv2.cvtColor(np.array([[lab]], np.float32), cv2.COLOR_Lab2BGR)[0, 0]
    b, g, r = (int(v) for v in np.clip(np.round(255 * pixel), 0, 255))
    return b, g, r
