"""A real `schiri watch` is killed in mid-game: the next start has every event and goes on in the same match."""

import http.client
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from device.paths import journal_path
from device.store.inspection import check_journal
from device.store.journal import Journal
from rules.game import replay

PATIENCE_S = 60


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


@contextmanager
def watching(data_dir: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """`schiri watch sim` as a process group of its own, its page up; killed at the end at the latest."""
    schiri = [sys.executable, "-c", "from device.cli import main; main()"]
    command = [*schiri, "watch", "sim:3", "--port", str(port), "--data-dir", str(data_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            page = f"http://localhost:{port} "
            assert any(page in line for line in process.stdout), "it ended before its page was up"
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def stored_turns(data_dir: Path) -> list[tuple[int, str]]:
    """Number and JSON of every play in the journal, read beside the process that writes it."""
    with closing(sqlite3.connect(journal_path(data_dir))) as connection:
        query = "SELECT seq, body FROM events WHERE type IN ('Played', 'PlayFlagged') ORDER BY seq"
        return list(connection.execute(query))


def wait_for_turns(data_dir: Path, port: int, wanted: int) -> list[tuple[int, str]]:
    """The plays in the journal once there are as many as wanted; looks whenever the page changes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    with closing(connection):
        connection.request("GET", "/events")
        with connection.getresponse() as stream:
            for line in stream:
                if line.startswith(b"id:") and len(stored_turns(data_dir)) >= wanted:
                    break
    turns = stored_turns(data_dir)
    assert len(turns) >= wanted, "the page ended before the game went on"
    return turns


def test_a_killed_table_goes_on_where_it_was(tmp_path: Path, port: int) -> None:
    with watching(tmp_path, port) as process:
        before = wait_for_turns(tmp_path, port, 1)
        os.killpg(process.pid, signal.SIGKILL)
    assert check_journal(journal_path(tmp_path)) is None

    with watching(tmp_path, port) as process:
        after = wait_for_turns(tmp_path, port, len(before) + 1)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
    assert after[: len(before)] == before

    with Journal.open(journal_path(tmp_path)) as journal:
        match = journal.latest_match()
        assert match is not None
        stored = journal.events(match)
    assert [row.seq for row in stored] == list(range(1, len(stored) + 1)), "it is one match"
    game = replay(row.event for row in stored).game
    assert game is not None
    assert [turn.verdict for turn in game.turns if turn.roll is not None] == ["legal"] * len(after)
