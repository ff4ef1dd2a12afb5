"""What the mark net is trained on: boards straightened by a guess that is off, some behind walls, some in frames."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.geometry import UNIT, Matrix, apply, four, homography
from vision.frame import Bgr
from vision.hills import Floats
from vision.marknet import FIELD_IN_VIEW, STRIDE, VIEW_WH_PX
from vision.marks import MARKS
from vision.training.corners.shots import Shot
from vision.training.corners.views import amid, cropped, filled, mirrored, nothing, walled
from vision.training.light import relit
from vision.warp import warped

NO_BOARD, AMID, CROPPED, SOFTENED = 0.04, 0.35, 0.25, 0.4
GAPPED, BOXED, BORDERED, WALLED = 0.3, 0.3, 0.25, 0.12
COLUMN = 1 / 13
SIDES_MOVED = 0.2
"""Share of the guesses in which one side lies off by whole points."""
LEAST_OFF, MOST_OFF = 0.002, 0.05


@dataclass(frozen=True, slots=True)
class View:
    """A view and what is true of it: the marks (MARKS × 2) in its pixels, which are asked for, the field's cells."""

    bgr: Bgr
    marks: Matrix
    asked: Floats
    field: Floats


def view_of(shot: Shot, other: Shot, chance: random.Random) -> View:
    """A view by chance of a picture; `other` lends what lies around the board."""
    if chance.random() < NO_BOARD:
        cells = np.zeros((VIEW_WH_PX[1] // STRIDE, VIEW_WH_PX[0] // STRIDE), np.float32)
        bgr = np.asarray(cv2.resize(relit(nothing(other, chance), chance), VIEW_WH_PX), dtype=np.uint8)
        return View(bgr, np.zeros((MARKS, 2)), np.zeros(MARKS, np.float32), cells)
    if chance.random() < CROPPED:
        shot = cropped(shot, chance)
    transform = homography(four(_guess(shot.places[:4], chance)), FIELD_IN_VIEW)
    bgr = warped(shot.bgr, transform, VIEW_WH_PX)
    seen = mirrored(Shot(bgr, apply(transform, shot.marks), apply(transform, shot.case)), chance)
    if chance.random() < GAPPED:
        seen = gapped(seen, chance)
    how = chance.random()
    if how < BOXED:
        seen = boxed(seen, chance)
    elif how < BOXED + BORDERED:
        seen = bordered(seen, chance)
    elif how < BOXED + BORDERED + WALLED:
        seen = walled(seen, chance)
    if chance.random() < AMID:
        seen = amid(seen, other, chance)
    bgr = seen.bgr
    if chance.random() < SOFTENED:
        bgr = np.asarray(cv2.GaussianBlur(bgr, (0, 0), chance.uniform(0.3, 1.0)), dtype=np.uint8)
    return _told(relit(bgr, chance), seen.marks)


def _told(bgr: Bgr, marks: Matrix) -> View:
    width, height = VIEW_WH_PX
    asked = ((marks > -0.5) & (marks < (width - 0.5, height - 0.5))).all(axis=1)
    field = filled((height, width), marks[[0, 13, 27, 14]])
    cells = cv2.resize(field, (width // STRIDE, height // STRIDE), interpolation=cv2.INTER_AREA)
    return View(bgr, marks, np.asarray(asked, dtype=np.float32), np.asarray(cells, dtype=np.float32))


def _guess(corners: Matrix, chance: random.Random) -> Matrix:
    """Corners off by chance; now and then a whole side lies on another point."""
    error = math.exp(chance.uniform(math.log(LEAST_OFF), math.log(MOST_OFF)))
    side = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[3] - corners[0])) / 2
    common = np.array([chance.gauss(0, 0.7), chance.gauss(0, 0.7)])
    middle, larger = corners.mean(axis=0), 1 + chance.gauss(0, error)
    own = np.array([[chance.gauss(0, 1), chance.gauss(0, 1)] for _ in corners])
    guess: Matrix = middle + larger * (corners - middle) + error * side * (own + common)
    if chance.random() < SIDES_MOVED:
        by = chance.choice((-2, -1, -1, 1, 1, 2)) * COLUMN
        first, second = chance.choice(((0, 3), (1, 2)))
        along = guess[[1, 2]] - guess[[0, 3]]
        guess[[first, second]] += by * along * (1 if chance.random() < 0.6 else np.array([[1.0], [0.0]]))
    return guess


def gapped(shot: Shot, chance: random.Random) -> Shot:
    """The board with room between its outermost points and the field's sides."""
    view_from_field = homography(UNIT, four(shot.places[:4]))
    common = abs(chance.gauss(0, 0.015))
    left, right = (max(0.0, common + chance.gauss(0, 0.004)) for _ in range(2))
    bgr, marks = shot.bgr.astype(np.float32), shot.marks.copy()
    streaks = _streaks(bgr.shape[:2], chance)
    for ends, edge, out in (((0, 14), 0.0, -left), ((13, 27), 1.0, right)):
        strip = apply(view_from_field, [(edge, 0), (edge + out, 0), (edge + out, 1), (edge, 1)])
        if out > 0:
            strip = strip[::-1]
        _lay(bgr, filled(bgr.shape[:2], strip[::-1]), _colour_at(shot.bgr, view_from_field, edge), streaks)
        marks[list(ends)] = apply(view_from_field, [(edge + out, 0), (edge + out, 1)])
    return Shot(np.clip(bgr, 0, 255).astype(np.uint8), marks, shot.case)


def _colour_at(bgr: Bgr, view_from_field: Matrix, edge: float) -> Matrix:
    """The colour of the bare field just inside a side's middle."""
    (x, y) = apply(view_from_field, [(edge + (0.006 if edge < 0.5 else -0.006), 0.5)])[0]
    x, y = (int(np.clip(round(v), 2, n - 3)) for v, n in ((x, bgr.shape[1]), (y, bgr.shape[0])))
    return np.asarray(bgr[y - 2 : y + 3, x - 1 : x + 2].mean(axis=(0, 1)), dtype=np.float64)


def boxed(shot: Shot, chance: random.Random) -> Shot:
    """The board in a box whose walls stand up: far ones show their inner faces, near ones hide the field's edge."""
    view_from_field = homography(UNIT, four(shot.places[:4]))
    foot = np.asarray(UNIT)
    lean = np.array([chance.gauss(0, 0.012), chance.gauss(0, 0.022)])
    rim = 0.5 + (foot - 0.5) * (1 + abs(chance.gauss(0, 0.02))) + lean
    wide = np.array([chance.uniform(0.008, 0.06), chance.uniform(0.008, 0.06)])
    outer = rim + wide * (2 * foot - 1)
    bgr = shot.bgr.astype(np.float32)
    colour, streaks = _colour(shot, chance), _streaks(bgr.shape[:2], chance)
    middle = foot.mean(axis=0)
    for k in range(4):
        here, there = k, (k + 1) % 4
        outward = (foot[here] + foot[there]) / 2 - middle
        if float((rim[here] - foot[here]) @ outward) <= 0:
            continue
        face = apply(view_from_field, [rim[here], rim[there], foot[there], foot[here]])
        _lay(bgr, filled(bgr.shape[:2], face), chance.uniform(0.3, 1.1) * colour, streaks)
    top = filled(bgr.shape[:2], apply(view_from_field, outer)) - filled(bgr.shape[:2], apply(view_from_field, rim))
    _lay(bgr, top, colour, streaks)
    if chance.random() < 0.4:
        _shaded(bgr, view_from_field, chance)
    return Shot(np.clip(bgr, 0, 255).astype(np.uint8), shot.marks, apply(view_from_field, outer))


def bordered(shot: Shot, chance: random.Random) -> Shot:
    """Flat frames and lines round the field, one about the other."""
    view_from_field = homography(UNIT, four(shot.places[:4]))
    inner, out = filled(shot.bgr.shape[:2], shot.places[:4]), np.asarray(UNIT)
    bgr = shot.bgr.astype(np.float32)
    for _ in range(chance.choice((1, 2, 2, 3))):
        wide = chance.uniform(0.003, 0.008) if chance.random() < 0.3 else chance.uniform(0.008, 0.045)
        out = out + wide * (2 * np.asarray(UNIT) - 1) * (1.0, chance.uniform(0.9, 1.4))
        outer = filled(bgr.shape[:2], apply(view_from_field, out))
        _lay(bgr, outer - inner, _colour(shot, chance), _streaks(bgr.shape[:2], chance))
        inner = outer
    if chance.random() < 0.3:
        _shaded(bgr, view_from_field, chance)
    return Shot(np.clip(bgr, 0, 255).astype(np.uint8), shot.marks, apply(view_from_field, out))


def _lay(bgr: Floats, share: Floats, colour: Matrix, streaks: Floats) -> None:
    bgr += np.clip(share, 0, 1)[..., None] * (streaks[..., None] * np.asarray(colour, np.float32) - bgr)


def _colour(shot: Shot, chance: random.Random) -> Matrix:
    """Black, white, any colour, or one that the picture has."""
    how = chance.random()
    if how < 0.2:
        return np.full(3, chance.uniform(5, 45)) + [chance.gauss(0, 5) for _ in range(3)]
    if how < 0.3:
        return np.full(3, chance.uniform(200, 250)) + [chance.gauss(0, 5) for _ in range(3)]
    if how < 0.6:
        return np.array([chance.uniform(0, 255) for _ in range(3)])
    height, width = shot.bgr.shape[:2]
    x, y = chance.randrange(width - 4), chance.randrange(height - 4)
    return np.asarray(shot.bgr[y : y + 4, x : x + 4].mean(axis=(0, 1)) * chance.uniform(0.7, 1.3), dtype=np.float64)


def _streaks(shape: tuple[int, ...], chance: random.Random) -> Floats:
    """What wood or cloth multiply their colour by."""
    strength = chance.choice((0.0, 0.03, 0.08, 0.15))
    coarse = chance.choice(((1, 1), (1, 20), (20, 1), (6, 6)))
    noise = np.random.default_rng(chance.randrange(1 << 30)).normal(
        0, 1, (-(-shape[0] // coarse[0]), -(-shape[1] // coarse[1]))
    )
    return 1 + strength * cv2.resize(noise.astype(np.float32), (shape[1], shape[0]))


def _shaded(bgr: Floats, view_from_field: Matrix, chance: random.Random) -> None:
    """The shadow that a side throws onto the field."""
    k, deep = chance.randrange(4), chance.uniform(0.005, 0.06)
    corners = np.asarray(UNIT)
    a, b = corners[k], corners[(k + 1) % 4]
    into = deep * (corners[(k + 2) % 4] - b)
    shadow = filled(bgr.shape[:2], apply(view_from_field, [a, b, b + into, a + into]))
    soft = np.asarray(cv2.GaussianBlur(shadow, (0, 0), chance.uniform(0.4, 4)), dtype=np.float32)
    inside = filled(bgr.shape[:2], apply(view_from_field, corners))
    bgr *= 1 - (soft * inside)[..., None] * chance.uniform(0.15, 0.6)
