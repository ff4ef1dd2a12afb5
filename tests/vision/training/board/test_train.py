"""The training itself, two steps of it: it goes on where it was stopped, and what it gives can be exported."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from vision.boardnet import BOARD, POINTS  # noqa: E402
from vision.nets import session  # noqa: E402
from vision.strips import across_weights, strips_of  # noqa: E402
from vision.training.board import shards, train  # noqa: E402
from vision.training.board.export import write  # noqa: E402
from vision.training.board.model import HEADS, Reader  # noqa: E402
from vision.window import HEIGHT_PX, STRIDE, WIDTH_PX  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "SHARD", 2)
        for n in range(4):
            shards.write_shard(folder, shards.nth_shard(n))
    return folder


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "SHARD", 2)
    monkeypatch.setattr(train, "BATCH", 2)


def test_a_run_that_was_stopped_gives_what_an_unbroken_one_gives(folder: Path, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.pt", tmp_path / "broken.pt"
    train.train(folder, whole, replace(train.COURSE, steps=3), shards=4)
    train.train(folder, broken, replace(train.COURSE, steps=3, stop_after=1), shards=4)
    train.train(folder, broken, replace(train.COURSE, steps=3), shards=4)
    first, second = (torch.load(path, weights_only=True) for path in (whole, broken))
    assert first["step"] == second["step"] == 3
    for name, weights in first["average"].items():
        assert torch.allclose(weights.float(), second["average"][name].float(), atol=1e-6), name


def test_what_is_wanted_has_its_middles_where_the_things_are(folder: Path) -> None:
    one = shards.read_shard(shards.shard_path(folder, 0))[0]
    wanted, counts = train.targets(one)
    assert wanted.shape == counts.shape == (HEADS, HEIGHT_PX // STRIDE, WIDTH_PX // STRIDE)
    for kind in range(4):
        must = one.things[(one.things[:, 0] == kind) & (one.things[:, 3] == 1)]
        assert (wanted[kind] == 1).sum() <= len(must)
        for _, x, y, _ in must:
            assert wanted[kind][round((y + 0.5) / STRIDE - 0.5), round((x + 0.5) / STRIDE - 0.5)] == 1


def test_an_exported_net_answers_as_the_trained_one(tmp_path: Path) -> None:
    net, bar = Reader(), (0.45, 0.53)
    write(net, tmp_path)
    window = np.random.default_rng(2).standard_normal((1, 3, HEIGHT_PX, WIDTH_PX), dtype=np.float32)
    board, points = (session((tmp_path / name).read_bytes()) for name in (BOARD, POINTS))
    ((answer,),) = board.run(None, {"in": window})
    (told,) = points.run(None, {"in": strips_of(answer[HEADS:], bar)})
    with torch.no_grad():
        cells, counts = net(torch.from_numpy(window), torch.from_numpy(across_weights(bar))[None])
    assert np.abs(answer[:HEADS] - cells[0].numpy()).max() < 1e-3
    assert np.abs(told - counts.numpy()).max() < 1e-3


def test_what_is_mirrored_is_counted_mirrored(folder: Path) -> None:
    one = shards.read_shard(shards.shard_path(folder, 0))[0]
    seen = {tuple(train.disturbed(one, random.Random(k)).counts.tolist()) for k in range(40)}
    rows = one.counts.reshape(2, 12)
    assert seen == {tuple(rows[::a, ::b].ravel().tolist()) for a in (1, -1) for b in (1, -1)}
