"""What a table outlives: a kill at any moment, a full or read-only disk, a torn end, a clock that jumps."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from device import bench_kills
from device.cameras.choose import SourceName
from device.paths import journal_path
from device.store.errors import JournalError
from device.store.evidence import ROTATED, Evidence, Limits
from device.store.inspection import check_journal, inspect_journal
from device.store.journal import CUT, Journal
from device.table import MatchRecord
from rules.events import Event, MatchStarted, Noted, Rolled
from rules.position import Player
from rules.roll import Roll
from vision.frame import Frame

STARTED = MatchStarted(at_s=0.0, length=7, white="Ivory", black="Walnut")


def noted(number: int, text: str = "") -> Noted:
    return Noted(at_s=float(number), key=str(number), text=text)


def stored(journal: Journal) -> list[Event]:
    return [row.event for row in journal.events("m1")]


def test_kills_at_random_moments_lose_no_acknowledged_event_and_no_picture(tmp_path: Path) -> None:
    assert bench_kills.run(tmp_path / "a", 2, seed=5) == []
    assert bench_kills.run(tmp_path / "a", 4, seed=5) == [], "it goes on where it was"
    assert len((tmp_path / "a/acknowledged.txt").read_text(encoding="ascii").splitlines()) == 4


def test_the_kill_bench_finds_what_is_lost(tmp_path: Path) -> None:
    assert bench_kills.run(tmp_path, 1, seed=5) == []
    with Journal.open(journal_path(tmp_path)) as journal:
        last = journal.next_seq - 1
        shown = next(row.event.evidence[0] for row in journal.events("kills") if row.event.evidence)
    assert bench_kills.lost(tmp_path, {1, last, last + 1}) == [f"event {last + 1} was acknowledged and is not there"]
    (tmp_path / shown).write_bytes(b"something else")
    assert len(bench_kills.lost(tmp_path, {1})) == 1


def test_a_disk_that_turns_read_only_is_told_and_nothing_before_is_lost(tmp_path: Path) -> None:
    """SQLite is told so itself: a real disk cannot be made read-only under a file that is open."""
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("m1", [STARTED, noted(1)])
        with journal._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA query_only = ON")
        with pytest.raises(JournalError, match="cannot be written; check the owner and the rights"):
            journal.append("m1", [noted(2)])
        with journal._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA query_only = OFF")
        assert journal.append("m1", [noted(2)]) == [3]
        assert stored(journal) == [STARTED, noted(1), noted(2)]
    assert check_journal(path) is None


def test_a_read_only_disk_at_the_start_is_told(small_disk: Path) -> None:
    path = small_disk / "journal.sqlite3"
    Journal.open(path).close()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(JournalError, match="cannot be written"):
        Journal.open(path)


def cut_off(path: Path, copy: Path) -> Path:
    """The files of a journal as a power cut leaves them, in the folder `copy`."""
    copy.mkdir()
    for suffix in ("", "-wal", ".head"):
        shutil.copy(path.with_name(path.name + suffix), copy)
    return copy / path.name


@pytest.mark.parametrize("torn_bytes", [1, 2000, 4000])
def test_a_torn_end_costs_the_last_batch_at_most_and_is_written_down(tmp_path: Path, torn_bytes: int) -> None:
    """SQLite's log ends in the middle of a page, or in rubbish: a disk that had promised what it did not keep."""
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("m1", [STARTED, noted(1)])
        journal.append("m1", [noted(2, "x" * 300)])
        torn = cut_off(path, tmp_path / "torn")
    log = torn.with_name("journal.sqlite3-wal")
    whole = log.read_bytes()
    log.write_bytes(whole[:-torn_bytes] + b"\xa5" * (torn_bytes // 2))
    with Journal.open(torn) as journal:
        assert stored(journal) == [STARTED, noted(1)]
        assert journal.append("m1", [noted(3)]) == [3]
        kept = stored(journal)
    assert kept[:3] == [STARTED, noted(1), noted(3)]
    assert [event.key for event in kept if isinstance(event, Noted)][-1] == CUT
    assert not inspect_journal(torn).problems


def test_a_damaged_last_page_is_told_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("m1", [STARTED, *(noted(n, "x" * 900) for n in range(60))])
    with closing(sqlite3.connect(path)) as connection:
        page_bytes = int(connection.execute("PRAGMA page_size").fetchone()[0])
    with path.open("r+b") as file:
        file.seek(-page_bytes, 2)
        file.write(b"\xa5" * page_bytes)
    assert "damaged" in str(check_journal(path))
    with pytest.raises(JournalError, match="bring back a backup"), Journal.open(path) as journal:
        journal.append("m1", [noted(99)])


def test_a_clock_that_jumps_back_changes_no_order(tmp_path: Path) -> None:
    """A Pi has no battery clock: it starts years ago and jumps when it finds a network, and back after a restart."""
    begin = MatchStarted(at_s=0.0, length=5, white="A", black="B")
    source = SourceName("usb", "0")
    year_2026 = datetime(2026, 5, 1, tzinfo=UTC)
    with Journal.open(tmp_path / "journal.sqlite3", now=lambda: year_2026) as journal:
        first, _, _ = MatchRecord.resume_or_begin(journal, Evidence(tmp_path), source, begin)
        first.keep([noted(5)])
    with Journal.open(tmp_path / "journal.sqlite3", now=lambda: year_2026 - timedelta(days=20_000)) as journal:
        again, _, from_s = MatchRecord.resume_or_begin(journal, Evidence(tmp_path), source, begin)
        again.keep([noted(6)])
        rows = journal.events(first.match_id)
        assert journal.latest_match() == first.match_id
    assert (again.match_id, from_s) == (first.match_id, 5.0)
    assert [row.seq for row in rows] == [1, 2, 3]
    assert rows[2].wall_time < rows[1].wall_time, "kept as the clock said, and used for no order"
    assert not inspect_journal(tmp_path / "journal.sqlite3").problems


def test_pictures_never_fill_the_disk_and_the_journal_goes_on(disk_of: Callable[[int], Path]) -> None:
    """A small disk for everything: pictures rotate, or stay away; every event is kept."""
    keep_free, a_picture, journals_own = 6_000_000, 60_000, 1_000_000
    disk, chance = disk_of(8_000_000), np.random.default_rng(1)
    least = shutil.disk_usage(disk).free
    with Journal.open(disk / "journal.sqlite3") as journal:
        evidence = Evidence(disk, Limits(free_bytes=keep_free))
        for number in range(80):
            frame = Frame(chance.integers(0, 255, (150, 200, 3), np.uint8), float(number), f"#{number}")
            roll = Rolled(at_s=float(number), player=Player.WHITE, roll=Roll(3, 1), evidence=(frame.name,))
            with evidence.shown([roll], frame, match="m1", seq=journal.next_seq, consent=True) as shown:
                journal.append("m1", shown)
            least = min(least, shutil.disk_usage(disk).free)
        rolls = [event for event in stored(journal) if isinstance(event, Rolled)]
        notes = {event.key for event in stored(journal) if isinstance(event, Noted)}
    assert len(rolls) == 80
    assert sum(bool(roll.evidence) for roll in rolls) >= 20
    assert least >= keep_free - a_picture - journals_own
    assert ROTATED in notes
