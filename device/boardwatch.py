"""Whether the board of a fixed camera still lies where it lay: looked at now and then, followed when it was pushed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from calibration.drift import ENOUGH, SURE_LEAST, Drift, Lies, carried, judge
from calibration.geometry import BoardGeometry, Corners
from vision.board import FoundBoard, find_board, refined
from vision.frame import Bgr, Frame

EVERY_S = 4.0
ELSEWHERE = 0.06
"""Corners named in a table file, and a board first found so far off (in widths of the field), are of two places."""
Locate = Callable[[Bgr, BoardGeometry], FoundBoard | None]


def locate(bgr: Bgr, last: BoardGeometry) -> FoundBoard | None:
    """The board close to where it was last, or wherever it is now."""
    near = refined(bgr, last)
    return near if near is not None and near.confidence >= SURE_LEAST else find_board(bgr)


class BoardWatch:
    """Compares where the board is found with where it was found at first; corners given by a person go along.

    `locate` finds a board in a picture, given where it was last.
    """

    def __init__(self, geometry: BoardGeometry, locate: Locate = locate) -> None:
        self.geometry = geometry
        self._locate = locate
        self._first: Corners | None = None
        self._anew: deque[tuple[Corners, float]] = deque(maxlen=ENOUGH)
        self._next_s = float("-inf")

    @property
    def doubtful(self) -> bool:
        """The board was last seen elsewhere, and it is not yet sure that it moved: nothing should be read."""
        return (
            self._first is not None
            and bool(self._anew)
            and judge(self._first, [self._anew[-1]] * ENOUGH).lies is Lies.MOVED
        )

    def look(self, frame: Frame) -> Drift | None:
        """Look at a quiet picture when it is time to; a verdict when the board was moved, `geometry` then being new."""
        if frame.at_s < self._next_s and not self.doubtful:
            return None
        self._next_s = frame.at_s + EVERY_S
        found = self._locate(frame.bgr, self.geometry)
        if found is None or found.confidence < SURE_LEAST:
            return None
        self._anew.append((_named_as(found.geometry.corners, self.geometry.corners), found.confidence))
        if len(self._anew) < ENOUGH:
            return None
        finds = list(self._anew)
        if self._first is None:
            self._first = _middle([corners for corners, _ in finds])
            drift = judge(self.geometry.corners, finds)
            if drift.lies is not Lies.MOVED or drift.by_px < ELSEWHERE * self.geometry.sides_px[0]:
                return None
            self.geometry = BoardGeometry(self._first, self.geometry.bar)
            return drift
        drift = judge(self._first, finds)
        if drift.lies is not Lies.MOVED or drift.corners is None:
            return None
        self.geometry = BoardGeometry(carried(self.geometry.corners, self._first, drift.corners), self.geometry.bar)
        self._first = drift.corners
        return drift


def _named_as(corners: Corners, before: Corners) -> Corners:
    """The corners beginning with the one that comes first in `before`."""
    turns = [(*corners[k:], *corners[:k]) for k in range(4)]
    a, b, c, d = min(turns, key=lambda turn: float(np.linalg.norm(np.subtract(turn, before), axis=1).sum()))
    return a, b, c, d


def _middle(finds: list[Corners]) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in np.median(np.asarray(finds), axis=0))
    return a, b, c, d
