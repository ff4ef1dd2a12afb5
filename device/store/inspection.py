"""Whether a journal and its pictures are as they were written; looks only, and may run beside the writer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

from device.store.chain import Head, row_hash
from device.store.errors import JournalError, in_words
from device.store.evidence import ROTATED, is_picture, matches_its_name
from device.store.journal import CUT, cut, stored
from device.store.schema import EVENTS, MATCHES, SCHEMA_VERSION, refuse_foreign
from rules.events import Event, Noted

_CHAINED_LATER = "made by an earlier Schiri; the next `schiri watch` chains its events"
Row = sa.Row[tuple[object, ...]]


@dataclass(slots=True)
class Inspection:
    """What was found: `problems` are changes and losses, `remarks` what a director should know besides.

    `head` is the end of the chain (empty without one): its hash, written down elsewhere, proves all events up to it.
    `pictures` were named, found and right; `rotated` were named and are gone by rule.
    """

    head: Head = field(default_factory=Head)
    events: int = 0
    matches: int = 0
    pictures: int = 0
    rotated: int = 0
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def inspect_journal(path: Path, *, pictures: bool = True) -> Inspection:
    """Read the journal at `path` from end to end: pages, chain, events, head, and with `pictures` the files they name.

    What keeps it from being read to its end is a problem too.
    """
    found = Inspection()
    walk = _Walk(path, found)
    written = Head.beside(path)  # before the rows: the writer may add some meanwhile
    try:
        with _opened(path) as connection:
            chained = refuse_foreign(connection, path) == SCHEMA_VERSION
            damage = connection.execute(sa.text("PRAGMA quick_check(1)")).scalar()
            if damage != "ok":
                raise JournalError(f"{path}: damaged ({damage})")
            columns = [column for column in EVENTS.c if chained or column is not EVENTS.c.hash]
            for row in connection.execute(sa.select(*columns).order_by(EVENTS.c.seq)):
                walk.row(row, chained=chained)
            begun = {row.id: row.started for row in connection.execute(sa.select(MATCHES))}
            missing = cut(connection, written) if chained else ""
    except JournalError as error:
        found.problems.append(str(error))
        return found
    if missing:
        found.problems.append(missing)
    if not chained:
        found.remarks.append(_CHAINED_LATER)
    walk.compare_beginnings(begun)
    if pictures:
        walk.look_at_pictures()
    return found


def check_journal(path: Path) -> str | None:
    """The first thing that is wrong with the journal at `path`, its pictures left out; None when all is well."""
    return next(iter(inspect_journal(path, pictures=False).problems), None)


@contextmanager
def _opened(path: Path) -> Iterator[sa.Connection]:
    """A view of the journal as it is now, whatever is written meanwhile."""
    engine = sa.create_engine(sa.URL.create("sqlite", database=f"file:{path}", query={"mode": "ro", "uri": "true"}))
    try:
        with in_words(path), engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            yield connection
    finally:
        engine.dispose()


class _Walk:
    """Goes through the rows, one after the other, and writes down what it finds."""

    def __init__(self, path: Path, found: Inspection) -> None:
        self._path = path
        self._found = found
        self._before = "the beginning"
        self._began: dict[str, str] = {}
        self._named: dict[str, str] = {}
        self._rotated: set[str] = set()

    def row(self, row: Row, *, chained: bool) -> None:
        """Look at one row."""
        self._found.events += 1
        self._began.setdefault(row.match_id, row.wall_time)
        try:
            self._event(row, stored(row, self._path).event)
        except JournalError as error:
            self._found.problems.append(str(error))
        if chained:
            self._follow(row)

    def _event(self, row: Row, event: Event) -> None:
        if isinstance(event, Noted) and event.key == ROTATED:
            self._rotated.update(event.evidence)
            return
        if isinstance(event, Noted) and event.key == CUT:
            self._found.remarks.append(f"{_name(row)} noted: {event.text}")
        for name in filter(is_picture, event.evidence):  # journals of format 1 named frames of the camera
            self._named.setdefault(name, _name(row))

    def _follow(self, row: Row) -> None:
        """The row must follow, by number and by hash, on the one before it."""
        head, name = self._found.head, _name(row)
        if row.seq != head.count + 1:
            gone = f"event {head.count + 1} is"
            if row.seq > head.count + 2:
                gone = f"events {head.count + 1} to {row.seq - 1} are"
            self._found.problems.append(f"{gone} missing, between {self._before} and {name}")
        elif row.hash != row_hash(head.hash, row._asdict()):
            words = f"was changed after it was written, or does not follow on {self._before} as that stands"
            self._found.problems.append(f"{name} {words}")
        self._found.head, self._before = Head(row.seq, row.hash), name

    def compare_beginnings(self, begun: dict[str, str]) -> None:
        """Each line of the list of matches, by match, must agree with the match's events."""
        self._found.matches = len(begun)
        for match in sorted(begun.keys() | self._began.keys()):
            listed, seen = begun.get(match), self._began.get(match)
            if seen is None:
                self._found.problems.append(f"match {match!r} is listed, but none of its events is there")
            elif listed != seen:
                self._found.problems.append(f"match {match!r} is listed as begun at {listed}; its events say {seen}")

    def look_at_pictures(self) -> None:
        """Each picture that an event names must lie there as it was, but for those that rotation took."""
        for name, event in self._named.items():
            right = matches_its_name(self._path.parent, name)
            if right:
                self._found.pictures += 1
            elif right is not None:
                self._found.problems.append(f"{name}, the picture of {event}, was changed")
            elif name in self._rotated:
                self._found.rotated += 1
            else:
                self._found.problems.append(f"{name}, the picture of {event}, is missing, and no rotation removed it")


def _name(row: Row) -> str:
    return f"event {row.seq} ({row.type}) of match {row.match_id!r}"
