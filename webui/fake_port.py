"""A table without a camera: the shipped fake of `TablePort` for tests and for trying out the pages."""

from __future__ import annotations

import threading
from dataclasses import replace

from rules.match import MatchState
from webui.ports import Snapshot


class FakeTable:
    """A `TablePort` that shows what it is told; safe to use from any thread."""

    def __init__(self, state: MatchState | None = None, *, picture: bytes | None = None) -> None:
        self.picture = picture
        self._changed = threading.Condition()
        self._snapshot = Snapshot(version=1, state=state or MatchState(), status="watching", healthy=True)

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
        return self.picture
