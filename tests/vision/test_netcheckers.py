"""From discs to likelihoods: counts, colours, second layers, what is hidden and what stands nowhere."""

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from rules.position import CHECKERS
from vision.belief import believe
from vision.checkers import CheckerEvidence
from vision.netcheckers import Discs, colours_of, net_evidence

WHITE, BLACK = (90.0, 0.0, 5.0), (20.0, 0.0, 0.0)
SQUARE = BoardGeometry(((0, 0), (520, 0), (520, 430), (0, 430)))
OPEN = np.zeros(24)
STEP = 0.08
"""Checkers that touch are so far apart in field space."""


def discs(*rows: tuple[float, float, tuple[float, float, float], float, float]) -> Discs:
    """Discs of (x, y, colour, likelihood, chance to stand for two)."""
    xy = np.array([row[:2] for row in rows], dtype=float).reshape(-1, 2)
    lab = np.array([row[2] for row in rows], dtype=float).reshape(-1, 3)
    return Discs(xy, np.array([row[3] for row in rows]), lab, np.array([row[4] for row in rows]))


def stack(column: int, count: int, colour: tuple[float, float, float], p: float = 0.99, double: float = 0.0) -> Discs:
    """Discs from the top rail downwards; `double` belongs to the first."""
    x = sum(SQUARE.column_edges(column)) / 2
    return discs(*((x, STEP * (k + 0.5), colour, p, double if k == 0 else 0.0) for k in range(count)))


def best(evidence: CheckerEvidence, place: int) -> int:
    return int(np.argmax(evidence.points[place])) - CHECKERS


@pytest.mark.parametrize("colour", [WHITE, BLACK])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_discs_of_one_colour_are_counted(colour: tuple[float, float, float], count: int) -> None:
    evidence = net_evidence(stack(3, count, colour), OPEN, SQUARE, (WHITE, BLACK))
    assert best(evidence, 3) == (count if colour == WHITE else -count)
    assert all(best(evidence, place) == 0 for place in range(24) if place != 3)
    assert evidence.points[:, CHECKERS].tolist() == [0.0] * 24


def test_an_unlikely_disc_leaves_the_count_open() -> None:
    sure, unsure = (net_evidence(stack(0, 2, WHITE, p), OPEN, SQUARE, (WHITE, BLACK)) for p in (0.999, 0.6))
    gap = [row.points[0, CHECKERS + 2] - row.points[0, CHECKERS + 1] for row in (sure, unsure)]
    assert gap[0] > 4 > 1 > gap[1]


@pytest.mark.parametrize(("seen", "count"), [(4, 4), (5, 6)])
def test_a_second_layer_begins_on_a_full_first_one(seen: int, count: int) -> None:
    evidence = net_evidence(stack(7, seen, BLACK, double=0.97), OPEN, SQUARE, (WHITE, BLACK))
    assert best(evidence, 7) == -count


def test_both_colours_on_the_bar_and_none_in_the_tray() -> None:
    found = discs((0.5, 0.3, WHITE, 0.99, 0.0), (0.5, 0.7, BLACK, 0.99, 0.0), (1.08, 0.2, WHITE, 0.99, 0.0))
    evidence = net_evidence(found, OPEN, SQUARE, (WHITE, BLACK))
    assert [int(row.argmax()) for row in evidence.bar] == [1, 1]
    assert all(best(evidence, place) == 0 for place in range(24))


def test_a_covered_point_is_left_open_and_the_total_decides() -> None:
    hidden = OPEN.copy()
    hidden[11] = 1.0
    shown = [stack(column, 5, colour) for column, colour in ((0, WHITE), (2, WHITE), (4, WHITE), (5, BLACK))]
    shown += [stack(column, 5, BLACK) for column in (7,)] + [stack(9, 2, BLACK)]
    together = Discs(*(np.concatenate([getattr(s, name) for s in shown]) for name in ("xy", "p", "lab", "double")))
    nothing_hidden, covered = (
        believe(net_evidence(together, cover, SQUARE, (WHITE, BLACK))) for cover in (OPEN, hidden)
    )
    assert nothing_hidden.confidence[11] > 0.9
    assert covered.confidence[11] < 0.9
    assert covered.counts[11] == -3


def test_two_colours_are_told_apart_by_the_discs_themselves() -> None:
    mixed = discs(*((0.1 * k, 0.1, WHITE if k % 2 else BLACK, 0.9, 0.0) for k in range(8)))
    colours = colours_of(mixed)
    assert colours is not None
    assert colours[0] == pytest.approx(WHITE, abs=1)
    assert colours[1] == pytest.approx(BLACK, abs=1)
    assert colours_of(discs((0.1, 0.1, WHITE, 0.9, 0.0))) is None
    assert net_evidence(mixed, OPEN, SQUARE, None).points[:, CHECKERS].tolist() == [0.0] * 24
