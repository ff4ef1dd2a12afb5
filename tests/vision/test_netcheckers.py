"""From counts and discs to likelihoods: colours, the bar, what stands nowhere."""

import numpy as np
import numpy.typing as npt
import pytest

from calibration.geometry import BoardGeometry
from rules.position import CHECKERS
from vision.belief import believe
from vision.boardnet import Found, Spots
from vision.evidence import CheckerEvidence
from vision.netcheckers import Discs, colours_of, covered_places, net_evidence
from vision.window import HEIGHT_PX, STRIDE, WIDTH_PX

WHITE, BLACK = (90.0, 0.0, 5.0), (20.0, 0.0, 0.0)
SQUARE = BoardGeometry(((0, 0), (520, 0), (520, 430), (0, 430)))
STEP = 0.08
"""Checkers that touch are so far apart in field space."""
Lab = tuple[float, float, float]
Counts = npt.NDArray[np.float64]


def discs(*rows: tuple[float, float, Lab, float]) -> Discs:
    """Discs of (x, y, colour, likelihood)."""
    xy = np.array([row[:2] for row in rows], dtype=float).reshape(-1, 2)
    lab = np.array([row[2] for row in rows], dtype=float).reshape(-1, 3)
    return Discs(xy, np.array([row[3] for row in rows]), lab)


def stack(column: int, count: int, colour: Lab, p: float = 0.99) -> Discs:
    """Discs from the top rail downwards."""
    x = sum(SQUARE.column_edges(column)) / 2
    return discs(*((x, STEP * (k + 0.5), colour, p) for k in range(count)))


def joined(*parts: Discs) -> Discs:
    return Discs(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("xy", "p", "lab")))


def counts(told: dict[int, int], unsure: dict[int, tuple[int, ...]] | None = None, cover: float = 0.0) -> Found:
    """Counts that say so many stand on these points, one of so many on the `unsure` ones, none elsewhere.

    `cover` lies over all of the board.
    """
    rows = np.full((24, CHECKERS + 1), -12.0)
    rows[:, 0] = 0.0
    for place, numbers in {**{place: (n,) for place, n in told.items()}, **(unsure or {})}.items():
        rows[place] = -12.0
        rows[place, list(numbers)] = 0.0
    nothing = Spots(np.zeros((0, 2)), np.zeros(0))
    hidden = np.full((HEIGHT_PX // STRIDE, WIDTH_PX // STRIDE), cover, np.float32)
    return Found(nothing, nothing, hidden, rows)


def evidence_of(
    found: Found, discs: Discs, geometry: BoardGeometry, colours: tuple[Lab, Lab] | None
) -> CheckerEvidence:
    return net_evidence(found.counts, covered_places(found, geometry), discs, geometry, colours, np.full(2, -60.0))


def best(evidence: CheckerEvidence, place: int) -> int:
    return int(np.argmax(evidence.points[place])) - CHECKERS


@pytest.mark.parametrize("colour", [WHITE, BLACK])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_the_discs_of_a_point_say_whose_its_checkers_are(colour: Lab, count: int) -> None:
    evidence = evidence_of(counts({3: count}), stack(3, count, colour), SQUARE, (WHITE, BLACK))
    assert best(evidence, 3) == (count if colour == WHITE else -count)
    assert all(best(evidence, place) == 0 for place in range(24) if place != 3)
    assert evidence.points[:, CHECKERS].tolist() == [0.0] * 24


def test_one_disc_in_glare_does_not_change_the_side() -> None:
    glare = discs((sum(SQUARE.column_edges(3)) / 2, 0.04, WHITE, 0.9))
    together = Discs(
        *(np.concatenate([getattr(s, f) for s in (stack(3, 3, BLACK), glare)]) for f in ("xy", "p", "lab"))
    )
    assert best(evidence_of(counts({3: 4}), together, SQUARE, (WHITE, BLACK)), 3) == -4


def test_checkers_whose_colour_nobody_sees_may_be_of_either_side() -> None:
    evidence = evidence_of(counts({6: 2}), discs(), SQUARE, (WHITE, BLACK))
    white, black = (evidence.points[6, CHECKERS + n] for n in (2, -2))
    assert white == pytest.approx(black)
    assert white > 5


def test_an_unsure_count_stays_unsure() -> None:
    evidence = evidence_of(counts({}, {0: (2, 3)}, cover=1.0), stack(0, 2, WHITE), SQUARE, (WHITE, BLACK))
    assert evidence.points[0, CHECKERS + 2] == pytest.approx(evidence.points[0, CHECKERS + 3])


def test_the_discs_are_a_second_witness_where_nothing_covers_them() -> None:
    doubtful = {0: (4, 5)}
    seen, hidden = (
        evidence_of(counts({}, doubtful, cover), stack(0, 4, WHITE), SQUARE, (WHITE, BLACK)) for cover in (0.0, 1.0)
    )
    assert best(seen, 0) == 4
    assert seen.points[0, CHECKERS + 4] - seen.points[0, CHECKERS + 5] > 0.5
    assert hidden.points[0, CHECKERS + 4] == pytest.approx(hidden.points[0, CHECKERS + 5])


def test_both_colours_on_the_bar_and_none_in_the_tray() -> None:
    found = discs((0.5, 0.3, WHITE, 0.99), (0.5, 0.7, BLACK, 0.99), (1.08, 0.2, WHITE, 0.99))
    evidence = evidence_of(counts({}), found, SQUARE, (WHITE, BLACK))
    assert [int(row.argmax()) for row in evidence.bar] == [1, 1]
    assert all(best(evidence, place) == 0 for place in range(24))


def test_the_total_decides_what_a_hand_hides() -> None:
    shown = {0: (5, WHITE), 2: (5, WHITE), 4: (5, WHITE), 5: (5, BLACK), 7: (5, BLACK), 9: (2, BLACK)}
    together = joined(*(stack(column, n, colour) for column, (n, colour) in shown.items()))
    told = {place: n for place, (n, _) in shown.items()}
    clear, hidden = (
        believe(evidence_of(counts(told, unsure, cover), together, SQUARE, (WHITE, BLACK)))
        for unsure, cover in (({}, 0.0), ({11: tuple(range(6))}, 1.0))
    )
    assert clear.counts[11] == 0
    assert clear.confidence[11] > 0.9
    assert hidden.counts[11] == -3
    assert hidden.confidence[11] < 0.9


def test_two_colours_are_told_apart_by_the_discs_themselves() -> None:
    mixed = discs(*((0.1 * k, 0.1, WHITE if k % 2 else BLACK, 0.9) for k in range(8)))
    colours = colours_of(mixed)
    assert colours is not None
    assert colours[0] == pytest.approx(WHITE, abs=1)
    assert colours[1] == pytest.approx(BLACK, abs=1)
    assert colours_of(discs((0.1, 0.1, WHITE, 0.9))) is None
    assert evidence_of(counts({2: 3}), mixed, SQUARE, None).points[:, CHECKERS].tolist() == [0.0] * 24
