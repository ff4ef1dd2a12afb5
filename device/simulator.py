"""`schiri simulate`: a filmed match of the drawn table, with everything that is true of it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import TextIO

import cv2
from pydantic import JsonValue

from device.cameras.sim import table_profile
from device.errors import DeviceError
from device.matchfile import MatchFile
from device.store.export import event_line
from rules.events import Event
from rules.game import apply
from rules.match import MatchState
from vision.synth.film import Film, FilmFrame
from vision.synth.render.draw import Painter, viewed
from vision.synth.story.plan import Plan
from vision.synth.story.shot import Situation
from vision.synth.table import Table
from vision.synth.truth import picture_truth

FILM = "film.avi"
SMALLEST_PX = 320


def simulate(
    folder: Path,
    plan: Plan,
    match: MatchFile,
    *,
    size_px: tuple[int, int] | None,
    fps: float,
    max_frames: int | None,
    h264: int = 0,
) -> tuple[int, tuple[str, ...]]:
    """Film a plan into `folder`, which must not exist yet or be empty: the number of frames, the faults left out.

    Writes `film.avi` (motion JPEG), `truth.jsonl` (a line a frame, a line an event after the frame that shows
    it, and a line a situation after its last frame), `table.json`, `match.json` and `commands.jsonl` (what people
    said or pressed). `h264` is the quantiser's parameter of a camera that streams (0: none). The folder appears whole
    or not at all. Raises DeviceError, FaultError or OSError.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DeviceError(f"{folder}: is there already; name a new or an empty folder")
    table = Table() if size_px is None else Table().scaled(*size_px)
    table = replace(table, sensor=replace(table.sensor, h264=h264))
    film = Film(plan, table, fps=fps)
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        count = _shoot(work, film, match, max_frames)
        profile = table_profile(table).model_dump(mode="json", exclude_unset=True)
        (work / "table.json").write_text(json.dumps(profile) + "\n", encoding="utf-8")
        (work / "match.json").write_text(match.model_dump_json(exclude_none=True) + "\n", encoding="utf-8")
        work.chmod(0o755)
        work.replace(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return count, tuple(one.kind for one in film.evening.wanted)


def _shoot(work: Path, film: Film, match: MatchFile, max_frames: int | None) -> int:
    path = work / FILM
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), film.fps, film.table.size_px)
    if not writer.isOpened():
        raise DeviceError(f"{path}: this OpenCV cannot write motion JPEG")
    count = 0
    try:
        with (
            (work / "truth.jsonl").open("w", encoding="utf-8") as truth,
            (work / "commands.jsonl").open("w", encoding="utf-8") as commands,
        ):
            for line in _lines(film, match, islice(film.frames(), max_frames), writer, commands):
                truth.write(json.dumps(line, ensure_ascii=False) + "\n")
                count += "frame" in line
    finally:
        writer.release()
    if not count or not path.stat().st_size:
        raise DeviceError(f"{path}: not one frame was written; is the disk full?")
    return count


def _lines(
    film: Film, match: MatchFile, frames: Iterator[FilmFrame], writer: cv2.VideoWriter, commands: TextIO
) -> Iterator[dict[str, JsonValue]]:
    """The lines of the truth; each frame is drawn and written on the way, and what is said in it."""
    painter = Painter(film.table, film.plan.seed)
    begin = match.started(0.0, 15)
    state, seq = apply(MatchState(), begin), 1
    yield {"event": event_line(seq, begin, state)}
    situation: tuple[Situation, int] | None = None
    number = 0
    for number, frame in enumerate(frames):
        if situation is not None and frame.situation != situation[0]:
            yield _situation_line(*situation, number - 1)
            situation = None
        if frame.situation is not None and situation is None:
            situation = frame.situation, number
        picture, shown = painter.seen(frame.scene, frame.at_s, frame.shutter)
        writer.write(picture)
        truth = picture_truth(viewed(film.table, frame.scene, frame.at_s), frame.scene, shown)
        yield {"frame": number, "at_s": round(frame.at_s, 3), "settled": frame.settled, **truth}
        for event in frame.events:
            state, seq = apply(state, event), seq + 1
            yield {"event": event_line(seq, event, state)}
        for event in frame.said:
            commands.write(json.dumps(_command(event), ensure_ascii=False) + "\n")
    if situation is not None:
        yield _situation_line(*situation, number)


def _situation_line(situation: Situation, first: int, last: int) -> dict[str, JsonValue]:
    player = None if situation.player is None else situation.player.value
    return {"situation": {"kind": situation.kind, "from_frame": first, "to_frame": last, "player": player}}


def _command(event: Event) -> dict[str, JsonValue]:
    """What somebody said or pressed: its time, its type, and its own fields."""
    fields = {key: value for key, value in asdict(event).items() if key not in ("at_s", "evidence", "by")}
    return {"at_s": event.at_s, "type": type(event).__name__, **fields}
