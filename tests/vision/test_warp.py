"""Views of a piece of a picture: nothing is moved or lost by looking at the piece alone, or at half the size."""

import cv2
import numpy as np
import pytest

from calibration.geometry import Matrix, homography, inverse
from vision.warp import shrunk

SIZE = (90, 70)
FIELD = ((10.0, 10.0), (80.0, 10.0), (80.0, 60.0), (10.0, 60.0))


def picture() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    rough = np.random.default_rng(4).integers(0, 255, (30, 40, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(rough, (600, 450), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def view_of(times: float, left: float = 200.0, top: float = 150.0) -> Matrix:
    corners = [(left + times * (x - 10), top + times * (y - 10) + 0.05 * x) for x, y in FIELD]
    return homography((corners[0], corners[1], corners[2], corners[3]), FIELD)


@pytest.mark.parametrize("times", [0.7, 1.0, 1.15])
def test_a_piece_that_is_no_finer_is_only_warped(times: float) -> None:
    whole = cv2.warpPerspective(picture(), view_of(times), SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert np.abs(shrunk(picture(), view_of(times), SIZE, times).astype(int) - whole).max() <= 1


@pytest.mark.parametrize("times", [1.5, 2.0, 2.7, 4.2])
def test_a_finer_picture_is_smoothed_and_stays_in_its_place(times: float) -> None:
    soft = cv2.GaussianBlur(picture(), (0, 0), 0.45 * np.sqrt(times**2 - 1))
    whole = cv2.warpPerspective(soft, view_of(times), SIZE, borderMode=cv2.BORDER_REPLICATE).astype(float)
    seen = shrunk(picture(), view_of(times), SIZE, times).astype(float)
    inside = np.s_[5:-5, 5:-5]
    assert np.abs(seen - whole)[inside].mean() < 3
    away = cv2.phaseCorrelate(whole[inside].mean(axis=2), seen[inside].mean(axis=2))[0]
    assert np.abs(away).max() < 0.1


def test_beyond_the_picture_its_border_goes_on_or_what_is_named() -> None:
    outside = view_of(1.0, left=-30.0)
    whole = cv2.warpPerspective(picture(), outside, SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert np.abs(shrunk(picture(), outside, SIZE, 1.0).astype(int) - whole).max() <= 1
    assert (shrunk(picture(), outside, SIZE, 1.0, beyond=(1, 2, 3))[:, :35] == (1, 2, 3)).all()


def test_a_view_that_reaches_beyond_the_horizon_is_cut_from_the_whole_picture() -> None:
    steep = inverse(np.array([[1.0, 0, 200], [0, 1, 150], [0, -0.03, 1]]))
    whole = cv2.warpPerspective(picture(), steep, SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert np.array_equal(shrunk(picture(), steep, SIZE, 1.0), whole)
