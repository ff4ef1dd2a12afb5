"""From a stream of pictures to settled readings: motion and arms gate, sameness confirms.

A still photo counts as settled. In a stream a reading is given only when the board has been
quiet, no arm crosses a rail, and two pictures some time apart tell the same dice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

import cv2
import numpy as np

from calibration.geometry import BoardGeometry
from rules.reading import Reading
from vision.dice import DieSeen
from vision.frame import Frame
from vision.hands import ArmGate
from vision.lab import Floats
from vision.observe import Eyes, Observation
from vision.rectify import rectify

COLUMN_PX = 12.0
MOVED = 14.0
"""Grey levels between two pictures that count as motion."""
MOVED_PX = 6
NEW = 7.0
BEYOND_NOISE, NOISIEST = 4.5, 6.0
"""A pixel has changed by so many times the noise, which is not taken for more than so many levels (a lamp goes out)."""
QUIET_S = 0.3
SAME_DIE = 0.6
"""Middles within so much of an edge are of one die, seen twice."""
DIE_GONE, MISSED = 8.0, 0.85
"""Mean grey levels by which the place of a die changes when it is lifted; what a die not seen again keeps of its
confidence."""


class Seeing(StrEnum):
    """How the eyes are doing."""

    SETTLED = "settled"
    MOTION = "motion"
    HANDS = "hands"
    UNCHANGED = "unchanged"


class Settler:
    """Feeds frames to the eyes of one table and says when the board has settled."""

    def __init__(self, eyes: Eyes, *, stills: bool) -> None:
        self.eyes = eyes
        self._stills = stills
        self._arms = ArmGate()
        self._last: Floats | None = None
        self._settled: Floats | None = None
        self._quiet_since_s = 0.0
        self._unconfirmed: Observation | None = None
        self.seeing = Seeing.SETTLED
        self.observation: Observation | None = None
        """The newest picture that was read, settled or not."""

    def follow(self, geometry: BoardGeometry) -> None:
        """Go on with the board in another place; what was seen is forgotten, but not the rails, which went along."""
        self.eyes.geometry = geometry
        self._last = self._settled = self._unconfirmed = self.observation = None

    def again(self) -> None:
        """Read the board once more, though it has not changed."""
        self._settled = self._unconfirmed = None

    def feed(self, frame: Frame) -> Iterator[Reading]:
        """The reading this frame settles, if it does."""
        if self._stills:
            self.observation = self._observe(frame)
            yield self.eyes.reading(self.observation)
            return
        self.seeing = self._gate(frame)
        if self.seeing is not Seeing.SETTLED:
            return
        self.observation = seen = self._observe(frame)
        before, self._unconfirmed = self._unconfirmed, seen
        if before is not None and _same(before, seen):
            self._settled = self._last
            self._unconfirmed = None
            yield self.eyes.reading(seen)

    def read_again(self, frame: Frame) -> Reading:
        """The reading of a frame that was just read, by eyes that have learned something since."""
        self.observation = self._observe(frame)
        return self.eyes.reading(self.observation)

    def _observe(self, frame: Frame) -> Observation:
        seen = self.eyes.observe(frame)
        return seen if self.observation is None else keep_dice(self.observation, seen)

    def _gate(self, frame: Frame) -> Seeing:
        height, width = frame.bgr.shape[:2]
        self.eyes.geometry.check_inside(width, height)
        upright = rectify(frame.bgr, self.eyes.geometry, column_px=COLUMN_PX, margin_columns=1.4)
        small = np.asarray(cv2.blur(cv2.cvtColor(upright.bgr, cv2.COLOR_BGR2GRAY), (3, 3)), dtype=np.float32)
        moved = self._last is None or _changed(small, self._last, MOVED)
        self._last = small
        if self._arms.crossed(upright, frame.at_s):
            self._quiet_since_s, self._unconfirmed = frame.at_s, None
            return Seeing.HANDS
        if moved:
            self._quiet_since_s, self._unconfirmed = frame.at_s, None
            return Seeing.MOTION
        if frame.at_s - self._quiet_since_s < QUIET_S:
            return Seeing.MOTION
        if self._settled is not None and not _changed(small, self._settled, NEW):
            return Seeing.UNCHANGED
        return Seeing.SETTLED


def _changed(a: Floats, b: Floats, least: float) -> bool:
    """Some pixels differ by more than `least`, and by more than the noise of the two pictures explains."""
    change = np.abs(a - b)
    noise = min(NOISIEST, float(np.median(change)) / 0.6745)
    return int((change > max(least, BEYOND_NOISE * noise)).sum()) >= MOVED_PX


def _same(a: Observation, b: Observation) -> bool:
    """Both pictures tell the same checkers and the same dice numbers."""
    dice = [sorted(d.pips or 0 for d in seen.dice) for seen in (a, b)]
    return a.belief.counts == b.belief.counts and a.belief.bar == b.belief.bar and dice[0] == dice[1]


def keep_dice(before: Observation, now: Observation) -> Observation:
    """`now` with every die of `before` that it missed although the picture there has not changed.

    Each time such a die is a little less sure, so that one that never was there does not stay for ever.
    """
    missed = [
        replace(die, confidence=MISSED * die.confidence)
        for die in before.dice
        if all(math.dist(die.center_px, d.center_px) > SAME_DIE * die.size * now.column_px for d in now.dice)
        and _untouched(die, before, now)
    ]
    return replace(now, dice=(*now.dice, *missed)) if missed else now


def _untouched(die: DieSeen, before: Observation, now: Observation) -> bool:
    half = max(4, round(0.6 * die.size * now.column_px))
    x, y = (round(c) for c in die.center_px)
    area = np.s_[max(y - half, 0) : y + half + 1, max(x - half, 0) : x + half + 1]
    old, new = before.frame.bgr[area].astype(np.int16), now.frame.bgr[area].astype(np.int16)
    if old.shape != new.shape:  # photos of different sizes
        return False
    change = np.abs(old - new)
    return bool(change.size) and float(change.mean()) < DIE_GONE
