"""Whatever is changed in a journal is found, and named by its match and event; the pictures too."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from device.store.chain import START_HASH, Head, row_hash
from device.store.errors import JournalError
from device.store.evidence import ROTATED, Evidence
from device.store.inspection import Inspection, check_journal, inspect_journal
from device.store.journal import CUT, Journal
from rules.events import GameStarted, MatchStarted, Noted
from rules.position import START
from vision.frame import Frame

STARTED = MatchStarted(at_s=0, length=7, white="Ivory", black="Walnut")
TRIGGERS = ("events_no_update", "events_no_delete", "matches_no_update", "matches_no_delete")


def noted(number: int) -> Noted:
    return Noted(at_s=number, key=str(number), text="as it was")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A sound journal: match m1 has events 1 to 4 and 6, match m2 has 5."""
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("m1", [STARTED, noted(2)])
        journal.append("m1", [noted(3), noted(4)])
        journal.append("m2", [STARTED])
        journal.append("m1", [noted(6)])
    return path


def change(path: Path, *statements: str) -> None:
    """What somebody with an SQLite program could do."""
    with closing(sqlite3.connect(path)) as connection:
        for trigger in TRIGGERS:
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def forge_hash(path: Path, seq: int) -> None:
    """Make the hash of an event fit what stands there now."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        before = connection.execute("SELECT hash FROM events WHERE seq = ?", [seq - 1]).fetchone()["hash"]
        row = dict(connection.execute("SELECT * FROM events WHERE seq = ?", [seq]).fetchone())
        connection.execute("UPDATE events SET hash = ? WHERE seq = ?", [row_hash(before, row), seq])
        connection.commit()


def test_a_sound_journal_says_its_end(path: Path) -> None:
    found = inspect_journal(path)
    assert (found.problems, found.remarks, found.matches, found.head.count) == ([], [], 2, 6)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT hash FROM events WHERE seq = 6").fetchone() == (found.head.hash,)
    assert Head.beside(path) == found.head


def test_the_hash_covers_every_column_and_the_row_before() -> None:
    row: dict[str, object] = {
        "seq": 1, "match_id": "m1", "boot_id": "b", "at_s": 0.5, "wall_time": "w", "type": "Noted", "body": "{}",
    }  # fmt: skip
    others = [row | {column: "other"} for column in row]
    hashes = {row_hash(START_HASH, one) for one in [row, *others]} | {row_hash("1" * 64, row)}
    assert len(hashes) == len(row) + 2


@pytest.mark.parametrize(
    "column", ["match_id = 'm2'", "boot_id = 'x'", "at_s = 3.5", "wall_time = '2026'", "type = 'Moved'"]
)
def test_a_changed_column_is_found(path: Path, column: str) -> None:
    change(path, f"UPDATE events SET {column} WHERE seq = 3")
    (problem,) = [problem for problem in inspect_journal(path).problems if "was changed" in problem]
    assert problem.startswith("event 3 (")
    assert "does not follow on event 2 (Noted) of match 'm1'" in problem


def test_a_changed_event_is_named_with_its_match(path: Path) -> None:
    change(path, "UPDATE events SET body = replace(body, 'as it was', 'as I say') WHERE seq = 6")
    said = "event 6 (Noted) of match 'm1' was changed after it was written, or does not follow on"
    assert inspect_journal(path).problems == [f"{said} event 5 (MatchStarted) of match 'm2' as that stands"]


def test_a_changed_event_with_a_fitting_hash_breaks_the_next(path: Path) -> None:
    change(path, "UPDATE events SET body = replace(body, 'as it was', 'as I say') WHERE seq = 3")
    forge_hash(path, 3)
    (problem,) = inspect_journal(path).problems
    assert problem.startswith("event 4 (Noted) of match 'm1' was changed")
    assert "event 3 (Noted) of match 'm1' as that stands" in problem


def test_a_chain_that_was_forged_to_its_end_does_not_fit_the_head(path: Path) -> None:
    change(path, "UPDATE events SET body = replace(body, 'as it was', 'as I say') WHERE seq = 3")
    for seq in (3, 4, 5, 6):
        forge_hash(path, seq)
    assert inspect_journal(path).problems == ["event 6 is not the one that was written"]


def test_a_hash_that_was_wiped_is_found(path: Path) -> None:
    change(path, "UPDATE events SET hash = ''")
    assert len(inspect_journal(path).problems) == 6 + 1


def test_a_removed_event_is_found(path: Path) -> None:
    change(path, "DELETE FROM events WHERE seq = 3")
    assert inspect_journal(path).problems == [
        "event 3 is missing, between event 2 (Noted) of match 'm1' and event 4 (Noted) of match 'm1'"
    ]
    change(path, "DELETE FROM events WHERE seq = 4")
    assert "events 3 to 4 are missing" in inspect_journal(path).problems[0]


def test_a_removed_event_with_the_rest_moved_up_is_found(path: Path) -> None:
    change(path, "DELETE FROM events WHERE seq = 3", "UPDATE events SET seq = seq - 1 WHERE seq > 3")
    problems = inspect_journal(path).problems
    assert problems[0].startswith("event 3 (Noted) of match 'm1' was changed")
    assert problems[-1] == "the journal ends with event 5, but it had 6 events"


def test_two_events_that_changed_places_are_found(path: Path) -> None:
    change(path, *(f"UPDATE events SET seq = {new} WHERE seq = {old}" for old, new in ((3, 99), (4, 3), (99, 4))))
    problems = inspect_journal(path).problems
    assert [problem.split(" (")[0] for problem in problems] == ["event 3", "event 4", "event 5"]


def test_an_event_that_was_put_in_is_found(path: Path) -> None:
    change(
        path,
        "UPDATE events SET seq = -seq - 1 WHERE seq > 2",
        "UPDATE events SET seq = -seq WHERE seq < 0",
        "INSERT INTO events SELECT 3, match_id, boot_id, at_s, wall_time, type, body, hash FROM events WHERE seq = 2",
    )
    assert inspect_journal(path).problems[0].startswith("event 3 (Noted) of match 'm1' was changed")


def test_a_changed_list_of_matches_is_found(path: Path) -> None:
    change(path, "UPDATE matches SET started = '1999' WHERE id = 'm2'", "INSERT INTO matches VALUES ('m3', '2000')")
    first, second = inspect_journal(path).problems
    assert first.startswith("match 'm2' is listed as begun at 1999; its events say 20")
    assert second == "match 'm3' is listed, but none of its events is there"


def test_a_cut_end_is_found_by_the_head_and_stays_noted(path: Path) -> None:
    change(path, "DELETE FROM events WHERE seq > 4", "DELETE FROM matches WHERE id = 'm2'")
    assert inspect_journal(path).problems == ["the journal ends with event 4, but it had 6 events"]
    with Journal.open(path) as journal:
        assert journal.append("m1", [noted(5)]) == [5]
        assert journal.append("m1", [noted(7)]) == [7]
        events = [row.event for row in journal.events("m1")]
    assert events[-2] == Noted(at_s=5, key=CUT, text="the journal ends with event 4, but it had 6 events")
    found = inspect_journal(path)
    assert found.problems == []
    assert found.remarks == ["event 6 (Noted) of match 'm1' noted: the journal ends with event 4, but it had 6 events"]


def test_a_cut_is_noted_with_the_first_events_that_are_stored(path: Path) -> None:
    change(path, "DELETE FROM events WHERE seq > 4", "DELETE FROM matches WHERE id = 'm2'")
    with Journal.open(path) as journal:
        with pytest.raises(JournalError):
            journal.append(None, [noted(5)])  # type: ignore[arg-type]
        journal.append("m1", [noted(5)])
        assert [row.event.key for row in journal.events("m1") if isinstance(row.event, Noted)][-1] == CUT


@pytest.mark.parametrize("content", ["", "nonsense", "99", "1 2 3"])
def test_a_head_that_a_power_cut_spoiled_is_no_problem(path: Path, content: str) -> None:
    head = path.with_name("journal.sqlite3.head")
    head.write_text(content, encoding="ascii")
    assert check_journal(path) is None
    with Journal.open(path) as journal:
        journal.append("m1", [noted(7)])
    assert Head.beside(path) == inspect_journal(path).head


def test_an_older_head_is_no_problem(path: Path) -> None:
    head = path.with_name("journal.sqlite3.head")
    old = head.read_bytes()
    with Journal.open(path) as journal:
        journal.append("m1", [noted(7), noted(8)])
    head.write_bytes(old)
    assert check_journal(path) is None


def test_a_journal_that_is_written_meanwhile_is_sound(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append("m1", [noted(7)])
        assert check_journal(path) is None


V1 = """
CREATE TABLE matches (id TEXT NOT NULL, started TEXT NOT NULL, PRIMARY KEY (id));
CREATE TABLE events (
    seq INTEGER NOT NULL, match_id TEXT NOT NULL, boot_id TEXT NOT NULL, at_s FLOAT NOT NULL, wall_time TEXT NOT NULL,
    type TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (seq), FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE INDEX events_of_match ON events (match_id, seq);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
INSERT INTO matches VALUES ('m1', 'long ago');
INSERT INTO events VALUES (1, 'm1', 'b', 0.0, 'long ago', 'Noted', '{"evidence":["usb0#1"],"key":"a","text":"ä"}');
INSERT INTO events VALUES (2, 'm1', 'b', 1.5, 'later', 'Noted', '{"evidence":[],"key":"b","text":""}');
PRAGMA user_version = 1;
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A journal as the first format had it."""
    path = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(V1)
    return path


def test_an_old_journal_is_read_as_it_is(old: Path) -> None:
    before = old.read_bytes()
    found = inspect_journal(old)
    assert (found.problems, found.events, found.matches, found.head) == ([], 2, 1, Head())
    assert found.remarks == ["made by an earlier Schiri; the next `schiri watch` chains its events"]
    assert old.read_bytes() == before


def test_an_old_journal_is_chained_when_it_is_opened(old: Path) -> None:
    with Journal.open(old) as journal:
        assert [row.event for row in journal.events("m1")][1] == Noted(at_s=1.5, key="b", text="")
        assert journal.append("m1", [noted(3)]) == [3]
    found = inspect_journal(old)
    assert (found.problems, found.remarks, found.head.count) == ([], [], 3)
    with closing(sqlite3.connect(old)) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("UPDATE events SET at_s = 9")
    change(old, "UPDATE events SET at_s = 9 WHERE seq = 1")
    assert inspect_journal(old).problems[0].startswith("event 1 (Noted) of match 'm1' was changed after")


def test_an_upgrade_that_fails_leaves_the_old_journal(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.store.schema._TRIGGERS", {"bad name": "no SQL"})
    with pytest.raises(JournalError):
        Journal.open(old)
    monkeypatch.undo()
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert "hash" not in [column[1] for column in connection.execute("PRAGMA table_info(events)")]
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        assert names == ["events_no_update"]
    assert inspect_journal(old).problems == []


@pytest.fixture
def pictured(path: Path) -> Callable[[], Inspection]:
    """The journal with an event that a picture shows; looks at it anew each time."""
    frame = Frame(np.full((48, 64, 3), 90, np.uint8), 9.0, "usb0#7")
    event = GameStarted(at_s=9, position=START, evidence=("usb0#7",))
    evidence = Evidence(path.parent, free=lambda _: 10**12)
    with (
        Journal.open(path) as journal,
        evidence.shown([event], frame, match="m1", seq=journal.next_seq, consent=True) as shown,
    ):
        journal.append("m1", shown)
    return lambda: inspect_journal(path)


def picture(path: Path) -> Path:
    (found,) = path.parent.glob("evidence/m1/*.jpg")
    return found


def test_a_picture_as_it_was(pictured: Callable[[], Inspection]) -> None:
    assert (pictured().problems, pictured().pictures) == ([], 1)


def test_a_changed_picture_is_named_with_its_event(path: Path, pictured: Callable[[], Inspection]) -> None:
    with picture(path).open("ab") as file:
        file.write(b"x")
    (problem,) = pictured().problems
    assert problem == (
        f"evidence/m1/{picture(path).name}, the picture of event 7 (GameStarted) of match 'm1', was changed"
    )


def test_a_missing_picture_is_named_with_its_event(path: Path, pictured: Callable[[], Inspection]) -> None:
    picture(path).unlink()
    (problem,) = pictured().problems
    assert problem.endswith(
        "the picture of event 7 (GameStarted) of match 'm1', is missing, and no rotation removed it"
    )


def test_a_picture_that_rotation_removed_is_no_problem(path: Path, pictured: Callable[[], Inspection]) -> None:
    name = f"evidence/m1/{picture(path).name}"
    with Journal.open(path) as journal:
        journal.append("m1", [Noted(at_s=10, key=ROTATED, text="", evidence=(name,))])
    picture(path).unlink()
    found = pictured()
    assert (found.problems, found.pictures, found.rotated) == ([], 0, 1)
