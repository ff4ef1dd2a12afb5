"""A table without a camera: the shipped fake of `TablePort` for tests and for trying out the pages."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from rules.commands import Command
from rules.errors import EventError
from rules.events import MatchStarted
from rules.game import apply
from rules.match import MatchState
from rules.referee import Referee, step
from webui.ports import Answer, MatchEntry, Snapshot, Stored

BEGAN = "2026-05-01T18:00:00.000+00:00"


class FakeTable:
    """A `TablePort` that shows what it is told; safe to use from any thread."""

    def __init__(self, state: MatchState | None = None, *, picture: bytes | None = None) -> None:
        self.camera_picture = picture
        self.told: list[tuple[Command, str]] = []
        self.stored: dict[str, list[Stored]] = {"fake": []}
        self.pictures: dict[str, bytes] = {}
        self._changed = threading.Condition()
        self._snapshot = Snapshot(
            version=1, state=state or MatchState(), status="watching", healthy=True, match_id="fake"
        )

    def push(
        self,
        state: MatchState | None = None,
        *,
        status: str | None = None,
        healthy: bool | None = None,
        home_right: bool | None = None,
    ) -> Snapshot:
        """Show the next snapshot, with whatever is left out unchanged, and wake all who wait; returns it."""
        with self._changed:
            old = self._snapshot
            self._snapshot = replace(
                old,
                version=old.version + 1,
                state=old.state if state is None else state,
                status=old.status if status is None else status,
                healthy=old.healthy if healthy is None else healthy,
                home_right=old.home_right if home_right is None else home_right,
            )
            self._changed.notify_all()
            return self._snapshot

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        with self._changed:
            return self._snapshot

    def wait(self, after_version: int, timeout_s: float) -> Snapshot | None:
        """The newest snapshot once it is newer than `after_version`, or None after `timeout_s` seconds."""
        with self._changed:
            newer = self._changed.wait_for(lambda: self._snapshot.version > after_version, timeout_s)
            return self._snapshot if newer else None

    def camera_jpeg(self) -> bytes | None:
        """The picture it was given."""
        return self.camera_picture

    def tell(self, command: Command, by: str) -> Answer:
        """As a real referee would answer; all of it is kept in `told`, and what happened in `stored`."""
        self.told.append((command, by))
        snapshot = self.snapshot()
        try:
            referee, events = step(Referee(snapshot.state), command, 0.0)
        except EventError as error:
            return Answer(False, str(error))
        told = self.stored.setdefault(snapshot.match_id, [])
        told.extend(Stored(len(told) + k, replace(event, by=by), BEGAN) for k, event in enumerate(events, 1))
        self.push(referee.match)
        return Answer(True)

    def begin(self, match: MatchStarted) -> Answer:
        """The next match of the table."""
        name = f"fake {len(self.stored)}"
        self.stored[name] = [Stored(1, match, BEGAN)]
        self._snapshot = replace(self._snapshot, match_id=name)
        self.push(apply(MatchState(), match))
        return Answer(True)

    def matches(self) -> Sequence[MatchEntry]:
        """Those of `stored` that have a beginning, the newest first."""
        begun = [(name, rows[0]) for name, rows in self.stored.items() if rows]
        found = [
            MatchEntry(name, row.wall_time, row.event) for name, row in begun if isinstance(row.event, MatchStarted)
        ]
        return found[::-1]

    def events(self, match_id: str) -> Sequence[Stored]:
        """What is `stored` of it."""
        return tuple(self.stored.get(match_id, ()))

    def events_text(self, match_id: str) -> str:
        """The kinds of its events, a line each."""
        return "".join(f"{type(row.event).__name__}\n" for row in self.events(match_id))

    def picture(self, name: str) -> bytes | None:
        """One of `pictures`."""
        return self.pictures.get(name)
