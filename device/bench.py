"""`schiri bench`: how fast rules, eyes and simulator are on this machine, in CPU time, beside a reference loop."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import click

from device.bench_worker import read_positions
from device.errors import DeviceError
from device.paths import default_data_dir
from rules.codecs.xgid import write_board
from rules.movegen import legal_plays
from rules.position import START, Player, Position
from rules.roll import Roll

RUNS = 5
"""Runs of each engine, each in a fresh process."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

PICTURES = {
    "sim": {"stills 640x480": 60, "film 1280x720": 120},
    "vision": {"reading 1280x720": 30, "quiet 1280x720": 60},
}
"""What is drawn and what is read, and how many pictures a run; named here, so that `bench rules` loads no OpenCV."""

REFEREE, RESULTS = "referee", "bench-referee.jsonl"
SOAK = "soak"

ENGINES = {
    "schiri": "all positions a roll can lead to, each once",
    "schiri plays": "the same as a tuple of plays, not yet written out",
    "schiri written": "all legal plays, each with its position and notation written out",
    "schiri judge": "one ruling with all faults",
    "gvformat": "another generator in pure Python, from PyPI",
    "gnubg-nn": "GNU Backgammon's generator, in C",
}
"""What is measured: a name and what it does for one position."""

_NEEDS = {"gvformat": "gvformat", "gnubg-nn": "gnubg_nn"}


@click.command()
@click.argument("what", type=click.Choice(["rules", *PICTURES, REFEREE, SOAK]), default="rules")
@click.argument("positions", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--results", type=click.Path(dir_okay=False, path_type=Path), help="The referee's results, added to.")
@click.option("--matches", default=30, show_default=True, type=click.IntRange(min=0), help="The referee's matches.")
@click.option("--clips", default=100, show_default=True, type=click.IntRange(min=0), help="Clips of each fault.")
@click.option("--misses", type=click.Path(file_okay=False, path_type=Path), help="A folder for pictures of misses.")
@click.option("--hours", default=6.0, show_default=True, type=click.FloatRange(0.01), help="Hours of play to soak.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def bench(
    what: str,
    positions: Path | None,
    results: Path | None,
    matches: int,
    clips: int,
    misses: Path | None,
    hours: float,
    as_json: bool,
) -> None:
    """How fast this machine is, in one thread: plays and rulings (`rules`), pictures drawn (`sim`) or read (`vision`);
    and how good the referee is (`referee`): drawn matches and faults in hours of film, which may be stopped and goes on
    where it was (docs/referee-bench.md); and whether a table that plays for hours grows (`soak`).

    Every run is a fresh process that sees each position once; the median of five counts. POSITIONS is a file of
    JSON lines (.gz too), each with `p`, the 26 characters of an XGID with the mover below, and `d`, the dice;
    without it they come from games played at random with a fixed seed.
    """
    if what in PICTURES:
        _pictures(what, as_json)
        return
    if what == SOAK:
        soaked = _run("device.bench_soak", str(hours))
        click.echo(json.dumps(soaked) if as_json else "\n".join(f"{key:<18}{value}" for key, value in soaked.items()))
        return
    if what == REFEREE:
        # what draws and sees is loaded only here, so that `bench rules` loads no OpenCV
        run: Callable[..., None] = import_module("device.bench_referee").bench_referee
        run(results or default_data_dir() / RESULTS, misses, matches=matches, clips=clips, as_json=as_json)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = positions
        if file is None:
            file = Path(folder) / "positions.jsonl"
            file.write_text("".join(json.dumps(row) + "\n" for row in random_positions(2000)), encoding="utf-8")
        count = len(read_positions(file))
        engines = [name for name in ENGINES if name not in _NEEDS or find_spec(_NEEDS[name]) is not None]
        measured: dict[str, list[dict[str, float]]] = {name: [] for name in engines}
        for _ in range(RUNS):
            for name in engines:  # one after the other, so that a slow minute hits all
                measured[name].append(_run("device.bench_worker", name, str(file)))
    for name in engines:
        _print(name, count, measured[name], as_json)
    _print_ratio(count, measured, as_json)


def _pictures(what: str, as_json: bool) -> None:
    """Pictures drawn with their truth, or read."""
    kinds = PICTURES[what]
    measured: dict[str, list[dict[str, float]]] = {name: [] for name in kinds}
    for _ in range(RUNS):
        for name, count in kinds.items():
            measured[name].append(_run(f"device.bench_{what}", name, str(count)))
    for name, count in kinds.items():
        rate = count / median(run["cpu_s"] for run in measured[name])
        reference = median(run["reference_s"] for run in measured[name])
        if as_json:
            click.echo(json.dumps({"engine": name, "per_s": round(rate, 1), "reference_s": round(reference, 4)}))
        else:
            each = f"{rate:>8.1f} pictures a second, {1000 / rate:.1f} ms each"
            click.echo(f"{name:<16}{each} (reference loop {1000 * reference:.0f} ms)")


def _run(module: str, *arguments: str) -> dict[str, float]:
    """One run in a fresh process, in one thread."""
    command = [sys.executable, "-m", module, *arguments]
    engine = arguments[0]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **ONE_THREAD})
    if answer.returncode:
        raise DeviceError(f"{engine}: the run failed: {answer.stderr.strip().splitlines()[-1:]}")
    found: dict[str, float] = json.loads(answer.stdout)
    return found


def _print(name: str, count: int, runs: list[dict[str, float]], as_json: bool) -> None:
    seconds = median(run["cpu_s"] for run in runs)
    reference = median(run["reference_s"] for run in runs)
    p99 = median(run["p99_s"] for run in runs)
    rate = count / seconds
    if as_json:
        row = {"engine": name, "positions": count, "per_s": round(rate), "reference_s": round(reference, 4)}
        if p99:
            row["p99_ms"] = round(1000 * p99, 3)
        click.echo(json.dumps(row))
        return
    tail = f", 99 % under {1000 * p99:.2f} ms" if p99 else ""
    click.echo(
        f"{name:<13}{rate:>10,.0f} a second{tail:<24}  {ENGINES[name]} (reference loop {1000 * reference:.0f} ms)"
    )


def _print_ratio(count: int, measured: dict[str, list[dict[str, float]]], as_json: bool) -> None:
    own = median(run["cpu_s"] for run in measured["schiri"])
    for name in _NEEDS:
        if name in measured:
            ratio = median(run["cpu_s"] for run in measured[name]) / own
            row = {"engine": "schiri", "beside": name, "times_as_fast": round(ratio, 2)}
            click.echo(json.dumps(row) if as_json else f"schiri is {ratio:.2f} times as fast as {name}")


def random_positions(count: int, seed: int = 7) -> list[dict[str, object]]:
    """Positions of games played at random: `p` as the 26 characters of an XGID with the mover below, `d` the dice."""
    rng = random.Random(seed)
    rows: list[dict[str, object]] = []
    position = START
    while len(rows) < count:
        roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
        rows.append({"p": write_board(position), "d": [roll.high, roll.low]})
        after = rng.choice(legal_plays(position, Player.WHITE, roll)).after
        position = START if after.on_board(Player.WHITE) == 0 else Position(after.black, after.white)
    return rows
