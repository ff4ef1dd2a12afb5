"""What each small thing is: what the detector thinks of a place, and what both readers make of it, put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.frame import Bgr
from vision.readers import NO_CUBE, NO_DIE, read_cubes, read_dice
from vision.smallthings import Doubles, Things

WEIGHTS = ((-1.31, 0.94, 0.51, 0.0), (-1.73, 0.87, 0.0, 0.50))
"""Log-odds of a die and of a cube against nothing: constant, and what the log-odds of detector and of either reader
count; fitted on drawn scenes of their own (`vision.training.fusing`)."""
CERTAIN = 7.0
"""Log-odds beyond this say no more."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Things, and how likely each is a die and the cube (n).

    `pips` (n × 7) are the likelihoods of 1 to 6 and of leaning if it is a die, `values` (n × 7) those of
    `readers.VALUES` and of none if it is a cube.
    """

    things: Things
    die: Doubles
    cube: Doubles
    pips: Doubles
    values: Doubles


def judged(bgr: Bgr, things: Things) -> Judged:
    """What the things are that the detector found in a picture."""
    dice, cubes = read_dice(bgr, things.spots), read_cubes(bgr, things.spots)
    odds = np.exp(evidence(things.p, dice, cubes) @ np.asarray(WEIGHTS).T)
    shares = odds / (1 + odds.sum(axis=1, keepdims=True))
    return Judged(things, shares[:, 0], shares[:, 1], _without(dice, NO_DIE), _without(cubes, NO_CUBE))


def evidence(p: Doubles, dice: Doubles, cubes: Doubles) -> Doubles:
    """1 and the log-odds that detector and readers give that something is there, n × 4."""
    columns = [p, 1 - dice[:, NO_DIE], 1 - cubes[:, NO_CUBE]]
    told = [np.clip(np.log(np.maximum(q, 1e-9) / np.maximum(1 - q, 1e-9)), -CERTAIN, CERTAIN) for q in columns]
    return np.column_stack([np.ones(len(p)), *told])


def _without(told: Doubles, nothing: int) -> Doubles:
    """The other likelihoods, if it is not nothing."""
    rest = np.delete(told, nothing, axis=1)
    out: Doubles = rest / np.maximum(rest.sum(axis=1, keepdims=True), 1e-12)
    return out
