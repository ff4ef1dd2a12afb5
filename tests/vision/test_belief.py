"""The free best position: what an exhaustive search over a few places finds."""

from itertools import product

import numpy as np
import pytest

from rules.position import CHECKERS
from vision.belief import EACH_GONE, NOT_ALL_THERE, RARITY, TEMPERATURE, believe
from vision.evidence import IMPOSSIBLE, CheckerEvidence

OPEN = (2, 7, 20)
"""The points of which something can be seen; nothing stands on the others."""


def evidence(seed: int) -> CheckerEvidence:
    """Up to two checkers of either side on each open point, up to two of each side on the bar."""
    dice = np.random.default_rng(seed)
    points, bar = np.full((24, 2 * CHECKERS + 1), IMPOSSIBLE), np.full((2, CHECKERS + 1), IMPOSSIBLE)
    points[:, CHECKERS] = bar[:, 0] = 0.0
    for place in OPEN:
        points[place, CHECKERS - 2 : CHECKERS + 3] = dice.normal(0, 3, 5)
    bar[:, :3] = dice.normal(0, 3, (2, 3))
    return CheckerEvidence(points, bar)


def gone(used: int, checkers: int) -> float:
    return 0.0 if used == checkers else -NOT_ALL_THERE - EACH_GONE * (checkers - used)


@pytest.mark.parametrize("checkers", [3, 5, CHECKERS])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_position_and_every_doubt_are_those_of_an_exhaustive_search(seed: int, checkers: int) -> None:
    seen = evidence(seed)
    scores: dict[tuple[int, ...], float] = {}
    for counts in product(range(-2, 3), repeat=len(OPEN)):
        for white_bar, black_bar in product(range(3), repeat=2):
            white = sum(n for n in counts if n > 0) + white_bar
            black = -sum(n for n in counts if n < 0) + black_bar
            if max(white, black) <= checkers:
                told = sum(
                    seen.points[p, CHECKERS + n] + RARITY[CHECKERS + n] for p, n in zip(OPEN, counts, strict=True)
                )
                told += seen.bar[0, white_bar] + seen.bar[1, black_bar] + gone(white, checkers) + gone(black, checkers)
                scores[(*counts, white_bar, black_bar)] = told
    best = max(scores, key=lambda position: scores[position])
    belief = believe(seen, checkers)
    assert (*(belief.counts[place] for place in OPEN), *belief.bar) == best
    assert all(n == 0 for place, n in enumerate(belief.counts) if place not in OPEN)
    others = [score for position, score in scores.items() if position != best]
    assert belief.margin == pytest.approx(scores[best] - max(others))
    for k, sure in enumerate((*(belief.confidence[place] for place in OPEN), *belief.bar_confidence)):
        values = {position[k] for position in scores}
        tops = {v: max(s for position, s in scores.items() if position[k] == v) for v in values}
        weights = {v: np.exp((top - scores[best]) / TEMPERATURE) for v, top in tops.items()}
        assert sure == pytest.approx(weights[best[k]] / sum(weights.values()), rel=1e-6)


def test_of_equally_likely_sides_white_is_told() -> None:
    seen = evidence(0)
    seen.points[OPEN[0]] = IMPOSSIBLE
    seen.points[OPEN[0], [CHECKERS - 1, CHECKERS + 1]] = 0.0
    seen.points[list(OPEN[1:])] = seen.points[0]
    seen.bar[:, 1:] = IMPOSSIBLE
    assert believe(seen).counts[OPEN[0]] == 1
