"""Files of training pictures."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from vision.training.shardfile import Rounds, packed, parts_of, write_whole


def test_parts_of_different_lengths_come_back_as_they_were(tmp_path: Path) -> None:
    parts = [np.arange(6).reshape(3, 2), np.zeros((0, 2), int), np.ones((1, 2), int)]
    write_whole(tmp_path / "a.npz", packed("things", parts))
    with np.load(tmp_path / "a.npz") as kept:
        again = parts_of(kept, "things")
    assert [part.tolist() for part in again] == [part.tolist() for part in parts]


def test_a_file_that_could_not_be_written_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(work: Path, **_arrays: object) -> None:
        work.write_bytes(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="no space"):
        write_whole(tmp_path / "a.npz", {"a": np.zeros(3)})
    assert not (tmp_path / "a.npz").exists()


def test_each_pass_uses_every_example_of_its_shards_once_and_every_step_can_be_had_alone(tmp_path: Path) -> None:
    paths = [tmp_path / str(n) for n in range(5)]
    for path in paths:
        path.touch()

    def rounds() -> Rounds[str]:
        return Rounds(
            paths, lambda path: [f"{path.name}{k}" for k in range(4)], 1, batch=2, each=4, together=2, passes=3
        )

    one = rounds()
    steps = [one.at(step) for step in range(30)]
    assert one.steps == 12
    passes = [Counter(name for step in steps[first : first + 4] for name in step) for first in range(0, 28, 4)]
    first, second = (Counter(f"{n}{k}" for n in numbers for k in range(4)) for numbers in ((0, 1), (2, 3)))
    assert passes == [first, first, first, second, second, second, first]
    assert len({tuple(map(tuple, steps[k : k + 4])) for k in (0, 4, 8, 24)}) == 4
    assert rounds().at(29) == steps[29]
