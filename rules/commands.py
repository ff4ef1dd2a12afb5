"""What people and programs tell the table; the referee answers with events."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """Base of every command."""


@dataclass(frozen=True, slots=True)
class RecordingEnded(Command):
    """No more pictures will come: the turn that runs ends as it stands."""
