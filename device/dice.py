"""`schiri dice`: the dice of any picture, one answer each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from device.answers import Answer, ImageName, answer_all, beside, json_line, lines_of
from device.cameras.files import read_frame
from device.errors import DeviceError
from rules.reading import DieState
from vision.dice import Die, loose_dice
from vision.frame import Bgr

SURE = 0.9
SMALLEST_PX = 4.0
"""Dice that are said to be smaller cannot be read."""
NONE_FOUND = "no die was found"


class ListLine(BaseModel):
    """One line of `--list`: a picture, and about how wide a die in it is."""

    model_config = ConfigDict(extra="forbid")

    image: ImageName
    size_px: float | None = Field(default=None, gt=0, allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class Task:
    """One picture to look at; `problem` says why that cannot be."""

    image: str
    path: Path
    size_px: float | None
    problem: str | None = None


def dice_all(images: Sequence[Path], list_file: Path | None, size_px: float | None, *, as_json: bool) -> bool:
    """Find the dice of the pictures and print the answers, in order; whether every picture could be looked at.

    `size_px` is about how wide a die is, where a line of the list does not say so itself. Raises DeviceError or
    OSError, naming the file, for a single picture in plain words that cannot be read.
    """
    named = (Task(str(path), path, size_px) for path in images)
    as_json = as_json or list_file is not None

    def answer(task: Task) -> str:
        return _answered(task, as_json=as_json)

    def decline(task: Task, why: str) -> str:
        return json_line({"image": task.image, "dice": [], "problems": [why]}) if as_json else why

    alone = list_file is None and len(images) == 1
    return answer_all(
        _listed(list_file, size_px) if list_file else named, answer, decline, raising=alone and not as_json
    )


def _listed(list_file: Path, size_px: float | None) -> Iterator[Task]:
    for item in lines_of(list_file, ListLine):
        if isinstance(item, str):
            yield Task("", list_file, None, item)
        else:
            known = size_px if item.size_px is None else item.size_px
            yield Task(item.image, beside(list_file, item.image), known)


def _answered(task: Task, *, as_json: bool) -> str:
    if task.problem is not None:
        raise DeviceError(task.problem)
    bgr = read_frame(task.path).bgr
    dice = loose_dice(bgr, _checked(task, bgr))
    problems = [] if dice else [NONE_FOUND]
    if as_json:
        answer: Answer = {"image": task.image, "dice": [_die(die) for die in dice], "problems": [*problems]}
        return json_line(answer)
    return "\n".join([f"{task.image}:", *map(_in_words, dice), *problems])


def _checked(task: Task, bgr: Bgr) -> float | None:
    """The size of dice that was named. Raises DeviceError when no die of the picture can be of that size."""
    size, largest = task.size_px, max(bgr.shape[:2])
    if size is not None and not SMALLEST_PX <= size <= largest:
        raise DeviceError(f"{task.path}: dice of {size:g} pixels cannot be read in a picture of that size")
    return size


def _state(die: Die) -> DieState:
    return DieState.COCKED if die.cocked else DieState.FLAT


def _die(die: Die) -> Answer:
    return {
        "pips": die.pips,
        "center": [round(die.center_px[0], 1), round(die.center_px[1], 1)],
        "state": _state(die).value,
        "confidence": round(die.confidence, 3),
    }


def _in_words(die: Die) -> str:
    """A die for a person; `?` behind what is less than 90 % sure."""
    number = "cannot be read" if die.pips is None else str(die.pips)
    doubt = "" if die.confidence >= SURE else "?"
    x, y = die.center_px
    return f"{number}{doubt} at {x:.0f},{y:.0f}" + (" (cocked)" if die.cocked else "")
