"""Training a reader, a few steps of it: it goes on where it was stopped, and what it gives can be exported."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from vision.nets import session  # noqa: E402
from vision.readers import CLASSES, CUBE_PX, DIE_PX  # noqa: E402
from vision.training.onnxfile import write_onnx  # noqa: E402
from vision.training.readers import export as exporting  # noqa: E402
from vision.training.readers import shards, train  # noqa: E402
from vision.training.readers.export import export, fitted  # noqa: E402
from vision.training.readers.model import ReaderNet, adjust  # noqa: E402


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", 16)
    monkeypatch.setattr(train, "BATCH", 8)
    monkeypatch.setattr(exporting, "COUNT", 80)


def test_a_run_that_was_stopped_gives_what_an_unbroken_one_gives(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.pt", tmp_path / "broken.pt"
    train.train("cube", tmp_path, whole, replace(train.COURSE, steps=3), shards=2)
    train.train("cube", tmp_path, broken, replace(train.COURSE, steps=3, stop_after=1), shards=2)
    train.train("cube", tmp_path, broken, replace(train.COURSE, steps=3), shards=2)
    first, second = (torch.load(path, weights_only=True) for path in (whole, broken))
    assert first["step"] == second["step"] == 3
    for name, weights in first["average"].items():
        assert torch.allclose(weights.float(), second["average"][name].float(), atol=1e-6), name


def test_a_checkpoint_becomes_a_net_and_weights_to_begin_with(tmp_path: Path) -> None:
    checkpoint, target, weights = tmp_path / "die.pt", tmp_path / "die.onnx", tmp_path / "weights.pt"
    train.train("die", tmp_path, checkpoint, replace(train.COURSE, steps=1), shards=1)
    export("die", checkpoint, target, weights)
    assert target.stat().st_size < 1_000_000
    train.train("die", tmp_path, tmp_path / "more.pt", replace(train.COURSE, steps=1, begin=weights), shards=1)


@pytest.mark.parametrize("px", [DIE_PX, CUBE_PX])
def test_an_exported_net_answers_as_the_trained_one_for_any_number_of_cut_outs(tmp_path: Path, px: int) -> None:
    net = ReaderNet(px).eval()
    write_onnx(net, torch.zeros(1, 3, px, px), tmp_path / "net.onnx", {0: "n"})
    reader = session((tmp_path / "net.onnx").read_bytes())
    for count in (3, 1, 7):
        crops = np.random.default_rng(count).standard_normal((count, 3, px, px), dtype=np.float32)
        (told,) = reader.run(None, {"in": crops})
        with torch.no_grad():
            expected = net(torch.from_numpy(crops)).numpy()
        assert np.abs(told.reshape(count, CLASSES, 1, 1) - expected).max() < 1e-4


def test_the_temperature_makes_a_boastful_net_modest() -> None:
    generator = torch.Generator().manual_seed(4)
    logits = torch.randn(4000, CLASSES, generator=generator) * 2
    told = torch.distributions.Categorical(logits=logits).sample()
    assert fitted(2 * logits, told, torch.ones(4000)) == pytest.approx(2, rel=0.1)
    net = ReaderNet(DIE_PX).eval()
    crops = torch.randn(2, 3, DIE_PX, DIE_PX, generator=generator)
    with torch.no_grad():
        before = net(crops)
        adjust(net, 2.0, [1.0] * (CLASSES - 1) + [0.5])
        after = net(crops)
    assert torch.allclose(after[:, :-1], before[:, :-1] / 2, atol=1e-6)
    assert torch.allclose(after[:, -1], (before[:, -1] - np.log(2)) / 2, atol=1e-6)
