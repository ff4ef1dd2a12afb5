"""Files that are either the old ones or the new ones, whatever happens in between."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

OPEN_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd", "/proc")
"""What a program has open already; where that leads to a file, the file goes on."""


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace `path` by `content` in one step, on disk before it returns.

    A link stays one: the file it leads to is replaced. A device or a pipe (`/dev/stdout`) is
    written to; it must never be replaced by a file.

    Raises OSError, naming `path`; the old file then stands untouched.
    """
    data = content.encode() if isinstance(content, str) else content
    target = Path(os.path.realpath(path))
    if is_stream(path) or (target.exists() and not target.is_file() and not target.is_dir()):
        with path.open("ab") as stream:
            stream.write(data)
        return
    folder = target.parent
    try:
        handle, name = tempfile.mkstemp(prefix=".schiri.", dir=folder)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    _sync(folder)


def make_folder(folder: Path) -> None:
    """Make `folder`, and what is above it, where it is not there; on disk before it returns. Raises OSError."""
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in new:
        _sync(place.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_stream(path: Path) -> bool:
    """Whether `path` is something that a program has open already, such as `/dev/stdout`."""
    return any(path.is_relative_to(stream) for stream in OPEN_STREAMS)
