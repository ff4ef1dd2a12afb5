"""Events as JSON and back; nothing is written that cannot be read again."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from device.errors import DeviceError
from rules import decisions, events
from rules.events import Event

EVENT_TYPES: tuple[type[Event], ...] = (
    events.MatchStarted,
    events.GameStarted,
    events.Rolled,
    events.RollVoided,
    events.Played,
    events.PlayFlagged,
    events.PlayCorrected,
    events.CubeOffered,
    events.CubeTaken,
    events.CubeDropped,
    events.GameEnded,
    events.MatchEnded,
    events.Recovered,
    events.Noted,
    decisions.CubeBeavered,
    decisions.CubeAutomatic,
    decisions.CubeCorrected,
    decisions.ResignationOffered,
    decisions.ResignationAccepted,
    decisions.ResignationRefused,
    decisions.MatchConceded,
    decisions.ConcessionWithdrawn,
    decisions.ResultConfirmed,
    decisions.ResultOfficial,
    decisions.PenaltyGiven,
    decisions.ScoreCorrected,
    decisions.CheckerFound,
    decisions.SetupCorrected,
    decisions.PlayStands,
    decisions.Asked,
    decisions.Answered,
    decisions.Undone,
    decisions.ViewSet,
)
"""Every event that can be stored; a test compares them with `rules.events` and `rules.decisions`."""

_ADAPTERS: dict[str, TypeAdapter[Event]] = {kind.__name__: TypeAdapter(kind) for kind in EVENT_TYPES}


class EventJsonError(DeviceError, ValueError):
    """JSON that is no event, or an event that JSON cannot hold."""


def dump_event(event: Event) -> dict[str, JsonValue]:
    """`event` as JSON values: its fields, and the name of its class under `type`; `by` only where somebody told it.

    Raises:
        EventJsonError: its class is not in `EVENT_TYPES`, or it would not come back as it is
            (a time that is not finite, a number that is not Python's own).
    """
    name = type(event).__name__
    adapter = _ADAPTERS.get(name)
    if adapter is None:
        raise EventJsonError(f"{name}: not an event that can be stored")
    try:
        data: dict[str, JsonValue] = {"type": name, **adapter.dump_python(event, mode="json", warnings="error")}
        back = load_event(data)
    except (PydanticSerializationError, UnicodeEncodeError, EventJsonError) as error:
        raise EventJsonError(f"{event}: cannot be stored ({error})") from error
    if back != event:
        raise EventJsonError(f"{event}: cannot be stored (it would come back as {back})")
    if not event.by:  # most events: they were seen
        del data["by"]
    return data


def load_event(data: Mapping[str, JsonValue]) -> Event:
    """The event that `data` holds, as `dump_event` writes it.

    Raises:
        EventJsonError: the type is unknown, or a field is missing, wrong or unknown.
    """
    fields = dict(data)
    name = fields.pop("type", None)
    adapter = _ADAPTERS.get(name) if isinstance(name, str) else None
    if adapter is None:
        raise EventJsonError(f"unknown type of event: {name!r} (written by a newer Schiri?)")
    try:
        # Through text: pydantic's strict JSON mode takes lists for tuples and strings for enums, and nothing else.
        return adapter.validate_json(json.dumps(fields, allow_nan=False), strict=True, extra="forbid")
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'it'}: {e['msg']}" for e in error.errors())
        raise EventJsonError(f"{name}: {wrong}") from error
    except ValueError as error:  # json.dumps: a number that JSON does not have
        raise EventJsonError(f"{name}: {error}") from error
