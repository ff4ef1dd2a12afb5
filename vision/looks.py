"""How the checkers of a table look where one knows which are whose: two colours, and how the light changes them.

A window lights one half of a board more than the other. By their colours alone, white's checkers in its shade may then
be more like black's in its light; which is which is known as soon as the position is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.geometry import COLUMNS, BoardGeometry
from vision.lab import Lab
from vision.netcheckers import Discs, Doubles, places_of

THERE = 0.5
STIFF = 0.6
"""The light is taken to be even unless discs far apart say otherwise."""
LEAST_DISCS, LEAST_PLACES = 3, 20
"""So many checkers of either side, and so many of the 24 points, must be seen as they are known to be."""
ALIKE, MISTAKEN = 8.0, 0.1
"""Colours that are nearer (L*a*b*), or a look by which a larger share is taken for the other side's, say nothing."""


@dataclass(frozen=True, slots=True)
class Look:
    """White's and black's colour in the middle of the field, and what is added across and down the field (2 × 3)."""

    colours: tuple[Lab, Lab]
    slope: tuple[Lab, Lab]


def levelled(discs: Discs, look: Look) -> Discs:
    """The discs as they would look in the light of the field's middle."""
    return replace(discs, lab=discs.lab - (discs.xy - 0.5) @ np.asarray(look.slope))


def known_look(discs: Discs, geometry: BoardGeometry, counts: Sequence[int]) -> Look | None:
    """How checkers look that stand so: `counts` are 24 signed ones as seen, white's positive.

    None where the discs do not stand so, or do not fall into two colours then.
    """
    place = places_of(discs.xy, geometry)
    place[discs.p <= THERE] = -1
    found = np.bincount(place[(place >= 0) & (place < 2 * COLUMNS)], minlength=2 * COLUMNS)
    as_known = found == np.abs(counts)
    if int(as_known.sum()) < LEAST_PLACES:
        return None
    on = np.flatnonzero((place >= 0) & (place < 2 * COLUMNS))
    on = on[as_known[place[on]]]
    white = np.asarray(counts)[place[on]] > 0
    if min(int(white.sum()), int((~white).sum())) < LEAST_DISCS:
        return None
    return _fitted(discs.xy[on], discs.lab[on], white)


def _fitted(xy: Doubles, lab: Doubles, white: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Look | None:
    """The look that explains the colours best, a slope being held against its size."""
    sides = np.column_stack([white, ~white]).astype(np.float64)
    across = xy - 0.5
    given = np.vstack([np.hstack([sides, across]), np.hstack([np.zeros((2, 2)), STIFF * np.eye(2)])])
    told = np.linalg.lstsq(given, np.vstack([lab, np.zeros((2, 3))]), rcond=None)[0]
    even = lab - across @ told[2:]
    away = np.linalg.norm(even[:, None] - told[None, :2], axis=2)
    mistaken = float(((away[:, 0] < away[:, 1]) != white).mean())
    if np.linalg.norm(told[0] - told[1]) < ALIKE or mistaken > MISTAKEN:
        return None
    first, second, right, down = (_lab(row) for row in told)
    return Look((first, second), (right, down))


def _lab(row: Doubles) -> Lab:
    lightness, green_red, blue_yellow = (float(v) for v in row)
    return lightness, green_red, blue_yellow
