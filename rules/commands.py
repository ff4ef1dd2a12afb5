"""What people and programs tell the table; the referee answers with events."""

from __future__ import annotations

from dataclasses import dataclass

from rules.events import Event
from rules.position import Player


@dataclass(frozen=True, slots=True)
class Command:
    """Base of every command."""


@dataclass(frozen=True, slots=True)
class RecordingEnded(Command):
    """No more pictures will come: the turn that runs ends as it stands."""


@dataclass(frozen=True, slots=True)
class TurnEnded(Command):
    """`player` presses DONE or the clock (R63)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Decided(Command):
    """People say that `event` happened or holds: a resignation, a drop by word, a ruling, an answer."""

    event: Event
