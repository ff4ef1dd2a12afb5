"""Match files of every format, by their endings: .mat, .sgf, .txt (Snowie text), .json or .jsonl (events)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from device.errors import DeviceError, naming
from device.event_files import read_events, write_events
from device.store.atomic import write_atomically
from rules.codecs.extent import unsaid
from rules.codecs.mat import write_mat
from rules.codecs.mat_read import read_mat
from rules.codecs.sgf import read_sgf, write_sgf
from rules.codecs.snowie import write_snowie
from rules.match import MatchState
from rules.transcript import PlayedThrough, Transcript, play_through

FORMATS = (".mat", ".sgf", ".txt", ".json", ".jsonl")
_EVENTS = (".json", ".jsonl")

_READERS: dict[str, Callable[[str], Transcript]] = {".mat": read_mat, ".txt": read_mat, ".sgf": read_sgf}
_WRITERS: dict[str, Callable[[MatchState], str]] = {".mat": write_mat, ".txt": write_snowie, ".sgf": write_sgf}


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
        return read_events(text) if ending in _EVENTS else play_through(_READERS[ending](text))


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
        text = write_events(played.events) if ending in _EVENTS else _WRITERS[ending](played.state)
    try:
        write_atomically(file, text)
    except OSError as error:
        raise DeviceError(f"{file}: cannot be written ({error.strerror})") from error
    return [] if ending in _EVENTS else _unsaid(played.state, illegal=ending == ".txt")


def _unsaid(state: MatchState, *, illegal: bool) -> list[str]:
    """What the format could not say, and where Snowie text can."""
    by_none = set(unsaid(state, illegal=True))
    return [
        f"game {number}: {text}" + ("" if (number, text) in by_none else "; .txt (Snowie text) holds all of it")
        for number, text in unsaid(state, illegal=illegal)
    ]
