"""The game clock as values: every change takes the time now, in seconds on any steady clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from rules.errors import EventError
from rules.position import Player


class ClockKind(StrEnum):
    """How thinking time is counted."""

    NONE = "none"
    SIMPLE_DELAY = "simple_delay"
    BRONSTEIN = "bronstein"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class ClockRule:
    """The kind, the free seconds of each turn, and the reserve in seconds for each point of the match length.

    Simple delay: the reserve is not touched before the free seconds are over. Bronstein: the reserve
    runs at once, and after the turn as many of its seconds come back as were used, at most the free ones.
    """

    kind: ClockKind = ClockKind.NONE
    delay_s: float = 0.0
    reserve_s_per_point: float = 0.0


NO_CLOCK = ClockRule()
SIMPLE_DELAY = ClockRule(ClockKind.SIMPLE_DELAY, delay_s=12.0, reserve_s_per_point=120.0)


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock at a table. `running` is whose time it is, None while it stands.

    `reserve_s` (white, black) was left when the turn began, `turn_s` were used in this turn before the
    clock was last stopped, and `since_s` is when it was last set going.
    """

    rule: ClockRule
    reserve_s: tuple[float, float]
    turn: Player | None = None
    running: bool = False
    turn_s: float = 0.0
    since_s: float = 0.0


def set_clock(rule: ClockRule, length: int) -> Clock:
    """A standing clock with the reserve for a match of `length` points."""
    reserve = rule.reserve_s_per_point * length
    return Clock(rule, (reserve, reserve))


def start(clock: Clock, player: Player, now_s: float) -> Clock:
    """The clock with a new turn of `player` running.

    Raises:
        EventError: it runs already.
    """
    if clock.running:
        raise EventError(f"the clock of {clock.turn} runs already")
    return replace(clock, turn=player, running=True, turn_s=0.0, since_s=now_s)


def press(clock: Clock, now_s: float) -> Clock:
    """The clock after its player has ended his turn: his time is taken off, the opponent's runs.

    Raises:
        EventError: it does not run.
    """
    turn = _running(clock)
    left = list(clock.reserve_s)
    left[_index(turn)] = max(0.0, clock.reserve_s[_index(turn)] - _charged(clock, _used(clock, now_s)))
    return replace(clock, reserve_s=(left[0], left[1]), turn=turn.opponent, turn_s=0.0, since_s=now_s)


def stop(clock: Clock, now_s: float) -> Clock:
    """The clock standing in mid-turn, as for a ruling (R53: that is no break).

    Raises:
        EventError: it does not run.
    """
    _running(clock)
    return replace(clock, running=False, turn_s=_used(clock, now_s), since_s=now_s)


def resume(clock: Clock, now_s: float) -> Clock:
    """The clock going on in the turn in which it was stopped.

    Raises:
        EventError: it runs, or no turn was begun.
    """
    if clock.running or clock.turn is None:
        raise EventError("there is no stopped turn to go on with")
    return replace(clock, running=True, since_s=now_s)


def remaining_s(clock: Clock, player: Player, now_s: float) -> float:
    """The reserve of `player` in seconds, never below 0; infinite without a clock."""
    if clock.rule.kind is ClockKind.NONE:
        return float("inf")
    left = clock.reserve_s[_index(player)]
    if player is clock.turn:
        used = _used(clock, now_s)
        left -= used if clock.rule.kind is ClockKind.BRONSTEIN else _charged(clock, used)
    return max(0.0, left)


def delay_left_s(clock: Clock, now_s: float) -> float:
    """What is left of the free seconds of this turn; 0 where the kind of clock has none."""
    if clock.rule.kind is not ClockKind.SIMPLE_DELAY or clock.turn is None:
        return 0.0
    return max(0.0, clock.rule.delay_s - _used(clock, now_s))


def flag_fallen(clock: Clock, now_s: float) -> Player | None:
    """Whose time is up, None while nobody's is."""
    if clock.turn is None or remaining_s(clock, clock.turn, now_s) > 0.0 or delay_left_s(clock, now_s) > 0.0:
        return None
    return clock.turn


def _running(clock: Clock) -> Player:
    if clock.turn is None or not clock.running:
        raise EventError("the clock stands")
    return clock.turn


def _used(clock: Clock, now_s: float) -> float:
    """Seconds used in this turn."""
    return clock.turn_s + (max(0.0, now_s - clock.since_s) if clock.running else 0.0)


def _charged(clock: Clock, used_s: float) -> float:
    """How much of the seconds used in a turn the reserve loses once it is over."""
    if clock.rule.kind is ClockKind.PLAIN:
        return used_s
    return max(0.0, used_s - clock.rule.delay_s)


def _index(player: Player) -> int:
    return 0 if player is Player.WHITE else 1
