"""The net for leaning dice: what it is shown, and that its training goes on where it stopped and can be exported."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.training.leaning import examples as showing
from vision.training.leaning.examples import examples
from vision.training.leaning.seen import CROP_PX

torch = pytest.importorskip("torch")

from vision.nets import session  # noqa: E402
from vision.training.leaning import export as exporting  # noqa: E402
from vision.training.leaning import train  # noqa: E402


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "SEEDS", 1)
    monkeypatch.setattr(showing, "TRACED", 2)
    monkeypatch.setattr(train, "BATCH", 8)
    monkeypatch.setattr(exporting, "SEEDS", 1)


def test_dice_that_lean_and_dice_that_do_not_are_shown_with_where_they_were_seen_from() -> None:
    shown = list(examples(showing.FIRST_SEED + 1))
    assert {one.leans for one in shown} == {True, False}
    assert {one.crop.shape for one in shown} == {(CROP_PX, CROP_PX, 3)}
    assert len({one.relief for one in shown}) == len(shown)


def test_a_run_that_was_stopped_gives_what_an_unbroken_one_gives_and_becomes_a_net(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.pt", tmp_path / "broken.pt"
    train.train(tmp_path, whole, replace(train.COURSE, steps=3), shards=1)
    train.train(tmp_path, broken, replace(train.COURSE, steps=3, stop_after=1), shards=1)
    train.train(tmp_path, broken, replace(train.COURSE, steps=3), shards=1)
    first, second = (torch.load(path, weights_only=True) for path in (whole, broken))
    assert first["step"] == second["step"] == 3
    for name, weights in first["average"].items():
        assert torch.allclose(weights.float(), second["average"][name].float(), atol=1e-6), name

    target, weights = tmp_path / "leaning.onnx", tmp_path / "weights.pt"
    exporting.export(whole, target, weights)
    assert target.stat().st_size < 1_000_000
    given = np.zeros((3, train.PLANES, CROP_PX, CROP_PX), np.float32)
    (told,) = session(target.read_bytes()).run(None, {"in": given})
    assert told.reshape(-1).shape == (3,)
    train.train(tmp_path, tmp_path / "more.pt", replace(train.COURSE, steps=1, begin=weights), shards=1)


def test_a_die_seen_in_a_mirror_has_its_relief_mirrored(tmp_path: Path) -> None:
    dice = train.Dice(tmp_path, 1, seed=1)
    shard = showing.read_shards([showing.shard_path(tmp_path, 0)])
    planes = np.concatenate([dice.at(step)[0].numpy()[:, 3:, 0, 0] for step in range(len(shard[0]) // train.BATCH)])
    known = np.sort(np.abs(shard[1]), axis=1)
    for relief in np.sort(np.abs(planes), axis=1):
        assert np.abs(known - relief).sum(axis=1).min() < 1e-5
    assert (planes < 0).any(axis=0).all()
    assert (planes > 0).any(axis=0).all()
