"""Match files of every format, by their endings: .mat, .sgf, .txt (Snowie text), .json (events)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from pydantic import JsonValue, TypeAdapter, ValidationError

from device.errors import DeviceError, naming
from device.store.atomic import write_atomically
from device.store.event_json import EVENT_TYPES, dump_event, load_event
from rules import decisions, events
from rules.codecs.mat import write_mat
from rules.codecs.mat_read import read_mat
from rules.codecs.sgf import read_sgf, write_sgf
from rules.codecs.snowie import write_snowie
from rules.events import Event
from rules.game import replay
from rules.match import MatchState
from rules.transcript import IllegalPlay, PlayedThrough, Transcript, play_through

FORMATS = (".mat", ".sgf", ".txt", ".json")

_READERS: dict[str, Callable[[str], Transcript]] = {".mat": read_mat, ".txt": read_mat, ".sgf": read_sgf}
_WRITERS: dict[str, Callable[[MatchState], str]] = {".mat": write_mat, ".txt": write_snowie, ".sgf": write_sgf}
_STORED = {kind.__name__ for kind in EVENT_TYPES}
_DECISIONS: dict[str, TypeAdapter[Event]] = {
    kind.__name__: TypeAdapter(kind)
    for kind in vars(decisions).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event and kind.__name__ not in _STORED
}


def read_match(file: Path) -> PlayedThrough:
    """The match of `file`, played through by the rules.

    Raises:
        DeviceError: the ending is unknown, the file cannot be read, or it holds no match; the message names the file.
    """
    ending = file.suffix.lower()
    if ending not in FORMATS:
        raise DeviceError(f"{file}: the ending must be one of {', '.join(FORMATS)}")
    text = _decoded(file)
    with naming(file):
        return _from_events(text) if ending == ".json" else play_through(_READERS[ending](text))


def _decoded(file: Path) -> str:
    """The text of `file`: UTF-8 with or without its mark, or else Latin-1 as old programs wrote."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise DeviceError(f"{file}: cannot be read ({error.strerror})") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def write_match(file: Path, played: PlayedThrough) -> list[str]:
    """Write the match by the ending of `file`; returns what the format could not say.

    Raises:
        DeviceError: the format cannot hold this match, or the file cannot be written.
    """
    ending = file.suffix.lower()
    with naming(file):
        text = _as_events(played) if ending == ".json" else _WRITERS[ending](played.state)
    try:
        write_atomically(file, text)
    except OSError as error:
        raise DeviceError(f"{file}: cannot be written ({error.strerror})") from error
    if ending not in (".mat", ".sgf"):
        return []
    return [
        f"game {game.number} is written up to its first play that is not legal; .txt (Snowie text) holds all of it"
        for game in played.state.games
        if any(turn.verdict != "legal" for turn in game.turns)
    ]


def _as_events(played: PlayedThrough) -> str:
    return "".join(json.dumps(_dump(event), ensure_ascii=False) + "\n" for event in played.events)


def _dump(event: Event) -> dict[str, JsonValue]:
    adapter = _DECISIONS.get(type(event).__name__)
    if adapter is None:
        return dump_event(event)
    return {"type": type(event).__name__, **adapter.dump_python(event, mode="json", warnings="error")}


def _load(data: dict[str, JsonValue]) -> Event:
    adapter = _DECISIONS.get(str(data.get("type")))
    if adapter is None:
        return load_event(data)
    fields = {key: value for key, value in data.items() if key != "type"}
    try:
        return adapter.validate_json(json.dumps(fields, allow_nan=False), strict=True, extra="forbid")
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'it'}: {e['msg']}" for e in error.errors())
        raise DeviceError(f"{data['type']}: {wrong}") from error


def _from_events(text: str) -> PlayedThrough:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                data = json.loads(line)
            except json.JSONDecodeError as error:
                raise DeviceError(f"line {number}, column {error.colno}: no JSON ({error.msg})") from error
            if not isinstance(data, dict):
                raise DeviceError(f"line {number}, column 1: expected an event, got {line[:40]}")
            with naming(f"line {number}"):
                found.append(_load(data))
    return PlayedThrough(tuple(found), replay(found), _flagged(found), ())


def _flagged(found: list[Event]) -> tuple[IllegalPlay, ...]:
    """The illegal plays among events, numbered as in a match file."""
    illegal = []
    game = move = 0
    for event in found:
        if isinstance(event, events.GameStarted):
            game, move = game + 1, 0
        elif isinstance(event, events.Played | events.PlayFlagged):
            move += 1
            if isinstance(event, events.PlayFlagged):
                text = f"{event.roll.high}{event.roll.low}: {event.explanation}"
                illegal.append(IllegalPlay(game, move, event.player, text, event.faults, 0))
    return tuple(illegal)
