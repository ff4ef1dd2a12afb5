"""A whole match as lines of events, as `transcribe --events` writes them: written, and read back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from typing import Any

from pydantic import JsonValue

from device.errors import DeviceError, naming
from device.store.event_json import EVENT_TYPES, load_event
from device.store.export import event_line
from rules import events
from rules.codecs.xgid import read_xgid
from rules.events import Event
from rules.fold import last_play
from rules.game import apply
from rules.match import MatchState
from rules.movegen import play_between
from rules.play import parse_play
from rules.position import Player, Position
from rules.transcript import IllegalPlay, PlayedThrough

_TYPES = {kind.__name__: kind for kind in EVENT_TYPES}
_LEFT_OUT_WHEN_NONE = ("player", "turn", "owner")


def write_events(events: Iterable[Event]) -> str:
    """The events of a match, one JSON object a line; where no XGID can hold a position it is written in counts.

    Raises:
        EventError: an event cannot follow the ones before it.
    """
    state = MatchState()
    lines = []
    for seq, event in enumerate(events, 1):
        state = apply(state, event)
        lines.append(json.dumps(_line(seq, event, state), ensure_ascii=False) + "\n")
    return "".join(lines)


def _line(seq: int, event: Event, after: MatchState) -> dict[str, JsonValue]:
    line = event_line(seq, event, after)
    position = getattr(event, "position", None)
    if isinstance(position, Position):
        whole = all(position.total(player) == after.checkers for player in Player)
        if "position" not in line or not whole:
            line["position"] = {"white": [*position.white], "black": [*position.black]}
    return line


def read_events(text: str) -> PlayedThrough:
    """The match that lines of events tell.

    Raises:
        DeviceError: a line is no event; the message names it. EventError: one cannot follow the others.
    """
    state = MatchState()
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
                event = _event(data, state)
                state = apply(state, event)
            found.append(event)
    return PlayedThrough(tuple(found), state, _flagged(found), ())


def _event(data: dict[str, Any], state: MatchState) -> Event:
    """The event of one line; `state` is that before it."""
    kind = _TYPES.get(str(data.get("type")))
    if kind is None:
        return load_event(data)  # which says that there is no such type
    known = {field.name for field in fields(kind)}
    given = {key: value for key, value in data.items() if key in known}
    given |= {key: None for key in _LEFT_OUT_WHEN_NONE if key in known - set(data)}
    if isinstance(given.get("roll"), list) and len(given["roll"]) == 2:
        given["roll"] = dict(zip(("high", "low"), given["roll"], strict=True))
    if isinstance(given.get("position"), str):
        position = read_xgid(given["position"], (state.checkers, state.checkers)).position
        given["position"] = asdict(position)
    if isinstance(given.get("play"), str):
        given["play"] = asdict(parse_play(given["play"]))
    event = load_event({"type": kind.__name__, **given})
    if isinstance(event, events.Played | events.PlayCorrected):  # the text joins steps; the board tells them apart
        before = state.position if isinstance(event, events.Played) else _before_play(state, event.back)
        play = play_between(before, event.player, event.roll, event.position)
        return event if play is None else replace(event, play=play)
    return event


def _before_play(state: MatchState, back: int) -> Position:
    """Where the checkers stood before the play that `back` others followed; as they stand where there was none."""
    last = last_play(state.games[-1], back) if state.games else None
    return state.position if last is None else state.games[-1].turns[last].before or state.position


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
