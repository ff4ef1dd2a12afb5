"""Whether a fixed camera's board still lies where it lay: corners found anew, beside those known before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from calibration.geometry import BoardGeometry, Corners, Matrix, apply, four, homography

SURE_LEAST = 0.6
"""Corners less sure than this are left out."""
ENOUGH = 3
STILL_SHARE, MOVED_SHARE = 0.008, 0.015
"""Of the field's width: corners that lie no further off lie still; those further off have moved, if they agree."""
AGREE_SHARE = 0.3
"""Finds agree when they scatter by less than this share of the way they moved."""


class Lies(StrEnum):
    """What became of a board."""

    STILL = "still"
    MOVED = "moved"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Drift:
    """A verdict; `corners` where the board lies now if it moved, `by_px` how far its worst corner went."""

    lies: Lies
    by_px: float
    corners: Corners | None = None


def judge(before: Corners, anew: Sequence[tuple[Corners, float]]) -> Drift:
    """What became of the board whose corners were `before`; `anew` are corners found since, each with how sure it is.

    Unsure while fewer than ENOUGH sure ones are there, or where they disagree.
    """
    sure = np.array([corners for corners, confidence in anew if confidence >= SURE_LEAST], dtype=np.float64)
    if len(sure) < ENOUGH:
        return Drift(Lies.UNSURE, 0.0)
    middle = np.median(sure, axis=0)
    by_px = _worst(middle - before)
    width_px = BoardGeometry(before).sides_px[0]
    if by_px <= STILL_SHARE * width_px:
        return Drift(Lies.STILL, by_px)
    scatter = float(np.median([_worst(one - middle) for one in sure]))
    if by_px < MOVED_SHARE * width_px or scatter > AGREE_SHARE * by_px:
        return Drift(Lies.UNSURE, by_px)
    return Drift(Lies.MOVED, by_px, four(middle))


def carried(corners: Corners, before: Corners, now: Corners) -> Corners:
    """Where corners given by a person lie after the found ones went from `before` to `now`."""
    return four(apply(homography(before, now), corners))


def _worst(off: Matrix) -> float:
    return float(np.linalg.norm(off, axis=1).max())
