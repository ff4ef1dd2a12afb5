"""Training of the corner net, two steps of it: it goes on where it was stopped, and what it gives can be exported."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from vision.cornernet import PLACES, STRIDE, VIEW_WH_PX  # noqa: E402
from vision.nets import session  # noqa: E402
from vision.training.corners import export, shots, train  # noqa: E402
from vision.training.corners.confidence import logistic  # noqa: E402
from vision.training.corners.evaluate import corner_error  # noqa: E402
from vision.training.corners.model import LAYERS  # noqa: E402

COLUMNS, ROWS = (n // STRIDE for n in VIEW_WH_PX)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shots")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shots, "SHARD", 4)
        shots.write_shard(folder, 0)
    return folder


def test_a_run_that_was_stopped_gives_what_an_unbroken_one_gives(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "BATCH", 2)
    whole, broken = tmp_path / "whole.pt", tmp_path / "broken.pt"
    train.train(folder, whole, replace(train.COURSE, steps=3), shards=1)
    train.train(folder, broken, replace(train.COURSE, steps=3, stop_after=1), shards=1)
    train.train(folder, broken, replace(train.COURSE, steps=3), shards=1)
    one, two = (torch.load(path, weights_only=True) for path in (whole, broken))
    assert one["step"] == two["step"] == 3
    for name, value in one["average"].items():
        assert torch.allclose(value, two["average"][name], atol=1e-6), name


def test_the_loss_is_least_where_the_answer_is_true() -> None:
    x, y = np.meshgrid(np.arange(COLUMNS), np.arange(ROWS))
    asked, masks = torch.ones(1, PLACES), torch.zeros(1, 2, ROWS, COLUMNS)

    def loss(shift: float) -> float:
        hill = -((x - 20 - shift) ** 2 + (y - 15) ** 2) / 2 / train.HILL_CELLS**2
        logits = torch.full((1, LAYERS, ROWS, COLUMNS), -9.0)
        logits[:, :PLACES] = torch.from_numpy(hill).float()
        places = torch.tensor([[20.0, 15.0]]).expand(1, PLACES, 2)
        return float(train.loss_of(logits, places, asked, masks))

    assert loss(0.0) < loss(0.3) < loss(1.0) < loss(4.0)


@pytest.mark.parametrize("name", sorted(export.NETS))
def test_the_exported_net_answers_as_the_trained_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, (width, height), file = export.NETS[name]
    torch.manual_seed(3)
    net = make().eval()
    torch.save({"average": net.state_dict()}, tmp_path / "net.pt")
    monkeypatch.setattr("sys.argv", ["export", name, str(tmp_path / "net.pt"), str(tmp_path)])
    export.main()
    view = np.random.default_rng(1).normal(size=(1, 3, height, width)).astype(np.float32)
    ((seen,),) = session((tmp_path / file).read_bytes()).run(None, {"in": view})
    with torch.no_grad():
        expected = net(torch.from_numpy(view))[0].numpy()
    assert np.abs(seen - expected).max() < 1e-3


def test_confidence_follows_what_was_right() -> None:
    chance = np.random.default_rng(2)
    x = np.column_stack([np.ones(400), chance.normal(size=400)])
    right = (chance.uniform(size=400) < 1 / (1 + np.exp(-(1 - 2 * x[:, 1])))).astype(np.float64)
    assert logistic(x, right) == pytest.approx([1, -2], abs=0.5)


def test_a_board_named_from_its_other_side_is_the_same() -> None:
    truth = np.array([(0, 0), (100, 0), (100, 80), (0, 80)], dtype=np.float64)
    assert corner_error(np.roll(truth, 2, axis=0), truth) == 0
    assert corner_error(np.roll(truth, 1, axis=0), truth) > 0.5
    assert corner_error(truth + np.array([3, 4]), truth) == pytest.approx(0.05)
