"""Where the camera stands, told by the corners of boards whose camera is known."""

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from vision.synth.chance.variety import random_table
from vision.synth.table import Table
from vision.training.leaning.standpoint import standpoint


def relief_error(table: Table) -> float:
    """How far off the displacement of a thing that stands up is taken, as a share of its height, at worst."""
    told = np.asarray(standpoint(BoardGeometry(table.corners, table.bar), table.size_px)) * table.board.point_mm
    true = np.asarray(table.camera.position_mm)
    places = np.array([(-150.0, -150.0), (150.0, -150.0), (150.0, 150.0), (-150.0, 150.0)])
    seen, known = ((places - at[:2]) / at[2] for at in (told, true))
    return float(np.linalg.norm(seen - known, axis=1).max())


def test_a_usual_camera_is_found_where_it_hangs() -> None:
    assert relief_error(Table()) < 0.06


def test_of_random_tables_most_are_told_well() -> None:
    errors = [relief_error(random_table(seed)) for seed in range(60)]
    assert np.median(errors) < 0.12
    assert np.quantile(errors, 0.9) < 0.3


@pytest.mark.parametrize("k", [0.5, 3.0])
def test_the_size_of_the_picture_does_not_matter(k: float) -> None:
    table = Table()
    corners = tuple((k * x, k * y) for x, y in table.corners)
    width, height = table.size_px
    a = standpoint(BoardGeometry(table.corners, table.bar), table.size_px)
    b = standpoint(BoardGeometry(corners, table.bar), (round(k * width), round(k * height)))
    assert np.asarray(b) == pytest.approx(np.asarray(a), rel=0.02, abs=0.05)
