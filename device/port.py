"""What the pages see of the running table: its feed, its thread, its record (`webui.ports.TablePort`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from device.event_files import write_events
from device.feed import Feed
from device.store.evidence import is_picture, matches_its_name
from device.store.journal import Journal
from device.table import MatchRecord, TableThread
from rules.commands import Command
from rules.events import MatchStarted
from webui.ports import Answer, MatchEntry, Snapshot, Stored


@dataclass(frozen=True, slots=True)
class Port:
    """A `TablePort` around one table thread; `new_id` names the next match."""

    feed: Feed
    thread: TableThread
    record: MatchRecord
    journal: Journal
    data_dir: Path
    new_id: Callable[[], str]

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._named(self.feed.snapshot())

    def wait(self, after_version: int, timeout_s: float) -> Snapshot | None:
        """The first snapshot newer than `after_version`, or None after `timeout_s`."""
        newer = self.feed.wait(after_version, timeout_s)
        return None if newer is None else self._named(newer)

    def camera_jpeg(self) -> bytes | None:
        """The newest annotated camera picture as JPEG, or None when there is none."""
        return self.feed.camera_jpeg()

    def tell(self, command: Command, by: str) -> Answer:
        """Somebody says something; returns once it is done or refused."""
        return self.thread.tell(command, by)

    def begin(self, match: MatchStarted) -> Answer:
        """Begin another match at this table."""
        return self.thread.begin(lambda: self.record.begin(self.new_id(), match))

    def matches(self) -> Sequence[MatchEntry]:
        """All matches in the journal, the newest first. Raises JournalError."""
        begun = ((match_id, row.event, row.wall_time) for match_id, row in self.journal.matches())
        return [MatchEntry(match_id, at, event) for match_id, event, at in begun if isinstance(event, MatchStarted)]

    def events(self, match_id: str) -> Sequence[Stored]:
        """What happened in a match, in order. Raises JournalError."""
        return [Stored(row.seq, row.event, row.wall_time) for row in self.journal.events(match_id)]

    def events_text(self, match_id: str) -> str:
        """The match as lines of events. Raises JournalError or EventError."""
        return write_events(row.event for row in self.journal.events(match_id))

    def picture(self, name: str) -> bytes | None:
        """A picture that an event names, if it lies there as it was kept."""
        if is_picture(name) and matches_its_name(self.data_dir, name):
            with suppress(OSError):
                return (self.data_dir / name).read_bytes()
        return None

    def _named(self, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, match_id=self.record.match_id)
