"""From likelihoods to the free best position and how sure each point is.

No rule of the game is used: only that a side has so many checkers, that those not seen are borne off, which is rarer
the fewer have gone, and how rare tall stacks are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rules.position import CHECKERS
from vision.evidence import CheckerEvidence, Evidence

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


def believe(evidence: CheckerEvidence, checkers: int = CHECKERS) -> Belief:
    """The most likely position with at most `checkers` a side, by exact search over both totals."""
    options = [_signed(row + RARITY) for row in evidence.points]
    options += [_one_sided(evidence.bar[0], 0), _one_sided(evidence.bar[1], 1)]
    forward = [_start(checkers)]
    for place in options:
        forward.append(_extend(forward[-1], place, 1))
    backward = [_gone(checkers)]
    for place in reversed(options):
        backward.append(_extend(backward[-1], place, -1))
    backward.reverse()
    marginals = [_marginal(forward[k], options[k], backward[k + 1]) for k in range(len(options))]
    return _decide(marginals, _best(options, backward))


Options = list[tuple[int, int, int, float]]
"""(value, white, black, log-likelihood) of one place."""


def _signed(row: Evidence) -> Options:
    least = row.max() - UNLIKELY
    told = [(k - CHECKERS, float(v)) for k, v in enumerate(row) if v > least or k == CHECKERS]
    return [(n, max(n, 0), max(-n, 0), v) for n, v in told]


def _one_sided(row: Evidence, side: int) -> Options:
    least = row.max() - UNLIKELY
    return [(n, 0 if side else n, n if side else 0, float(v)) for n, v in enumerate(row) if v > least or n == 0]


def _start(checkers: int) -> Evidence:
    states = np.full((checkers + 1, checkers + 1), NEVER)
    states[0, 0] = 0.0
    return states


def _gone(checkers: int) -> Evidence:
    """Log-prior of having used so many white and black checkers, the rest borne off."""
    missing = checkers - np.arange(checkers + 1)
    one = np.where(missing == 0, 0.0, -NOT_ALL_THERE - EACH_GONE * missing)
    total: Evidence = one[:, None] + one[None, :]
    return total


def _extend(states: Evidence, place: Options, direction: int) -> Evidence:
    out = np.full_like(states, NEVER)
    size = len(states)
    for _, white, black, value in place:
        if max(white, black) >= size:  # more than there are checkers
            continue
        if direction > 0:
            target, source = out[white:, black:], states[: size - white, : size - black]
        else:
            target, source = out[: size - white, : size - black], states[white:, black:]
        np.maximum(target, source + value, out=target)
    return out


def _marginal(before: Evidence, place: Options, after: Evidence) -> dict[int, float]:
    size = len(before)
    return {
        value: float((before[: size - white, : size - black] + after[white:, black:]).max()) + score
        for value, white, black, score in place
        if white < size and black < size
    }


def _best(options: list[Options], backward: list[Evidence]) -> list[int]:
    """The values of the most likely position as a whole; of equally likely ones the first."""
    chosen: list[int] = []
    used_white = used_black = 0
    for k, place in enumerate(options):
        rest = backward[k + 1]
        ranked = [
            (score + float(rest[used_white + white, used_black + black]), value, white, black)
            for value, white, black, score in place
            if used_white + white < len(rest) and used_black + black < len(rest)
        ]
        _, value, white, black = max(ranked)
        chosen.append(value)
        used_white, used_black = used_white + white, used_black + black
    return chosen


def _decide(marginals: list[dict[int, float]], chosen: list[int]) -> Belief:
    sure = []
    margin = float("inf")
    for values, value in zip(marginals, chosen, strict=True):
        ranked = sorted(values.items(), key=lambda item: -item[1])
        best = ranked[0][1]
        weights: npt.NDArray[np.float64] = np.exp((np.asarray([v for _, v in ranked]) - best) / TEMPERATURE)
        sure.append(float(np.exp((values[value] - best) / TEMPERATURE) / weights.sum()))
        if len(ranked) > 1:
            margin = min(margin, best - ranked[1][1])
    return Belief(
        counts=tuple(chosen[:24]),
        bar=(chosen[24], chosen[25]),
        confidence=tuple(sure[:24]),
        bar_confidence=(sure[24], sure[25]),
        margin=margin,
    )
