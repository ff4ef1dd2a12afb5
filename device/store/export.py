"""Events as `--events` and the match archive give them: one JSON object a line, in the words of the table."""

from __future__ import annotations

from pydantic import JsonValue

from device.store.event_json import dump_event
from rules import decisions as de
from rules import events as ev
from rules.codecs.xgid import xgid_of_state
from rules.errors import CodecError
from rules.match import MatchState

_LEGAL = (ev.Played, ev.PlayCorrected)
_ON_THE_BOARD = (
    ev.GameStarted,
    ev.Rolled,
    ev.RollVoided,
    ev.Played,
    ev.PlayFlagged,
    ev.PlayCorrected,
    ev.CubeOffered,
    ev.CubeTaken,
    ev.CubeDropped,
    ev.Recovered,
    de.CubeBeavered,
    de.CubeAutomatic,
    de.CubeCorrected,
    de.CheckerFound,
    de.SetupCorrected,
    de.Undone,
)
"""Events after which the board and the cube are worth telling."""


def event_line(seq: int, event: ev.Event, after: MatchState) -> dict[str, JsonValue]:
    """`event` as a line of `--events`; `after` is the state that it leads to.

    `seq`, `at_s` and `type` are always there; then what the event has: `player`, `roll` as
    `[high, low]`, `play` as text (empty for a dance), `verdict` and `faults` of a play, `position`
    as the XGID of `after`, its other fields under their own names, `by` (who told it to Schiri) and
    `evidence`. What does not apply is left out, a position that no XGID can hold too.
    """
    data = dump_event(event)
    line: dict[str, JsonValue] = {"seq": seq, "at_s": data.pop("at_s"), "type": data.pop("type")}
    evidence, by = data.pop("evidence"), data.pop("by", "")
    data.pop("position", None)
    line |= {key: value for key, value in data.items() if value is not None}
    if isinstance(event, ev.Rolled | ev.Played | ev.PlayFlagged | ev.PlayCorrected):
        line["roll"] = [event.roll.high, event.roll.low]
    if isinstance(event, _LEGAL):
        line |= {"play": str(event.play), "verdict": "legal", "faults": []}
    position = _xgid(after) if isinstance(event, _ON_THE_BOARD) else None
    if position is not None:
        line["position"] = position
    if by:
        line["by"] = by
    if evidence:
        line["evidence"] = evidence
    return line


def _xgid(state: MatchState) -> str | None:
    try:
        return xgid_of_state(state)
    except CodecError:
        return None
