"""The newest state of the table, for any number of readers; the table's thread alone writes it."""

from __future__ import annotations

from dataclasses import replace
from threading import Condition

from calibration.geometry import BoardGeometry
from rules.match import MatchState
from vision.annotate import annotate, jpeg
from vision.observe import Observation
from webui.ports import Snapshot


class Feed:
    """The newest snapshot for many: readers wait for a version newer than theirs, slow ones miss what is old."""

    def __init__(self, state: MatchState, *, home_right: bool) -> None:
        self._changed = Condition()
        self._snapshot = Snapshot(1, state, "starting", True, home_right)
        self._seen: tuple[Observation, BoardGeometry] | None = None

    def publish(self, state: MatchState, status: str, *, healthy: bool) -> None:
        """Tell everybody, if anything is new."""
        with self._changed:
            old = self._snapshot
            if (old.state, old.status, old.healthy) == (state, status, healthy):
                return
            self._snapshot = replace(old, version=old.version + 1, state=state, status=status, healthy=healthy)
            self._changed.notify_all()

    def update(self, state: MatchState, status: str) -> None:
        """What people said changed the state; a trouble that stands, such as a lost camera, stands on."""
        with self._changed:
            old = self._snapshot
            self._snapshot = replace(
                old,
                version=old.version + 1,
                state=state,
                status=status if old.healthy else old.status,
            )
            self._changed.notify_all()

    def turn(self, *, home_right: bool) -> None:
        """The board lies another way before the camera."""
        with self._changed:
            self._seen = None
            self._snapshot = replace(self._snapshot, version=self._snapshot.version + 1, home_right=home_right)
            self._changed.notify_all()

    def show(self, seen: Observation, geometry: BoardGeometry) -> None:
        """Keep what was seen, and where the board lies, for the annotated camera picture."""
        with self._changed:
            self._seen = seen, geometry

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        with self._changed:
            return self._snapshot

    def wait(self, after_version: int, timeout_s: float) -> Snapshot | None:
        """The first snapshot newer than `after_version`, or None after `timeout_s`."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.version > after_version, timeout_s)
            return self._snapshot if self._snapshot.version > after_version else None

    def camera_jpeg(self) -> bytes | None:
        """The newest picture that was read, annotated, as JPEG; drawn only when asked for."""
        with self._changed:
            seen = self._seen
        if seen is None:
            return None
        return jpeg(annotate(*seen))
