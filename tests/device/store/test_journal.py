"""The journal loses nothing it has acknowledged: not by a kill, a full disk, a second writer or a damaged file."""

import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.store.errors import JournalError
from device.store.event_json import EventJsonError
from device.store.inspection import check_journal
from device.store.journal import Journal
from device.store.schema import SCHEMA_VERSION
from rules.decisions import PenaltyGiven, ResignationOffered
from rules.events import Event, GameStarted, MatchStarted, Noted, Win
from rules.game import replay
from rules.position import START, Player

STARTED = MatchStarted(at_s=0.0, length=7, white="Ivory", black="Walnut")


def noted(number: int, text: str = "") -> Noted:
    return Noted(at_s=float(number), key=str(number), text=text)


def stored(journal: Journal, match_id: str = "m1") -> list[Event]:
    return [row.event for row in journal.events(match_id)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "journal.sqlite3"


def test_events_come_back_in_order_with_their_numbers(path: Path) -> None:
    with Journal.open(path, now=lambda: datetime(2026, 5, 1, 20, 15, tzinfo=UTC)) as journal:
        assert journal.append("m1", [STARTED, noted(1)]) == [1, 2]
        assert journal.append("m2", [STARTED]) == [3]
        assert journal.append("m1", [noted(2)]) == [4]
        assert journal.append("m1", []) == []
        assert [row.seq for row in journal.events("m1")] == [1, 2, 4]
        assert stored(journal) == [STARTED, noted(1), noted(2)]
        assert journal.events("m1")[0].wall_time == "2026-05-01T20:15:00.000+00:00"
        assert journal.events("nobody") == []


def test_what_people_decide_outlives_a_restart(path: Path) -> None:
    decided = [
        GameStarted(at_s=1.0, position=START),
        PenaltyGiven(at_s=2.0, player=Player.BLACK, points=2, reason="slow"),
        ResignationOffered(at_s=3.0, player=Player.WHITE, win=Win.GAMMON),
    ]
    with Journal.open(path) as journal:
        journal.append("m1", [STARTED, *decided])
    with Journal.open(path) as journal:
        assert stored(journal) == [STARTED, *decided]
        state = replay(stored(journal))
    assert (state.score, state.resignation) == ((0, 2), (Player.WHITE, Win.GAMMON))


def test_the_latest_match_is_the_one_begun_last(path: Path) -> None:
    with Journal.open(path) as journal:
        assert journal.latest_match() is None
        journal.append("m1", [STARTED])
        journal.append("m2", [STARTED])
        journal.append("m1", [noted(1)])
        assert journal.latest_match() == "m2"


def test_a_reopened_journal_goes_on(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append("m1", [STARTED])
    with Journal.open(path) as journal:
        assert journal.append("m1", [noted(1)]) == [2]
        assert stored(journal) == [STARTED, noted(1)]


def test_a_batch_with_an_event_that_cannot_be_stored_is_not_stored_at_all(path: Path) -> None:
    with Journal.open(path) as journal:
        with pytest.raises(EventJsonError):
            journal.append("m1", [STARTED, Noted(at_s=float("nan"), key="", text="")])
        assert journal.latest_match() is None


def test_power_is_what_sqlite_was_told_to_survive(path: Path) -> None:
    with Journal.open(path) as journal, journal._engine.connect() as connection:
        told = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
    assert told == ["wal", 2]  # 2 is FULL


@pytest.mark.parametrize("change", ["UPDATE events SET at_s = 9", "DELETE FROM events", "DELETE FROM matches"])
def test_nothing_is_ever_changed(path: Path, change: str) -> None:
    with Journal.open(path) as journal:
        journal.append("m1", [STARTED])
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(change)


WRITER = """
import sys
from itertools import count
from pathlib import Path
from device.store.journal import Journal
from rules.events import GameStarted, MatchStarted, Noted, Played, Rolled
from rules.play import Move, Play
from rules.position import START, Player
from rules.roll import Roll

journal = Journal.open(Path(sys.argv[1]))
if journal.latest_match() is None:
    start = [MatchStarted(at_s=0.0, length=7, white="Ivory", black="Walnut"), GameStarted(at_s=0.0, position=START)]
    print(*journal.append("m1", start), flush=True)
for number in count():
    who, play = {"player": Player.WHITE, "roll": Roll(3, 1)}, Play((Move(8, 5), Move(6, 5)))
    turn = [
        Rolled(at_s=number, **who),
        Played(at_s=number, **who, play=play, position=START),
        Noted(at_s=number, key="turn", text="x" * 200),
    ]
    print(*journal.append("m1", turn), flush=True)
"""


def acknowledged_before_a_kill(path: Path, acknowledgements: int) -> set[int]:
    """Let a process write until it has acknowledged that many batches, kill it, return all that it acknowledged."""
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    with writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(acknowledgements)]
        writer.kill()
        lines += writer.stdout.readlines()  # acknowledged between our last look and the kill
    assert writer.returncode == -signal.SIGKILL
    return {int(seq) for line in lines if line.endswith("\n") for seq in line.split()}


def test_kill_9_loses_no_acknowledged_event(path: Path) -> None:
    dice = random.Random(9)
    acknowledged: set[int] = set()
    for _ in range(20):
        acknowledged |= acknowledged_before_a_kill(path, dice.randint(1, 40))
    assert check_journal(path) is None
    with Journal.open(path) as journal:
        rows = journal.events("m1")
    assert acknowledged <= {row.seq for row in rows}
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    turns, half_written = divmod(len(rows) - 2, 3)
    assert half_written == 0
    game = replay(row.event for row in rows).game
    assert game is not None
    assert len(game.turns) == turns


def test_a_second_writer_is_refused_and_told_who_the_first_is(path: Path) -> None:
    with Journal.open(path), pytest.raises(JournalError, match=f"another Schiri writes it \\(process {os.getpid()}\\)"):
        Journal.open(path)
    Journal.open(path).close()


def test_a_second_process_is_refused(path: Path) -> None:
    with Journal.open(path):
        second = subprocess.run([sys.executable, "-c", WRITER, str(path)], capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert f"another Schiri writes it (process {os.getpid()})" in second.stderr


def test_a_newer_schema_is_refused(path: Path) -> None:
    Journal.open(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(JournalError, match=r"made by a newer Schiri .* update Schiri"):
        Journal.open(path)
    assert "newer Schiri" in str(check_journal(path))


def test_another_programs_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (name)")
    with pytest.raises(JournalError, match=r"not a journal .*'songs'"):
        Journal.open(path)


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("Hello, I am a letter. " * 100, encoding="utf-8")
    with pytest.raises(JournalError, match=re.escape(f"{path}: not a journal")):
        Journal.open(path)
    assert "not a journal" in str(check_journal(path))


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="its folder cannot be made"):
        Journal.open(tmp_path / "file" / "journal.sqlite3")


def test_a_journal_that_is_missing_is_said_by_the_check(path: Path) -> None:
    assert "cannot be opened" in str(check_journal(path))


@pytest.mark.parametrize("body", ["{", "[]", '{"key": "1"}', '{"evidence":[],"key":"1","text":"","more":1}'])
def test_a_row_that_is_no_event_is_named(path: Path, body: str) -> None:
    with Journal.open(path) as journal:
        journal.append("m1", [STARTED])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO events VALUES (2, 'm1', '', 1.0, '', 'Noted', ?, '')", [body])
        connection.commit()
    with Journal.open(path) as journal, pytest.raises(JournalError, match=f"{path}: event 2 cannot be read") as caught:
        journal.events("m1")
    assert "backup" in str(caught.value)
    assert str(check_journal(path)) == str(caught.value)


def test_damaged_pages_are_said(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append("m1", [noted(n, "x" * 500) for n in range(200)])
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xa5" * (size // 4))
    assert re.match(f"{path}: (damaged|event)", str(check_journal(path)))
    with Journal.open(path) as journal, pytest.raises(JournalError, match=f"{path}: (damaged|event)"):
        journal.events("m1")


def fill(journal: Journal) -> int:
    """Write until the disk refuses; return how many events were acknowledged."""
    acknowledged: list[int] = []

    def write_on() -> None:
        while len(acknowledged) < 10_000:
            acknowledged.extend(journal.append("m1", [noted(0, "x" * 2_000)]))

    with pytest.raises(JournalError, match="the last events were not stored"):
        write_on()
    return len(acknowledged)


def test_a_file_that_may_not_grow_loses_nothing_before(path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal.open(path) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
        try:
            written = fill(journal)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert len(journal.events("m1")) == written
        journal.append("m1", [noted(written)])
        assert len(journal.events("m1")) == written + 1


def test_a_full_disk_loses_nothing_before_and_works_again_with_space(small_disk: Path) -> None:
    path = small_disk / "journal.sqlite3"
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 200_000)
    with Journal.open(path) as journal:
        written = fill(journal)
        assert len(journal.events("m1")) == written
        ballast.unlink()
        journal.append("m1", [noted(written)])
    assert check_journal(path) is None
    with Journal.open(path) as journal:
        assert len(journal.events("m1")) == written + 1
