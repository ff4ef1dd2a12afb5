"""The names of all that can be wrong with a play, and the clause each breaks."""

from __future__ import annotations

from enum import Flag, auto


class Fault(Flag):
    """Everything that is wrong with a play, together; `keys()` gives the names in this order."""

    BAR_NOT_ENTERED = auto()
    POINT_BLOCKED = auto()
    BORE_OFF_EARLY = auto()
    BOTH_DICE_PLAYABLE = auto()
    HIGHER_DIE_PLAYABLE = auto()
    WRONG_DISTANCE = auto()
    WRONG_DIRECTION = auto()
    OPPONENT_MOVED = auto()
    CHECKER_COUNT = auto()
    HIT_NOT_ON_BAR = auto()
    BORE_OFF_FROM_LOWER = auto()
    TOO_MANY_NUMBERS = auto()
    OFF_RETURNED = auto()

    def keys(self) -> tuple[str, ...]:
        """The names of the faults that are set, such as `higher_die_playable`."""
        return tuple(str(fault.name).lower() for fault in self)

    @property
    def clause(self) -> str:
        """The rule that a single fault breaks, such as `R25`."""
        return CLAUSES[self]


CLAUSES = {
    Fault.BAR_NOT_ENTERED: "R28",
    Fault.POINT_BLOCKED: "R26",
    Fault.BORE_OFF_EARLY: "R19",
    Fault.BOTH_DICE_PLAYABLE: "R25",
    Fault.HIGHER_DIE_PLAYABLE: "R25",
    Fault.WRONG_DISTANCE: "R19",
    Fault.WRONG_DIRECTION: "R2",
    Fault.OPPONENT_MOVED: "T11",
    Fault.CHECKER_COUNT: "R33",
    Fault.HIT_NOT_ON_BAR: "R27",
    Fault.BORE_OFF_FROM_LOWER: "R20",
    Fault.TOO_MANY_NUMBERS: "R23",
    Fault.OFF_RETURNED: "R68",
}
