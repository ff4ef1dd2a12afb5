"""What the pages need from the table; `device` provides it, tests hand in a fake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from rules.match import MatchState


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment.

    `version` rises with every change. `status` says in plain words how the eyes are doing
    (`watching`, `hands over the board`, `camera lost`, …); `healthy` is False when a person
    should look. `home_right` is False for the mirrored start: white's home at the left as
    white sees it (R1).
    """

    version: int
    state: MatchState
    status: str
    healthy: bool
    home_right: bool = True


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
