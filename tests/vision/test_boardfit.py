"""A board is drawn through its marks, whoever hides some of them, and says how well they agree."""

import numpy as np
import pytest

from calibration.geometry import UNIT, Matrix, apply, homography
from vision.boardfit import fitted
from vision.marknet import FIELD_IN_VIEW
from vision.marks import MARKS, MIRRORED, PLACES_OF_MARKS, UPSIDE_DOWN, marks_in_field

ALL = list(range(MARKS))
START = np.asarray(FIELD_IN_VIEW)
TRUE = START + np.array([(4, -3), (-6, 2), (5, 7), (-2, -4)])
BAR, REACH = (0.46, 0.54), 0.37


def seen() -> Matrix:
    corners = tuple((float(x), float(y)) for x, y in TRUE)
    return apply(homography(UNIT, corners), marks_in_field(BAR, REACH))  # type: ignore[arg-type]


def test_marks_are_symmetrical_and_ordered_as_told() -> None:
    marks = marks_in_field(BAR, REACH)
    assert marks.shape == (MARKS, 2)
    assert marks[PLACES_OF_MARKS[:4]] == pytest.approx(np.asarray(UNIT))
    assert marks[PLACES_OF_MARKS[4:], 0] == pytest.approx([0.46, 0.54, 0.54, 0.46])
    assert marks[MIRRORED] * (-1, 1) + (1, 0) == pytest.approx(marks)
    assert marks[UPSIDE_DOWN] * (1, -1) + (0, 1) == pytest.approx(marks)
    assert marks[28] == pytest.approx(((marks[0, 0] + marks[1, 0]) / 2, REACH)), "a tip is over the middle of its base"


def test_a_board_goes_through_all_its_marks() -> None:
    fit = fitted(seen(), np.ones(MARKS), ALL, START)
    assert fit.corners == pytest.approx(TRUE, abs=0.01)
    assert fit.bar == pytest.approx(BAR, abs=0.001)
    assert fit.reach == pytest.approx(REACH, abs=0.001)
    assert fit.off_px.max() < 0.1


def test_an_edge_that_a_wall_hides_follows_from_the_tips() -> None:
    xy, weight = seen(), np.ones(MARKS)
    xy[14:28] -= (0, 9)
    weight[14:28] = 0.005
    fit = fitted(xy, weight, ALL, START)
    assert np.linalg.norm(fit.corners - TRUE, axis=1).max() < 2
    assert fit.off_px[14:28].mean() > 6
    assert fit.unsure_px > fitted(seen(), np.ones(MARKS), ALL, START).unsure_px


def test_marks_gone_astray_draw_little() -> None:
    xy = seen()
    xy[[0, 3, 17, 30]] += (40, 25)
    assert np.linalg.norm(fitted(xy, np.ones(MARKS), ALL, START).corners - TRUE, axis=1).max() < 2


def test_corners_alone_with_the_bars_ends_are_enough() -> None:
    fit = fitted(seen()[PLACES_OF_MARKS], np.ones(8), PLACES_OF_MARKS, START)
    assert fit.corners == pytest.approx(TRUE, abs=0.2)
    assert fit.bar == pytest.approx(BAR, abs=0.005)


def test_a_bar_told_the_wrong_way_round_is_none() -> None:
    corners = tuple((float(x), float(y)) for x, y in TRUE)
    xy = apply(homography(UNIT, corners), marks_in_field((0.51, 0.49), REACH))  # type: ignore[arg-type]
    assert fitted(xy, np.ones(MARKS), ALL, START).bar == pytest.approx((0.5, 0.5), abs=0.001)


def test_marks_in_no_order_make_no_board() -> None:
    fit = fitted(seen(), np.ones(MARKS), ALL, START[[1, 0, 2, 3]])
    assert fit.unsure_px == np.inf
