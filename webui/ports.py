"""What the pages need from the table; `device` provides it, tests hand in a fake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.commands import Command
from rules.events import Event, MatchStarted
from rules.match import MatchState


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment.

    `version` rises with every change. `status` says in plain words how the eyes are doing
    (`watching`, `hands over the board`, `camera lost`, …); `healthy` is False when a person
    should look. `home_right` is False for the mirrored start: white's home at the left as
    white sees it (R1). `match_id` names the running match in the archive.
    """

    version: int
    state: MatchState
    status: str
    healthy: bool
    home_right: bool = True
    match_id: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command; `text` says in a sentence why it was refused."""

    done: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """An event of a match as the record holds it: its number, and the wall clock then (ISO 8601, UTC)."""

    seq: int
    event: Event
    wall_time: str


@dataclass(frozen=True, slots=True)
class MatchEntry:
    """A match in the archive: its name there, when it began (ISO 8601, UTC), and how it began."""

    match_id: str
    began: str
    begin: MatchStarted


class TablePort(Protocol):
    """The running table, safe to call from any thread."""

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        ...

    def wait(self, after_version: int, timeout_s: float) -> Snapshot | None:
        """The first snapshot newer than `after_version`, or None after `timeout_s`."""
        ...

    def camera_jpeg(self) -> bytes | None:
        """The newest annotated camera picture as JPEG, or None when there is none."""
        ...

    def tell(self, command: Command, by: str) -> Answer:
        """Somebody says something (`by`: `director`, `white`, `black`, `panel`); returns once it is done or refused."""
        ...

    def begin(self, match: MatchStarted) -> Answer:
        """Begin another match at this table."""
        ...

    def matches(self) -> Sequence[MatchEntry]:
        """All matches in the archive, the newest first."""
        ...

    def events(self, match_id: str) -> Sequence[Stored]:
        """What happened in a match, in order; empty for an unknown one."""
        ...

    def picture(self, name: str) -> bytes | None:
        """The picture (JPEG) that an event names in its evidence, or None when it is not kept."""
        ...

    def events_text(self, match_id: str) -> str:
        """The match as lines of events, JSON (docs/formats.md)."""
        ...
