"""The measuring itself, briefly."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from device import bench_soak
from device.bench import random_positions
from device.bench_worker import measure, prepare, read_positions
from device.cli import main
from device.errors import DeviceError
from rules.codecs.xgid import read_board


def test_random_positions_are_the_same_every_time() -> None:
    rows = random_positions(50)
    assert rows == random_positions(50)
    assert rows[0]["p"] == "-b----E-C---eE---c-e----B-"
    assert all(read_board(str(row["p"])).problems() == [] for row in rows)


def test_bench_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.bench.RUNS", 1)
    file = tmp_path / "p.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in random_positions(30)), encoding="utf-8")
    result = CliRunner().invoke(main, ["bench", "rules", str(file), "--json"])
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    measured = {row["engine"]: row for row in rows if "per_s" in row}
    assert {"schiri", "schiri plays", "schiri written", "schiri judge", "gvformat"} <= set(measured)
    assert measured["schiri"]["positions"] == 30
    assert measured["schiri judge"]["p99_ms"] > 0
    assert any(row.get("beside") == "gvformat" for row in rows)
    told = CliRunner().invoke(main, ["bench", "rules", str(file)])
    assert "times as fast as gvformat" in told.stdout


@pytest.mark.parametrize("engine", ["schiri", "schiri plays", "schiri written", "schiri judge", "gvformat"])
def test_a_run(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in random_positions(5)), encoding="utf-8")
    assert measure(engine, file)["cpu_s"] > 0
    call, arguments = prepare(engine, read_positions(file))
    assert call(*arguments[0])


def test_positions_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text("nonsense")
    with pytest.raises(DeviceError, match="no positions to measure with"):
        read_positions(file)


def test_bench_sim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.bench.RUNS", 1)
    result = CliRunner().invoke(main, ["bench", "sim", "--json"])
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["engine"] for row in rows] == ["stills 640x480", "film 1280x720"]
    assert all(row["per_s"] > 0 for row in rows)


def test_a_soak_shows_its_film_again_and_again_and_says_what_it_took() -> None:
    found = bench_soak.measure(0.02, pictures=True, max_frames=60)
    assert found["films"] == 2, "30 s and a pause, twice"
    assert found["frames"] == 120
    assert found["played_h"] == pytest.approx(2 * (29.5 + bench_soak.BETWEEN_FILMS_S) / 3600, abs=0.01)
    assert found["events"] >= 4, "each film begins a match and a game"
    assert found["memory_end_mb"] > 20
    assert found["journal_mb_per_h"] > 0
