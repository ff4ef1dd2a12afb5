"""What the corner net is trained on: views of drawn pictures, whole ones and ones straightened by a first guess."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.geometry import UNIT, Corners, Matrix, apply, four, homography
from vision.board import LETTERBOX_PX
from vision.cornernet import STRIDE, VIEW_WH_PX
from vision.frame import Bgr
from vision.hills import Floats
from vision.marks import MIRRORED, UPSIDE_DOWN
from vision.synth.render.canvas import inset, sixteenths
from vision.training.corners.shots import Shot
from vision.training.light import relit
from vision.warp import magnified

MARGIN_PX = (30, 24)
"""Rim of the straightened view, beside the field and above it."""
_LEFT, _TOP = (m - 0.5 for m in MARGIN_PX)
_RIGHT, _BOTTOM = (n - m - 0.5 for n, m in zip(VIEW_WH_PX, MARGIN_PX, strict=True))
FIELD_IN_VIEW: Corners = ((_LEFT, _TOP), (_RIGHT, _TOP), (_RIGHT, _BOTTOM), (_LEFT, _BOTTOM))
ASPECTS = (4 / 3, 4 / 3, 16 / 9, 16 / 9, 1.0, 3 / 4, 2.0)
NO_BOARD = 0.04
WALLED, CROPPED, AS_IT_IS = 0.6, 0.3, 0.35
STRAIGHTENED = 0.5
UP_TO_RAD = math.radians(60)
"""A field turned by more than this is to be turned back before its corners are asked for."""
SMALLEST_PX = 12


@dataclass(frozen=True, slots=True)
class View:
    """A view and what is true of it.

    `places` (8 × 2) in the view's pixels; `asked` (8) which of them must be told; `masks` (2 × rows × columns of
    cells) the field of a board that stands upright, or lies turned.
    """

    bgr: Bgr
    places: Matrix
    asked: Floats
    masks: Floats


def view_of(shot: Shot, other: Shot, chance: random.Random) -> View:
    """A view by chance of a picture; `other` lends what lies around the board."""
    shot = mirrored(shot, chance)
    if chance.random() < NO_BOARD:
        masks = np.zeros((2, VIEW_WH_PX[1] // STRIDE, VIEW_WH_PX[0] // STRIDE), np.float32)
        return View(relit(nothing(other, chance), chance), np.zeros((8, 2)), np.zeros(8, np.float32), masks)
    if chance.random() < WALLED:
        shot = walled(shot, chance)
    if chance.random() < 0.5:
        shot = amid(shot, other, chance)
    if chance.random() < CROPPED:
        shot = cropped(shot, chance)
    size = (shot.bgr.shape[1], shot.bgr.shape[0])
    if chance.random() < STRAIGHTENED:
        transform, window = _straightened(shot, chance), None
    elif chance.random() < AS_IT_IS:
        transform, window = _as_it_is(size, chance)
    else:
        transform, window = _somewhere(shot, chance)
    x, y = shot.places[:4].mean(axis=0)
    scale = magnified(transform, (float(x), float(y)))
    source = shot.bgr if scale > 0.85 else cv2.GaussianBlur(shot.bgr, (0, 0), 0.45 * math.sqrt(1 / scale**2 - 1))
    grey = tuple(float(v) for v in shot.bgr.reshape(-1, 3).mean(axis=0))
    bgr = cv2.warpPerspective(source, transform, VIEW_WH_PX, borderValue=grey)
    if window is not None:
        bgr = _framed(np.asarray(bgr, dtype=np.uint8), transform, size, window, other, chance)
    places, upright = _ordered(apply(transform, shot.places))
    return _told(relit(np.asarray(bgr, dtype=np.uint8), chance), places, upright)


def _told(bgr: Bgr, places: Matrix, upright: float) -> View:
    width, height = VIEW_WH_PX
    inside = ((places > -0.5) & (places < (width - 0.5, height - 0.5))).all(axis=1)
    field = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(field, np.round(np.clip(places[:4], -4000, 4000)).astype(np.int32), 255)
    cells = cv2.resize(field, (width // STRIDE, height // STRIDE), interpolation=cv2.INTER_AREA) / 255
    masks = np.zeros((2, *cells.shape), np.float32)
    masks[0 if upright <= math.pi / 4 else 1] = cells
    asked = inside & (upright <= UP_TO_RAD)
    return View(bgr, places, np.asarray(asked, dtype=np.float32), masks)


def _ordered(places: Matrix) -> tuple[Matrix, float]:
    """The places as seen: the row of points that is higher in the view first; and how far the field is turned."""
    up = places[[0, 1]].mean(axis=0) - places[[2, 3]].mean(axis=0)
    if up[1] > 0:
        places, up = places[[2, 3, 0, 1, 6, 7, 4, 5]], -up
    return places, abs(math.atan2(up[0], -up[1]))


def mirrored(shot: Shot, chance: random.Random) -> Shot:
    """The picture, by chance with left and right exchanged, top and bottom, or both."""
    bgr, marks, case = shot.bgr, shot.marks.copy(), shot.case.copy()
    for axis, order in enumerate((MIRRORED, UPSIDE_DOWN)):
        if chance.random() < 0.5:
            bgr = np.asarray(cv2.flip(bgr, 1 - axis), dtype=np.uint8)
            size = bgr.shape[1 - axis]
            marks[:, axis], case[:, axis] = size - 1 - marks[:, axis], size - 1 - case[:, axis]
            marks = marks[order]
    return Shot(bgr, marks, case)


def _straightened(shot: Shot, chance: random.Random) -> Matrix:
    """The transform that a guess of the corners, off by chance, gives."""
    error = math.exp(chance.uniform(math.log(0.003), math.log(0.06)))
    places, _ = _ordered(shot.places)
    if chance.random() < 0.1:
        places = places[[1, 2, 3, 0]]
    corners = places[:4]
    side = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[3] - corners[0])) / 2
    common = np.array([chance.gauss(0, 0.7), chance.gauss(0, 0.7)])
    middle, larger = corners.mean(axis=0), 1 + chance.gauss(0, error)
    own = np.array([[chance.gauss(0, 1), chance.gauss(0, 1)] for _ in corners])
    guess = middle + larger * (corners - middle) + error * side * (own + common)
    return homography(four(guess), FIELD_IN_VIEW)


def walled(shot: Shot, chance: random.Random) -> Shot:
    """The board with walls about the field whose inner faces are seen, in light and shade, and that throw shadows."""
    image_from_field = homography(UNIT, four(shot.places[:4]))
    left, top, right, bottom = (chance.choice((0.0, chance.uniform(0.003, 0.045))) for _ in range(4))
    inner = np.asarray(UNIT)
    outer = np.array([(-left, -top), (1 + right, -top), (1 + right, 1 + bottom), (-left, 1 + bottom)])
    bgr = shot.bgr.astype(np.float32)
    painted = chance.random() < 0.4
    colour = np.array([chance.uniform(0, 255) for _ in range(3)]) if painted else np.zeros(3)
    for k in range(4):
        face = apply(image_from_field, [outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]])
        light = chance.uniform(0.25, 1.25)
        share = filled(bgr.shape[:2], face) * (0.8 if painted else 1.0)
        bgr += share[..., None] * (light * (colour if painted else bgr) - bgr)
    if chance.random() < 0.4:
        k, deep = chance.randrange(4), chance.uniform(0.01, 0.08)
        a, b = inner[k], inner[(k + 1) % 4]
        into = deep * (inner[(k + 2) % 4] - b)
        shadow = filled(bgr.shape[:2], apply(image_from_field, [a, b, b + into, a + into]))
        bgr *= 1 - shadow[..., None] * chance.uniform(0.15, 0.6)
    return Shot(np.clip(bgr, 0, 255).astype(np.uint8), shot.marks, shot.case)


def filled(shape: tuple[int, ...], corners: Matrix) -> Floats:
    """1 inside the corners, 0 outside."""
    mask = np.zeros(shape, np.uint8)
    outline = sixteenths(inset(np.clip(corners, -3000, 3000)))
    cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA, 4)
    return np.asarray(mask / 255, dtype=np.float32)


def cropped(shot: Shot, chance: random.Random) -> Shot:
    """The picture cut close to the field, now and then through its edge."""
    low, up = shot.places[:4].min(axis=0), shot.places[:4].max(axis=0)
    size = np.array([shot.bgr.shape[1], shot.bgr.shape[0]])
    rim = np.array([[chance.uniform(-0.02, 0.14) for _ in range(2)] for _ in range(2)]) * (up - low)
    x0, y0 = np.clip(low - rim[0], 0, size - SMALLEST_PX).astype(int)
    x1, y1 = np.clip(up + rim[1], (x0 + SMALLEST_PX, y0 + SMALLEST_PX), size).astype(int)
    return Shot(shot.bgr[y0:y1, x0:x1], shot.marks - (x0, y0), shot.case - (x0, y0))


def _as_it_is(size: tuple[int, int], chance: random.Random) -> tuple[Matrix, tuple[int, int, int, int]]:
    """The whole picture in the view, as the finder puts it there, but stretched one way or the other."""
    squash = math.exp(chance.gauss(0, 0.15))
    wide, high = (n - 2 * LETTERBOX_PX for n in VIEW_WH_PX)
    scale = min(wide / (size[0] * squash), high / size[1])
    across, down = scale * squash * size[0], scale * size[1]
    x, y = (VIEW_WH_PX[0] - across) / 2, (VIEW_WH_PX[1] - down) / 2
    matrix = np.array([[scale * squash, 0, x], [0, scale, y], [0, 0, 1.0]])
    return matrix, (round(x), round(y), round(across), round(down))


def _somewhere(shot: Shot, chance: random.Random) -> tuple[Matrix, tuple[int, int, int, int]]:
    """A transform that puts the board somewhere into a picture of some shape; that picture's place in the view."""
    aspect = chance.choice(ASPECTS) * math.exp(chance.gauss(0, 0.05))
    wide, high = (n - 2 * LETTERBOX_PX for n in VIEW_WH_PX)
    across, down = (wide, wide / aspect) if aspect > wide / high else (high * aspect, high)
    angle = chance.gauss(0, 0.06)
    if chance.random() < 0.22:
        angle = chance.uniform(-0.9, 0.9) if chance.random() < 0.5 else chance.choice((-1, 1)) * chance.gauss(1.57, 0.1)
    c, s, squash = math.cos(angle), math.sin(angle), math.exp(chance.gauss(0, 0.12))
    turn = np.array([[c, -s], [s, c]]) @ np.diag([squash, 1 / squash])
    turned = shot.places[:4] @ turn.T
    low, up = turned.min(axis=0), turned.max(axis=0)
    room = np.array([across, down])
    how = chance.random()
    fill = (
        chance.uniform(0.62, 1.0) if how < 0.7 else chance.uniform(0.3, 0.62) if how < 0.92 else chance.uniform(1, 1.1)
    )
    scale = fill * float((room / (up - low)).min())
    left_over = room - scale * (up - low)
    shift = np.array([chance.uniform(-0.1, 1.1) * v if v > 0 else chance.uniform(0, 1) * v for v in left_over])
    corner = (np.asarray(VIEW_WH_PX) - room) / 2
    matrix = np.eye(3)
    matrix[:2, :2] = scale * turn
    matrix[:2, 2] = corner + shift - scale * low
    x, y = np.round(corner).astype(int)
    return matrix, (int(x), int(y), round(across), round(down))


def _framed(
    bgr: Bgr,
    transform: Matrix,
    size: tuple[int, int],
    window: tuple[int, int, int, int],
    other: Shot,
    chance: random.Random,
) -> Bgr:
    """Something where the picture ends before its frame does, and nothing outside the frame."""
    full = np.full(size[::-1], 255, np.uint8)
    there = cv2.erode(cv2.warpPerspective(full, transform, VIEW_WH_PX), np.ones((3, 3), np.uint8), borderValue=0)
    x, y, across, down = window
    inside = np.zeros(there.shape, bool)
    inside[y : y + down, x : x + across] = True
    out = np.where((there > 127)[..., None], bgr, _surroundings(other, VIEW_WH_PX, chance))
    if inside.any():
        out[~inside] = out[inside].mean(axis=0).astype(np.uint8)
    return np.asarray(out, dtype=np.uint8)


def _surroundings(other: Shot, size: tuple[int, int], chance: random.Random) -> Bgr:
    """Something to lie a board on: one colour, a run of shades, or a blurred piece of another picture."""
    how = chance.random()
    if how < 0.4:
        colour = np.clip(
            [chance.choice((250, 20, chance.uniform(0, 255))) + chance.gauss(0, 12) for _ in range(3)], 0, 255
        )
        if chance.random() < 0.5:
            colour[:] = colour.mean()
        plain = np.full((size[1], size[0], 3), colour.astype(np.uint8), np.uint8)
        slant = np.linspace(1, chance.uniform(0.6, 1.0), size[0])[None, :, None]
        return np.asarray(plain * slant, dtype=np.uint8)
    height, width = other.bgr.shape[:2]
    w, h = int(width * chance.uniform(0.1, 0.35)), int(height * chance.uniform(0.1, 0.35))
    x, y = chance.choice((0, width - w)), chance.choice((0, height - h))
    piece = cv2.resize(other.bgr[y : y + h, x : x + w], size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(piece, dtype=np.uint8)


def amid(shot: Shot, other: Shot, chance: random.Random) -> Shot:
    """The board amid other things: its surroundings exchanged, or strewn with cards, letters, pieces of boards."""
    height, width = shot.bgr.shape[:2]
    middle = shot.case.mean(axis=0)
    case = middle + (shot.case - middle) * chance.uniform(1.02, 1.1)
    keep = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(keep, np.round(np.clip(case, -4000, 4000)).astype(np.int32), 255)
    around = _surroundings(other, (width, height), chance) if chance.random() < 0.4 else shot.bgr.copy()
    for _ in range(chance.choice((0, 2, 4, 8))):
        _strew(around, other, chance)
    out = np.where((keep > 0)[..., None], shot.bgr, around)
    return Shot(np.asarray(out, dtype=np.uint8), shot.marks, shot.case)


def _strew(bgr: Bgr, other: Shot, chance: random.Random) -> None:
    """Draw one thing into the picture."""
    height, width = bgr.shape[:2]
    x, y = chance.randrange(width), chance.randrange(height)
    colour = [chance.choice((245, 15, chance.randrange(256))) for _ in range(3)]
    size = chance.randint(width // 25, width // 4)
    match chance.randrange(5):
        case 0:
            cv2.rectangle(bgr, (x, y), (x + size, y + int(size * chance.uniform(0.3, 2))), colour, -1)
        case 1:
            cv2.circle(bgr, (x, y), size // 3, colour, -1, cv2.LINE_AA)
        case 2:
            text = "".join(chance.choice("AEKRSNOT 0123479") for _ in range(chance.randint(2, 12)))
            cv2.putText(bgr, text, (x, y), chance.randrange(4), size / 60, colour, chance.randint(1, 3), cv2.LINE_AA)
        case 3:
            ends = (x + chance.randint(-size, size) * 3, y + chance.randint(-size, size) * 3)
            cv2.line(bgr, (x, y), ends, colour, chance.randint(1, 12), cv2.LINE_AA)
        case _:
            _paste(bgr, other, (x, y), size, chance)


def _paste(bgr: Bgr, other: Shot, at: tuple[int, int], size: int, chance: random.Random) -> None:
    """A piece of another picture, often of its board."""
    height, width = other.bgr.shape[:2]
    w, h = min(width, 2 * size), min(height, int(2 * size * chance.uniform(0.5, 1.5)))
    left, top = chance.randint(0, width - w), chance.randint(0, height - h)
    piece = other.bgr[top : top + h, left : left + w]
    x, y = at[0] - w // 2, at[1] - h // 2
    x0, y0, x1, y1 = max(0, x), max(0, y), min(bgr.shape[1], x + w), min(bgr.shape[0], y + h)
    if x1 > x0 and y1 > y0:
        bgr[y0:y1, x0:x1] = piece[y0 - y : y1 - y, x0 - x : x1 - x]


def nothing(other: Shot, chance: random.Random) -> Bgr:
    """A view without a board."""
    bgr = _surroundings(other, VIEW_WH_PX, chance)
    for _ in range(chance.choice((0, 3, 9))):
        _strew(bgr, other, chance)
    return bgr
