"""What an empty bar says of a checker that the net did not find there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from vision.bar import CLEAR, PERHAPS, overlooked
from vision.frame import Bgr
from vision.window import FIELD, FIELD_WH_PX, HEIGHT_PX, MARGIN_PX, WIDTH_PX

WHITE, RED = (95.0, 0.0, 5.0), (36.0, 50.0, 26.0)


@pytest.fixture
def bare() -> Bgr:
    """A window of dark wood."""
    return np.full((HEIGHT_PX, WIDTH_PX, 3), (40, 70, 110), dtype=np.uint8)


def board(bar: tuple[float, float]) -> BoardGeometry:
    return BoardGeometry(FIELD, bar)


def test_a_spot_of_a_checkers_colour_on_the_bar_may_be_one(bare: Bgr) -> None:
    wide = board((0.46, 0.54))
    assert overlooked(bare, wide, (WHITE, RED)).tolist() == [CLEAR, CLEAR]
    middle = (WIDTH_PX // 2, HEIGHT_PX // 3)
    cv2.circle(bare, middle, 13, (30, 20, 150), -1)
    assert overlooked(bare, wide, (WHITE, RED)).tolist() == [CLEAR, PERHAPS]


def test_checkers_beside_the_bar_say_nothing_of_it(bare: Bgr) -> None:
    right = round(MARGIN_PX + 0.54 * FIELD_WH_PX[0])
    cv2.rectangle(bare, (right, 100), (right + 30, 200), (30, 20, 150), -1)
    assert overlooked(bare, board((0.46, 0.54)), (WHITE, RED)).tolist() == [CLEAR, CLEAR]


def test_a_board_with_hardly_a_bar_cannot_tell(bare: Bgr) -> None:
    assert overlooked(bare, board((0.5, 0.5)), (WHITE, RED)).tolist() == [PERHAPS, PERHAPS]
