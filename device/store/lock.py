"""One writer at a time: a lock file beside the journal that the kernel lets go when its holder dies."""

from __future__ import annotations

import fcntl
import os
from io import FileIO
from pathlib import Path
from typing import Self

from device.store.errors import JournalError


class WriterLock:
    """The right to write one file; it ends with `release` or with the process, however that dies."""

    def __init__(self, file: FileIO) -> None:
        self._file = file

    @classmethod
    def take(cls, path: Path) -> Self:
        """The lock on the file at `path` (in `path` + `.lock`).

        Raises:
            JournalError: another process has it (its PID is named), or the folder cannot be written.
        """
        beside = path.with_name(path.name + ".lock")
        try:
            file = FileIO(beside, "a+")
        except OSError as error:
            raise JournalError(f"{path}: cannot be written ({beside.name}: {error.strerror})") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode())
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read(20).decode("ascii", "replace").strip() or "unknown"
            file.close()
            raise JournalError(
                f"{path}: another Schiri writes it (process {holder}); stop that one or choose another folder"
            ) from error
        except OSError as error:
            file.close()
            raise JournalError(f"{path}: cannot be written ({beside.name}: {error.strerror})") from error
        return cls(file)

    def release(self) -> None:
        """Let go; the file stays, so that two waiting processes cannot lock two different files."""
        self._file.close()
