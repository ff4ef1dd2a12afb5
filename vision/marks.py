"""The marks of a board that can be told to a pixel: where points meet at the field's edges, and the points' tips.

They are ordered row by row, from the left: the corners of the points' bases at the upper edge (14: seven to either
side of the bar), those at the lower edge (14), the upper row's tips (12), the lower row's (12). The first and the last
of each edge are the field's corners.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from calibration.geometry import COLUMNS, Matrix

BASES, TIPS = COLUMNS + 2, COLUMNS
MARKS = 2 * (BASES + TIPS)
PLACES_OF_MARKS = [0, 13, 27, 14, 6, 7, 21, 20]
"""The field's corners (TL TR BR BL) and the bar's ends (TL TR BR BL) among the marks."""


def marks_in_field(bar: tuple[float, float], reach: float, gap: float = 0.0) -> Matrix:
    """The marks (MARKS × 2) in field space.

    The points reach over that share of the field's height; the outermost ones stand `gap` away from its sides.
    """
    left, right = np.linspace(gap, bar[0], BASES // 2), np.linspace(bar[1], 1 - gap, BASES // 2)
    bases = np.concatenate([[0.0], left[1:], right[:-1], [1.0]])
    tips = np.concatenate([(half[1:] + half[:-1]) / 2 for half in (left, right)])
    rows = ((bases, 0.0), (bases, 1.0), (tips, reach), (tips, 1 - reach))
    return np.concatenate([np.column_stack([x, np.full(len(x), y)]) for x, y in rows])


def _rows() -> list[list[int]]:
    ends = np.cumsum([0, BASES, BASES, TIPS, TIPS]).tolist()
    return [list(range(first, last)) for first, last in pairwise(ends)]


MIRRORED = [mark for row in _rows() for mark in reversed(row)]
"""Which mark is which where left and right are exchanged."""
UPSIDE_DOWN = [mark for k in (1, 0, 3, 2) for mark in _rows()[k]]
"""Which mark is which where top and bottom are exchanged."""
