"""What is done at the table between two still scenes, and what it means: the words in which a plan speaks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.events import Event
from rules.position import Player
from vision.synth.scene import Scene

Xy = tuple[float, float]
"""A place in field space."""


class Deed(StrEnum):
    """What somebody does; what he does it to is the difference between the scenes before and after."""

    MOVE = "move"
    """Takes a checker, carries it, drops it."""
    SLIDE = "slide"
    HESITATE = "hesitate"
    """A move that stops in mid-air."""
    HIT = "hit"
    """A move after the opposing checker was taken to the bar."""
    PUT_BACK = "put_back"
    HOVER = "hover"
    """A hand over a checker, and away again."""
    SET_UP = "set_up"
    LIFT_DICE = "lift_dice"
    THROW = "throw"
    TOUCH_DICE = "touch_dice"
    """A throw whose dice are stopped before they lie still."""
    SHAKE_CUP = "shake_cup"
    """Shakes a cup over the board and takes it away again."""
    POUR = "pour"
    """A throw from a cup."""
    KNOCK_DIE = "knock_die"
    TURN_CUBE = "turn_cube"
    """Takes the cube, turns it and puts it down: an offer, or back to its place."""
    TAKE_CUBE = "take_cube"
    PUSH_CUBE = "push_cube"
    WRITE_SCORE = "write_score"
    POINT = "point"
    LEAN_IN = "lean_in"
    PUSH_BOARD = "push_board"
    PUT_THING = "put_thing"
    TAKE_THING = "take_thing"
    REST_HAND = "rest_hand"
    """Leaves the hand on the board."""
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class Act:
    """One deed: by whom (an index of the table's people), the scene after it, and where, if nothing changes."""

    deed: Deed
    by: int
    after: Scene
    at: Xy | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """Something that is wrong or in the way, named as in `vision.synth.story.faults`.

    It begins with the deeds of its shot; unless it `lasts` it is over when these are done.
    """

    kind: str
    player: Player | None = None
    lasts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Event):
    """`player` presses DONE (R63)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Shot:
    """A scene that lies still for `hold_s` seconds after `acts` have made it of the scene before.

    `note` tells what `player` did, `events` what it means for the match, `said` what somebody said or
    pressed; both happen once the scene is seen (their time is 0 until filmed).
    """

    scene: Scene
    hold_s: float
    player: Player | None
    note: str
    events: tuple[Event, ...] = ()
    acts: tuple[Act, ...] = ()
    said: tuple[Event, ...] = ()
    situation: Situation | None = None
