"""Arms over the board: whoever reaches in must cross the near or the far rail.

Only a stream can tell: the strips just outside the two long rails are compared with how they
looked while nobody reached in. A thing that stays (a cup on the frame) becomes part of the picture.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np
import numpy.typing as npt

from vision.lab import Floats
from vision.rectify import Rectified

STRIP_COLUMNS = (0.1, 0.9)
CHANGED = 18.0
"""Levels by which a place must differ from the quiet picture in blue, green or red: a sleeve may be as dark as wood."""
WIDEST_QUIET_COLUMNS, BAR_CHECKERS_COLUMNS = 0.6, 0.3
"""What is no arm: what is so narrow, and what lies on the bar or so far beside it."""
ADOPT_AFTER_S = 20.0
FOLLOW = 0.05
LIGHT_MOST, BESIDE_EDGES, EDGE, EDGE_COLUMNS = 0.25, 0.1, 0.08, 0.6
"""By what share the light may change a rail from one picture to the next, and where an arm moves there too: that makes
an edge, so great a share within that part of a column."""
DARK = 10.0
"""Levels that are added before shares are taken: of black nothing can be told."""
SAMPLE_S, SAMPLES, LEAST_SAMPLES = 2.0, 15, 10
"""The rails are remembered so often, so many times; arms come and go, so what most of these show is the wood."""


class ArmGate:
    """Remembers the quiet rails of one camera and says when something crosses them."""

    def __init__(self) -> None:
        self._quiet: Floats | None = None
        self._before: Floats | None = None
        self._since_s: float | None = None
        self._crossing: Floats | None = None
        self._samples: deque[Floats] = deque(maxlen=SAMPLES)
        self._sampled_s = -math.inf

    def crossed(self, upright: Rectified, at_s: float) -> bool:
        """Whether something wider than a finger crosses a long rail; always of the same board, straightened alike."""
        rails = _rails(upright)
        before, self._before = self._before, rails
        if self._quiet is None or before is None:
            self._quiet = rails
            return False
        near = round(EDGE_COLUMNS * upright.column_px)
        self._quiet = _lit(self._quiet, _light(before, rails, near))  # also where an arm lies: it is in the same light
        self._quiet = _lit(self._quiet, FOLLOW * _light(self._quiet, rails, near))
        usual = self._usual(rails, at_s)
        if _narrow(rails, self._quiet, upright):
            self._quiet = self._quiet + FOLLOW * (rails - self._quiet)
            self._since_s = None
            return False
        same = self._crossing is not None and float(np.abs(rails - self._crossing).mean()) < CHANGED / 6
        if self._since_s is None or not same:
            self._since_s = at_s
        self._crossing = rails
        if at_s - self._since_s >= ADOPT_AFTER_S or (usual is not None and _narrow(rails, usual, upright)):
            self._quiet, self._since_s = rails, None
            return False
        return True

    def _usual(self, rails: Floats, at_s: float) -> Floats | None:
        """What most pictures of the last half minute show; None before there are enough of them."""
        if at_s - self._sampled_s >= SAMPLE_S:
            self._samples.append(rails)
            self._sampled_s = at_s
        if len(self._samples) < LEAST_SAMPLES:
            return None
        return np.asarray(np.median(self._samples, axis=0), dtype=np.float32)


def _rails(upright: Rectified) -> Floats:
    """2 × width × 3: mean colour of the strips above and below the field."""
    near, far = (round(c * upright.column_px) for c in STRIP_COLUMNS)
    top, bottom = upright.margin_px, upright.bgr.shape[0] - upright.margin_px
    strips = upright.bgr[top - far : top - near], upright.bgr[bottom + near : bottom + far]
    return np.stack([strip.mean(axis=0, dtype=np.float32) for strip in strips])


def _light(before: Floats, now: Floats, near: int) -> Floats:
    """By what share (as a logarithm) the light has changed; where an arm moves, as on both sides of it.

    An edge is a difference over `near` places.
    """
    change = np.log((now + DARK) / (before + DARK))
    places = np.arange(change.shape[1])
    light = np.zeros_like(change)
    for rail, row in enumerate(change):
        steep = np.abs(row[near:] - row[:-near]).max(axis=1) > EDGE
        smooth = np.convolve(steep, np.ones(near + 1)) == 0
        most = LIGHT_MOST if smooth.all() else BESIDE_EDGES
        kept = [k for first, end in _runs(smooth) if np.abs(row[first:end]).max() <= most for k in range(first, end)]
        if 2 * len(kept) >= len(places):
            for colour in range(3):
                light[rail, :, colour] = np.interp(places, kept, row[kept, colour])
    return light


def _lit(rails: Floats, light: Floats) -> Floats:
    """The rails in a light so changed."""
    return (rails + DARK) * np.exp(light) - DARK


def _narrow(rails: Floats, quiet: Floats, upright: Rectified) -> bool:
    """No change on either rail is as wide as an arm; over the bar only what goes on at both its sides counts.

    Checkers that were hit may lie there up to the rail.
    """
    changed = np.abs(rails - quiet).max(axis=2) > CHANGED
    left, right = (upright.x_px(x) for x in upright.geometry.bar)
    beside = BAR_CHECKERS_COLUMNS * upright.column_px
    first, end = round(left - beside), round(right + beside)
    changed[:, first:end] &= changed[:, [first - 1]] & changed[:, [end]]
    widest = max((end - first for row in changed for first, end in _runs(row)), default=0)
    return widest <= WIDEST_QUIET_COLUMNS * upright.column_px


def _runs(row: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where the runs of True in `row` begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]]))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
