"""What the tests of the rules say in a word: the plays of a roll, a ruling, a match that has begun."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rules import events as ev
from rules.game import replay
from rules.match import MatchState
from rules.movegen import legal_plays
from rules.play import parse_play
from rules.position import START, Player, Position
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, Table, die, moved, reading
from rules.roll import Roll
from rules.ruling import Ruling, judge


def _roll(text: str) -> Roll:
    return Roll(int(text[0]), int(text[2]))


def _ruled(position: Position, dice: str, text: str, player: Player = Player.WHITE) -> Ruling:
    return judge(position, player, _roll(dice), moved(position, player, text))


@pytest.fixture
def plays() -> Callable[..., set[str]]:
    """`plays(position, "3-1")`: all legal plays as written."""

    def found(position: Position, dice: str, player: Player = Player.WHITE) -> set[str]:
        written = [str(legal.play) for legal in legal_plays(position, player, _roll(dice))]
        assert len(written) == len(set(written))
        return set(written)

    return found


@pytest.fixture
def ruled() -> Callable[..., Ruling]:
    """`ruled(position, "3-1", "8/5 6/5")`: the ruling on steps made as they are written, legal or not."""
    return _ruled


@pytest.fixture
def faults() -> Callable[..., tuple[str, ...]]:
    """The same, only the names of the faults."""
    return lambda *given: _ruled(*given).faults.keys()


@pytest.fixture
def began() -> Callable[..., MatchState]:
    """`began(event, …)`: a match of 5 points in its first game, then what follows."""

    def state(*further: ev.Event, length: int = 5, profile: str = "club-de", start: Position = START) -> MatchState:
        head = (
            ev.MatchStarted(at_s=0, length=length, white="Ivory", black="Walnut", profile=profile),
            ev.GameStarted(at_s=0, position=start),
        )
        return replay((*head, *further))

    return state


@pytest.fixture
def rolled() -> Callable[[Player | None, str], ev.Rolled]:
    """`rolled(WHITE, "3-1")`."""
    return lambda player, dice: ev.Rolled(at_s=0, player=player, roll=_roll(dice))


@pytest.fixture
def played() -> Callable[..., ev.Played]:
    """`played(WHITE, "3-1", "8/5 6/5")`, from the start or from a position."""

    def event(player: Player, dice: str, text: str, before: Position = START) -> ev.Played:
        after = moved(before, player, text)
        return ev.Played(at_s=0, player=player, roll=_roll(dice), play=parse_play(text), position=after)

    return event


@pytest.fixture
def opened(
    rolled: Callable[[Player | None, str], ev.Rolled], played: Callable[..., ev.Played]
) -> tuple[ev.Event, ev.Event]:
    """White has opened with 3-1: black is on roll."""
    return rolled(Player.WHITE, "3-1"), played(Player.WHITE, "3-1", "8/5 6/5")


@pytest.fixture
def table() -> Table:
    """A table where white opened with 3-1 and made his five point: black is to roll."""
    table = Table()
    table.see(reading(START))
    table.play((die(3, RIGHT_HALF), die(1, LEFT_HALF)), moved(START, Player.WHITE, "8/5 6/5"))
    return table


@pytest.fixture(scope="session")
def gnubg(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """`gnubg(script)`: what GNU Backgammon prints when it runs a Python script, in a folder of its own."""
    program = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("gnubg is not installed (under CI it must be there)")
        pytest.skip("gnubg is not installed: apt-get install gnubg")
    home: Path = tmp_path_factory.mktemp("gnubg")

    def run(script: str) -> str:
        (home / "script.py").write_text("import gnubg\n" + script, encoding="utf-8")
        command = [str(program), "-t", "-q", "-r", "-p", "script.py"]
        done = subprocess.run(
            command,
            cwd=home,
            env={**os.environ, "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        return done.stdout.decode("utf-8", errors="replace")

    return run
