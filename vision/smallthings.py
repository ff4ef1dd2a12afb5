"""The trained net that finds small things: every die and cube in a picture of about the right size.

It knows neither board nor colours. A picture is brought to a size at which a die is about DIE_PX wide: a board by
its corners (`board_view`), any other picture by the size that its dice have (`scaled_view`).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry, Corners, Matrix, apply, homography, inverse
from vision import nets
from vision.frame import Bgr
from vision.peaks import between_cells
from vision.warp import shrunk
from vision.window import level_of, planes

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
WEIGHTS = "small.onnx"
COLUMN_PX = 44.0
DIE_PX = 16.0
ROWS = 10.8
"""The field's height in widths of a point, as most boards have it; photos do not tell it."""
WIDTH_PX, HEIGHT_PX = 896, 560
"""The board's view: more than three columns of surroundings at the sides, one above and below."""
STRIDE, STEP = 4, 16
"""Pixels of a view to a cell of the answer; the sides of what the net takes are multiples of STEP."""
BEYOND = 128
"""Grey level beyond the picture's edge."""
LEAST = 0.03
"""Middles less likely than this are not worth reading."""
APART = 0.75
"""Two middles are at least so many sides apart."""


@dataclass(frozen=True, slots=True)
class View:
    """A picture brought to the net's scale, and the transform (3×3) from its pixels to the picture's."""

    bgr: Bgr
    image_from_view: Matrix


@dataclass(frozen=True, slots=True)
class Things:
    """Middles (n × 2) and mean edges (n) of upper faces in pixels, how likely each is there (n), and the log-odds that
    it leans if it is a die (n).
    """

    xy: Doubles
    side: Doubles
    p: Doubles
    lean: Doubles

    @property
    def spots(self) -> Doubles:
        """Middle x, y and edge of each, n × 3, as `vision.readers` takes them."""
        return np.column_stack([self.xy, self.side])

    def chosen(self, which: npt.NDArray[np.bool_] | list[int]) -> Things:
        """Only some of them: a mask, or their indices in the order wanted."""
        return Things(self.xy[which], self.side[which], self.p[which], self.lean[which])


def view_from_image(geometry: BoardGeometry) -> Matrix:
    """3×3 homography from image pixels to those of the board's view."""
    half_w, half_h = COLUMN_PX / geometry.column_width / 2, COLUMN_PX * ROWS / 2
    x, y = (WIDTH_PX - 1) / 2, (HEIGHT_PX - 1) / 2
    field: Corners = (
        (x - half_w, y - half_h),
        (x + half_w, y - half_h),
        (x + half_w, y + half_h),
        (x - half_w, y + half_h),
    )
    return homography(geometry.corners, field)


def board_view(bgr: Bgr, geometry: BoardGeometry) -> View:
    """The field with its surroundings seen from above, HEIGHT_PX × WIDTH_PX."""
    transform = view_from_image(geometry)
    finer = geometry.column_px / COLUMN_PX
    return View(shrunk(bgr, transform, (WIDTH_PX, HEIGHT_PX), finer, beyond=(BEYOND,) * 3), inverse(transform))


def scaled_view(bgr: Bgr, die_px: float) -> View:
    """The whole picture at a scale at which dice of an edge of `die_px` are DIE_PX wide."""
    scale = DIE_PX / die_px
    size = max(1, round(bgr.shape[1] * scale)), max(1, round(bgr.shape[0] * scale))
    small = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    sx, sy = bgr.shape[1] / size[0], bgr.shape[0] / size[1]
    back: Matrix = np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1.0]])
    return View(np.asarray(small, dtype=np.uint8), back)


def look(view: View, *, thoroughly: bool = False) -> Things:
    """What small things a view shows, dice and cubes alike, in the picture's pixels.

    `thoroughly` asks the net eight times as often: also about the view mirrored and on its side.
    """
    given = net_input(view.bgr, *level_of(view.bgr))
    answer = _of_all_sides(given) if thoroughly else nets.answer(WEIGHTS, given)[0]
    return _in_image(distinct(concat([things_of(answer[kind], answer[2], answer[3]) for kind in (0, 1)])), view)


def _of_all_sides(given: Floats) -> Floats:
    """The mean of what the net answers to its input (1 × 3 × height × width) and to its seven mirror images."""
    told = []
    for axes in ((), (2,), (3,), (2, 3)):
        one = np.ascontiguousarray(np.flip(given, axes))
        side = np.ascontiguousarray(one.transpose(0, 1, 3, 2))
        answers = nets.answer(WEIGHTS, one), nets.answer(WEIGHTS, side).transpose(0, 1, 3, 2)
        told += [np.flip(answer, axes)[0] for answer in answers]
    return np.asarray(np.mean(told, axis=0), dtype=np.float32)


def net_input(bgr: Bgr, level: float, spread: float) -> Floats:
    """A view as the net takes it, 1 × 3 × height × width: filled up to multiples of STEP, free of exposure."""
    height, width = bgr.shape[:2]
    below, right = -height % STEP, -width % STEP
    if below or right:
        bgr = np.asarray(
            cv2.copyMakeBorder(bgr, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(BEYOND,) * 3), dtype=np.uint8
        )
    return planes(bgr, level, spread)


def things_of(logits: Floats, sides: Floats, leans: Floats) -> Things:
    """The peaks of a layer in the view's pixels; of those closer than things can be the likeliest stays."""
    highest = cv2.dilate(logits, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((logits >= highest) & (logits > np.log(LEAST / (1 - LEAST))))
    p = 1 / (1 + np.exp(-logits[rows, columns].astype(np.float64)))
    side = DIE_PX * np.exp2(np.clip(sides[rows, columns], -2, 2).astype(np.float64))
    xy = (between_cells(logits, rows, columns) + 0.5) * STRIDE - 0.5
    return distinct(Things(xy, side, p, leans[rows, columns].astype(np.float64)))


def distinct(things: Things) -> Things:
    """Without those that lie closer to a likelier one than two things can, the likeliest first."""
    kept: list[int] = []
    for n in np.argsort(-things.p):
        near = np.hypot(*(things.xy[kept] - things.xy[n]).T) < APART * (things.side[kept] + things.side[n]) / 2
        if not near.any():
            kept.append(int(n))
    return things.chosen(kept)


def concat(several: list[Things]) -> Things:
    """All things of several views."""
    return Things(
        np.concatenate([one.xy for one in several]),
        np.concatenate([one.side for one in several]),
        np.concatenate([one.p for one in several]),
        np.concatenate([one.lean for one in several]),
    )


def _in_image(things: Things, view: View) -> Things:
    """The same in the picture's pixels."""
    if not len(things.p):
        return things
    xy = apply(view.image_from_view, things.xy)
    return Things(xy, things.side * _scales(view.image_from_view, things.xy), things.p, things.lean)


def _scales(transform: Matrix, xy: Doubles) -> Doubles:
    """How much longer a transform makes things at places (n × 2), on the average of two directions (n)."""
    half = 0.5 * np.eye(2)
    sides = [apply(transform, xy + step) - apply(transform, xy - step) for step in half]
    found: Doubles = np.linalg.svd(np.stack(sides, axis=2), compute_uv=False).mean(axis=1)
    return found
