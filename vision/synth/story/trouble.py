"""What a fault is to an evening: the moment at which it may happen, and how it is staged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from rules.events import Event
from rules.position import Player, Position
from vision.synth.story.shot import Shot
from vision.synth.story.stage import Stage


class Moment(Enum):
    """When a fault may happen."""

    SET_UP = auto()
    """Instead of a proper set-up."""
    OFFER = auto()
    TAKE = auto()
    """The cube was offered and is taken."""
    THROW = auto()
    """Before a throw that counts."""
    ROLLED = auto()
    PLAY = auto()
    """Instead of a proper play."""
    LIFT = auto()
    """The play is made, the dice still lie."""
    LIFTED = auto()


@dataclass(frozen=True, slots=True)
class Case:
    """What is about to happen (or has, at `ROLLED` and `LIFTED`): `player`'s `event`, from a position `before`."""

    player: Player
    event: Event
    before: Position
    rolls_next: bool = False


@dataclass(frozen=True, slots=True)
class Trouble:
    """A kind of fault. `stage` shows nothing at all where it cannot happen now.

    With `changes_course` the match goes on from another position than without it.
    """

    kind: str
    moment: Moment
    stage: Callable[[Stage, Case, str], Iterator[Shot]]
    changes_course: bool = False
