"""Views for the corner net: what they say is true of them, and each follows from its chance."""

import random
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from calibration.geometry import UNIT, apply, homography
from vision.cornernet import PLACES, STRIDE, VIEW_WH_PX
from vision.marks import marks_in_field
from vision.training.corners import shots as shot_making
from vision.training.corners import views as view_making
from vision.training.corners.shots import Shot, Shots, shot, write_shard
from vision.training.corners.views import FIELD_IN_VIEW, View, view_of

COLUMNS, ROWS = (n // STRIDE for n in VIEW_WH_PX)


@pytest.fixture(scope="module")
def shots() -> list[Shot]:
    return [shot(seed) for seed in range(4)]


def views(shots: list[Shot], count: int = 60) -> list[View]:
    return [view_of(shots[k % 4], shots[(k + 1) % 4], random.Random(k)) for k in range(count)]


@pytest.fixture
def marked() -> Shot:
    """A black picture with a white field that has a red upper and a blue lower edge."""
    bgr = np.zeros((240, 320, 3), np.uint8)
    bgr[60:180, 80:240] = 255
    bgr[60:75, 80:240] = (0, 0, 255)
    bgr[165:180, 80:240] = (255, 0, 0)
    corners = np.array([(80, 60), (239, 60), (239, 179), (80, 179)], dtype=np.float64)
    return Shot(bgr, marks_in_field((0.47, 0.53), 0.4) * (159, 119) + (80, 60), corners)


def test_a_shot_follows_from_its_seed_and_knows_its_places(shots: list[Shot]) -> None:
    again = shot(2)
    assert np.array_equal(again.bgr, shots[2].bgr)
    assert np.array_equal(again.places, shots[2].places)
    field = homography(tuple(map(tuple, again.places[:4])), UNIT)  # type: ignore[arg-type]
    ends = apply(field, again.places[4:])
    assert ends[:, 1] == pytest.approx([0, 0, 1, 1], abs=0.05)
    assert (np.abs(ends[:, 0] - 0.5) < 0.16).all()


def test_shards_come_back_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shot_making, "SHARD", 2)
    write_shard(tmp_path, 0)
    path = write_shard(tmp_path, 1)
    assert write_shard(tmp_path, 1) == path
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["shots0000.npz", "shots0001.npz"]
    kept = Shots(tmp_path, 2)
    assert len(kept) == 4
    made = shot(shot_making.FIRST_SEED + 3)
    assert np.array_equal(kept[3].places, made.places)
    assert np.abs(kept[3].bgr.astype(int) - made.bgr).mean() < 5


def test_a_view_follows_from_its_chance(shots: list[Shot]) -> None:
    one, two = (view_of(shots[0], shots[1], random.Random(9)) for _ in range(2))
    assert np.array_equal(one.bgr, two.bgr)
    assert np.array_equal(one.places, two.places)


def test_views_are_of_every_kind(shots: list[Shot]) -> None:
    made = views(shots, 150)
    for one in made:
        assert one.bgr.shape == (VIEW_WH_PX[1], VIEW_WH_PX[0], 3)
        assert one.masks.shape == (2, ROWS, COLUMNS)
        assert one.masks.min() >= 0
        assert one.masks.max() <= 1
    upright, turned = (sum(bool(one.masks[k].any()) for one in made) for k in range(2))
    assert upright > 10 * turned / 2 > 0
    nothing = [one for one in made if not one.masks.any()]
    assert nothing
    assert all(not one.asked.any() for one in nothing)
    assert any(0 < one.asked.sum() < PLACES for one in made), "some corners lie outside"


def test_places_lie_on_the_field_and_the_upper_row_is_the_upper_one(marked: Shot) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("WALLED", "CROPPED", "NO_BOARD"):
            patch.setattr(view_making, name, 0.0)
        patch.setattr(view_making, "amid", lambda shot, _other, _chance: shot)
        patch.setattr(view_making, "relit", lambda bgr, _chance: bgr)
        made = [view_of(marked, marked, random.Random(k)) for k in range(80)]
    checked = 0
    for one in made:
        if one.asked.min() < 1:
            continue
        view_from_field = homography(UNIT, tuple(map(tuple, one.places[:4])))  # type: ignore[arg-type]
        middle, above = apply(view_from_field, [(0.5, 0.5), (0.5, -0.05)]).round().astype(int)
        if not (above[1] >= 0 and above[0] < VIEW_WH_PX[0]):
            continue
        assert one.bgr[middle[1], middle[0]].min() > 200
        assert one.places[0][1] < one.places[3][1]
        assert one.places[0][0] < one.places[1][0]
        checked += 1
    assert checked > 30


def test_straightened_views_have_the_field_nearly_where_it_belongs(shots: list[Shot]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(view_making, "STRAIGHTENED", 1.0)
        patch.setattr(view_making, "NO_BOARD", 0.0)
        made = [one for one in views(shots) if one.asked[:4].all()]
    off = np.array([np.linalg.norm(one.places[:4] - FIELD_IN_VIEW, axis=1).max() for one in made])
    assert len(made) > 30
    assert np.median(off) < 12
    assert off.max() > 6
