"""From likelihoods to the free best position and how sure each point is.

No rule of the game is used: only that a side has so many checkers, that those not seen are borne off, which is rarer
the fewer have gone, and how rare tall stacks are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from rules.position import CHECKERS
from vision.evidence import CheckerEvidence, Evidence

Counts = npt.NDArray[np.intp]
COUNTS = (0.505, 0.118, 0.211, 0.090, 0.041, 0.0285, 0.0037, 0.0008, 0.0003, 0.0002, *[1e-4] * 6)
"""How often a point holds so many checkers of either side: 12,104 positions of 38 real matches."""
NOT_ALL_THERE = 2.0
EACH_GONE = 0.2
TEMPERATURE = 1.7
NEVER = -1e6
UNLIKELY = 25.0
"""What is so many nats less likely than the best of its place is not weighed, only that nothing stands there."""
RARITY = np.log([*COUNTS[:0:-1], *COUNTS]) - np.log(COUNTS[0])
"""Log-prior of −15 to 15 checkers on a point, relative to none."""
SIGNED = np.arange(CHECKERS, -CHECKERS - 1, -1)
"""What may stand in a place, most white first, as `Belief` counts."""


@dataclass(frozen=True, slots=True)
class Belief:
    """The best reading of one picture.

    `counts`: 24 signed counts as seen (top row first; positive white, negative black); `bar`: white
    and black; `confidence`: 24 probabilities; `margin`: nats between the best position and the
    best one that differs anywhere.
    """

    counts: tuple[int, ...]
    bar: tuple[int, int]
    confidence: tuple[float, ...]
    bar_confidence: tuple[float, float]
    margin: float


@dataclass(frozen=True, slots=True)
class Place:
    """What may stand in one place, k possibilities, most white first: signed count, whites, blacks, log-likelihood."""

    count: Counts
    white: Counts
    black: Counts
    score: Evidence


class _Room:
    """The states, white × black checkers used, with room around them for those that cannot be."""

    def __init__(self, checkers: int) -> None:
        padded = np.full((checkers + 1 + 2 * CHECKERS,) * 2, NEVER)
        self._inside = padded[CHECKERS : CHECKERS + checkers + 1, CHECKERS : CHECKERS + checkers + 1]
        self._seen_from = sliding_window_view(padded, self._inside.shape)

    def moved(self, states: Evidence, white: Counts, black: Counts) -> Evidence:
        """The states so many whites and blacks further on, k × white × black."""
        self._inside[...] = states
        out: Evidence = self._seen_from[CHECKERS + white, CHECKERS + black]
        return out


def believe(evidence: CheckerEvidence, checkers: int = CHECKERS) -> Belief:
    """The most likely position with at most `checkers` a side, by exact search over both totals."""
    places = [_place(row, SIGNED, checkers) for row in (evidence.points + RARITY)[:, ::-1]]
    white, black = evidence.bar
    places += [_place(white[::-1], SIGNED[: CHECKERS + 1], checkers), _place(black, SIGNED[CHECKERS:], checkers)]
    room = _Room(checkers)
    rest, left = _gone(checkers), []
    for place in reversed(places):
        left.append(room.moved(rest, place.white, place.black))
        rest = _best_of(left[-1], place)
    left.reverse()
    used = np.full_like(rest, NEVER)
    used[0, 0] = 0.0
    marginals = []
    for place, after in zip(places, left, strict=True):
        marginals.append((used + after).max(axis=(1, 2)) + place.score)
        used = _best_of(room.moved(used, -place.white, -place.black), place)
    return _decide(places, marginals, _best(places, left))


def _place(row: Evidence, counts: Counts, checkers: int) -> Place:
    """The counts worth weighing, in their order: none, and what is likely enough of no more than there are."""
    worth = ((row > row.max() - UNLIKELY) | (counts == 0)) & (np.abs(counts) <= checkers)
    count = counts[worth]
    return Place(count, np.maximum(count, 0), np.maximum(-count, 0), row[worth])


def _gone(checkers: int) -> Evidence:
    """Log-prior of having used so many white and black checkers, the rest borne off."""
    missing = checkers - np.arange(checkers + 1)
    one = np.where(missing == 0, 0.0, -NOT_ALL_THERE - EACH_GONE * missing)
    total: Evidence = one[:, None] + one[None, :]
    return total


def _best_of(moved: Evidence, place: Place) -> Evidence:
    """The states with the best of what may stand in a place."""
    out: Evidence = (moved + place.score[:, None, None]).max(axis=0)
    return out


def _best(places: list[Place], left: list[Evidence]) -> list[int]:
    """Which of each place make the most likely position as a whole; of equally likely ones the most white."""
    chosen: list[int] = []
    white = black = 0
    for place, after in zip(places, left, strict=True):
        best = int((place.score + after[:, white, black]).argmax())
        chosen.append(best)
        white, black = white + int(place.white[best]), black + int(place.black[best])
    return chosen


def _decide(places: list[Place], marginals: list[Evidence], chosen: list[int]) -> Belief:
    told = np.full((len(marginals), 2 * CHECKERS + 1), -np.inf)
    for row, values in zip(told, marginals, strict=True):
        row[: len(values)] = values
    best = told.max(axis=1, keepdims=True)
    weights = np.exp((told - best) / TEMPERATURE)
    sure = weights[np.arange(len(chosen)), chosen] / weights.sum(axis=1)
    second = np.partition(told, -2, axis=1)[:, -2]
    counts = [int(place.count[n]) for place, n in zip(places, chosen, strict=True)]
    return Belief(
        counts=tuple(counts[:24]),
        bar=(counts[24], -counts[25]),
        confidence=tuple(sure[:24].tolist()),
        bar_confidence=(float(sure[24]), float(sure[25])),
        margin=float((best[:, 0] - second).min()),
    )
