"""The table file: what is known of one table, read and written as JSON.

Every key is optional; an unknown one is refused with the nearest known one, so that a typing
mistake is never silently ignored.
"""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from calibration.camera import Camera
from calibration.errors import CalibrationError, GeometryError, JsonError
from calibration.geometry import BoardGeometry, parse_corners
from calibration.orientation import Home

Byte = Annotated[int, Field(ge=0, le=255)]
BgrColour = tuple[Byte, Byte, Byte]


class TableFileError(CalibrationError, ValueError):
    """A table file that cannot be used; the message names the key and what was expected."""


def _ring(value: list[list[float]]) -> list[list[float]]:
    parse_corners(value)
    return value


Ring = Annotated[list[list[float]], AfterValidator(_ring)]


Positive = Annotated[float, Field(gt=0)]
Three = tuple[float, float, float]


class CameraPose(BaseModel):
    """A camera as `calibration.camera.Camera` has it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    focal_px: Positive
    centre_px: tuple[float, float]
    position_mm: Three
    axes: tuple[Three, Three, Three]
    bend: tuple[float, float]

    @classmethod
    def of(cls, camera: Camera) -> CameraPose:
        """The pose of a camera, rounded to what can be known."""
        x, y, z = (round(v, 2) for v in camera.position_mm)
        right, down, forward = ((round(a, 6), round(b, 6), round(c, 6)) for a, b, c in camera.axes)
        k1, k2 = (round(k, 5) for k in camera.bend)
        return cls(
            focal_px=round(camera.focal_px, 2),
            centre_px=camera.centre_px,
            position_mm=(x, y, z),
            axes=(right, down, forward),
            bend=(k1, k2),
        )


class Calibration(BaseModel):
    """What `schiri calibrate` learned; lengths are true where a point is `point_mm` wide.

    `size_px` of the pictures; `field_mm` and `checker_mm` across and up (a checker: diameter, thickness);
    `background_bgr` the 24 points without checkers, top row first, when an empty board was shown.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1]
    size_px: tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]]
    point_mm: Positive
    field_mm: tuple[Positive, Positive]
    bar_mm: Annotated[float, Field(ge=0)]
    checker_mm: tuple[Positive, Positive]
    camera: CameraPose
    background_bgr: Annotated[list[BgrColour], Field(min_length=24, max_length=24)] | None = None

    def seen_by(self) -> Camera:
        """The camera over the table."""
        pose = self.camera
        return Camera(self.size_px, pose.focal_px, pose.centre_px, pose.position_mm, pose.axes, pose.bend)


class TableProfile(BaseModel):
    """What is known of a table; see *Table file* in docs/formats.md.

    `corners` and `bar` in image pixels; `checkers` a side (1–15); `start` is `standard`, or `seen` when the
    first settled position is the start; colours are B, G, R 0–255; `dice_zone` overrules the rule profile;
    `calibration` is what `schiri calibrate` learned.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    corners: Ring | None = None
    bar: Ring | None = None
    checkers: Annotated[int, Field(ge=1, le=15)] = 15
    start: Literal["standard", "seen"] = "standard"
    white_home: Home = Home.BOTTOM_RIGHT
    white_bgr: BgrColour | None = None
    black_bgr: BgrColour | None = None
    dice_zone: Literal["seat", "half", "board"] | None = None
    calibration: Calibration | None = None

    @property
    def bar_known(self) -> bool:
        """The file says where the bar is, or that there is none."""
        return "bar" in self.model_fields_set

    def geometry(self) -> BoardGeometry | None:
        """Where the board lies, or None when the file names no corners. Raises GeometryError."""
        if self.corners is None:
            return None
        return BoardGeometry.from_corners(self.corners, self.bar, bar_known=self.bar_known)


KNOWN_KEYS = {
    *TableProfile.model_fields,
    *(f"calibration.{key}" for key in Calibration.model_fields),
    *(f"calibration.camera.{key}" for key in CameraPose.model_fields),
}


def parse_json_object(text: str) -> dict[str, Any]:
    """The JSON object in `text`. Raises JsonError, which says where it goes wrong."""
    try:
        raw = json.loads(text)
    except json.JSONDecodeError as error:
        raise JsonError(f"line {error.lineno}, column {error.colno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise JsonError("not JSON that can be read (too many brackets inside each other)") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise JsonError(f"not JSON that can be read ({error})") from None
    if not isinstance(raw, dict):
        raise JsonError("expected a JSON object {…}")
    return raw


def parse_table(text: str) -> TableProfile:
    """The profile in a table file's `text`. Raises TableFileError."""
    try:
        parse_json_object(text)
        profile = TableProfile.model_validate_json(text, strict=True)
        profile.geometry()
    except JsonError as error:
        raise TableFileError(str(error)) from None
    except ValidationError as error:
        raise TableFileError(explain(error, KNOWN_KEYS)) from None
    except GeometryError as error:
        raise TableFileError(str(error)) from None
    return profile


def read_table(path: Path) -> TableProfile:
    """The profile in the file at `path`. Raises TableFileError, naming the file, or OSError."""
    try:
        return parse_table(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise TableFileError(f"{path}: not a text file in UTF-8") from None
    except TableFileError as error:
        raise TableFileError(f"{path}: {error}") from None


def explain(error: ValidationError, known: set[str]) -> str:
    """A pydantic error as one sentence for a person: the key, what was expected, the nearest known key."""
    parts = []
    for item in error.errors():
        key = ".".join(str(part) for part in item["loc"]) or "the file"
        if item["type"] == "extra_forbidden":
            near = difflib.get_close_matches(key, sorted(known), 1)
            parts.append(f"unknown key {key!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        else:
            parts.append(f"{key}: {_lowered(item['msg'])} (got {_short(item['input'])})")
    return "; ".join(parts)


def _lowered(message: str) -> str:
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def table_text(table: TableProfile) -> str:
    """The table file of what is known, one key a line, to be read and changed by hand."""
    known = table.model_dump(mode="json", exclude_unset=True)
    lines = [f"  {json.dumps(key)}: {_value_text(value)}" for key, value in known.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _value_text(value: Any, indent: str = "  ") -> str:
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    inner = f"{indent}  "
    lines = [f"{inner}{json.dumps(key)}: {_value_text(one, inner)}" for key, one in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
