"""A single moving thing, smeared along its way while the shutter is open."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.frame import Bgr
from vision.synth.render.canvas import Canvas
from vision.synth.solids import Item
from vision.synth.table import Table

Way = tuple[float, float]
"""How far a thing moves in the picture: pixels to the right and down."""
SHORTEST_PX, LONGEST_PX = 1.5, 60.0


def ways(table: Table, opened: list[Item], closed: list[Item]) -> dict[int, Way]:
    """How far each thing in the air gets, by its number from 1; those that hardly move are left out.

    `opened` and `closed` are all things when the shutter opens and closes; where they are not the same ones, nothing
    is known.
    """
    if [item.role for item in opened] != [item.role for item in closed]:
        return {}
    pairs = [(n, a, b) for n, (a, b) in enumerate(zip(opened, closed, strict=True), start=1) if a.aloft and b.aloft]
    if not pairs:
        return {}
    places = table.camera.project([item.centre_mm for _, *both in pairs for item in both]).reshape(-1, 2, 2)
    found = {}
    for (number, _, _), (first, last) in zip(pairs, places, strict=True):
        dx, dy = (last - first).tolist()
        far = math.hypot(dx, dy)
        if far > SHORTEST_PX:
            most = min(1.0, LONGEST_PX / far)
            found[number] = (dx * most, dy * most)
    return found


def smear(canvas: Canvas, before: Bgr, number: int, way: Way) -> None:
    """Smear the thing that was just drawn onto `before`, in place; which pixels are told to be its own stays."""
    own = cv2.inRange(canvas.ids, number, number)
    x, y, wide, tall = cv2.boundingRect(own)
    if not wide:
        return
    beside_x, beside_y = (math.ceil(abs(v) / 2) + 2 for v in way)
    height, width = canvas.picture.shape[:2]
    left, right = max(0, x - beside_x), min(width, x + wide + beside_x)
    top, bottom = max(0, y - beside_y), min(height, y + tall + beside_y)
    mask = cv2.dilate(own[top:bottom, left:right], np.ones((3, 3), np.uint8))
    area = canvas.picture[top:bottom, left:right]
    alone = np.zeros_like(area)
    cv2.copyTo(area, mask, alone)
    cv2.copyTo(before[top:bottom, left:right], mask, area)  # what is behind it
    kernel = _along(way)
    alone = np.asarray(cv2.filter2D(alone, -1, kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.uint8)
    rest = 255 - cv2.filter2D(mask, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    area[:] = cv2.add(cv2.multiply(area, cv2.merge([rest] * 3), scale=1 / 255), alone)


def _along(way: Way) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The kernel of a straight way: few places, as each of them costs time."""
    half = [math.ceil(abs(v) / 2) for v in way]
    kernel = np.zeros((2 * half[1] + 1, 2 * half[0] + 1), np.float32)
    steps = max(2, math.ceil(math.hypot(*way)))
    for k in range(steps):
        share = k / (steps - 1) - 0.5
        kernel[half[1] + round(share * way[1]), half[0] + round(share * way[0])] += 1 / steps
    return kernel
