"""A board that moved is told from one that lies still, and from finds that do not agree."""

import pytest

from calibration.drift import Drift, Lies, carried, judge
from calibration.geometry import Corners

BEFORE: Corners = ((100.0, 50.0), (740.0, 50.0), (740.0, 450.0), (100.0, 450.0))


def shifted(x: float, y: float = 0.0, corners: Corners = BEFORE) -> Corners:
    a, b, c, d = ((u + x, v + y) for u, v in corners)
    return a, b, c, d


def test_a_board_that_lies_still() -> None:
    found = [(shifted(1, 1), 0.9), (shifted(-1, 2), 0.95), (shifted(0, -1), 0.9)]
    assert judge(BEFORE, found) == Drift(Lies.STILL, pytest.approx(1.0))


def test_a_board_that_was_pushed() -> None:
    drift = judge(BEFORE, [(shifted(30, 5), 0.9), (shifted(31, 4), 0.95), (shifted(30, 4), 0.9)])
    assert drift.lies is Lies.MOVED
    assert drift.corners is not None
    assert drift.corners[0] == pytest.approx((130, 54))
    assert drift.by_px == pytest.approx(30.3, abs=0.1)


def test_one_corner_alone_counts_too() -> None:
    one = ((100.0, 50.0), (740.0, 50.0), (765.0, 460.0), (100.0, 450.0))
    assert judge(BEFORE, [(one, 0.9)] * 3).lies is Lies.MOVED


@pytest.mark.parametrize(
    "found",
    [
        [],
        [(shifted(30), 0.9), (shifted(30), 0.9)],
        [(shifted(30), 0.5), (shifted(30), 0.9), (shifted(30), 0.9)],
        [(shifted(30), 0.9), (shifted(60), 0.9), (shifted(-20), 0.9)],
        [(shifted(7), 0.9)] * 5,
    ],
    ids=["nothing found", "too few", "too few sure ones", "they disagree", "too little to tell"],
)
def test_what_leaves_it_open(found: list[tuple[Corners, float]]) -> None:
    assert judge(BEFORE, found).lies is Lies.UNSURE


def test_one_find_gone_astray_does_not_move_the_board() -> None:
    assert judge(BEFORE, [(shifted(0), 0.9), (shifted(200), 0.99), (shifted(1), 0.9)]).lies is Lies.STILL


def test_corners_given_by_hand_go_with_the_found_ones() -> None:
    given = shifted(2, -3)
    moved = carried(given, BEFORE, shifted(40, 10))
    assert moved[2] == pytest.approx((740 + 42, 450 + 7))
