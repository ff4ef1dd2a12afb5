"""The camera is fitted to checkers of the start position, seen by a camera that is known."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from calibration.camera import Camera
from calibration.fit import POINT_MM, FitError, Standing, fit_camera
from calibration.geometry import BoardGeometry, parse_corners

SIZE = (1280, 720)
CAMERA = Camera.looking(SIZE, 1150.0, distance_mm=1300, oblique_rad=0.5, from_rad=0.2, roll_rad=0.05)
PLACES = Counter({0: 5, 4: 3, 6: 5, 11: 2, 12: 5, 16: 3, 18: 5, 23: 2})
BAR_MM, HIGH_MM, RADIUS_MM, THICK_MM = 45.0, 430.0, 18.5, 9.5


def seen(camera: Camera, bar_mm: float = BAR_MM, slip_mm: float = 0.0) -> tuple[BoardGeometry, list[Standing]]:
    width = 12 * POINT_MM + bar_mm
    x, y = width / 2, HIGH_MM / 2
    corners = camera.project([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)])
    geometry = BoardGeometry(parse_corners(corners.tolist()), (0.5 - bar_mm / width / 2, 0.5 + bar_mm / width / 2))
    chance, standing = np.random.default_rng(1), []
    for place, count in PLACES.items():
        for k in range(count):
            left, right = geometry.column_edges(place % 12)
            out = RADIUS_MM * (2 * k + 1)
            at = ((left + right) / 2 * width - x, out - y if place < 12 else y - out, THICK_MM)
            slipped = np.add(at, [*chance.normal(0, slip_mm, 2), 0]) if slip_mm else at
            px = camera.project([slipped])[0]
            standing.append(Standing(place, k, (float(px[0]), float(px[1]))))
    return geometry, standing


def test_an_oblique_camera_is_found_again() -> None:
    fit = fit_camera(*seen(CAMERA), SIZE)
    assert fit.oblique_rad == pytest.approx(0.5, abs=0.02)
    assert fit.height_mm == pytest.approx(CAMERA.position_mm[2], rel=0.05)
    assert fit.camera.position_mm == pytest.approx(CAMERA.position_mm, abs=60)
    assert fit.field_mm == pytest.approx((525, HIGH_MM), rel=0.01)
    assert fit.bar_mm == pytest.approx(BAR_MM, abs=2)
    assert fit.checker_mm[0] == pytest.approx(2 * RADIUS_MM, rel=0.02)
    assert fit.corners_px < 0.5
    assert fit.checkers_px < 0.5


def test_what_cannot_be_seen_from_overhead_is_said_to_be_unsure() -> None:
    above = Camera.looking(SIZE, 1500.0, distance_mm=1900)
    fit = fit_camera(*seen(above), SIZE)
    assert fit.oblique_rad < 0.05
    assert fit.height_deviation_mm > 150
    assert abs(fit.height_mm - 1900) < 3.5 * fit.height_deviation_mm
    assert fit.checkers_px < 0.7


def test_sloppy_checkers_make_it_less_sure_but_not_wrong() -> None:
    fit = fit_camera(*seen(CAMERA, slip_mm=2.0), SIZE)
    assert abs(fit.oblique_rad - 0.5) < 3 * fit.oblique_deviation_rad
    assert 0.5 < fit.checkers_px < 6


def test_a_checker_taken_for_another_is_passed_over() -> None:
    geometry, standing = seen(CAMERA)
    standing[3] = replace(standing[3], xy_px=(standing[3].xy_px[0] + 80, standing[3].xy_px[1]))
    fit = fit_camera(geometry, standing, SIZE)
    assert fit.oblique_rad == pytest.approx(0.5, abs=0.04)
    assert fit.checkers_px < 1


def test_a_board_without_a_bar_column() -> None:
    fit = fit_camera(*seen(CAMERA, bar_mm=0.0), SIZE)
    assert fit.bar_mm == 0
    assert fit.oblique_rad == pytest.approx(0.5, abs=0.02)


def test_a_view_from_below_the_table_is_refused() -> None:
    geometry = BoardGeometry(parse_corners([[600, 355], [680, 355], [1270, 365], [10, 365]]))
    with pytest.raises(FitError, match="corners of the 24 points"):
        fit_camera(geometry, [], SIZE)


def test_everything_also_in_other_pictures() -> None:
    turned = Camera.looking((900, 1200), 1300.0, distance_mm=1500, oblique_rad=0.3, roll_rad=math.pi / 2)
    fit = fit_camera(*seen(turned), (900, 1200))
    assert fit.oblique_rad == pytest.approx(0.3, abs=0.03)
    assert fit.corners_px < 1
