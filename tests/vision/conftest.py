"""Drawn tables whose truth is known."""

from collections.abc import Callable

import pytest

from calibration.geometry import BoardGeometry
from calibration.orientation import white_point
from rules.position import Position
from vision.frame import Frame
from vision.observe import Eyes, Observation
from vision.synth.render.draw import Painter
from vision.synth.scene import Scene
from vision.synth.table import Table


def _geometry(table: Table) -> BoardGeometry:
    a, b, c, d = table.corners
    return BoardGeometry((a, b, c, d), table.bar)


def _counts(position: Position, table: Table) -> tuple[int, ...]:
    points = [white_point(place, table.home) for place in range(24)]
    return tuple(position.white[point] - position.black[25 - point] for point in points)


@pytest.fixture(scope="session")
def geometry_of() -> Callable[[Table], BoardGeometry]:
    """Where a drawn table's field lies."""
    return _geometry


@pytest.fixture(scope="session")
def counts_of() -> Callable[[Position, Table], tuple[int, ...]]:
    """Signed counts of a position as seen, the top row first; positive white."""
    return _counts


@pytest.fixture(scope="session")
def nothing() -> Position:
    """A board without checkers."""
    return Position((0,) * 26, (0,) * 26)


@pytest.fixture(scope="session")
def table() -> Table:
    return Table()


@pytest.fixture(scope="session")
def geometry(table: Table) -> BoardGeometry:
    return _geometry(table)


@pytest.fixture(scope="session")
def start_frame(table: Table) -> Frame:
    return Frame(Painter(table).draw(Scene()), 0.0, "start")


@pytest.fixture(scope="session")
def start_eyes(geometry: BoardGeometry) -> Eyes:
    """Eyes that have learned what the drawn checkers look like from the start position (with `start_seen`)."""
    return Eyes(geometry)


@pytest.fixture(scope="session")
def start_seen(start_eyes: Eyes, start_frame: Frame) -> Observation:
    seen = start_eyes.observe(start_frame)
    start_eyes.keep_look()
    return seen
