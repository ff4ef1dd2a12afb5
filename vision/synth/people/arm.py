"""One arm on its way: each stretch is a scene for every share of its time."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from vision.synth.people.carrying import Xyz
from vision.synth.scene import Hand, Scene
from vision.synth.table import Person, Table

With = Callable[[Scene, Xyz, float], Scene]
"""Puts what a hand carries into a scene, given where its fingertips are and what share of the way lies behind."""

OUTSIDE, OUTSIDE_Z_MM = 0.8, 110.0
"""How far from the middle of the field, in its heights, no hand is seen any more."""
STARTS_S, MM_PER_S = 0.14, 1100.0


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of a movement: `at` gives the scene when a share (0 to 1) of its `seconds` has passed."""

    seconds: float
    at: Callable[[float], Scene]


def bare(scene: Scene, _place: Xyz, _share: float) -> Scene:
    """An empty hand changes nothing."""
    return scene


class Arm:
    """The arm of one person (`by`) who sits at the near or far side; `place` is where its fingertips are."""

    def __init__(self, table: Table, by: int, *, near: bool, chance: random.Random) -> None:
        self.table, self.by, self.near = table, by, near
        self._chance = chance
        self._person: Person = table.people[by % len(table.people)]
        self.place: Xyz | None = None

    def hand(self, place: Xyz, *, pointing: bool = False) -> Hand:
        """The hand when its fingertips are there."""
        x, y, z = place
        return Hand((x, y), self.near, z, self.by, self._person.right_handed, pointing)

    def seconds(self, base_s: float) -> float:
        """How long this person takes for what takes others `base_s`."""
        return base_s * self._chance.uniform(0.85, 1.2) / self._person.pace

    def way(self, to: Xyz, scene: Scene, *, carrying: With = bare, arc_mm: float = 0.0, pointing: bool = False) -> Leg:
        """The hand goes there, in an arc if it has something to lift over others."""
        start = self.place or self.outside(to)
        self.place = to
        far_mm = math.hypot(*(a - b for a, b in zip(self._mm(start), self._mm(to), strict=True)))

        def at(share: float) -> Scene:
            s = share * share * (3 - 2 * share)
            x, y, z = (a + s * (b - a) for a, b in zip(start, to, strict=True))
            here = (x, y, z + arc_mm * 4 * s * (1 - s))
            now = carrying(scene, here, share)
            return replace(now, hands=(*now.hands, self.hand(here, pointing=pointing)))

        return Leg(self.seconds(STARTS_S + far_mm / MM_PER_S), at)

    def stay(self, scene: Scene, base_s: float, *, carrying: With = bare, pointing: bool = False) -> Leg:
        """The hand stays where it is."""
        assert self.place is not None
        here = self.place

        def at(share: float) -> Scene:
            now = carrying(scene, here, share)
            return replace(now, hands=(*now.hands, self.hand(here, pointing=pointing)))

        return Leg(self.seconds(base_s), at)

    def away(self, scene: Scene, *, pointing: bool = False) -> Leg:
        """The hand goes back to its owner."""
        leg = self.way(self.outside(self.place or (0.5, 0.5, 0.0)), scene, pointing=pointing)
        self.place = None
        return leg

    def outside(self, toward: Xyz) -> Xyz:
        """Where the hand comes from when it reaches for a place."""
        y = 0.5 + OUTSIDE if self.near else 0.5 - OUTSIDE
        return 0.5 + 0.7 * (toward[0] - 0.5), y, OUTSIDE_Z_MM

    def _mm(self, place: Xyz) -> Xyz:
        return (*self.table.board.mm(place[:2]), place[2])
