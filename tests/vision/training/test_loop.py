"""The loop that trains every net, on one with a single weight."""

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from vision.training.loop import WARM_UP, Course, follow, rate_at  # noqa: E402

COURSE = Course(steps=6, save_every=4, tell_every=2)


class One(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.rand(1))


def lesson(net: One, step: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    loss = (net.weight - 7).square().sum()
    return loss, {"loss": loss, "step": torch.tensor(float(step))}


def test_a_run_goes_on_from_what_was_saved_and_tells_the_means_of_its_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, broken = tmp_path / "whole.pt", tmp_path / "broken.pt"
    follow(COURSE, One, lesson, whole)
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told] == [f"step {n} of 6" for n in (2, 4, 6)]
    assert [line.rsplit(", ", 1)[1] for line in told] == ["step 0.500", "step 2.500", "step 4.500"]
    follow(replace(COURSE, stop_after=3), One, lesson, broken)
    assert torch.load(broken, weights_only=True)["step"] == 3
    follow(COURSE, One, lesson, broken)
    one, two = (torch.load(path, weights_only=True) for path in (whole, broken))
    assert one == two
    assert sorted(one) == ["average", "net", "step", "tuner"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.pt", "whole.pt"]


def test_what_a_broken_off_step_leaves_is_what_was_saved_before(tmp_path: Path) -> None:
    def breaking(net: One, step: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        if step == 5:
            raise KeyboardInterrupt
        return lesson(net, step)

    with pytest.raises(KeyboardInterrupt):
        follow(COURSE, One, breaking, tmp_path / "one.pt")
    assert torch.load(tmp_path / "one.pt", weights_only=True)["step"] == 4


def test_a_run_begins_with_the_averaged_weights_it_is_given(tmp_path: Path) -> None:
    torch.save({"average": {"weight": torch.tensor([7.0])}}, tmp_path / "begin.pt")
    course = replace(COURSE, steps=1, rate=0.0, begin=tmp_path / "begin.pt")
    follow(course, One, lesson, tmp_path / "one.pt")
    kept = torch.load(tmp_path / "one.pt", weights_only=True)
    assert kept["net"]["weight"].item() == kept["average"]["weight"].item() == 7.0


def test_the_learning_rate_rises_and_then_falls() -> None:
    rates = [rate_at(step, 1000, 1.0) for step in range(1001)]
    assert rates[:WARM_UP] == sorted(rates[:WARM_UP])
    assert rates[WARM_UP:] == sorted(rates[WARM_UP:], reverse=True)
    assert rates[WARM_UP] == max(rates) == pytest.approx(1.0, abs=0.01)
    assert 0 < rates[-1] < 0.01
