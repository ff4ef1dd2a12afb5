"""What stands on the table at one moment, and whose hands are over it.

Places are in field space (0–1 across the field and down it; the table beside it lies outside that), heights
in millimetres above the playing surface. `vision.synth.layout` turns a scene into solids.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.position import START, Player, Position


@dataclass(frozen=True, slots=True)
class Die:
    """A die: its number, its centre in field space, its turn, whose it is.

    With `tilt_rad` it is cocked: it leans that far over towards its turn's direction. `z_mm` lifts it
    above whatever it lies on (a die in a hand, a die that still rolls).
    """

    pips: int
    xy: tuple[float, float]
    angle_rad: float
    player: Player
    tilt_rad: float = 0.0
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class CubeAt:
    """The cube: the number up, its centre in field space, its turn in quarters and what is left over."""

    value: int
    xy: tuple[float, float]
    quarter: int = 0
    angle_rad: float = 0.0
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Loose:
    """A checker that stands on no point: between points, on the rail, on the table, in a hand."""

    player: Player
    xy: tuple[float, float]
    z_mm: float = 0.0
    tilt_rad: float = 0.0
    toward_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand and its arm: the place its fingertips reach, and from which side.

    `z_mm` is the height of the fingertips, `person` whose hand it is (an index of the table's people),
    `right` a right hand, `pointing` only a finger stretched out, `holds` things pinched between the fingers.
    """

    xy: tuple[float, float]
    near: bool
    z_mm: float = 12.0
    person: int = 0
    right: bool = True
    pointing: bool = False


class Prop(StrEnum):
    """Things that lie about on tables."""

    CUP = "cup"
    CLOCK = "clock"
    SCORE_CARD = "score_card"
    PHONE = "phone"
    GLASS = "glass"
    SPECTACLES = "spectacles"
    PEN = "pen"
    PAPER = "paper"
    CASE = "case"
    SPARE_DIE = "spare_die"


@dataclass(frozen=True, slots=True)
class Thing:
    """A prop: its centre in field space, its turn; `z_mm` lifts it above whatever it lies on."""

    prop: Prop
    xy: tuple[float, float]
    angle_rad: float = 0.0
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Checkers, dice, cube, hands and whatever else lies about.

    `light` dims all lamps (0 is a blackout). `bump` is where the board was pushed: millimetres right and
    near, and its turn. `head` is the shadow of a head that leans in: its centre in field space.
    """

    position: Position = START
    dice: tuple[Die, ...] = ()
    cube: CubeAt = field(default_factory=lambda: CubeAt(64, (-0.075, 0.5)))
    hands: tuple[Hand, ...] = ()
    loose: tuple[Loose, ...] = ()
    things: tuple[Thing, ...] = ()
    light: float = 1.0
    bump: tuple[float, float, float] = (0.0, 0.0, 0.0)
    head: tuple[float, float] | None = None


Shutter = tuple[Scene, Scene]
"""The scenes when a camera's shutter opens and when it closes."""
