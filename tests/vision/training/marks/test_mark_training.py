"""Training of the mark net: its views tell the truth, and a run that was stopped goes on where it was."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from calibration.geometry import UNIT, apply, four, homography  # noqa: E402
from vision.marknet import FIELD_IN_VIEW, STRIDE, VIEW_WH_PX, told  # noqa: E402
from vision.marks import MARKS, PLACES_OF_MARKS  # noqa: E402
from vision.training.corners import shots as shot_making  # noqa: E402
from vision.training.corners.shots import Shot, shot, write_shard  # noqa: E402
from vision.training.marks import train  # noqa: E402
from vision.training.marks import views as view_making  # noqa: E402
from vision.training.marks.views import View, bordered, boxed, view_of  # noqa: E402

COLUMNS, ROWS = (n // STRIDE for n in VIEW_WH_PX)


@pytest.fixture(scope="module")
def shots() -> list[Shot]:
    return [shot(seed) for seed in range(4)]


@pytest.fixture(scope="module")
def views(shots: list[Shot]) -> list[View]:
    return [view_of(shots[k % 4], shots[(k + 1) % 4], random.Random(k)) for k in range(80)]


def test_views_are_of_every_kind(views: list[View]) -> None:
    for one in views:
        assert one.bgr.shape == (VIEW_WH_PX[1], VIEW_WH_PX[0], 3)
        assert one.field.shape == (ROWS, COLUMNS)
    assert any(not one.asked.any() and not one.field.any() for one in views), "some show no board"
    assert any(0 < one.asked.sum() < MARKS for one in views), "some marks lie outside"
    boards = [one for one in views if one.asked[PLACES_OF_MARKS[:4]].all()]
    off = [np.linalg.norm(one.marks[PLACES_OF_MARKS[:4]] - FIELD_IN_VIEW, axis=1).max() for one in boards]
    assert np.median(off) < 20
    assert max(off) > 15, "some sides lie on another point"


def test_marks_stay_marks_whatever_is_exchanged(views: list[View]) -> None:
    for one in (one for one in views if one.asked.any()):
        field = apply(homography(four(one.marks[PLACES_OF_MARKS[:4]]), UNIT), one.marks)
        assert (np.diff(field[:14, 0]) > -0.01).all()
        assert field[:14, 1] == pytest.approx(np.zeros(14), abs=0.03)
        assert (field[28:40, 1] < field[40:, 1]).all()


def test_a_view_follows_from_its_chance(shots: list[Shot]) -> None:
    one, two = (view_of(shots[0], shots[1], random.Random(9)) for _ in range(2))
    assert np.array_equal(one.bgr, two.bgr)
    assert np.array_equal(one.marks, two.marks)


@pytest.mark.parametrize("how", [boxed, bordered])
def test_frames_and_walls_end_where_the_field_begins(shots: list[Shot], how: object) -> None:
    transform = homography(four(shots[1].places[:4]), FIELD_IN_VIEW)
    white = Shot(np.full((*VIEW_WH_PX[::-1], 3), 255, np.uint8), apply(transform, shots[1].marks), np.zeros((4, 2)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(view_making, "_colour", lambda *_: np.zeros(3))
        patch.setattr(view_making, "_shaded", lambda *_: None)
        seen = [how(white, random.Random(k)) for k in range(12)]  # type: ignore[operator]
    left, top = (round(v + 0.5) for v in FIELD_IN_VIEW[0])
    right, bottom = (round(v - 0.5) for v in FIELD_IN_VIEW[2])
    for one in seen:
        grey = one.bgr[..., 0]
        assert grey[top + 20 : bottom - 20, left + 20 : right - 20].min() == 255
        assert grey.min() < 60
    if how is bordered:
        assert all(one.bgr[top + 1 : bottom, left + 1 : right, 0].min() > 200 for one in seen)
        assert all(one.bgr[top - 1, left:right, 0].mean() < 150 for one in seen)
    else:
        assert any(one.bgr[top + 2 : bottom - 1, left + 2 : right - 1, 0].min() < 60 for one in seen), "a wall hides"


def test_the_loss_is_least_where_the_answer_is_true() -> None:
    x, y = np.meshgrid(np.arange(COLUMNS), np.arange(ROWS))
    asked, field = torch.ones(1, MARKS), torch.zeros(1, ROWS, COLUMNS)

    def logits(shift: float) -> np.ndarray:
        hill = -((x - 20 - shift) ** 2 + (y - 15) ** 2) / 2 / train.HILL_CELLS**2
        out = np.full((MARKS + 1, ROWS, COLUMNS), -9.0, np.float32)
        out[:MARKS] = hill
        return out

    def loss(shift: float) -> float:
        marks = torch.tensor([[20.0, 15.0]]).expand(1, MARKS, 2)
        return float(train.loss_of(torch.from_numpy(logits(shift))[None], marks, asked, field))

    assert loss(0.0) < loss(0.3) < loss(1.0) < loss(4.0)
    seen = told(logits(0.3))
    assert seen.xy[5] == pytest.approx(((20.3 + 0.5) * STRIDE - 0.5, 15.5 * STRIDE - 0.5), abs=0.1)
    assert seen.share == pytest.approx(np.ones(MARKS), abs=0.02)


def test_a_run_that_was_stopped_gives_what_an_unbroken_one_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shot_making, "SHARD", 4)
    monkeypatch.setattr(train, "BATCH", 2)
    write_shard(tmp_path, 0)
    whole, broken = tmp_path / "whole.pt", tmp_path / "broken.pt"
    train.train(tmp_path, whole, replace(train.COURSE, steps=2), shards=1)
    train.train(tmp_path, broken, replace(train.COURSE, steps=2, stop_after=1), shards=1)
    train.train(tmp_path, broken, replace(train.COURSE, steps=2), shards=1)
    one, two = (torch.load(path, weights_only=True) for path in (whole, broken))
    assert one["step"] == two["step"] == 2
    for name, value in one["average"].items():
        assert torch.allclose(value, two["average"][name], atol=1e-6), name
