"""What the faces of dice and doubling cubes look like: pips, numerals, logos, paint and engraving, by chance."""

from __future__ import annotations

import random
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.frame import Bgr
from vision.synth.bodies import AROUND, OPPOSITE, SIDES
from vision.synth.chance import palette
from vision.synth.render.sprites import PIPS
from vision.synth.table import Bgr3, shade
from vision.training.readers.closeup import Floats, Skin

TILE = 64
FONTS = (
    *("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf"),
    *("DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSans-ExtraLight.ttf", "DejaVuSansMono-Bold.ttf"),
    *("NimbusSans-Regular.otf", "NimbusSans-Bold.otf", "NimbusSansNarrow-Regular.otf", "NimbusSansNarrow-Bold.otf"),
    *("NimbusRoman-Regular.otf", "NimbusRoman-Bold.otf", "NimbusRoman-Italic.otf", "NimbusSans-BoldItalic.otf"),
    *("C059-Roman.otf", "C059-Bold.otf", "P052-Roman.otf", "P052-Bold.otf", "URWBookman-Light.otf"),
    *("URWBookman-Demi.otf", "URWGothic-Book.otf", "URWGothic-Demi.otf", "Z003-MediumItalic.otf"),
    *("C059-BdIta.otf", "P052-BoldItalic.otf", "NotoSansMono-Bold.ttf", "NimbusMonoPS-Bold.otf"),
)
"""Free fonts of Debian's fonts-dejavu, fonts-urw-base35 and fonts-noto-mono; those that are missing are left out."""
STROKES = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ&QSZBGO"
"""What logos are made of; those that look like digits come twice."""
BODIES: tuple[Bgr3, ...] = (
    *((238, 240, 242), (225, 232, 236), (190, 212, 226), (36, 34, 34), (28, 26, 60), (60, 30, 26), (44, 36, 170)),
    *((170, 70, 40), (70, 130, 50), (60, 170, 220), (130, 60, 90), (60, 220, 240), (90, 60, 30), (40, 90, 140)),
    *((120, 60, 20), (90, 110, 20), (150, 90, 200), (60, 80, 90), (140, 150, 150), (60, 110, 170), (170, 190, 60)),
)
INKS: tuple[Bgr3, ...] = (
    *((240, 240, 240), (240, 240, 240), (240, 240, 240), (26, 26, 26), (26, 26, 26), (40, 36, 170), (50, 200, 230)),
    *((60, 150, 190), (150, 60, 30), (60, 130, 40), (30, 20, 120)),
)
CONTRAST = 22.0
"""Ink and body differ by at least so much, as a distance in CIE Lab."""


def die_skin(chance: random.Random, pips: int) -> Skin:
    """A die's faces with `pips` on +z."""
    body, ink = _colours(chance)
    paint, rise = _plain(chance, body)
    around = list(AROUND[pips])
    if chance.random() < 0.5:
        around.reverse()
    turn = chance.randrange(4)
    east, north, west, south = (around[(k + turn) % 4] for k in range(4))
    step = chance.uniform(0.19, 0.3)
    radius = min(chance.uniform(0.06, 0.13), 0.52 * step)
    narrow = chance.uniform(0.6, 1.0) if chance.random() < 0.6 else 1.0
    depth = chance.choice((0.0, chance.uniform(0.2, 1.2), chance.uniform(-0.4, 0)))
    one = chance.uniform(1.3, 2.0) if chance.random() < 0.12 else 1.0
    red = chance.random() < 0.08
    for face, number in enumerate((east, west, north, south, pips)):
        colour = (44, 40, 190) if red and number in (1, 4) else ink
        marks = _pips(chance, number, step, radius * (one if number == 1 else 1.0), narrow)
        _print(paint, face, colour, marks)
        if depth:
            rise[:, face * TILE : (face + 1) * TILE] = depth * _bowls(marks, radius)
    if chance.random() < 0.1:
        _shining_through(chance, paint, ink, 7 - pips, step, radius)
    return _skin(chance, paint, rise)


def cube_skin(chance: random.Random, value: int | None) -> Skin:
    """A cube's faces with `value` on +z, or with a face without a number there."""
    body, ink = _colours(chance)
    if chance.random() < 0.45:
        body, ink = (palette.jittered(chance, (226, 234, 238)), palette.jittered(chance, (36, 30, 30), 20))
    paint, rise = _plain(chance, body)
    top = value or 64
    a, b = SIDES[top]
    font = chance.randrange(len(fonts()) + len(STROKES))
    tall, bold = chance.uniform(0.42, 0.86), chance.choice((0.0, 0.0, 0.01, 0.02, 0.035))
    squeeze = chance.uniform(0.75, 1.15)
    depth = chance.choice((0.0, 0.0, chance.uniform(0.2, 1.0), chance.uniform(-0.6, 0)))
    frame, second = chance.choice(("", "", "", "disc", "disc", "ring", "edge", "inset")), _second(chance, body, ink)
    wear = chance.uniform(0.1, 0.45) if chance.random() < 0.25 else 0.0
    line, brush = chance.random() < 0.12, chance.uniform(1.0, 4.0) if chance.random() < 0.15 else 0.0
    for face, number in enumerate((a, OPPOSITE[a], b, OPPOSITE[b], top)):
        area, on = _framed(frame, second, ink)
        if frame:
            _print(paint, face, second, area)
        turn = chance.randrange(4)
        if face == 4 and value is None:
            marks = np.zeros((TILE, TILE), np.float32) if chance.random() < 0.2 else _picture(chance)
        else:
            marks = _numeral(
                chance, str(number), font, tall * (0.8 if frame in ("disc", "ring") else 1), bold, squeeze, line
            )
        marks = np.ascontiguousarray(np.rot90(_by_hand(chance, marks, brush) if brush else marks, turn))
        _print(paint, face, on, _worn(chance, marks, wear) if wear else marks)
        if depth:
            rise[:, face * TILE : (face + 1) * TILE] = depth * _rise(marks)
    return _skin(chance, paint, rise)


@lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """Those of FONTS that this machine has."""
    found = []
    for name in FONTS:
        try:
            ImageFont.truetype(name, 12)
        except OSError:
            continue
        found.append(name)
    return tuple(found)


def _colours(chance: random.Random) -> tuple[Bgr3, Bgr3]:
    """Body and ink that can be told apart."""
    if chance.random() < 0.45:
        return palette.die(chance)
    for _ in range(30):
        body, ink = (
            palette.jittered(chance, chance.choice(BODIES), 30),
            palette.jittered(chance, chance.choice(INKS), 20),
        )
        if _apart(body, ink) > CONTRAST:
            return body, ink
    return palette.die(chance)


def _apart(one: Bgr3, two: Bgr3) -> float:
    lab = cv2.cvtColor(np.asarray([[one, two]], dtype=np.float32) / 255, cv2.COLOR_BGR2LAB)[0]
    return float(np.hypot(lab[0, 0] - lab[1, 0], 0.5 * np.hypot(*(lab[0, 1:] - lab[1, 1:]))))


def _second(chance: random.Random, body: Bgr3, ink: Bgr3) -> Bgr3:
    """A third colour, for the frame around a numeral."""
    for _ in range(20):
        found = palette.jittered(chance, chance.choice(BODIES), 20)
        if _apart(found, ink) > CONTRAST + 8 and _apart(found, body) > 12:
            return found
    return body


def _plain(chance: random.Random, body: Bgr3) -> tuple[Bgr, Floats]:
    """Six faces without marks: of one colour, or marbled."""
    paint = np.empty((TILE, 6 * TILE, 3), np.uint8)
    paint[:] = body
    if chance.random() < 0.35:
        other = palette.jittered(chance, chance.choice(BODIES), 30) if chance.random() < 0.5 else None
        other = other or shade(body, chance.uniform(0.5, 1.6))
        grain = np.random.default_rng(chance.getrandbits(32)).standard_normal((16, 96)).astype(np.float32)
        soft = cv2.GaussianBlur(grain, (0, 0), 0.4 if chance.random() < 0.2 else chance.uniform(0.8, 4))
        share = np.clip(soft / soft.std() * chance.uniform(0.2, 1.2) + chance.uniform(0.1, 0.5), 0, 1)
        large = cv2.resize(share, (6 * TILE, TILE), interpolation=cv2.INTER_CUBIC)[..., None]
        paint = np.clip((1 - large) * paint + large * np.asarray(other), 0, 255).astype(np.uint8)
    return paint, np.zeros((TILE, 6 * TILE, 2), np.float32)


def _print(paint: Bgr, face: int, bgr: Bgr3, share: Floats) -> None:
    """Ink onto one face."""
    area = paint[:, face * TILE : (face + 1) * TILE]
    area[:] = area + share[..., None] * (np.asarray(bgr, np.float32) - area)


def _worn(chance: random.Random, marks: Floats, wear: float) -> Floats:
    """Print that has come off in places."""
    grain = np.random.default_rng(chance.getrandbits(32)).standard_normal((TILE // 4, TILE // 4)).astype(np.float32)
    return marks * np.clip(1 - wear + 0.5 * wear * cv2.resize(grain, (TILE, TILE)), 0, 1)


def _pips(chance: random.Random, number: int, step: float, radius: float, narrow: float) -> Floats:
    """Where the ink of pips is on a face, 0–1."""
    marks = np.zeros((TILE, TILE), np.uint8)
    middle = TILE / 2 + chance.gauss(0, 0.5), TILE / 2 + chance.gauss(0, 0.5)
    squeeze = narrow if number == 6 else 1.0
    flip = chance.choice((-1, 1))
    for u, v in PIPS[number]:
        x, y = middle[0] + TILE * step * u * flip * squeeze, middle[1] + TILE * step * v
        cv2.circle(marks, (round(x * 16 - 8), round(y * 16 - 8)), round(TILE * radius * 16), 255, -1, cv2.LINE_AA, 4)
    turned = np.ascontiguousarray(np.rot90(marks)) if chance.random() < 0.5 else marks
    return np.asarray(turned / 255, dtype=np.float32)


def _bowls(marks: Floats, radius: float) -> Floats:
    """How the bowls of pips slope."""
    soft = cv2.GaussianBlur(marks, (0, 0), TILE * radius * 0.5)
    slopes = np.stack([-cv2.Sobel(soft, cv2.CV_32F, 1, 0), -cv2.Sobel(soft, cv2.CV_32F, 0, 1)], axis=-1)
    return np.asarray(slopes * (0.35 * TILE * radius * marks[..., None]), dtype=np.float32)


def _shining_through(chance: random.Random, paint: Bgr, ink: Bgr3, pips: int, step: float, radius: float) -> None:
    """The pips of the lower face, faint and shifted, seen through a clear upper one."""
    marks = _pips(chance, pips, step * 0.75, radius * 0.9, 1.0)
    shift = np.array([[1, 0, chance.uniform(-10, 10)], [0, 1, chance.uniform(-10, 10)]], np.float32)
    soft = cv2.warpAffine(cv2.GaussianBlur(marks, (0, 0), 2.0), shift, (TILE, TILE))[..., None] * chance.uniform(
        0.1, 0.35
    )
    top = paint[:, 4 * TILE : 5 * TILE]
    clear = np.abs(top.astype(np.int16) - np.asarray(ink)).sum(axis=-1, keepdims=True) > 40
    top[:] = np.where(clear, (1 - soft) * top + soft * np.asarray(ink), top).astype(np.uint8)


def _numeral(
    chance: random.Random, text: str, font: int, tall: float, bold: float, squeeze: float, line: bool
) -> Floats:
    """A numeral in the middle of a face, upright, 0–1."""
    big = glyphs(text, font, round(bold * 96))
    height, width = big.shape
    wide = min(0.86, tall * width / height * squeeze)
    tall = min(tall, wide / squeeze * height / width) if len(text) > 1 else tall
    size = max(4, round(wide * TILE)), max(6, round(tall * TILE))
    small = cv2.resize(big, size, interpolation=cv2.INTER_AREA)
    face = np.zeros((TILE, TILE), np.float32)
    top = round((TILE - size[1]) / 2 + chance.gauss(0, 1.2))
    left = round((TILE - size[0]) / 2 + chance.gauss(0, 1.2))
    top, left = max(0, min(TILE - size[1], top)), max(0, min(TILE - size[0], left))
    face[top : top + size[1], left : left + size[0]] = small.astype(np.float32) / 255
    below = top + size[1] + 3
    if line and below < TILE - 3:
        face[below : below + 3, left : left + size[0]] = 1
    return face


@lru_cache(maxsize=1024)
def glyphs(text: str, font: int, stroke: int) -> Bgr:
    """A text cut to its ink, about 96 pixels high."""
    canvas = np.zeros((200, 96 * len(text) + 120), np.uint8)
    if font < len(fonts()):
        picture = Image.fromarray(canvas)
        pen = ImageDraw.Draw(picture)
        where = (canvas.shape[1] / 2, 100)
        pen.text(where, text, 255, ImageFont.truetype(fonts()[font], 120), "mm", stroke_width=stroke)
        canvas = np.asarray(picture)
    else:
        face = STROKES[(font - len(fonts())) % len(STROKES)]
        cv2.putText(canvas, text, (40, 150), face, 4.0, 255, 6 + 4 * stroke, cv2.LINE_AA)
    rows, columns = np.nonzero(canvas.max(axis=1) > 30)[0], np.nonzero(canvas.max(axis=0) > 30)[0]
    return np.ascontiguousarray(canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _by_hand(chance: random.Random, marks: Floats, reach: float) -> Floats:
    """Strokes as a hand with a brush leads them: off by up to `reach` pixels, swelling and thinning."""
    grain = np.random.default_rng(chance.getrandbits(32)).standard_normal((3, 5, 5)).astype(np.float32)
    away = [cv2.resize(part, (TILE, TILE), interpolation=cv2.INTER_CUBIC) for part in grain]
    y, x = np.mgrid[:TILE, :TILE].astype(np.float32)
    led = cv2.remap(marks, x + reach * away[0], y + reach * away[1], cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(led, (0, 0), 1.5)
    return np.asarray(np.clip(0.5 + 4 * (soft - 0.4 + 0.08 * away[2]), 0, 1), dtype=np.float32)


def _picture(chance: random.Random) -> Floats:
    """A logo: a letter or a few, a word beneath, a shape, or several of these."""
    face = np.zeros((TILE, TILE), np.float32)
    font = chance.randrange(len(fonts()) + len(STROKES))
    kind = chance.randrange(5)
    if kind < 3:
        word = "".join(chance.choices(LETTERS, k=chance.choice((1, 1, 1, 2, 2, 3, 4))))
        face = _numeral(chance, word, font, chance.uniform(0.3, 0.85), 0.01, chance.uniform(0.8, 1.2), False)
    if kind in (0, 4):
        word = "".join(chance.choices(LETTERS, k=chance.randint(3, 7)))
        small = _numeral(chance, word, font, chance.uniform(0.12, 0.25), 0.0, chance.uniform(0.8, 1.2), False)
        face = np.roll(face, -10, axis=0) if kind == 0 else face
        face = np.maximum(face, np.roll(small, chance.randint(16, 22), axis=0))
    if kind in (2, 3):
        shape = np.zeros((TILE, TILE), np.uint8)
        corners = chance.randint(3, 9)
        middle = np.array([TILE / 2 + chance.gauss(0, 3), TILE / 2 + chance.gauss(0, 3)])
        turns = np.sort([chance.uniform(0, 2 * np.pi) for _ in range(corners)])
        reach = np.array([chance.uniform(0.12, 0.42) * TILE for _ in range(corners)])
        points = middle + reach[:, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        if chance.random() < 0.5:
            cv2.fillPoly(shape, [points.astype(np.int32)], 255, cv2.LINE_AA)
        else:
            cv2.polylines(shape, [points.astype(np.int32)], True, 255, chance.randint(2, 5), cv2.LINE_AA)
        face = np.abs(face - np.asarray(shape / 255, dtype=np.float32))
    return face


def _framed(frame: str, second: Bgr3, ink: Bgr3) -> tuple[Floats, Bgr3]:
    """What lies around a numeral in the second colour, 0–1, and the colour of the numeral on it."""
    area = np.zeros((TILE, TILE), np.uint8)
    middle = TILE // 2, TILE // 2
    if frame == "disc":
        cv2.circle(area, middle, round(TILE * 0.42), 255, -1, cv2.LINE_AA)
    elif frame == "ring":
        cv2.circle(area, middle, round(TILE * 0.42), 255, 3, cv2.LINE_AA)
    elif frame == "edge":
        cv2.rectangle(area, (0, 0), (TILE - 1, TILE - 1), 255, 10)
    elif frame == "inset":
        cv2.rectangle(area, (5, 5), (TILE - 6, TILE - 6), 255, 2)
    return np.asarray(area / 255, dtype=np.float32), ink


def _rise(marks: Floats) -> Floats:
    """How engraved strokes slope at their borders."""
    soft = cv2.GaussianBlur(marks, (0, 0), 1.0)
    return np.stack([-cv2.Sobel(soft, cv2.CV_32F, 1, 0), -cv2.Sobel(soft, cv2.CV_32F, 0, 1)], axis=-1) * np.float32(0.5)


def _skin(chance: random.Random, paint: Bgr, rise: Floats) -> Skin:
    glossy = chance.random() < 0.7
    return Skin(
        paint=paint,
        slopes=rise if rise.any() else None,
        gloss=chance.uniform(0.15, 1.0) if glossy else chance.uniform(0, 0.15),
        sharp=10 ** chance.uniform(0.9, 2.8),
        clear=chance.uniform(0.15, 0.6) if chance.random() < 0.12 else 0.0,
    )
