"""The journal: every event of every match, in order, on disk before anybody is told.

SQLite in WAL mode with `synchronous=FULL`: a batch of events is one transaction, and
`append` returns after it is safe. Rows are never changed or deleted (triggers refuse it);
one process writes at a time (a lock file beside the journal). The state of a match is
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

from device.store.errors import JournalError, in_words
from device.store.event_json import EventJsonError, dump_event, load_event
from device.store.lock import WriterLock
from rules.events import Event

SCHEMA_VERSION = 1
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")

_schema = sa.MetaData()
_matches = sa.Table(
    "matches",
    _schema,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("started", sa.Text, nullable=False),
)
_events = sa.Table(
    "events",
    _schema,
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("match_id", sa.Text, sa.ForeignKey("matches.id"), nullable=False),
    sa.Column("boot_id", sa.Text, nullable=False),
    sa.Column("at_s", sa.Float, nullable=False),
    sa.Column("wall_time", sa.Text, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Index("events_of_match", "match_id", "seq"),
)
_APPEND_ONLY = tuple(
    f"CREATE TRIGGER IF NOT EXISTS {table}_no_{action.lower()} BEFORE {action} ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
    for table in ("matches", "events")
    for action in ("UPDATE", "DELETE")
)


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
    """The one writer of a journal file; use it from the thread that owns the table."""

    def __init__(self, path: Path, engine: sa.Engine, lock: WriterLock, now: Callable[[], datetime]) -> None:
        self.path = path
        self._engine = engine
        self._lock = lock
        self._now = now
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
                _prepare(connection, path)
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
        rows = [_row(event) for event in events]
        if not rows:
            return []
        wall_time = self._now().isoformat(timespec="milliseconds")
        every = {"match_id": match_id, "boot_id": self._boot_id, "wall_time": wall_time}
        new_match = insert(_matches).values(id=match_id, started=wall_time).on_conflict_do_nothing()
        new_event = insert(_events).returning(_events.c.seq)
        with in_words(self.path), self._engine.begin() as connection:
            connection.execute(new_match)
            return [connection.execute(new_event, every | row).scalar_one() for row in rows]

    def events(self, match_id: str) -> list[Stored]:
        """All events of a match in the order they were stored; empty for an unknown match.

        Raises:
            JournalError: a row is damaged or was written by a newer Schiri.
        """
        query = sa.select(_events).where(_events.c.match_id == match_id).order_by(_events.c.seq)
        with in_words(self.path), self._engine.connect() as connection:
            return [_stored(row, self.path) for row in connection.execute(query)]

    def latest_match(self) -> str | None:
        """The match that was begun last, or None in an empty journal."""
        query = (
            sa.select(_events.c.match_id)
            .group_by(_events.c.match_id)
            .order_by(sa.func.min(_events.c.seq).desc())
            .limit(1)
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


def check_journal(path: Path) -> str | None:
    """What is wrong with the journal at `path`, in words; None when all is well.

    Looks at every page (SQLite's quick_check) and reads every event; changes nothing and may
    run beside the writer.
    """
    engine = sa.create_engine(sa.URL.create("sqlite", database=f"file:{path}", query={"mode": "ro", "uri": "true"}))
    try:
        with in_words(path), engine.connect() as connection:
            _refuse_foreign(connection, path)
            found = connection.execute(sa.text("PRAGMA quick_check(1)")).scalar()
            if found != "ok":
                return f"{path}: damaged ({found})"
            for row in connection.execute(sa.select(_events).order_by(_events.c.seq)):
                _stored(row, path)
    except JournalError as error:
        return str(error)
    finally:
        engine.dispose()
    return None


def _prepare(connection: sa.Connection, path: Path) -> None:
    """Make the tables of a new file; refuse one that is not ours or newer than we are."""
    if _refuse_foreign(connection, path) == SCHEMA_VERSION:
        return
    _schema.create_all(connection)
    for trigger in _APPEND_ONLY:
        connection.execute(sa.text(trigger))
    connection.execute(sa.text(f"PRAGMA user_version = {SCHEMA_VERSION}"))


def _refuse_foreign(connection: sa.Connection, path: Path) -> int:
    """The file's schema version, 0 for a new file.

    Raises:
        JournalError: a newer Schiri made it, or it holds tables of another program.
    """
    version = int(connection.execute(sa.text("PRAGMA user_version")).scalar_one())
    strange = set(sa.inspect(connection).get_table_names()) - set(_schema.tables)
    if strange:
        raise JournalError(f"{path}: not a journal (it holds the table {min(strange)!r}); choose another file")
    if version > SCHEMA_VERSION:
        raise JournalError(
            f"{path}: made by a newer Schiri (its format is {version}, this one knows {SCHEMA_VERSION}); update Schiri"
        )
    return version


def _row(event: Event) -> dict[str, JsonValue]:
    body = dump_event(event)
    kind, at_s = body.pop("type"), body.pop("at_s")
    return {"type": kind, "at_s": at_s, "body": json.dumps(body, ensure_ascii=False, separators=(",", ":"))}


def _stored(row: sa.Row[tuple[object, ...]], path: Path) -> Stored:
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
