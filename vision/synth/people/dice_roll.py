"""Dice on their way from a hand to where they lie."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

from vision.synth.people.arm import Leg, With
from vision.synth.people.carrying import Xyz
from vision.synth.scene import Die, Scene

LIES_STILL = 0.85
"""The share of a roll after which a die turns over no more."""
FACES = 6


@dataclass(frozen=True, slots=True)
class Roll:
    """`dice` roll from `start` to where they lie; `seed` decides how, `hop_mm` how high they jump."""

    dice: tuple[Die, ...]
    start: Xyz
    seed: int
    hop_mm: float = 42.0

    def at(self, share: float) -> tuple[Die, ...]:
        """The dice when a share of the roll has passed."""
        return tuple(self._one(die, k, share) for k, die in enumerate(self.dice))

    def part(self, begin: float, end: float) -> With:
        """The dice between two shares of the roll, to be put into the scene of a hand."""

        def rolled(scene: Scene, _here: Xyz, share: float) -> Scene:
            return replace(scene, dice=(*scene.dice, *self.at(begin + share * (end - begin))))

        return rolled

    def _one(self, die: Die, number: int, share: float) -> Die:
        left = max(0.0, 1 - share)
        if not left:
            return die
        chance = random.Random(self.seed + 97 * number)
        turns, bounces = chance.choice((-1, 1)) * chance.uniform(1.5, 3.0), chance.uniform(1.5, 2.5)
        faces = [*(chance.randint(1, 6) for _ in range(FACES)), die.pips]
        gone = 1 - left * left
        x, y = (a + gone * (b - a) for a, b in zip(self.start[:2], die.xy, strict=True))
        hop = left * abs(math.cos(math.pi * bounces * share))
        face = faces[-1] if share >= LIES_STILL else faces[int(share / LIES_STILL * FACES)]
        return replace(
            die,
            pips=face,
            xy=(x, y),
            angle_rad=die.angle_rad + turns * 2 * math.pi * left * left,
            tilt_rad=die.tilt_rad + left * 0.9 * abs(math.sin(5 * math.pi * share)),
            z_mm=die.z_mm + self.hop_mm * hop,
        )


def rolling(scene: Scene, roll: With, seconds: float) -> Leg:
    """The end of a roll, when no hand is near any more."""
    return Leg(seconds, lambda share: roll(scene, (0.0, 0.0, 0.0), share))
