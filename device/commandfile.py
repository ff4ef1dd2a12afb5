"""A file of what people said and pressed at a recorded match: a JSON object a line, as `schiri simulate` writes it."""

from __future__ import annotations

import json
from pathlib import Path

from device.errors import DeviceError
from device.store.event_json import EventJsonError, load_event
from rules.commands import Command, Decided, TurnEnded
from rules.position import Player

PRESSED = ("Done", "ClockPressed")
"""Lines that are no events: `{"at_s": 12.5, "type": "Done", "player": "white"}`."""


def read_commands(path: Path) -> list[tuple[float, Command]]:
    """The commands of `path` with their times in seconds, in the order of time.

    Raises DeviceError, naming the line and what is wrong with it, or OSError.
    """
    commands = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            commands.append(_command(line, f"{path}, line {number}"))
    return sorted(commands, key=lambda one: one[0])


def _command(line: str, where: str) -> tuple[float, Command]:
    try:
        data = json.loads(line)
    except ValueError as error:
        raise DeviceError(f"{where}: no JSON ({error})") from error
    if not isinstance(data, dict) or not isinstance(data.get("at_s"), int | float):
        raise DeviceError(f"{where}: expected an object with at_s (seconds) and type")
    if data.get("type") in PRESSED:
        try:
            return float(data["at_s"]), TurnEnded(Player(str(data.get("player"))))
        except ValueError:
            raise DeviceError(f"{where}: player must be white or black, not {data.get('player')!r}") from None
    try:
        event = load_event(data)
    except EventJsonError as error:
        raise DeviceError(f"{where}: {error}") from error
    return event.at_s, Decided(event)
