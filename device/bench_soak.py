"""`schiri bench soak`: hours of play through the real table, from a film that begins again and again; does it grow?

One film of a match is drawn, then shown as often as the hours ask for to one table thread with journal, pictures
of events and feed, as fast as it takes the frames. Prints what it measured as JSON.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.profile import read_table
from device.boardwatch import BoardWatch
from device.cameras.choose import SourceName
from device.cameras.files import Video
from device.commandfile import read_commands
from device.feed import Feed
from device.matchfile import MatchFile
from device.paths import journal_path
from device.simulator import FILM, simulate
from device.sitting import Sitting, eyes_of, setup_of
from device.store.evidence import Evidence, Limits
from device.store.journal import Journal
from device.table import MatchRecord, TableThread, new_match_id
from rules.commands import Command
from rules.game import apply
from rules.match import MatchState
from rules.referee import Referee
from vision.frame import Frame
from vision.settle import Settler
from vision.synth.story.plan import Plan

SEED, LENGTH, FPS = 11, 3, 2.0
BETWEEN_FILMS_S = 20.0
SAMPLE_EVERY = 200
WARM_UP_H = 0.5
"""Hours of play after which memory counts: until then nets, fonts and SQLite's pages are loaded."""
ROOM_BYTES = 30_000_000
"""Room for pictures of events: small, so that they rotate during the run."""
NAME = SourceName("video", "soak")


class EndlessFilm:
    """The film in `folder` over and over for `hours` of play; before each showing a new match begins.

    Frames come when they are asked for, so the table's thread sees every one of them and says itself what was said.
    """

    stills = False

    def __init__(self, folder: Path, hours: float) -> None:
        self._film, self._hours = folder / FILM, hours
        self._commands = read_commands(folder / "commands.jsonl")
        self.sitting: Sitting | None = None
        self.begin: Callable[[], MatchState] = MatchState
        self.samples: list[tuple[float, float]] = []
        self.shown = self.frames_shown = 0
        self.played_h = 0.0

    def frames(self) -> Iterator[Frame]:
        """The frames on one clock; takes a sample of the memory now and then."""
        assert self.sitting is not None
        offset_s = 0.0
        while offset_s < self._hours * 3600:
            if self.shown:
                self.sitting.restart(self.begin())
            self.shown += 1
            waiting, film, at_s = list(self._commands), Video(self._film), 0.0
            for frame in film.frames():
                at_s = frame.at_s
                self._say(waiting, at_s)
                yield replace(frame, at_s=offset_s + at_s)
                self.frames_shown += 1
                if self.frames_shown % SAMPLE_EVERY == 0:
                    self.samples.append(((offset_s + at_s) / 3600, resident_mb()))
            film.close()
            offset_s += at_s + BETWEEN_FILMS_S
            self.played_h = offset_s / 3600
            self.samples.append((self.played_h, resident_mb()))
            sys.stderr.write(f"{self.played_h:.2f} h: {self.samples[-1][1]:.1f} MB\n")

    def _say(self, waiting: list[tuple[float, Command]], at_s: float) -> None:
        assert self.sitting is not None
        while waiting and waiting[0][0] <= at_s:
            self.sitting.tell(waiting.pop(0)[1])

    def close(self) -> None:
        """Nothing is held open."""


def resident_mb() -> float:
    """The memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def written_mb() -> float:
    """What this process has given to disks since it began."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("write_bytes")).split()[1]) / 1e6


def measure(hours: float, *, pictures: bool, max_frames: int | None = None) -> dict[str, float | int]:
    """What so many hours of play did: memory after the warm-up and at the end, its slope, bytes written.

    With `pictures` those of events are kept. `max_frames` cuts the film.
    """
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory(prefix="schiri-soak-") as place:
        folder = Path(place)
        match = MatchFile(length=LENGTH, consent=pictures)
        simulate(
            folder / "film", Plan(SEED, LENGTH, resignations=False), match, size_px=None, fps=FPS, max_frames=max_frames
        )
        gc.collect()
        with Journal.open(journal_path(folder)) as journal:
            found = _soak(folder, journal, match, hours)
        size_mb = journal_path(folder).stat().st_size / 1e6  # closed, it holds what lay beside it
        return found | {"journal_mb_per_h": round(size_mb / found["played_h"], 3)}


def _soak(folder: Path, journal: Journal, match: MatchFile, hours: float) -> dict[str, float | int]:
    table = read_table(folder / "film" / "table.json")
    evidence = Evidence(folder, Limits(total_bytes=ROOM_BYTES))
    begin = match.started(0.0, table.checkers)
    record, state, _ = MatchRecord.resume_or_begin(journal, evidence, NAME, begin)
    eyes, source = eyes_of(table), EndlessFilm(folder / "film", hours)
    settler = Settler(eyes, stills=False)
    watch = BoardWatch(eyes.geometry)
    source.sitting = Sitting(settler, Referee(state, setup_of(table)), record.keep, watch=watch)

    def begin_anew() -> MatchState:
        record.match_id = new_match_id(NAME)
        record.keep([begin])
        return apply(MatchState(), begin)

    source.begin = begin_anew
    thread = TableThread(lambda: source, source.sitting, Feed(state, home_right=True), retry=False)
    wrote, began = written_mb(), time.process_time()
    thread.run()  # in this thread: nothing else runs here
    return _report(source, journal, folder, written_mb() - wrote, time.process_time() - began)


def _report(source: EndlessFilm, journal: Journal, folder: Path, wrote: float, cpu_s: float) -> dict[str, float | int]:
    counted = [sample for sample in source.samples if sample[0] >= WARM_UP_H] or source.samples
    at_h, held = np.array(counted).T
    slope = np.polyfit(at_h, held, 1)[0] if len(counted) > 1 else 0.0
    kept = sum(path.stat().st_size for path in (folder / "evidence").rglob("*.jpg"))
    return {
        "played_h": round(source.played_h, 2),
        "films": source.shown,
        "frames": source.frames_shown,
        "events": journal.next_seq - 1,
        "cpu_s": round(cpu_s, 1),
        "memory_mb": round(float(held[0]), 1),
        "memory_end_mb": round(float(held[-1]), 1),
        "slope_mb_per_h": round(float(slope), 3),
        "written_mb_per_h": round(wrote / source.played_h, 2),
        "pictures_kept_mb": round(kept / 1e6, 1),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(float(sys.argv[1]), pictures="--no-pictures" not in sys.argv)) + "\n")
