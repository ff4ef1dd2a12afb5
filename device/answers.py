"""One answer a picture: lists of pictures in, lines out, for the commands that look at photos."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import click
from pydantic import AfterValidator, BaseModel, Field, JsonValue, ValidationError

from calibration.profile import explain
from device.errors import DOMAIN_ERRORS, DeviceError

Answer = dict[str, JsonValue]
READ_ERRORS: tuple[type[Exception], ...] = (*DOMAIN_ERRORS, OSError)
LINE_ENDS = str.maketrans({end: f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"})
"""Characters of a file name that some readers take for the end of a line; JSON knows them by number too."""
T = TypeVar("T")
Line = TypeVar("Line", bound=BaseModel)


def _file_name(text: str) -> str:
    if "\0" in text:
        raise ValueError("a file name cannot hold the character NUL")
    return text


ImageName = Annotated[str, Field(min_length=1), AfterValidator(_file_name)]
"""The name of a picture in a line of a list."""


def lines_of(list_file: Path, kind: type[Line]) -> Iterator[Line | str]:
    """The lines of a list, each as `kind` has it, or as the sentence that says what is wrong with it.

    Raises DeviceError when the list itself cannot be read as text.
    """
    try:
        lines = list_file.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise DeviceError(f"{list_file}: not a text file in UTF-8") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield kind.model_validate_json(line)
        except ValidationError as error:
            yield f"{list_file}: line {number}: {explain(error, set(kind.model_fields))}"


def beside(list_file: Path, image: str) -> Path:
    """The picture's path, from the working folder where it is there, else from the list's own folder."""
    path = Path(image)
    try:
        here = path.is_absolute() or path.exists()
    except OSError:  # a name that no file can have; reading it says so
        here = True
    return path if here else list_file.parent / path


def answer_all(
    tasks: Iterable[T], answer: Callable[[T], str], decline: Callable[[T, str], str], *, raising: bool
) -> bool:
    """Print the answer to each task, in order; whether none had to be declined.

    What cannot be answered is declined with the reason, and the others go on; with `raising` the error is raised.
    """
    ok = True
    for task in tasks:
        try:
            text = answer(task)
        except READ_ERRORS as error:
            if raising:
                raise
            ok = False
            text = decline(task, _words(error))
        click.echo(_printable(text))
    return ok


def json_line(answer: Answer) -> str:
    """The answer on one line."""
    return json.dumps(answer, ensure_ascii=False).translate(LINE_ENDS)


def _printable(text: str) -> str:
    """File names in another encoding than UTF-8 come with lone surrogates, which no terminal takes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)
