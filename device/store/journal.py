"""The journal: every event of every match, in order, on disk before anybody is told.

SQLite in WAL mode with `synchronous=FULL`: a batch of events is one transaction, and
`append` returns after it is safe. Rows are never changed or deleted (triggers refuse it, and a
chain of hashes shows it); one process writes at a time (a lock file beside the journal). The state of a match is
`rules.game.replay` over its events.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import sqlalchemy as sa
from pydantic import JsonValue
from sqlalchemy.dialects.sqlite import insert

from device.store.chain import Head, row_hash
from device.store.errors import JournalError, in_words
from device.store.event_json import EventJsonError, dump_event, load_event
from device.store.lock import WriterLock
from device.store.schema import EVENTS, MATCHES, prepare
from rules.events import Event, Noted

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
CUT = "journal_cut"
"""The `Noted.key` that tells of a journal which had held more."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An event and its number in the journal; `wall_time` is what the computer's clock said, in UTC."""

    seq: int
    event: Event
    wall_time: str


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _on_connect(connection: sa.engine.interfaces.DBAPIConnection, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class Journal:
    """The one writer of a journal file: one caller appends at a time, any number may read meanwhile."""

    def __init__(self, path: Path, engine: sa.Engine, lock: WriterLock, now: Callable[[], datetime]) -> None:
        self.path = path
        self._engine = engine
        self._lock = lock
        self._now = now
        self._cut = ""
        self._boot_id = BOOT_ID.read_text(encoding="ascii").strip() if BOOT_ID.exists() else str(uuid.uuid4())

    @classmethod
    def open(cls, path: Path, now: Callable[[], datetime] = _utc_now) -> Self:
        """The journal at `path`, made with its folder where there is none; `now` is the wall clock.

        Raises:
            JournalError: another process writes it, a newer Schiri made it, it is damaged, it
                is not a journal, or the folder cannot be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"{path}: its folder cannot be made ({error.strerror})") from error
        lock = WriterLock.take(path)
        engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)))
        sa.event.listen(engine, "connect", _on_connect)
        journal = cls(path, engine, lock, now)
        try:
            with in_words(path), engine.begin() as connection:
                prepare(connection, path)
                journal._cut = cut(connection, Head.beside(path))
        except JournalError:
            journal.close()
            raise
        return journal

    def append(self, match_id: str, events: Sequence[Event]) -> list[int]:
        """Store `events` in one transaction and return their numbers; they are on disk then.

        The first batch of a match makes the match.

        Raises:
            JournalError: nothing of the batch was stored (a full disk, say); the journal
                stays as it was and later calls may succeed.
            EventJsonError: one of them cannot be stored; none is.
        """
        if not events:
            return []
        noted = [Noted(at_s=events[-1].at_s, key=CUT, text=self._cut)] if self._cut else []
        rows = [_row(event) for event in (*events, *noted)]
        wall_time = self._now().isoformat(timespec="milliseconds")
        every = {"match_id": match_id, "boot_id": self._boot_id, "wall_time": wall_time}
        with in_words(self.path), self._engine.begin() as connection:
            connection.execute(insert(MATCHES).values(id=match_id, started=wall_time).on_conflict_do_nothing())
            head = head_of(connection)
            for row in rows:
                row |= {**every, "seq": head.count + 1}
                head = Head(head.count + 1, row_hash(head.hash, row))
                connection.execute(insert(EVENTS).values(**row, hash=head.hash))
        self._cut = ""
        head.write_beside(self.path)
        first = head.count - len(rows) + 1
        return list(range(first, first + len(events)))

    @property
    def next_seq(self) -> int:
        """The number that the next event will have.

        Raises:
            JournalError: the journal cannot be read.
        """
        with in_words(self.path), self._engine.connect() as connection:
            return head_of(connection).count + 1

    def events(self, match_id: str) -> list[Stored]:
        """All events of a match in the order they were stored; empty for an unknown match.

        Raises:
            JournalError: a row is damaged or was written by a newer Schiri.
        """
        query = sa.select(EVENTS).where(EVENTS.c.match_id == match_id).order_by(EVENTS.c.seq)
        with in_words(self.path), self._engine.connect() as connection:
            return [stored(row, self.path) for row in connection.execute(query)]

    def matches(self) -> list[tuple[str, Stored]]:
        """Every match and its first event, the newest first.

        Raises:
            JournalError: a row is damaged or was written by a newer Schiri.
        """
        first = sa.select(sa.func.min(EVENTS.c.seq)).group_by(EVENTS.c.match_id)
        query = sa.select(EVENTS).where(EVENTS.c.seq.in_(first)).order_by(EVENTS.c.seq.desc())
        with in_words(self.path), self._engine.connect() as connection:
            return [(row.match_id, stored(row, self.path)) for row in connection.execute(query)]

    def latest_match(self) -> str | None:
        """The match that was begun last, or None in an empty journal."""
        query = (
            sa.select(EVENTS.c.match_id).group_by(EVENTS.c.match_id).order_by(sa.func.min(EVENTS.c.seq).desc()).limit(1)
        )
        with in_words(self.path), self._engine.connect() as connection:
            return connection.execute(query).scalar()

    def close(self) -> None:
        """Let go of the file, so that another process may write it."""
        self._engine.dispose()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def head_of(connection: sa.Connection) -> Head:
    """The end of the journal as it is."""
    last = connection.execute(sa.select(EVENTS.c.seq, EVENTS.c.hash).order_by(EVENTS.c.seq.desc()).limit(1)).first()
    return Head() if last is None else Head(last.seq, last.hash)


def cut(connection: sa.Connection, written: Head | None) -> str:
    """In words that the journal had held more than now, by the head `written` beside it; empty when it had not."""
    if written is None or not written.count:
        return ""
    there = connection.execute(sa.select(EVENTS.c.hash).where(EVENTS.c.seq == written.count)).scalar()
    if there == written.hash:
        return ""
    end = head_of(connection).count
    if there is None:
        return f"the journal ends with event {end}, but it had {written.count} events"
    return f"event {written.count} is not the one that was written"


def _row(event: Event) -> dict[str, JsonValue]:
    body = dump_event(event)
    kind, at_s = body.pop("type"), event.at_s + 0.0  # as the database gives it back: a float, no minus zero
    del body["at_s"]
    return {"type": kind, "at_s": at_s, "body": json.dumps(body, ensure_ascii=False, separators=(",", ":"))}


def stored(row: sa.Row[tuple[object, ...]], path: Path) -> Stored:
    """The event of a row of the journal at `path`.

    Raises:
        JournalError: it cannot be read.
    """
    try:
        body = json.loads(row.body)
        if not isinstance(body, dict):
            raise EventJsonError("not an object")
        event = load_event({**body, "type": row.type, "at_s": row.at_s})
    except (json.JSONDecodeError, TypeError, EventJsonError) as error:
        raise JournalError(
            f"{path}: event {row.seq} cannot be read ({error}); keep a copy of the file, then move it away "
            "(Schiri starts a new one) or bring back a backup"
        ) from error
    return Stored(row.seq, event, row.wall_time)
