"""What each small thing is: what the detector thinks of a place, and what both readers make of it, put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.frame import Bgr
from vision.readers import COCKED, NO_CUBE, NO_DIE, read_cubes, read_dice
from vision.smallthings import Doubles, Things

WEIGHTS = ((-1.68, 0.93, 0.57, 0.0), (-2.02, 0.8, 0.0, 0.77))
"""Log-odds of a die and of a cube against nothing: constant, and what the log-odds of detector and of either reader
count; fitted on drawn scenes of their own (`vision.training.things.fusing`)."""
LEANS = (-1.5, 1.0, 0.5)
"""Log-odds that a die leans: constant, and what the log-odds of detector and reader count; fitted likewise."""
SIZES, HOPELESS, LEAST_SHARE = (0.87, 1.15), 0.98, 1e-6
CERTAIN = 7.0
"""Log-odds beyond this say no more."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Things, and how likely each is a die and the cube (n).

    `pips` (n × 7) are the likelihoods of 1 to 6 lying flat and of leaning if it is a die, `values` (n × 7) those of
    `readers.VALUES` and of none if it is a cube.
    """

    things: Things
    die: Doubles
    cube: Doubles
    pips: Doubles
    values: Doubles


def judged(bgr: Bgr, things: Things) -> Judged:
    """What the things are that the detector found in a picture."""
    dice, cubes = looked_at(bgr, things)
    odds = np.exp(evidence(things.p, dice, cubes) @ np.asarray(WEIGHTS).T)
    shares = odds / (1 + odds.sum(axis=1, keepdims=True))
    return Judged(things, shares[:, 0], shares[:, 1], _laid(dice, things.lean), _without(cubes, NO_CUBE))


def looked_at(bgr: Bgr, things: Things) -> tuple[Doubles, Doubles]:
    """What the readers of dice and of cubes say (n × 8 each), having looked closer at what may be something."""
    spots = things.spots
    return _thrice(read_dice, bgr, spots, NO_DIE), _thrice(read_cubes, bgr, spots, NO_CUBE)


def _thrice(read: Callable[[Bgr, Doubles], Doubles], bgr: Bgr, spots: Doubles, nothing: int) -> Doubles:
    """The mean of what a reader says of cut-outs of several sizes: the detector does not know an edge exactly."""
    told = read(bgr, spots)
    again = told[:, nothing] < HOPELESS
    if again.any():
        logs = [np.log(np.maximum(told[again], LEAST_SHARE))]
        logs += [np.log(np.maximum(read(bgr, spots[again] * (1, 1, by)), LEAST_SHARE)) for by in SIZES]
        shares = np.exp(np.mean(logs, axis=0))
        told[again] = shares / shares.sum(axis=1, keepdims=True)
    return told


def evidence(p: Doubles, dice: Doubles, cubes: Doubles) -> Doubles:
    """1 and the log-odds that detector and readers give that something is there, n × 4."""
    columns = [p, 1 - dice[:, NO_DIE], 1 - cubes[:, NO_CUBE]]
    return np.column_stack([np.ones(len(p)), *map(_log_odds, columns)])


def lean_evidence(dice: Doubles, lean: Doubles) -> Doubles:
    """1 and the log-odds that reader (n × 8) and detector (n) give that a die leans, n × 3."""
    told = _without(dice, NO_DIE)[:, COCKED]
    return np.column_stack([np.ones(len(lean)), np.clip(lean, -CERTAIN, CERTAIN), _log_odds(told)])


def _laid(dice: Doubles, lean: Doubles) -> Doubles:
    """What dice show (n × 7), the reader's word about leaning put together with the detector's."""
    told = _without(dice, NO_DIE)
    numbers = told[:, :COCKED] / np.maximum(told[:, :COCKED].sum(axis=1, keepdims=True), 1e-12)
    leans = 1 / (1 + np.exp(-lean_evidence(dice, lean) @ np.asarray(LEANS)))
    return np.column_stack([numbers * (1 - leans)[:, None], leans])


def _log_odds(p: Doubles) -> Doubles:
    odds: Doubles = np.clip(np.log(np.maximum(p, 1e-9) / np.maximum(1 - p, 1e-9)), -CERTAIN, CERTAIN)
    return odds


def _without(told: Doubles, nothing: int) -> Doubles:
    """The other likelihoods, if it is not nothing."""
    rest = np.delete(told, nothing, axis=1)
    out: Doubles = rest / np.maximum(rest.sum(axis=1, keepdims=True), 1e-12)
    return out
