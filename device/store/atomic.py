"""Files that are either the old ones or the new ones, whatever happens in between."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace `path` by `content` in one step, on disk before it returns.

    A link stays one: the file it leads to is replaced. A device or a pipe (`/dev/stdout`) is
    written to; it must never be replaced by a file.

    Raises OSError, naming `path`; the old file then stands untouched.
    """
    data = content.encode() if isinstance(content, str) else content
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not target.is_dir():
        target.write_bytes(data)
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
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
