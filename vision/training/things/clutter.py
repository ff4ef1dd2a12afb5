"""What makes drawn pictures of dice less clean: marbled and see-through dice, print, marks and blotches around them."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Bgr

Floats = npt.NDArray[np.float32]
LETTERS = "ABCDEFGHKLMNPRSTXZabdeghknpqrs0123456789:.%&§"


def patina(picture: Bgr, ids: Bgr, marked: list[int], chance: random.Random) -> None:
    """Make some of the things with the ids `marked` marbled, see-through, speckled or shining, in place."""
    kind = chance.choices(("plain", "marble", "clear", "speckle"), (5, 2, 2, 1))[0]
    other = np.array([chance.uniform(0, 255) for _ in range(3)])
    strength = chance.uniform(0.15, 0.6)
    for thing in marked:
        ys, xs = np.nonzero(ids == thing)
        if len(ys) < 30:
            continue
        rows, columns = slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1)
        mask = (ids[rows, columns] == thing).astype(np.float32)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7), dtype=np.float32) * mask
        area = picture[rows, columns].astype(np.float32)
        side = math.sqrt(len(ys))
        level = area[mask > 0.5].mean() if (mask > 0.5).any() else 128.0
        match kind:
            case "marble":
                share = _blotches(mask.shape, side * chance.uniform(0.06, 0.25), chance) * strength
                area = area + (share * mask)[..., None] * (other * (level / max(other.mean(), 40)) - area)
            case "clear":
                share = _blotches(mask.shape, side * chance.uniform(0.15, 0.4), chance)
                area = area * (1 + strength * (share - 0.35) * 1.6 * mask)[..., None]
            case "speckle":
                grain = _blotches(mask.shape, 0.8, chance)
                area = area + ((grain - 0.5) * 160 * strength * mask)[..., None]
        if chance.random() < 0.25:
            y, x = np.indices(mask.shape)
            at = chance.uniform(0.2, 0.8) * mask.shape[0], chance.uniform(0.2, 0.8) * mask.shape[1]
            size = side * chance.uniform(0.04, 0.14)
            shine = np.exp(-((y - at[0]) ** 2 + (x - at[1]) ** 2) / (2 * size**2)) * chance.uniform(40, 200)
            area = area + (shine * mask)[..., None]
        picture[rows, columns] = np.clip(area, 0, 255).astype(np.uint8)


def clutter(picture: Bgr, kept: npt.NDArray[np.bool_], chance: random.Random) -> None:
    """Print, dots, lines, patches and blotches over everything but what is `kept` (rows × columns), in place."""
    before = picture.copy()
    height, width = picture.shape[:2]
    if chance.random() < 0.3:
        blotches = _blotches((height // 8, width // 8), chance.uniform(2, 14), chance)
        light = 1 + chance.uniform(0.1, 0.5) * (cv2.resize(blotches, (width, height)) - 0.5)
        picture[:] = np.clip(picture * light[..., None], 0, 255).astype(np.uint8)
    if chance.random() < 0.55:
        for _ in range(chance.choice((2, 5, 10, 20))):
            _mark(picture, chance)
    mask = np.asarray(cv2.dilate(kept.astype(np.uint8), np.ones((3, 3), np.uint8)), dtype=np.uint8)
    cv2.copyTo(before, mask, picture)


def _mark(picture: Bgr, chance: random.Random) -> None:
    height, width = picture.shape[:2]
    x, y = chance.randrange(width), chance.randrange(height)
    colour = [chance.randrange(256)] * 3 if chance.random() < 0.6 else [chance.randrange(256) for _ in range(3)]
    reach = round(chance.choice((8, 16, 30, 70)) * chance.uniform(0.6, 1.4))
    left, top, right, bottom = max(0, x - reach), max(0, y - reach), min(width, x + reach), min(height, y + reach)
    area = picture[top:bottom, left:right]
    drawn = area.copy()
    at, thick = (x - left, y - top), chance.choice((1, 1, 2, 3))
    match chance.randrange(7):
        case 0:
            word = "".join(chance.choice(LETTERS) for _ in range(chance.choice((1, 1, 2, 5))))
            cv2.putText(drawn, word, (0, at[1]), chance.randrange(8), reach / 30, colour, thick, cv2.LINE_AA)
        case 1:
            cv2.circle(drawn, at, max(2, round(reach * chance.uniform(0.1, 0.9))), colour, -1, cv2.LINE_AA)
        case 2:
            cv2.circle(drawn, at, max(2, round(reach * chance.uniform(0.1, 0.9))), colour, thick, cv2.LINE_AA)
        case 3:
            box = (at, (reach * chance.uniform(0.4, 1.3), reach * chance.uniform(0.4, 1.3)), chance.uniform(0, 90))
            cv2.fillConvexPoly(drawn, cv2.boxPoints(box).astype(np.int32), colour, cv2.LINE_AA)
        case 4:
            end = round(chance.uniform(0, 2 * reach)), round(chance.uniform(0, 2 * reach))
            cv2.line(drawn, at, end, colour, thick, cv2.LINE_AA)
        case 5:
            radius = max(3, round(reach * chance.uniform(0.2, 0.6)))
            inner = [min(255, max(0, round(c + chance.uniform(-90, 90)))) for c in colour]
            cv2.circle(drawn, at, radius, colour, -1, cv2.LINE_AA)
            cv2.circle(drawn, at, max(1, round(radius * chance.uniform(0.15, 0.8))), inner, -1, cv2.LINE_AA)
            if chance.random() < 0.4:
                cv2.line(drawn, (at[0] - radius // 2, at[1]), (at[0] + radius // 2, at[1]), inner, thick, cv2.LINE_AA)
        case _:
            for _ in range(chance.randint(1, 5)):
                spot = round(chance.uniform(0, 2 * reach)), round(chance.uniform(0, 2 * reach))
                cv2.circle(drawn, spot, chance.choice((1, 1, 2, 3)), colour, -1, cv2.LINE_AA)
    share = chance.uniform(0.25, 1.0)
    soft = cv2.GaussianBlur(drawn, (0, 0), chance.uniform(0.4, 1.2))
    cv2.addWeighted(soft, share, area, 1 - share, 0, dst=area)


def _blotches(shape: tuple[int, ...], sigma: float, chance: random.Random) -> Floats:
    """Soft noise (rows × columns) between 0 and 1."""
    white = np.random.default_rng(chance.randrange(1 << 30)).standard_normal(shape, dtype=np.float32)
    soft = cv2.GaussianBlur(white, (0, 0), max(sigma, 0.4))
    return np.asarray(np.clip(0.5 + 0.3 * soft / max(float(soft.std()), 1e-6), 0, 1), dtype=np.float32)
