"""The strips over the points: each shows its own point, the rail first."""

import numpy as np
import pytest

from calibration.geometry import COLUMNS, BoardGeometry
from vision.strips import ACROSS, LONG, strips_of
from vision.window import FIELD, FIELD_WH_PX, HEIGHT_PX, MARGIN_PX, STRIDE, WIDTH_PX


@pytest.mark.parametrize("bar", [(0.46, 0.54), (0.5, 0.5), (0.43, 0.55)])
@pytest.mark.parametrize("place", [0, 5, 6, 11, 12, 20, 23])
def test_a_mark_on_a_point_is_in_the_middle_of_its_strip(bar: tuple[float, float], place: int) -> None:
    x = sum(BoardGeometry(FIELD, bar).column_edges(place % COLUMNS)) / 2
    column = (MARGIN_PX + x * FIELD_WH_PX[0] + 0.5) / STRIDE - 0.5
    rows, columns = HEIGHT_PX // STRIDE, WIDTH_PX // STRIDE
    from_rail = 10
    answer = np.zeros((3, rows, columns), np.float32)
    answer[1, from_rail if place < COLUMNS else rows - 1 - from_rail] = np.maximum(
        0, 1 - np.abs(np.arange(columns) - column) / 2
    )
    strips = strips_of(answer, bar)
    assert strips.shape == (2 * COLUMNS, 3, LONG, ACROSS)
    seen = strips[place, 1, from_rail]
    assert abs(float((seen * np.arange(ACROSS)).sum() / seen.sum()) - (ACROSS - 1) / 2) < 0.1
    assert strips[place, [0, 2]].max() == 0
    assert strips[place].sum() == seen.sum()
    assert strips[place - 12 if place >= 12 else place + 12].sum() == 0
