"""What a camera's H.264 encoder does to pictures, near enough to train on; no bit stream is made.

Colour at half the size; every 4 × 4 block is guessed from its neighbours (key frames) or from the picture before, what
is left goes through the standard's transform and quantiser, and its deblocking filter smooths the seams. A real
encoder guesses from what it has decoded so far, block after block; here neighbours come from a first pass over the
whole picture. docs/simulator.md says how near that comes.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Bgr

Floats = npt.NDArray[np.float32]
Guesses = tuple[Floats, Floats, Floats, Floats, Floats]
Blocks = npt.NDArray[np.float32]
"""A plane as BLOCK × BLOCK × rows × columns: first where in its block a pixel lies, then which block it is."""
MACROBLOCK, BLOCK = 16, 4
SIDE = MACROBLOCK // BLOCK
KEY_FINER = 3
"""Key frames are quantised so many steps finer, as encoders do."""
ROUND_KEY, ROUND_LATER = 1 / 3, 1 / 6
"""What is added before cutting to whole numbers of steps: the less, the more small detail is dropped."""
STEP_0 = 0.625
"""The quantiser's step at QP 0; six more double it."""
LARGE_SAVES = 1.1
"""Guessing a whole macroblock at once saves bits: it may be worse by so many steps in each of its blocks."""
MOVED = 24.0
"""A macroblock that differs from the picture before by so many steps, pixels summed up, may be guessed anew."""
LEAST_WORTH = 6.0
"""A macroblock whose values are worth less together gets none: encoders save the bits."""
WORTH = np.array([max(0.0, 3 - (row + column) / 2) for row in range(BLOCK) for column in range(BLOCK)], np.float32)
"""What each place of a block is worth when its value is one step."""
_ROWS = np.array([(1, 1, 1, 1), (2, 1, -1, -2), (1, -1, -1, 1), (1, -2, 2, -1)], dtype=np.float32)
_ROWS /= np.linalg.norm(_ROWS, axis=1, keepdims=True)
TRANSFORM = np.kron(_ROWS, _ROWS)
"""The standard's 4 × 4 transform with its scaling, of blocks as columns of 16."""
CHROMA_QP = (*range(30), 29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39)


def step(qp: int) -> float:
    """The quantiser's step in grey levels."""
    return float(STEP_0 * 2 ** (qp / 6))


class Codec:
    """Encodes and decodes pictures of one stream: `qp` 1–51 is how coarsely, a key frame comes every `key_every`."""

    def __init__(self, qp: int, key_every: int = 1) -> None:
        self._qp, self._key_every = qp, key_every
        self._count = 0
        self._before: list[Blocks] = []

    def through(self, picture: Bgr) -> Bgr:
        """The next picture as it is decoded; all have the same size."""
        height, width = picture.shape[:2]
        below, beyond = -height % (2 * MACROBLOCK), -width % (2 * MACROBLOCK)
        whole = cv2.copyMakeBorder(picture, 0, below, 0, beyond, cv2.BORDER_REPLICATE) if below or beyond else picture
        tall, wide = whole.shape[:2]
        yuv = cv2.cvtColor(whole, cv2.COLOR_BGR2YUV_I420)
        planes = [yuv[:tall], *yuv[tall:].reshape(2, tall // 2, wide // 2)]
        key = self._count % self._key_every == 0
        self._count += 1
        qp = max(1, self._qp - KEY_FINER) if key else self._qp
        found = []
        for k, plane in enumerate(planes):
            before = None if key else self._before[k]
            found.append(_decoded(_blocks(plane), CHROMA_QP[qp] if k else qp, before, bool(k)))
        self._before = found
        seen = [_plane(blocks) for blocks in found]
        stacked = np.concatenate([seen[0], *(plane.reshape(-1, wide) for plane in seen[1:])])
        return np.asarray(cv2.cvtColor(stacked, cv2.COLOR_YUV2BGR_I420)[:height, :width], dtype=np.uint8)


def _blocks(plane: npt.NDArray[np.uint8]) -> Blocks:
    height, width = plane.shape
    split = plane.reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK).transpose(1, 3, 0, 2)
    return np.ascontiguousarray(split).astype(np.float32)


def _plane(blocks: Blocks) -> npt.NDArray[np.uint8]:
    _, _, rows, columns = blocks.shape
    whole = cv2.convertScaleAbs(blocks.reshape(BLOCK * BLOCK, -1)).reshape(blocks.shape)
    upright = np.ascontiguousarray(whole.transpose(2, 0, 3, 1), dtype=np.uint8)
    return upright.reshape(rows * BLOCK, columns * BLOCK)


def _decoded(blocks: Blocks, qp: int, before: Blocks | None, chroma: bool) -> Blocks:
    if before is None:
        found, _ = _from_neighbours(blocks, qp)
        smooth_seams(found, qp, chroma, None)
        return found
    left = blocks - before
    error = _by_macroblock(np.abs(left).sum(axis=(0, 1)))
    found = _quantised(left, step(qp), ROUND_LATER, True)
    coded = np.asarray(found.any(axis=(0, 1)))
    found += before
    moved = error > MOVED * step(qp)
    if moved.any():
        rows, columns = (_around(np.asarray(moved.any(axis=axis))) for axis in (1, 0))
        anew, guessed = _from_neighbours(blocks[:, :, rows, columns], qp)
        better = _of_blocks(guessed < _part(error, rows, columns))
        np.copyto(found[:, :, rows, columns], anew, where=better)
        coded[rows, columns] |= better
    smooth_seams(found, qp, chroma, coded)
    return found


def _around(lines: npt.NDArray[np.bool_]) -> slice:
    """The blocks of the macroblocks from the first line that is set to the last, and one more on either side."""
    (where,) = np.nonzero(lines)
    return slice(SIDE * max(0, int(where[0]) - 1), SIDE * min(len(lines), int(where[-1]) + 2))


def _part(of_macroblocks: Floats, rows: slice, columns: slice) -> Floats:
    return of_macroblocks[rows.start // SIDE : rows.stop // SIDE, columns.start // SIDE : columns.stop // SIDE]


def _from_neighbours(blocks: Blocks, qp: int) -> tuple[Blocks, Floats]:
    """Blocks as a key frame has them, without deblocking; and the error of the guesses in each macroblock."""
    guesses = _guesses(blocks, blocks)
    large, middle, above, left, slanting = guesses
    wide = large[None, None], middle[None, None], above[None], left[:, None], slanting
    work = np.empty_like(blocks)  # one for all: fresh memory costs as much as the sums
    errors = np.stack([_error(blocks, guess, work) for guess in wide])
    errors[0] -= LARGE_SAVES * step(qp)
    whole, parts = _by_macroblock(errors[0]), _by_macroblock(errors[1:].min(axis=0))
    at_once = _of_blocks(whole < parts)
    modes = np.where(at_once, 0, 1 + errors[1:].argmin(axis=0))
    chosen = [(modes == mode).astype(np.float32) for mode in range(len(errors))]
    first = _added(_mixed(guesses, chosen), blocks, qp, at_once)
    found = _added(_mixed(_guesses(first, blocks), chosen), blocks, qp, at_once)
    return found, np.minimum(whole, parts)


def _error(blocks: Blocks, guess: Floats, work: Blocks) -> Floats:
    """The sum of absolute differences of each block."""
    np.subtract(blocks, guess, out=work)
    np.abs(work, out=work)
    out: Floats = work.reshape(BLOCK * BLOCK, *blocks.shape[2:]).sum(axis=0)
    return out


def _added(guess: Blocks, blocks: Blocks, qp: int, at_once: npt.NDArray[np.bool_]) -> Blocks:
    """A guess and what is kept of its error."""
    left = blocks - guess
    guess += _quantised(left, step(qp), ROUND_KEY, at_once)
    return guess


def _quantised(left: Blocks, by: float, rounding: float, sparse: npt.NDArray[np.bool_] | bool) -> Blocks:
    """What is left of blocks after transform, quantiser and back; in `sparse` blocks, stray values are dropped."""
    values = TRANSFORM @ left.reshape(BLOCK * BLOCK, -1)
    whole = np.abs(values)
    whole *= np.float32(1 / by)
    whole += np.float32(rounding)
    np.floor(whole, out=whole)
    worth = _by_macroblock((WORTH @ np.minimum(whole, 3.0)).reshape(left.shape[2:]))
    kept = ~(_of_blocks(worth < LEAST_WORTH) & sparse)
    whole *= (kept * np.float32(by)).ravel()
    np.copysign(whole, values, out=whole)
    out: Blocks = np.matmul(TRANSFORM.T, whole, out=values).reshape(left.shape)
    return out


def _by_macroblock(values: Floats) -> Floats:
    """Sums of the values (rows × columns) of the blocks of each macroblock."""
    rows, columns = values.shape
    out: Floats = values.reshape(rows // SIDE, SIDE, columns // SIDE, SIDE).sum(axis=(1, 3))
    return out


def _of_blocks(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Values of macroblocks (rows × columns), for each of their blocks."""
    return np.repeat(np.repeat(values, SIDE, axis=0), SIDE, axis=1)


def _guesses(known: Blocks, blocks: Blocks) -> Guesses:
    """What blocks may be guessed to be: their macroblock's mean; of the edges of what is `known` above and to the left
    the mean, the upper one drawn down, the left one drawn to the right, both drawn aslant.
    """
    means = _by_macroblock(blocks.sum(axis=(0, 1))) / (MACROBLOCK * MACROBLOCK)
    above, left = np.empty_like(known[0]), np.empty_like(known[0])
    above[:, 1:], left[:, :, 1:] = known[3, :, :-1], known[:, 3, :, :-1]
    above[:, 0], left[:, :, 0] = known[0, :, 0].mean(axis=0), known[:, 0, :, 0].mean(axis=0)
    corner = left[:1].copy()
    corner[0, 1:, 1:] = known[3, 3, :-1, :-1]
    round_it = np.concatenate([left[::-1], corner, above])  # from the lower left to the upper right
    soft = (round_it[:-2] + 2 * round_it[1:-1] + round_it[2:]) / 4
    slanting = np.stack([soft[3 - row : 7 - row] for row in range(BLOCK)])
    middle = (above.sum(axis=0) + left.sum(axis=0)) / (2 * BLOCK)
    return _of_blocks(means), middle, above, left, slanting


def _mixed(guesses: Guesses, chosen: list[Floats]) -> Blocks:
    """Of each block the guess that is chosen: `chosen` is 1 there, else 0 (rows × columns, for each of the guesses)."""
    large, middle, above, left, slanting = (guess * of for guess, of in zip(guesses, chosen, strict=True))
    slanting += above + (large + middle)
    slanting += left[:, None]
    return slanting


ALPHA = (
    *((0,) * 16 + (4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25, 28, 32, 36)),
    *(40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255),
)
BETA = (
    *((0,) * 16 + (2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8, 9, 9)),
    *(10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18),
)
REACH = (0,) * 17 + (1,) * 10 + (2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 23, 25)
"""The standard's thresholds by QP: a seam of more than ALPHA or beside more than BETA is a real edge; REACH is how far
a pixel at a seam may be moved (strength 3)."""


def smooth_seams(blocks: Blocks, qp: int, chroma: bool = False, coded: npt.NDArray[np.bool_] | None = None) -> None:
    """The standard's deblocking filter, in place; `coded` says which blocks got anything new, None for a key frame.

    A key frame's macroblocks get the same filter at their seams as the blocks in them.
    """
    if not ALPHA[qp]:
        return
    _smooth(blocks.swapaxes(0, 1), 2, qp, chroma, coded)  # seams left and right of blocks, then above and below
    _smooth(blocks, 1, qp, chroma, coded)


def _smooth(lines: Blocks, axis: int, qp: int, chroma: bool, coded: npt.NDArray[np.bool_] | None) -> None:
    """The seams between blocks that are neighbours along an axis of their lines (BLOCK × rows × columns)."""
    first: tuple[slice, ...] = (slice(None),) * axis + (slice(None, -1),)
    second: tuple[slice, ...] = (slice(None),) * axis + (slice(1, None),)
    p2, p1, p0 = (lines[k][first] for k in (1, 2, 3))
    q0, q1, q2 = (lines[k][second] for k in (0, 1, 2))
    where = None if coded is None else (coded[first[1:]] | coded[second[1:]])
    beta, limit = np.float32(BETA[qp]), np.float32(REACH[qp])
    across = q0 - p0
    seam = (np.abs(across) < ALPHA[qp]) & (np.abs(p1 - p0) < beta) & (np.abs(q1 - q0) < beta)
    if where is not None:
        seam &= where
    reach = limit * seam
    move = 4 * across
    move += p1
    move -= q1
    move *= np.float32(1 / 8)
    if chroma:
        reach += seam
    else:
        middle = (p0 + q0) / 2
        for edge, inner, far in ((p0, p1, p2), (q0, q1, q2)):
            flat = seam & (np.abs(far - edge) < beta)
            reach += flat
            bound = limit * flat
            inner += np.clip((far + middle) / 2 - inner, -bound, bound)
    np.clip(move, -reach, reach, out=move)
    p0 += move
    q0 -= move
