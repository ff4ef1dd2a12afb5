"""When a question that was asked at the table is over without an answer."""

from __future__ import annotations

from rules import decisions as de
from rules import events as ev
from rules.irregularities import Until, irregularity
from rules.match import MatchState
from rules.ruleset import profile

_THROW = {Until.AT_ONCE, Until.NEXT_THROW}
_VALID = _THROW | {Until.LIFT, Until.NEXT_VALID_THROW, Until.VALID_THROW_OR_DOUBLE, Until.FIRST_ROLL}
_OVER: dict[type[ev.Event], set[Until]] = {
    ev.Rolled: _VALID,
    ev.RollVoided: _THROW,
    ev.Played: {Until.LIFT},
    ev.PlayFlagged: {Until.LIFT},
    ev.CubeTaken: {Until.AT_ONCE},
    ev.GameStarted: set(Until),
    ev.GameEnded: set(Until),
}
"""The questions that may be brought up until then end with such an event."""
_SETTLED: dict[type[ev.Event], set[str]] = {
    ev.Played: {"short_play", "taken_back"},
    ev.PlayCorrected: {"short_play", "taken_back"},
    de.CheckerFound: {"checker_found"},
    de.SetupCorrected: {"wrong_setup"},
    de.CubeCorrected: {"cube_disputed", "cube_forgotten", "nonsense"},
}
"""The questions that such an event answers."""


def still_open(state: MatchState, event: ev.Event) -> tuple[de.Asked, ...]:
    """The questions of `state` that `event` leaves open."""
    if not state.questions:
        return ()
    kind, ruleset = type(event), profile(state.profile)
    over, settled = _OVER.get(kind, set()), _SETTLED.get(kind, set())
    return tuple(
        one for one in state.questions if one.key not in settled and irregularity(one.key, ruleset).until not in over
    )
