"""`schiri transcribe`: a recorded game in, a match file and its events out, as fast as it can be read."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from calibration.profile import TableProfile
from device.boardfinding import find_in, placed, words
from device.boardwatch import BoardWatch
from device.cameras.files import PICTURES, VIDEOS, PictureFiles, Video, natural
from device.commandfile import read_commands
from device.errors import DeviceError, naming
from device.event_files import write_events
from device.matchfile import MatchFile
from device.sitting import Sitting, eyes_of, setup_of
from device.store.atomic import is_stream, write_atomically
from device.store.evidence import Evidence
from rules.codecs.extent import can_hold, unsaid
from rules.codecs.mat import write_mat
from rules.commands import Command
from rules.events import Event, GameStarted, Played, PlayFlagged
from rules.game import apply
from rules.match import MatchState
from rules.referee import Referee
from vision.errors import SourceError
from vision.frame import Frame, FrameSource
from vision.settle import Settler

SMALLEST_POINT_PX = 38
"""Width of a point below which dice are too small for the eyes: about 14 pixels each."""


def transcribe_all(
    sources: Sequence[Path],
    table: TableProfile,
    match: MatchFile,
    *,
    commands_file: Path | None,
    output: Path | None,
    events_file: Path | None,
) -> None:
    """Write down the game that `sources` show and print its plays; `commands_file` holds what was said and pressed.

    Events are written in any case, with consent also their pictures, into a folder beside them; a .mat that cannot
    hold the game raises DeviceError with the reason, and no file is left. A missing folder is told before hours of
    video are read.
    """
    for path in (output, events_file):
        if path is not None and not path.parent.is_dir():
            raise DeviceError(f"{path}: there is no folder {path.parent}")
    commands = [] if commands_file is None else read_commands(commands_file)
    source = open_recording(sources)
    if table.corners is None:
        with naming(sources[0]):
            table = _found(source, table)
        source = open_recording(sources)
    events = follow(source, table, match, _pictures_beside(events_file, match), commands)
    state = MatchState()
    for event in events:
        state = apply(state, event)
        _tell(event)
    if events_file is not None:
        write_atomically(events_file, write_events(events))
    if not any(isinstance(event, Played | PlayFlagged) for event in events):
        raise DeviceError(f"{sources[0]}: no play was seen; {_why_none(events, table)}")
    if output is not None:
        reason = can_hold(state)
        if reason is not None:
            raise DeviceError(f"{output}: not written: {reason}; --events keeps everything")
        write_atomically(output, write_mat(state))
        for number, text in unsaid(state, illegal=False):
            click.echo(f"schiri: {output}: game {number}: {text}; --events keeps everything", err=True)


def _found(source: FrameSource, table: TableProfile) -> TableProfile:
    """The table with its board where the first pictures show it."""
    try:
        board = find_in(source.frames())
    finally:
        source.close()
    click.echo(words(board), err=True)
    return placed(table, board.geometry)


def _why_none(events: Sequence[Event], table: TableProfile) -> str:
    """What most likely keeps a recording from showing a play."""
    geometry = table.geometry()
    if geometry is not None and geometry.column_px < SMALLEST_POINT_PX:
        return f"a point is only {geometry.column_px:.0f} pixels wide; dice are read from about {SMALLEST_POINT_PX} on"
    if not any(isinstance(event, GameStarted) for event in events):
        return "nor the start position; does the table file fit these pictures?"
    return "only a game that has not begun"


def open_recording(sources: Sequence[Path]) -> PictureFiles | Video:
    """The recording: one folder, one video, or pictures. Raises SourceError, naming what does not fit."""
    if len(sources) == 1 and sources[0].is_dir():
        return PictureFiles.of_folder(sources[0])
    if len(sources) == 1 and sources[0].suffix.lower() in VIDEOS:
        return Video(sources[0])
    for path in sources:
        if not path.is_file():
            raise SourceError(f"{path}: there is no such file")
        if path.suffix.lower() not in PICTURES:
            raise SourceError(f"{path}: not a picture; give one video, one folder, or pictures")
    return PictureFiles(sorted(sources, key=natural))


def _pictures_beside(events_file: Path | None, match: MatchFile) -> Path | None:
    """The folder for the pictures of a match, named after the file of its events; None where none are kept."""
    if events_file is None or not match.consent:
        return None
    if is_stream(events_file):
        click.echo(f"schiri: {events_file} has no place beside it, so no pictures are kept", err=True)
        return None
    return events_file.with_name(f"{events_file.stem}-evidence")


def follow(
    source: PictureFiles | Video,
    table: TableProfile,
    match: MatchFile,
    pictures: Path | None = None,
    commands: Iterable[tuple[float, Command]] = (),
) -> list[Event]:
    """All events of a recording; `pictures` is the folder for those that show them, `commands` what was said when.

    A terminal is shown how far it has come. Raises what source and eyes do.
    """
    evidence = Evidence(pictures.parent if pictures else Path(), under="")

    def record(new: Sequence[Event], frame: Frame | None) -> None:
        name, seq = pictures.name if pictures else "", len(events) + 1
        with evidence.shown(new, frame, match=name, seq=seq, consent=pictures is not None) as shown:
            events.extend(shown)

    begin = match.started(0.0, table.checkers)
    events: list[Event] = [begin]
    referee = Referee(apply(MatchState(), begin), setup_of(table))
    eyes = eyes_of(table)
    watch = None if source.stills else BoardWatch(eyes.geometry)
    waiting = deque(commands)
    sitting = Sitting(Settler(eyes, stills=source.stills), referee, record, watch=watch)
    try:
        for frame in _with_progress(source):
            while waiting and waiting[0][0] <= frame.at_s:
                sitting.tell(waiting.popleft()[1])
            with naming(frame.name):
                sitting.take(frame)
        for _, command in waiting:
            sitting.tell(command)
        sitting.end()
    finally:
        source.close()
    return events


def _with_progress(source: PictureFiles | Video) -> Iterator[Frame]:
    bar = click.progressbar(
        source.frames(), source.length, "schiri", file=sys.stderr, hidden=not sys.stderr.isatty(), update_min_steps=10
    )
    with bar as frames:
        yield from frames


def _tell(event: Event) -> None:
    if isinstance(event, Played):
        click.echo(f"{event.player:5} {event.roll}: {event.play}")
    elif isinstance(event, PlayFlagged):
        click.echo(f"{event.player:5} {event.roll}: {event.verdict} ({event.explanation})")
