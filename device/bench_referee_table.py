"""The table of `schiri bench referee`, from the lines of its results file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from device.bench_referee_judge import group
from vision.synth.story.faults import FAULTS

Line = dict[str, Any]
MATCH = "match"


@dataclass(frozen=True, slots=True)
class Row:
    """A figure: `got` of `of`, as a share or as one in so many, beside its goal."""

    figure: str
    got: float
    of: int
    unit: str
    goal: str = ""
    rare: bool = False

    @property
    def value(self) -> str:
        """The figure in words."""
        if not self.of:
            return "–"
        if self.unit == "CPU s":
            return f"{self.got / self.of:.1f} a second"
        share = f"{100 * self.got / self.of:.1f} %"
        return f"{self.got:.0f} ({share})"

    def as_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {"figure": self.figure, "n": self.of, "unit": self.unit, "got": round(self.got, 3), "goal": self.goal}

    def __str__(self) -> str:
        return f"| {self.figure} | {self.of} {self.unit} | {self.value} | {self.goal} |"


def table(lines: Sequence[Line]) -> Iterator[Row]:
    """All rows, each with its n."""
    matches = [line for line in lines if line["kind"] == MATCH]
    clips = [line for line in lines if line["kind"] != MATCH]
    yield from _matches(matches)
    yield from _clips(clips)
    yield from _speed(lines)


def summed(lines: Iterable[Line]) -> Counter[str]:
    """The counts of all lines together."""
    total: Counter[str] = Counter()
    for line in lines:
        total.update(line["counts"])
    return total


def _matches(matches: Sequence[Line]) -> Iterator[Row]:
    c = summed(matches)
    yield Row("matches: all plays written exactly", c["matches exact"], c["matches"], "matches", "29 of 30")
    yield Row("matches: plays written exactly", c["plays right"], c["plays"], "plays", "99.9 %")
    yield Row("matches: rolls right", c["rolls right"], c["rolls"], "rolls", "99.8 %")
    yield Row("matches: final score, cube, gammons", c["results right"], c["matches"], "matches", "all")
    yield Row("matches: cube actions right", c["cube right"], c["cube"], "actions", "all")
    yield from _false("matches", c)
    yield Row("matches: gone on from what lay there", c["recoveries"], c["turns"], "turns", "")


def _false(where: str, c: Counter[str]) -> Iterator[Row]:
    yield Row(f"{where}: legal plays called illegal", c["false illegal"], c["turns"], "turns", "1 in 1,000")
    yield Row(f"{where}: valid throws called invalid", c["false void"], c["rolls"], "rolls", "1 in 500")
    yield Row(f"{where}: plays left undecided", c["false undecided"], c["turns"], "turns", "1 in 200")
    yield Row(f"{where}: still scenes read right", c["stills right"], c["stills"], "scenes", "")
    yield Row(f"{where}: still scenes not read", c["stills"] - c["stills read"], c["stills"], "scenes", "")


def _clips(clips: Sequence[Line]) -> Iterator[Row]:
    goals = {"play": "99 %", "throw": "98 %", "disturbance": "95 %"}
    for kind in sorted(FAULTS, key=lambda one: (group(one), FAULTS.index(one))):
        c = summed(line for line in clips if line["kind"] == kind)
        if not c["clips"]:
            continue
        goal = goals.get(group(kind), "")
        yield Row(f"{group(kind)}: {kind}: as planned", c["as planned"], c["as planned asked"], "clips", goal)
        if c["followed asked"]:
            yield Row(f"{group(kind)}: {kind}: put right", c["followed"], c["followed asked"], "clips", "")
        yield Row(f"{group(kind)}: {kind}: recovered in a turn", c["recovered"], c["clips"], "clips", "95 %")
    yield from _false("clips", summed(clips))


def _speed(lines: Sequence[Line]) -> Iterator[Row]:
    frames, look_s = sum(line["frames"] for line in lines), sum(line["look_s"] for line in lines)
    yield Row("frames looked at", frames, round(look_s), "CPU s", "")
