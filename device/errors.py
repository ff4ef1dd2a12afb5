"""What goes wrong inside `device`, and every error that is the user's to mend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from calibration.errors import CalibrationError
from rules.errors import RulesError
from vision.errors import VisionError


class DeviceError(Exception):
    """Base of every error raised by `device`; its text names the file and what is wrong with it."""


DOMAIN_ERRORS: tuple[type[Exception], ...] = (DeviceError, RulesError, CalibrationError, VisionError)
"""The bases of all errors that say what is wrong with an input; the command line prints them as one line."""


@contextmanager
def naming(file: str | Path) -> Iterator[None]:
    """Put the name of `file` in front of every domain error raised inside.

    Raises:
        DeviceError: `file: what is wrong`, unless the text names the file already.
    """
    try:
        yield
    except DOMAIN_ERRORS as error:
        if str(error).startswith(str(file)):
            raise
        raise DeviceError(f"{file}: {error}") from error
