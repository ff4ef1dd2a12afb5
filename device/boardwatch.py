"""Whether the board of a fixed camera still lies where it lay: looked at now and then, followed when it was pushed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from calibration.drift import ENOUGH, SURE_LEAST, Drift, Lies, carried, judge
from calibration.geometry import BoardGeometry, Corners, four
from vision.board import FoundBoard, find_board, refined
from vision.frame import Bgr, Frame
from vision.rectify import rectify

EVERY_S = 4.0
ELSEWHERE = 0.06
"""Corners named in a table file, and a board first found so far off (in widths of the field), are of two places."""
RING_COLUMN_PX, RING_COLUMNS, RING_WH_PX = 12.0, 1.4, (190, 168)
TELLING, ENOUGH_TELLING, FOR_IT = 0.3, 0.02, 0.75
"""Pixels of the ring tell something if they fit one place better than the other by so much of the ring's spread; so
many must, and of these such a share must speak for the new place."""
OVERRULES = 0.95
"""Only finds as sure as this say that somebody's corners are of another place: of the test set's boards that were found
so far off, none was as sure."""
Locate = Callable[[Bgr, BoardGeometry], FoundBoard | None]
Ring = npt.NDArray[np.float32]
Proof = Callable[[Ring, Bgr, BoardGeometry, BoardGeometry], bool]


def locate(bgr: Bgr, last: BoardGeometry) -> FoundBoard | None:
    """The board close to where it was last, or wherever it is now."""
    near = refined(bgr, last)
    return near if near is not None and near.confidence >= SURE_LEAST else find_board(bgr)


def ring_of(bgr: Bgr, geometry: BoardGeometry) -> Ring:
    """Case and surroundings of a board turned upright, free of exposure; the field, where games go on, is nought."""
    upright = rectify(bgr, geometry, column_px=RING_COLUMN_PX, margin_columns=RING_COLUMNS)
    sized = cv2.resize(cv2.cvtColor(upright.bgr, cv2.COLOR_BGR2GRAY), RING_WH_PX)
    grey, m = np.asarray(sized, dtype=np.float32), upright.margin_px
    outside = np.ones(grey.shape, bool)
    outside[m:-m, m:-m] = False
    ring = np.where(outside, (grey - grey[outside].mean()) / (grey[outside].std() + 1), 0)
    return ring.astype(np.float32)


def really_moved(ring: Ring, bgr: Bgr, before: BoardGeometry, now: BoardGeometry) -> bool:
    """Whether what surrounds the field looks as it did (`ring`) at the new place rather than at the old one.

    Corners that a net finds wander a little with what lies on the board; the case does not.
    """
    there, here = (np.abs(ring_of(bgr, place) - ring) for place in (before, now))
    for_it, against = (there - here > TELLING).sum(), (here - there > TELLING).sum()
    return bool(for_it + against >= ENOUGH_TELLING * (ring != 0).sum() and for_it >= FOR_IT * (for_it + against))


class BoardWatch:
    """Compares where the board is found with where it was found at first; corners given by a person go along.

    `locate` finds a board in a picture, given where it was last; `proof` says whether the picture bears a move out.
    """

    def __init__(self, geometry: BoardGeometry, locate: Locate = locate, proof: Proof = really_moved) -> None:
        self.geometry = geometry
        self._locate, self._proof = locate, proof
        self._ring: Ring | None = None
        self._first: Corners | None = None
        self._anew: deque[tuple[Corners, float]] = deque(maxlen=ENOUGH)
        self._next_s = float("-inf")
        self.doubtful = False
        """The board was last seen elsewhere, and it is not yet sure that it moved: nothing should be read."""

    def look(self, frame: Frame) -> Drift | None:
        """Look at a quiet picture when it is time to; a verdict when the board was moved, `geometry` then being new."""
        if frame.at_s < self._next_s and not self.doubtful:
            return None
        self._next_s = frame.at_s + EVERY_S
        found = self._locate(frame.bgr, self.geometry)
        if found is None or found.confidence < SURE_LEAST:
            return None
        self._anew.append((_named_as(found.geometry.corners, self.geometry.corners), found.confidence))
        if self._first is not None:
            self.doubtful = self._borne_out(judge(self._first, [self._anew[-1]] * ENOUGH), frame)
        if len(self._anew) < ENOUGH:
            return None
        finds = list(self._anew)
        if self._first is None:
            self._first = four(np.median([corners for corners, _ in finds], axis=0))
            self._ring = ring_of(frame.bgr, self.geometry)
            drift = judge(self.geometry.corners, finds)
            far = drift.lies is Lies.MOVED and drift.by_px >= ELSEWHERE * self.geometry.sides_px[0]
            if not far or min(confidence for _, confidence in finds) < OVERRULES:
                return None
            self.geometry = BoardGeometry(self._first, self.geometry.bar)
            self._ring = ring_of(frame.bgr, self.geometry)
            return drift
        drift = judge(self._first, finds)
        if drift.corners is None or not self._borne_out(drift, frame):
            return None
        self.geometry, self._first, self.doubtful = self._carried(drift.corners), drift.corners, False
        self._ring = ring_of(frame.bgr, self.geometry)
        return drift

    def _borne_out(self, drift: Drift, frame: Frame) -> bool:
        if drift.lies is not Lies.MOVED or drift.corners is None or self._ring is None:
            return False
        return self._proof(self._ring, frame.bgr, self.geometry, self._carried(drift.corners))

    def _carried(self, corners: Corners) -> BoardGeometry:
        assert self._first is not None
        return BoardGeometry(carried(self.geometry.corners, self._first, corners), self.geometry.bar)


def _named_as(corners: Corners, before: Corners) -> Corners:
    """The corners beginning with the one that comes first in `before`."""
    turns = [(*corners[k:], *corners[:k]) for k in range(4)]
    a, b, c, d = min(turns, key=lambda turn: float(np.linalg.norm(np.subtract(turn, before), axis=1).sum()))
    return a, b, c, d
