"""Which rules are played where rule documents and tournaments differ: named profiles, each with its source.

Every option's first value is that of the German club document, the default. `differences` shows
what two profiles do otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum

from rules.clock import NO_CLOCK, SIMPLE_DELAY, ClockRule
from rules.errors import RulesetError


class Speaks(StrEnum):
    """When Schiri tells the players of a fault (R42, R51)."""

    AT_THE_LIFT = "at_the_lift"
    WHEN_ASKED = "when_asked"
    NEVER = "never"


class CubeDispute(StrEnum):
    """What counts when cube and record differ (R30)."""

    AS_IT_LIES = "as_it_lies"
    OUR_RECORD = "our_record"


class TurnEnds(StrEnum):
    """What ends a turn (R16, R63)."""

    BOTH_DICE_LIFTED = "both_dice_lifted"
    EITHER_DIE_LIFTED = "either_die_lifted"
    DONE = "done"
    CLOCK_PRESSED = "clock_pressed"


class DieOnChecker(StrEnum):
    """What a die on a checker is (R11)."""

    INVALID = "invalid"
    VALID_IF_FLAT = "valid_if_flat"


class DiceZone(StrEnum):
    """Where dice must lie (R10, T1): the roller's right half, both in the same half, anywhere on the board."""

    SEAT = "seat"
    HALF = "half"
    BOARD = "board"


class OpeningInvalid(StrEnum):
    """What is thrown again when one die of the opening is invalid (R8, R11)."""

    BOTH_AGAIN = "both_again"
    THAT_DIE = "that_die"


class TouchedDie(StrEnum):
    """What is thrown again when the roller touches a die before both rest (R13)."""

    OPPONENT_PICKS = "opponent_picks"
    BOTH = "both"


class IllegalPlayRule(StrEnum):
    """What becomes of an illegal play (R32)."""

    EITHER_MAY_CALL = "either_may_call"
    MUST_BE_CORRECTED = "must_be_corrected"
    OPPONENT_CHOOSES = "opponent_chooses"


class ShortPlay(StrEnum):
    """What becomes of numbers that were not played (R17)."""

    OPPONENT_CHOOSES = "opponent_chooses"
    MUST_BE_COMPLETED = "must_be_completed"


class WindowCloses(StrEnum):
    """What makes the play before it final (R18, R32)."""

    NEXT_THROW = "next_throw"
    NEXT_VALID_THROW = "next_valid_throw"
    VALID_THROW_OR_DOUBLE = "valid_throw_or_double"


class PrematureRoll(StrEnum):
    """What becomes of a roll before the opponent has lifted his dice (R14, R15)."""

    OPPONENT_DECIDES = "opponent_decides"
    STANDS = "stands"


class SetupUntil(StrEnum):
    """Until when a wrong set-up is put right (R29)."""

    SECOND_ROUND = "second_round"
    FIRST_ROLL = "first_roll"
    NEVER = "never"


class MissingChecker(StrEnum):
    """What becomes of a checker found off the board (R33)."""

    BAR_OR_14 = "bar_or_14"
    BAR = "bar"


class Lateness(StrEnum):
    """What lateness costs (R55)."""

    BY_DIRECTOR = "by_director"
    POINT_EVERY_5_MIN = "point_every_5_min"


@dataclass(frozen=True, slots=True, kw_only=True)
class Breaks:
    """How many breaks of how many minutes each side has; None where the director says (R53)."""

    number: int | None = None
    minutes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A named profile of rule options; `source` says where they come from.

    `backgammon_needs_none_off`: a backgammon needs that the loser has borne off none (R34).
    `cube_start_faces`: the numbers that may lie up on the centred cube and all mean 1 (None: no number).
    """

    name: str
    source: str
    speaks: Speaks = Speaks.AT_THE_LIFT
    feedback: bool = False
    backgammon_needs_none_off: bool = True
    cube_start_faces: tuple[int | None, ...] = (64, 1, None)
    cube_dispute: CubeDispute = CubeDispute.AS_IT_LIES
    turn_ends: TurnEnds = TurnEnds.BOTH_DICE_LIFTED
    die_on_checker: DieOnChecker = DieOnChecker.INVALID
    dice_zone: DiceZone = DiceZone.SEAT
    invalid_throws: bool = True
    opening_invalid: OpeningInvalid = OpeningInvalid.BOTH_AGAIN
    touched_die: TouchedDie = TouchedDie.OPPONENT_PICKS
    illegal_play: IllegalPlayRule = IllegalPlayRule.EITHER_MAY_CALL
    short_play: ShortPlay = ShortPlay.OPPONENT_CHOOSES
    window_closes: WindowCloses = WindowCloses.NEXT_THROW
    premature_roll: PrematureRoll = PrematureRoll.OPPONENT_DECIDES
    setup_until: SetupUntil = SetupUntil.SECOND_ROUND
    missing_checker: MissingChecker = MissingChecker.BAR_OR_14
    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: bool = False
    clock: ClockRule = NO_CLOCK
    lateness: Lateness = Lateness.BY_DIRECTOR
    breaks: Breaks = field(default_factory=Breaks)


_READING = "a reading, to be checked against the federation's current text"

CLUB_DE = Ruleset(name="club-de", source="the German club document (R1–R61)")

ONLINE = replace(
    CLUB_DE,
    name="online",
    source="the Danish online rules (R62–R76): DONE, dice anywhere, no throw is invalid, no clock",
    turn_ends=TurnEnds.DONE,
    dice_zone=DiceZone.BOARD,
    die_on_checker=DieOnChecker.VALID_IF_FLAT,
    invalid_throws=False,
)

UKBGF = replace(
    CLUB_DE,
    name="ukbgf",
    source=f"the British federation's rules: {_READING}",
    window_closes=WindowCloses.VALID_THROW_OR_DOUBLE,
    clock=SIMPLE_DELAY,
)

USBGF = replace(
    CLUB_DE,
    name="usbgf",
    source=f"the United States federation's rules: {_READING}",
    turn_ends=TurnEnds.EITHER_DIE_LIFTED,
    die_on_checker=DieOnChecker.VALID_IF_FLAT,
    window_closes=WindowCloses.VALID_THROW_OR_DOUBLE,
    clock=SIMPLE_DELAY,
)

MONEY = replace(
    CLUB_DE,
    name="money",
    source="money play by custom: no Crawford, with Jacoby; beavers and automatic doubles by agreement",
    crawford=False,
    jacoby=True,
)

PRACTICE = replace(
    CLUB_DE,
    name="practice",
    source="as club-de, for a learner: the director's part is played by the page, feedback is allowed",
    speaks=Speaks.NEVER,
    feedback=True,
)

PROFILES = {ruleset.name: ruleset for ruleset in (CLUB_DE, ONLINE, UKBGF, USBGF, MONEY, PRACTICE)}


def profile(name: str) -> Ruleset:
    """The profile of that name.

    Raises:
        RulesetError: there is none; the message lists those there are.
    """
    try:
        return PROFILES[name]
    except KeyError:
        raise RulesetError(f"no rule profile {name!r}; there are {', '.join(PROFILES)}") from None


def options(ruleset: Ruleset) -> dict[str, str]:
    """Every option of a profile by name, its value in words; to be shown, and to be compared line by line (R40)."""
    return {option.name: _words(getattr(ruleset, option.name)) for option in fields(ruleset)}


def differences(one: Ruleset, other: Ruleset) -> dict[str, tuple[str, str]]:
    """The options, name and source aside, in which two profiles differ, with the value of each."""
    mine, theirs = options(one), options(other)
    return {
        name: (mine[name], theirs[name])
        for name in mine
        if name not in ("name", "source") and mine[name] != theirs[name]
    }


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, ClockRule):
        if value == NO_CLOCK:
            return "none"
        return f"{value.kind}, {value.delay_s:g} s, {value.reserve_s_per_point:g} s a point"
    if isinstance(value, Breaks):
        return "by the director" if value.number is None else f"{value.number} of {value.minutes} minutes"
    if isinstance(value, tuple):
        return ", ".join("no number" if face is None else str(face) for face in value)
    return str(value)
