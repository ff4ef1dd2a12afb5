"""A table whose corners nobody named: the board is looked for in its pictures."""

from __future__ import annotations

from collections.abc import Iterable

from calibration.errors import GeometryError
from calibration.geometry import BoardGeometry, apply
from calibration.profile import TableProfile
from device.errors import DeviceError
from vision.board import FoundBoard, find_board
from vision.frame import Bgr, Frame

LEAST, LEAST_TO_READ = 0.5, 0.2
"""A board less sure than the first has a corner off by 2 % of its width more often than not; one less sure than the
second lies somewhere else as often as there."""
DOUBT = "where the board lies is not sure; name its corners (--corners) if the position is wrong"
ENOUGH = 0.9
"""With a board so sure no further picture is looked at."""
PICTURES = 10
EVERY_S = 0.5
SMALLEST_BAR = 0.012
"""A bar narrower than this, as a share of the field's width, is none."""
ADVICE = "name its corners (--corners, or a table file with --table), or show the whole board, evenly lit"


def find(bgr: Bgr) -> FoundBoard:
    """The board in a picture that is to be read. Raises DeviceError, which says what to do, when it is not sure."""
    found = find_board(bgr)
    _check(found, LEAST_TO_READ)
    assert found is not None
    found.geometry.check_inside(bgr.shape[1], bgr.shape[0])
    return found


def find_in(frames: Iterable[Frame]) -> FoundBoard:
    """The surest board in the first pictures of a source. Raises DeviceError when there is none."""
    best: FoundBoard | None = None
    looked, next_s = 0, float("-inf")
    for frame in frames:
        if frame.at_s < next_s:
            continue
        next_s = frame.at_s + EVERY_S
        found = find_board(frame.bgr)
        if found is not None and (best is None or found.confidence > best.confidence):
            best = found
        looked += 1
        if looked >= PICTURES or (best is not None and best.confidence >= ENOUGH):
            break
    _check(best, LEAST)
    assert best is not None
    return best


def words(found: FoundBoard) -> str:
    """What was found, for the terminal."""
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in found.geometry.corners)
    return f"board found at {corners} (confidence {found.confidence:.2f}); schiri calibrate learns it for good"


def _check(found: FoundBoard | None, least: float) -> None:
    if found is None:
        raise DeviceError(f"no board was found; {ADVICE}")
    if found.confidence < least:
        raise DeviceError(f"where the board lies is not sure (confidence {found.confidence:.2f}); {ADVICE}")


def placed(table: TableProfile, geometry: BoardGeometry) -> TableProfile:
    """The table with its board where `geometry` has it; a bar that the table file tells of stays."""
    corners = [[round(x, 1), round(y, 1)] for x, y in geometry.corners]
    if table.bar_known:
        return table.model_copy(update={"corners": corners})
    left, right = geometry.bar
    ends = apply(geometry.image_from_field, [(left, 0), (right, 0), (right, 1), (left, 1)])
    bar = [[round(float(x), 1), round(float(y), 1)] for x, y in ends] if right - left >= SMALLEST_BAR else None
    placed_so = table.model_copy(update={"corners": corners, "bar": bar})
    try:
        placed_so.geometry()
    except GeometryError:  # so narrow that rounding to tenths of pixels turned it round
        return table.model_copy(update={"corners": corners, "bar": None})
    return placed_so
