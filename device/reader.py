"""`schiri read`: photos in, one answer each out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated

import click
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from calibration.geometry import COLUMNS, BoardGeometry
from calibration.profile import TableProfile, explain
from device.cameras.files import read_frame
from device.errors import DOMAIN_ERRORS, DeviceError, naming
from device.sitting import eyes_of
from device.store.atomic import write_atomically
from rules.codecs.xgid import Xgid, write_xgid
from rules.cube import Cube
from rules.errors import RulesError
from rules.position import Position
from rules.reading import DieState
from rules.roll import Roll
from vision.annotate import annotate, jpeg
from vision.observe import Eyes, Observation

Answer = dict[str, JsonValue]
SURE = 0.9
READ_ERRORS: tuple[type[Exception], ...] = (*DOMAIN_ERRORS, OSError)


class ListLine(BaseModel):
    """One line of `--list`: a picture, and what is known of the board in it."""

    model_config = ConfigDict(extra="forbid")

    image: Annotated[str, Field(min_length=1)]
    corners: list[list[float]] | None = None
    bar: list[list[float]] | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One picture to read with what is known of its table; `problem` says why it cannot be read at all."""

    image: str
    path: Path
    table: TableProfile
    corners_from: str
    problem: str | None = None


def read_all(
    images: Sequence[Path], list_file: Path | None, table: TableProfile, *, as_json: bool, annotate_to: Path | None
) -> bool:
    """Read the pictures and print the answers, in order; whether every one could be read.

    With a single picture an error is raised, naming the file; with more it becomes that picture's
    answer and the others go on.
    """
    corners_from = "table" if table.corners is not None else "given"
    tasks = _listed(list_file, table) if list_file else (Task(str(p), p, table, corners_from) for p in images)
    alone = list_file is None and len(images) == 1
    ok = True
    for task in tasks:
        try:
            text = _read(task, annotate_to, alone=alone, as_json=as_json or list_file is not None)
        except READ_ERRORS as error:
            if alone:
                raise
            ok = False
            why = _words(error)
            text = json.dumps(_declined(task.image, why), ensure_ascii=False) if as_json or list_file else why
        click.echo(text)
    return ok


def _listed(list_file: Path, table: TableProfile) -> Iterator[Task]:
    for number, line in enumerate(list_file.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        try:
            item = ListLine.model_validate_json(line)
        except ValidationError as error:
            what = f"{list_file}: line {number}: {explain(error, set(ListLine.model_fields))}"
            yield Task("", list_file, table, "given", what)
            continue
        known: dict[str, list[list[float]] | None] = {
            key: getattr(item, key) for key in ("corners", "bar") if key in item.model_fields_set
        }
        path = Path(item.image)
        if not path.is_absolute() and not path.exists():
            path = list_file.parent / path
        merged = TableProfile.model_construct(table.model_fields_set | set(known), **{**dict(table), **known})
        yield Task(item.image, path, merged, "given" if item.corners is not None else "table")


def _read(task: Task, annotate_to: Path | None, *, alone: bool, as_json: bool) -> str:
    if task.problem is not None:
        raise DeviceError(task.problem)
    started = perf_counter()
    frame = read_frame(task.path)
    with naming(task.path):
        eyes = eyes_of(task.table)
        seen = eyes.observe(frame)
    if annotate_to is not None:
        target = annotate_to if alone and annotate_to.suffix else annotate_to / f"{task.path.stem}.seen.jpg"
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, jpeg(annotate(seen, eyes.geometry)))
    if not as_json:
        return _in_words(task.image, seen, eyes)
    answer = answer_of(task.image, seen, eyes, task.corners_from)
    spent = {**dict(seen.ms), "total": 1000 * (perf_counter() - started)}
    answer["ms"] = {stage: round(value, 1) for stage, value in spent.items()}
    return json.dumps(answer, ensure_ascii=False)


def answer_of(image: str, seen: Observation, eyes: Eyes, corners_from: str) -> Answer:
    """The JSON of DESIGN's `read`. Trays are not read: `off` is unknown."""
    height, width = seen.frame.bgr.shape[:2]
    points = [_point(count, sure) for count, sure in zip(seen.belief.counts, seen.belief.confidence, strict=True)]
    return {
        "image": image,
        "size": [width, height],
        "board": {"corners": _pairs(eyes.geometry), "from": corners_from, "confidence": 1.0},
        "points": {"top": [*points[:COLUMNS]], "bottom": [*points[COLUMNS:]]},
        "bar": {"white": seen.belief.bar[0], "black": seen.belief.bar[1]},
        "off": {"white": None, "black": None},
        "dice": [
            {
                "pips": die.pips,
                "center": [round(die.center_px[0], 1), round(die.center_px[1], 1)],
                "state": eyes.die_reading(die, seen.belief).state.value,
                "pair": None,
                "confidence": round(die.confidence, 3),
            }
            for die in seen.dice
        ],
        "cube": _cube(seen),
        "hands": seen.hands,
        "problems": list(seen.problems),
        "xgid": _xgid(seen, eyes),
        "ms": None,
    }


def _point(count: int, confidence: float) -> JsonValue:
    player = "white" if count > 0 else "black" if count < 0 else None
    return {"player": player, "count": abs(count), "confidence": round(confidence, 3), "occluded": False}


def _pairs(geometry: BoardGeometry) -> JsonValue:
    return [[round(x, 1), round(y, 1)] for x, y in geometry.corners]


def _cube(seen: Observation) -> JsonValue:
    if seen.cube is None:
        return None
    cube = seen.cube
    return {
        "value": cube.value,
        "center": [round(cube.center_px[0], 1), round(cube.center_px[1], 1)],
        "where": cube.where.value,
        "offered": cube.offered,
        "confidence": round(cube.confidence, 3),
    }


def _xgid(seen: Observation, eyes: Eyes) -> str | None:
    """The free position, the dice where two lie flat; a photo tells neither turn nor score."""
    position: Position = eyes.position(seen.belief)
    flat = [d.pips for d in seen.dice if eyes.die_reading(d, seen.belief).state is DieState.FLAT]
    roll = Roll(flat[0], flat[1]) if len(flat) == 2 else None
    try:
        return write_xgid(Xgid(position, roll=roll, cube=Cube()))
    except RulesError:
        return None


def _declined(image: str, why: str) -> Answer:
    return {
        "image": image,
        "size": None,
        "board": None,
        "points": None,
        "bar": None,
        "off": None,
        "dice": [],
        "cube": None,
        "hands": False,
        "problems": [why],
        "xgid": None,
        "ms": None,
    }


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _in_words(image: str, seen: Observation, eyes: Eyes) -> str:
    """The reading for a person: both rows as seen, `?` behind what is less than 90 % sure."""
    cells = [
        (f"{abs(n)}{'w' if n > 0 else 'b'}" if n else ".") + ("" if sure >= SURE else "?")
        for n, sure in zip(seen.belief.counts, seen.belief.confidence, strict=True)
    ]
    rows = [" ".join(f"{cell:>3}" for cell in row) for row in (cells[:COLUMNS], cells[COLUMNS:])]
    white, black = seen.belief.bar
    dice = " ".join(str(die.pips) for die in seen.dice) or "none seen"
    cube = "none read" if seen.cube is None else f"{seen.cube.value} ({seen.cube.where})"
    lines = [f"{image}:", *rows, f"bar: {white} white, {black} black   dice: {dice}   cube: {cube}"]
    lines += [f"problem: {problem}" for problem in seen.problems]
    xgid = _xgid(seen, eyes)
    return "\n".join([*lines, xgid or "the position fits no XGID"])
