"""What was seen is drawn on a copy, as the file the ending promises."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from vision.annotate import FRAME, UNSURE, annotate, encoded, jpeg
from vision.dice import DieSeen
from vision.errors import PictureError
from vision.observe import Observation
from vision.picture import decode


def test_the_picture_itself_is_left_alone(geometry: BoardGeometry, start_seen: Observation) -> None:
    before = start_seen.frame.bgr.copy()
    drawn = annotate(start_seen, geometry)
    assert (drawn.shape, drawn.dtype) == (before.shape, np.uint8)
    assert np.array_equal(start_seen.frame.bgr, before)
    assert (drawn != before).any(axis=2).sum() > 3000


def count_of(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], colour: tuple[int, int, int]) -> int:
    return int((picture == colour).all(axis=2).sum())


def test_what_is_not_sure_is_orange(geometry: BoardGeometry, start_seen: Observation) -> None:
    sure = replace(start_seen, belief=replace(start_seen.belief, confidence=(0.95,) * 24), cube=None)
    unsure = replace(sure, belief=replace(sure.belief, confidence=(0.5,) * 24))
    assert count_of(annotate(sure, geometry), UNSURE) == 0 < count_of(annotate(unsure, geometry), UNSURE)


def test_a_die_is_framed_where_it_lies_and_may_lie_at_the_edge(
    geometry: BoardGeometry, start_seen: Observation
) -> None:
    bare = replace(start_seen, dice=(), cube=None)
    die = DieSeen(3, (600.0, 300.0), (0.7, 0.5), 0.38, 0.95)
    drawn = annotate(replace(bare, dice=(die, replace(die, center_px=(959.0, 599.0)))), geometry)
    changed = (drawn != annotate(bare, geometry)).any(axis=2)
    assert changed[260:330, 570:630].any()
    assert changed[570:, 930:].any()
    assert not changed[:200, :400].any()


def test_checkers_on_the_bar_are_drawn(geometry: BoardGeometry, start_seen: Observation) -> None:
    hit = replace(start_seen, belief=replace(start_seen.belief, bar=(2, 1)))
    changed = (annotate(hit, geometry) != annotate(start_seen, geometry)).any(axis=2)
    assert changed.any()
    assert not changed[:, :400].any()


@pytest.mark.parametrize(
    ("ending", "begins"),
    [(".jpg", b"\xff\xd8\xff"), (".JPEG", b"\xff\xd8\xff"), (".png", b"\x89PNG"), (".webp", b"RIFF")],
)
def test_the_ending_says_the_format(
    geometry: BoardGeometry, start_seen: Observation, ending: str, begins: bytes
) -> None:
    data = encoded(annotate(start_seen, geometry), ending)
    assert data.startswith(begins)
    assert decode(data).shape == start_seen.frame.bgr.shape


@pytest.mark.parametrize("ending", [".txt", "", ".gif", ".json"])
def test_another_ending_is_refused(ending: str) -> None:
    with pytest.raises(PictureError, match="pictures are written as"):
        encoded(np.zeros((8, 8, 3), np.uint8), ending)


def test_a_jpeg_is_one() -> None:
    green = np.full((40, 40, 3), FRAME, np.uint8)
    assert decode(jpeg(green))[20, 20].tolist() == pytest.approx(FRAME, abs=6)
