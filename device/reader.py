"""`schiri read`: photos in, one answer each out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from pydantic import BaseModel, ConfigDict, JsonValue

from calibration.geometry import COLUMNS, BoardGeometry
from calibration.profile import TableProfile
from device.answers import Answer, ImageName, answer_all, beside, json_line, lines_of
from device.boardfinding import DOUBT, LEAST, find, placed
from device.cameras.files import read_frame
from device.errors import DeviceError, naming
from device.sitting import eyes_of
from device.store.atomic import write_atomically
from rules.codecs.xgid import Xgid, write_xgid
from rules.cube import Cube
from rules.errors import RulesError
from rules.position import Position
from rules.reading import DieState
from rules.roll import Roll
from vision.annotate import ENDINGS, annotate, encoded
from vision.observe import Eyes, Observation

SURE = 0.9


class ListLine(BaseModel):
    """One line of `--list`: a picture, and what is known of the board in it."""

    model_config = ConfigDict(extra="forbid")

    image: ImageName
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


class Drawings:
    """Where the annotated pictures go: one file for a single picture, else a folder in which no name comes twice."""

    def __init__(self, target: Path, *, alone: bool) -> None:
        self._target = target
        self._one_file = alone and bool(target.suffix) and not target.is_dir()
        self._taken: set[Path] = set()

    def path_for(self, picture: Path) -> Path:
        """The file that `picture` is drawn into. Raises DeviceError when that cannot be."""
        path = self._target if self._one_file else self._free(picture.stem)
        if path.suffix.lower() not in ENDINGS:
            raise DeviceError(f"{path}: --annotate writes {', '.join(ENDINGS)}")
        if path.exists() and picture.exists() and path.samefile(picture):
            raise DeviceError(f"{path}: this is the picture itself; name another file or a folder for --annotate")
        return path

    def _free(self, stem: str) -> Path:
        names = (f"{stem}.seen.jpg", *(f"{stem}-{k}.seen.jpg" for k in range(2, len(self._taken) + 3)))
        path = next(one for name in names if (one := self._target / name) not in self._taken)
        self._taken.add(path)
        return path


def read_all(
    images: Sequence[Path],
    list_file: Path | None,
    table: TableProfile,
    *,
    corners_from: str = "table",
    as_json: bool,
    annotate_to: Path | None,
) -> bool:
    """Read the pictures and print the answers, in order; whether every one could be read.

    A picture that cannot be read gets its answer too, and the others go on; only for a single one
    in plain words the error is raised, naming the file.
    """
    tasks = _listed(list_file, table, corners_from) if list_file else _named(images, table, corners_from)
    alone = list_file is None and len(images) == 1
    as_json = as_json or list_file is not None
    drawings = None if annotate_to is None else Drawings(annotate_to, alone=alone)

    def answer(task: Task) -> str:
        return _read(task, drawings, as_json=as_json)

    def decline(task: Task, why: str) -> str:
        return json_line(_declined(task.image, why)) if as_json else why

    return answer_all(tasks, answer, decline, raising=alone and not as_json)


def _named(images: Sequence[Path], table: TableProfile, corners_from: str) -> Iterator[Task]:
    return (Task(str(path), path, table, corners_from) for path in images)


def _listed(list_file: Path, table: TableProfile, corners_from: str) -> Iterator[Task]:
    for item in lines_of(list_file, ListLine):
        if isinstance(item, str):
            yield Task("", list_file, table, "given", item)
            continue
        known: dict[str, list[list[float]] | None] = {
            key: getattr(item, key) for key in ("corners", "bar") if key in item.model_fields_set
        }
        merged = TableProfile.model_construct(table.model_fields_set | set(known), **{**dict(table), **known})
        given = "given" if item.corners is not None else corners_from
        yield Task(item.image, beside(list_file, item.image), merged, given)


def _read(task: Task, drawings: Drawings | None, *, as_json: bool) -> str:
    if task.problem is not None:
        raise DeviceError(task.problem)
    target = None if drawings is None else drawings.path_for(task.path)
    started = perf_counter()
    frame = read_frame(task.path)
    with naming(task.path):
        table, corners_from, confidence = task.table, task.corners_from, 1.0
        if table.corners is None:
            board = find(frame.bgr)
            table, corners_from, confidence = placed(table, board.geometry), "found", board.confidence
        eyes = eyes_of(table)
        seen = eyes.observe(frame)
    if confidence < LEAST:
        seen = replace(seen, problems=(*seen.problems, DOUBT))
    if target is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, encoded(annotate(seen, eyes.geometry), target.suffix))
    if not as_json:
        return _in_words(task.image, seen, eyes)
    answer = answer_of(task.image, seen, eyes, corners_from, confidence)
    spent = {**dict(seen.ms), "total": 1000 * (perf_counter() - started)}
    answer["ms"] = {stage: round(value, 1) for stage, value in spent.items()}
    return json_line(answer)


def answer_of(image: str, seen: Observation, eyes: Eyes, corners_from: str, confidence: float = 1.0) -> Answer:
    """The JSON of `read`, as docs/formats.md has it. Trays are not read: `off` is unknown."""
    height, width = seen.frame.bgr.shape[:2]
    told = zip(seen.belief.counts, seen.belief.confidence, seen.covered, strict=True)
    points = [_point(count, sure, covered) for count, sure, covered in told]
    return {
        "image": image,
        "size": [width, height],
        "board": {"corners": _pairs(eyes.geometry), "from": corners_from, "confidence": round(confidence, 3)},
        "points": {"top": [*points[:COLUMNS]], "bottom": [*points[COLUMNS:]]},
        "bar": {"white": seen.belief.bar[0], "black": seen.belief.bar[1]},
        "off": {"white": None, "black": None},
        "dice": [
            {
                "pips": die.pips,
                "center": [round(die.center_px[0], 1), round(die.center_px[1], 1)],
                "state": eyes.die_reading(die, seen).state.value,
                "pair": die.pair,
                "confidence": round(die.confidence, 3),
            }
            for die in seen.dice
        ],
        "cube": _cube(seen),
        "hands": seen.hands,
        "problems": [*_problems(seen)],
        "xgid": _xgid(seen, eyes),
        "ms": None,
    }


def _point(count: int, confidence: float, covered: bool) -> JsonValue:
    player = "white" if count > 0 else "black" if count < 0 else None
    return {"player": player, "count": abs(count), "confidence": round(confidence, 3), "occluded": covered}


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
    flat = [d.pips for d in seen.dice if eyes.die_reading(d, seen).state is DieState.FLAT]
    roll = Roll(flat[0], flat[1]) if len(flat) == 2 and flat[0] and flat[1] else None
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


def _problems(seen: Observation) -> list[str]:
    cube = seen.cube.problem if seen.cube is not None else None
    return [*seen.problems, *([cube] if cube else [])]


def _in_words(image: str, seen: Observation, eyes: Eyes) -> str:
    """The reading for a person: both rows as seen, `?` behind what is less than 90 % sure."""
    cells = [
        (f"{abs(n)}{'w' if n > 0 else 'b'}" if n else ".") + ("" if sure >= SURE else "?")
        for n, sure in zip(seen.belief.counts, seen.belief.confidence, strict=True)
    ]
    rows = [" ".join(f"{cell:>3}" for cell in row) for row in (cells[:COLUMNS], cells[COLUMNS:])]
    white, black = seen.belief.bar
    dice = " ".join(str(die.pips or "?") for die in seen.dice) or "none seen"
    cube = "none seen" if seen.cube is None else f"{seen.cube.value or '?'} ({seen.cube.where})"
    lines = [f"{image}:", *rows, f"bar: {white} white, {black} black   dice: {dice}   cube: {cube}"]
    lines += [f"problem: {problem}" for problem in _problems(seen)]
    xgid = _xgid(seen, eyes)
    return "\n".join([*lines, xgid or "the position fits no XGID"])
