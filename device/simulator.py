"""`schiri simulate`: a filmed match of the drawn table, with everything that is true of it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import cv2
from pydantic import JsonValue

from device.cameras.sim import table_profile
from device.errors import DeviceError
from device.matchfile import MatchFile
from device.store.export import event_line
from rules.game import apply
from rules.match import MatchState
from vision.synth.film import Film, FilmFrame
from vision.synth.scene import Table
from vision.synth.truth import frame_truth

FILM = "film.avi"
SMALLEST_PX = 320


def simulate(
    folder: Path,
    seed: int,
    *,
    length: int,
    faults: tuple[str, ...],
    size_px: tuple[int, int] | None,
    fps: float,
    max_frames: int | None,
) -> int:
    """Film a match into `folder`, which must not exist yet or be empty; the number of frames.

    Writes `film.avi` (motion JPEG), `truth.jsonl` (a line a frame, and a line an event after the frame that
    shows it), `table.json`, `match.json` and `commands.jsonl` (nobody presses anything yet). The folder
    appears whole or not at all. Raises DeviceError, FaultError or OSError.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DeviceError(f"{folder}: is there already; name a new or an empty folder")
    table = Table() if size_px is None else Table().scaled(*size_px)
    film = Film(seed, fps=fps, length=length, table=table, faults=faults)
    match = MatchFile(length=length)
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        count = _shoot(work, film, match, max_frames)
        profile = table_profile(table).model_dump(mode="json", exclude_unset=True)
        (work / "table.json").write_text(json.dumps(profile) + "\n", encoding="utf-8")
        (work / "match.json").write_text(match.model_dump_json(exclude_none=True) + "\n", encoding="utf-8")
        (work / "commands.jsonl").touch()
        work.chmod(0o755)
        work.replace(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return count


def _shoot(work: Path, film: Film, match: MatchFile, max_frames: int | None) -> int:
    path = work / FILM
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), film.fps, film.table.size_px)
    if not writer.isOpened():
        raise DeviceError(f"{path}: this OpenCV cannot write motion JPEG")
    count = 0
    try:
        with (work / "truth.jsonl").open("w", encoding="utf-8") as truth:
            for line in _lines(film, match, islice(film.frames(), max_frames), writer):
                truth.write(json.dumps(line, ensure_ascii=False) + "\n")
                count += "frame" in line
    finally:
        writer.release()
    if not count or not path.stat().st_size:
        raise DeviceError(f"{path}: not one frame was written; is the disk full?")
    return count


def _lines(
    film: Film, match: MatchFile, frames: Iterator[FilmFrame], writer: cv2.VideoWriter
) -> Iterator[dict[str, JsonValue]]:
    """The lines of the truth; each frame is drawn and written on the way."""
    begin = match.started(0.0, 15)
    state, seq = apply(MatchState(), begin), 1
    yield {"event": event_line(seq, begin, state)}
    for number, frame in enumerate(frames):
        writer.write(film.draw(frame))
        yield frame_truth(film, number, frame)
        for event in frame.events:
            state, seq = apply(state, event), seq + 1
            yield {"event": event_line(seq, event, state)}
