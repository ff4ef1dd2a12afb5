"""What each small thing is: what the detector thinks of a place, and what both readers make of it, put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from vision.frame import Bgr
from vision.readers import CLASSES, COCKED, CUBE_SIZES, NO_CUBE, NO_DIE, read_cubes, read_dice
from vision.smallthings import Doubles, Things

WEIGHTS = ((-1.68, 0.93, 0.57, 0.0), (-2.02, 0.8, 0.0, 0.77))
"""Log-odds of a die and of a cube against nothing: constant, and what the log-odds of detector and of either reader
count; fitted on drawn scenes of their own (`vision.training.things.fusing`)."""
LEANS = (-1.5, 1.0, 0.5)
"""Log-odds that a die leans: constant, and what the log-odds of detector and reader count; fitted likewise."""
LEAST = (0.5, 0.3)
"""A die, and a cube, that is less likely there is not told."""
SIZES, LEAST_SHARE = (1.0, 0.87, 1.15), 1e-6
HOPELESS, SURE = 0.98, 0.995
"""One look is enough where it says so surely that nothing is there, or what it is."""
HOPE = 3.0
"""Looking at more sizes does not raise the log-odds that a first look gives by more than this."""
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


def looked_at(bgr: Bgr, things: Things, least: tuple[float, float] = LEAST) -> tuple[Doubles, Doubles]:
    """What the readers of dice and of cubes say (n × 8 each), having looked closer at what may be something.

    Where no reader's word could make a die or a cube as likely as `least`, it is not asked, and nothing is there.
    """
    glance_at_cubes = partial(read_cubes, sizes=CUBE_SIZES[:1])
    may_be_die, may_be_cube = (partial(_may_be, kind, least=least[kind]) for kind in (0, 1))
    dice = _closely(bgr, things, (read_dice, read_dice), NO_DIE, may_be_die)
    return dice, _closely(bgr, things, (glance_at_cubes, read_cubes), NO_CUBE, may_be_cube)


def _closely(
    bgr: Bgr,
    things: Things,
    looks: tuple[Callable[[Bgr, Doubles], Doubles], Callable[[Bgr, Doubles], Doubles]],
    nothing: int,
    may_be: Callable[[Doubles, Doubles], npt.NDArray[np.bool_]],
) -> Doubles:
    """What a reader says: at a glance, or the mean of several sizes, for the detector does not know an edge exactly."""
    glance, read = looks
    told = np.zeros((len(things.p), CLASSES))
    told[:, nothing] = 1
    spots = things.spots
    asked = np.flatnonzero(may_be(things.p, np.full(len(spots), CERTAIN)))
    told[asked] = glance(bgr, spots[asked])
    there = _log_odds(1 - told[:, nothing]) + HOPE
    unsure = (told[:, nothing] < HOPELESS) & (told.max(axis=1) < SURE)
    again = np.flatnonzero(unsure & may_be(things.p, there))
    if len(again):
        known = [told[again]] if glance is read else []
        sized = np.concatenate([spots[again] * (1, 1, by) for by in SIZES[len(known) :]])
        logs = np.log(np.maximum(np.concatenate([*known, read(bgr, sized)]), LEAST_SHARE))
        shares = np.exp(logs.reshape(len(SIZES), len(again), CLASSES).mean(axis=0))
        told[again] = shares / shares.sum(axis=1, keepdims=True)
    return told


def _may_be(kind: int, p: Doubles, there: Doubles, *, least: float) -> npt.NDArray[np.bool_]:
    """Where a die (0) or a cube (1) may be as likely as `least`, if its reader gives at most those log-odds of it."""
    constant, detector, *readers = WEIGHTS[kind]
    odds = constant + detector * _log_odds(p) + readers[kind] * np.minimum(there, CERTAIN)
    out: npt.NDArray[np.bool_] = np.exp(odds) >= least / (1 - least)
    return out


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
