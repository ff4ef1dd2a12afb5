"""The training of the detector, a few steps of it: it goes on where it was stopped, and can be exported."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from vision.nets import session  # noqa: E402
from vision.smallthings import DIE_PX, STRIDE, net_input  # noqa: E402
from vision.training.onnxfile import write_onnx  # noqa: E402
from vision.training.things import shards, train  # noqa: E402
from vision.training.things.export import ANY_SIZE  # noqa: E402
from vision.training.things.model import ANSWERS, SmallNet  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "SEEDS", 1)
        for n in range(2):
            shards.write_shard(folder, n)
    return folder


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SEEDS", 1), ("BATCH", 4), ("TOGETHER", 1), ("PASSES", 1)):
        monkeypatch.setattr(train, name, value)


def test_a_run_that_was_stopped_gives_what_an_unbroken_one_gives(folder: Path, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.pt", tmp_path / "broken.pt"
    train.train(folder, whole, replace(train.COURSE, steps=5), shards=2)
    train.train(folder, broken, replace(train.COURSE, steps=5, stop_after=3), shards=2)
    assert torch.load(broken, weights_only=True)["step"] == 3
    train.train(folder, broken, replace(train.COURSE, steps=5), shards=2)
    one, two = (torch.load(path, weights_only=True)["average"] for path in (whole, broken))
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_what_must_be_found_is_wanted_and_what_may_be_counts_for_nothing() -> None:
    things = np.array([(0, 50, 90, 2 * DIE_PX, 1, 1), (1, 120, 30, 30, 0, 0)], np.float32)
    wanted, counts = train.targets(things)
    row, column = round((90 + 0.5) / STRIDE - 0.5), round((50 + 0.5) / STRIDE - 0.5)
    assert np.argwhere(wanted[0] == 1).tolist() == [[row, column]]
    assert (wanted[2][counts[2] == 1] == 1).all()
    assert counts[2].sum() >= 4
    assert (wanted[3][counts[3] == 1] == 1).all()
    assert counts[3].sum() == counts[2].sum()
    assert wanted[1].max() == 0
    assert counts[1][round(30 / STRIDE), round(120 / STRIDE)] == 0
    assert counts[0].all()


def test_a_loss_is_smaller_for_a_better_answer() -> None:
    wanted, counts = (torch.from_numpy(v[None]) for v in train.targets(np.array([(0, 50, 90, 16, 1, 1)], np.float32)))
    blind = torch.full_like(wanted, -4.0)
    seeing = blind.clone()
    seeing[:, 0][wanted[:, 0] == 1] = 4.0
    seeing[:, 2], seeing[:, 3] = 0, 4
    losses = [train.loss_of(answer, wanted, counts).item() for answer in (seeing, blind)]
    assert losses[0] < 0.5 * losses[1]


def test_the_exported_net_answers_as_the_trained_one_for_any_size(tmp_path: Path) -> None:
    net = SmallNet().eval()
    write_onnx(net, torch.zeros(1, 3, 64, 64), tmp_path / "small.onnx", ANY_SIZE)
    runtime = session((tmp_path / "small.onnx").read_bytes())
    for height, width in ((64, 96), (112, 80)):
        picture = np.random.default_rng(1).integers(0, 255, (height, width, 3)).astype(np.uint8)
        view = net_input(picture, 120.0, 60.0)
        with torch.no_grad():
            expected = net(torch.from_numpy(view)).numpy()
        (answer,) = runtime.run(None, {"in": view})
        assert answer.shape == (1, ANSWERS, height // STRIDE, width // STRIDE)
        assert answer == pytest.approx(expected, abs=1e-3)
