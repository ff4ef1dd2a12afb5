"""A process that records a game is killed at random moments, again and again; what it had acknowledged must be there.

    python -m device.bench_kills FOLDER [KILLS] [SEED]

keeps journal, pictures and the numbers of all acknowledged events in FOLDER and goes on there when started again.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import numpy as np

from device.paths import journal_path
from device.store.evidence import Evidence, Limits
from device.store.inspection import inspect_journal
from device.store.journal import Journal
from rules.events import Event, GameStarted, MatchStarted, Played, Rolled
from rules.game import replay
from rules.play import Move, Play
from rules.position import START, Player
from rules.roll import Roll
from vision.frame import Frame

MATCH = "kills"
ROOM_BYTES = 2_000_000
LONGEST_S = 0.25
"""So long at most does a process live after its first acknowledgement: a few dozen turns."""
_TURN = Play((Move(8, 5), Move(6, 5)))


def write(folder: Path) -> None:
    """Record turns with their pictures without end, and print the numbers of each batch once it is stored."""
    chance = np.random.default_rng()
    with Journal.open(journal_path(folder)) as journal:
        evidence = Evidence(folder, Limits(total_bytes=ROOM_BYTES, free_bytes=0))
        if journal.latest_match() is None:
            begin = [MatchStarted(at_s=0.0, length=7, white="A", black="B"), GameStarted(at_s=0.0, position=START)]
            _tell(journal.append(MATCH, begin))
        for number in count():
            frame = Frame(chance.integers(0, 255, (120, 160, 3), np.uint8), float(number), f"#{number}")
            turn: list[Event] = [
                Rolled(at_s=float(number), player=Player.WHITE, roll=Roll(3, 1), evidence=(frame.name,)),
                Played(at_s=float(number), player=Player.WHITE, roll=Roll(3, 1), play=_TURN, position=START),
            ]
            with evidence.shown(turn, frame, match=MATCH, seq=journal.next_seq, consent=True) as shown:
                stored = journal.append(MATCH, shown)
            _tell(stored)


def _tell(numbers: list[int]) -> None:
    sys.stdout.write(" ".join(map(str, numbers)) + "\n")
    sys.stdout.flush()


def kill_once(folder: Path, wait_s: float) -> set[int]:
    """Let a process record and kill it `wait_s` after its first acknowledgement; all that it acknowledged."""
    command = [sys.executable, "-m", "device.bench_kills", "write", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(wait_s)
        writer.kill()
        lines = [first, *writer.stdout.readlines()]
    return {int(seq) for line in lines if line.endswith("\n") for seq in line.split()}


def lost(folder: Path, acknowledged: set[int]) -> list[str]:
    """What is not as it was acknowledged, in words; empty if all is well."""
    problems = list(inspect_journal(journal_path(folder)).problems)
    with Journal.open(journal_path(folder)) as journal:
        rows = journal.events(MATCH)
    there = {row.seq for row in rows}
    problems += [f"event {seq} was acknowledged and is not there" for seq in sorted(acknowledged - there)]
    if there != set(range(1, len(rows) + 1)):
        problems.append("numbers are missing")
    game = replay(row.event for row in rows).game
    turns, rolls = len(game.turns) if game else 0, sum(isinstance(row.event, Rolled) for row in rows)
    if turns != rolls:
        problems.append(f"{rolls} rolls but {turns} turns: a batch was torn")
    return problems


def run(folder: Path, kills: int, seed: int) -> list[str]:
    """Kill until there were so many kills in all, also those of earlier runs; what was lost, in words."""
    folder.mkdir(parents=True, exist_ok=True)
    book = folder / "acknowledged.txt"
    done = book.read_text(encoding="ascii").splitlines() if book.exists() else []
    acknowledged = {int(seq) for line in done for seq in line.split()}
    chance = random.Random(seed + len(done))
    for _ in range(len(done), kills):
        now = kill_once(folder, chance.uniform(0, LONGEST_S))
        acknowledged |= now
        with book.open("a", encoding="ascii") as file:
            file.write(" ".join(map(str, sorted(now))) + "\n")
        problems = lost(folder, acknowledged)
        if problems:
            return problems
    return []


def main(arguments: list[str]) -> int:
    """The command above; exit code 1 if anything was lost."""
    if arguments[0] == "write":
        write(Path(arguments[1]))
    folder, kills = Path(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 200
    problems = run(folder, kills, int(arguments[2]) if len(arguments) > 2 else 1)
    found = inspect_journal(journal_path(folder))
    sys.stdout.write(f"{kills} kills, {found.events} events, {found.pictures} pictures, {found.rotated} rotated\n")
    sys.stdout.write("".join(f"{problem}\n" for problem in problems) or "nothing was lost\n")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
