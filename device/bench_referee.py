"""`schiri bench referee`: matches and faults filmed from seeds, the referee's events beside the truth, a table.

Every run (a match, or a clip of one fault) is a line of the results file; what is there is not run again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2

from device.bench_referee_film import FPS, Filmed, film_clip, film_match
from device.bench_referee_judge import Judged, judge_clip, judge_match
from device.bench_referee_pictures import Album
from device.bench_referee_table import MATCH, table
from device.errors import DeviceError
from vision.synth.story.faults import FAULTS

LENGTHS = (1, 3, 1, 5, 2, 1, 7, 1, 4, 6)
"""The lengths of the matches, one after the other."""
EVERY_FRAME = 10
"""One match in so many is filmed in all its frames."""


@dataclass(frozen=True, slots=True)
class Run:
    """One film: a match, or a clip of a fault; its seed draws table, people and game."""

    kind: str
    seed: int

    @property
    def every_frame(self) -> bool:
        """Whether quiet stretches and movements are filmed in all their frames."""
        return self.kind == MATCH and self.seed % EVERY_FRAME == EVERY_FRAME - 3

    @property
    def length(self) -> int:
        """Points that the match is played to."""
        return LENGTHS[self.seed % len(LENGTHS)]


def runs(matches: int, clips: int) -> Iterator[Run]:
    """All runs, so ordered that those made when it is stopped are spread over all kinds."""
    for seed in range(max(matches, clips)):
        if seed < matches:
            yield Run(MATCH, seed)
        if seed < clips:
            yield from (Run(kind, seed) for kind in FAULTS)


def bench_referee(results: Path, misses: Path | None, *, matches: int, clips: int, as_json: bool) -> None:
    """Make the runs that `results` lacks, one line each as soon as it is done, and print the table of all."""
    cv2.setNumThreads(1)
    done = read_results(results)
    left = [run for run in runs(matches, clips) if (run.kind, run.seed) not in done]
    results.parent.mkdir(parents=True, exist_ok=True)
    for number, run in enumerate(left, 1):
        line = made(run, misses)
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        done[run.kind, run.seed] = line
        missed = len(line["misses"])
        click.echo(f"{number} of {len(left)}: {run.kind} {run.seed}, {missed} missed", err=True)
    for row in table(list(done.values())):
        click.echo(json.dumps(row.as_json()) if as_json else str(row))


def made(run: Run, misses: Path | None) -> dict[str, Any]:
    """One run, as the results file keeps it; pictures of what was missed go to a folder in `misses`."""
    album = None if misses is None else Album()
    watcher = None if album is None else album.look
    if run.kind == MATCH:
        filmed = film_match(run.seed, run.length, every_frame=run.every_frame, watcher=watcher)
        judged = judge_match(filmed.begin, filmed.true, filmed.read)
    else:
        filmed = film_clip(run.kind, run.seed, watcher=watcher)
        assert filmed.situation is not None
        judged = judge_clip(run.kind, filmed.begin, filmed.true, filmed.read, filmed.situation)
    _count_readings(filmed, judged)
    if album is not None and misses is not None:
        album.keep(judged.misses, misses / f"{run.kind}-{run.seed}")
    told = judged.as_json(FPS)
    line: dict[str, Any] = {"kind": run.kind, "seed": run.seed}
    if run.kind == MATCH:
        line |= {"length": run.length, "every_frame": run.every_frame}
    seconds = {"look_s": round(filmed.look_s, 2), "draw_s": round(filmed.draw_s, 2)}
    return {**line, "frames": filmed.frames, **seconds, **told}


def _count_readings(filmed: Filmed, judged: Judged) -> None:
    open_to_view = [still for still in filmed.stills if still.covers]
    judged.counts += Counter(
        {
            "stills": len(open_to_view),
            "stills read": sum(still.reading is not None for still in open_to_view),
            "stills right": sum(still.right for still in open_to_view),
        }
    )


def read_results(path: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """The lines of a results file by kind and seed; empty where there is none yet.

    Raises:
        DeviceError: a line is no result.
    """
    if not path.exists():
        return {}
    found = {}
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            line = json.loads(text)
            found[str(line["kind"]), int(line["seed"])] = {**line, "counts": Counter(line["counts"])}
        except (ValueError, KeyError, TypeError) as error:
            raise DeviceError(f"{path}: line {number} is no result of this bench ({error})") from error
    return found
