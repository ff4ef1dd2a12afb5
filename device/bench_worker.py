"""One run of `schiri bench` in its own process: prints its CPU seconds as JSON."""

from __future__ import annotations

import gc
import gzip
import json
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from device.errors import DeviceError
from rules.codecs.xgid import read_board
from rules.movegen import legal_plays, legal_results
from rules.position import BAR, Player, Position
from rules.roll import Roll
from rules.ruling import judge

Case = tuple[Position, Roll]
Prepared = tuple[Callable[..., object], list[tuple[object, ...]]]


def read_positions(file: Path) -> list[Case]:
    """The positions and rolls of a file of JSON lines, WHITE to play; lines without `p` are passed over.

    Raises:
        DeviceError: the file cannot be read or a line is no such object.
    """
    try:
        raw = file.read_bytes()
        text = (gzip.decompress(raw) if file.suffix == ".gz" else raw).decode("utf-8")
        rows = [json.loads(line) for line in text.splitlines()]
        return [(read_board(row["p"]), Roll(*row["d"])) for row in rows if "p" in row]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DeviceError(f"{file}: no positions to measure with ({error})") from error


def prepare(engine: str, cases: list[Case]) -> Prepared:
    """The function to time and, for each position, its arguments in the engine's own form."""
    if engine == "schiri":
        return legal_results, [(position, Player.WHITE, roll) for position, roll in cases]
    if engine == "schiri plays":
        return legal_plays, [(position, Player.WHITE, roll) for position, roll in cases]
    if engine == "schiri written":
        return _written, [(position, Player.WHITE, roll) for position, roll in cases]
    if engine == "schiri judge":
        rng = random.Random(7)
        return judge, [(position, Player.WHITE, roll, _disturbed(position, rng)) for position, roll in cases]
    if engine == "gvformat":
        plays = import_module("gvformat.legality").legal_plays
        return plays, [(list(p.white), list(reversed(p.black)), roll.high, roll.low) for p, roll in cases]
    moves = import_module("gnubg_nn").moves
    return moves, [([list(p.black[1:]), list(p.white[1:])], roll.high, roll.low) for p, roll in cases]


def _written(position: Position, player: Player, roll: Roll) -> list[tuple[str, Position]]:
    return [(str(legal.play), legal.after) for legal in legal_plays(position, player, roll)]


def _disturbed(position: Position, rng: random.Random) -> Position:
    """The position with one to four checkers of WHITE moved anywhere."""
    side = list(position.white)
    for _ in range(rng.randint(1, 4)):
        held = [point for point in range(1, BAR + 1) if side[point]]
        if held:
            side[rng.choice(held)] -= 1
            side[rng.randrange(BAR)] += 1
    return Position(tuple(side), position.black)


def reference_s() -> float:
    """CPU seconds of a fixed loop of whole numbers, to compare machines by."""
    start = time.process_time()
    total = 0
    for k in range(1_000_000):
        total = (total + k * k) & 0xFFFF
    return time.process_time() - start


def measure(engine: str, file: Path) -> dict[str, float]:
    """CPU seconds for all positions, each once; for rulings also the 99th percentile of one."""
    call, arguments = prepare(engine, read_positions(file))
    reference = reference_s()
    gc.collect()
    gc.freeze()  # what was loaded is no rubbish to look through while the clock runs
    each = []
    start = time.process_time()
    if engine == "schiri judge":
        for args in arguments:
            before = time.process_time()
            call(*args)
            each.append(time.process_time() - before)
    else:
        for args in arguments:
            call(*args)
    seconds = time.process_time() - start
    p99 = sorted(each)[int(len(each) * 0.99)] if each else 0.0
    return {"cpu_s": seconds, "reference_s": reference, "p99_s": p99}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1], Path(sys.argv[2]))))
