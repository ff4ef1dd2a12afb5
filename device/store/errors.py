"""What goes wrong with the journal, in words that say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy.exc

from device.errors import DeviceError

_KEEP = "keep a copy of the file, then move it away (Schiri starts a new one) or bring back a backup"
_WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space (the last events were not stored, all before them were)",
    sqlite3.SQLITE_CORRUPT: f"damaged; {_KEEP}",
    sqlite3.SQLITE_NOTADB: "not a journal; choose another file or move this one away",
    sqlite3.SQLITE_READONLY: "cannot be written; check the owner and the rights of the file and its folder",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check that its folder exists and may be written",
    sqlite3.SQLITE_PERM: "cannot be opened; check the owner and the rights of the file and its folder",
    sqlite3.SQLITE_IOERR: "the disk fails (full, worn out?); the last events were not stored, all before them were",
    sqlite3.SQLITE_BUSY: "another program holds the file; close it",
}
_PRIMARY = 0xFF
"""SQLite's extended codes carry the plain one in their low byte."""


class JournalError(DeviceError):
    """The journal cannot be opened, read or written."""


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn what the database says about the file at `path` into words.

    Raises:
        JournalError: the file, what is wrong with it, and what to do.
    """
    try:
        yield
    except sqlalchemy.exc.DBAPIError as error:
        code = getattr(error.orig, "sqlite_errorcode", None)
        words = _WORDS.get(code & _PRIMARY) if code is not None else None
        raise JournalError(f"{path}: {words or error.orig}") from error
