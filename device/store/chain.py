"""The chain through the journal: each row carries a hash over itself and the row before it.

Whoever changes, removes, swaps or puts in a row breaks the chain there, unless he writes all that follows
anew. Rows cut off at the end break nothing: against that stands the head, a small file beside the journal
that says how many rows there were at least.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

START_HASH = "0" * 64
"""What stands for the row before the first."""

CHAINED = ("seq", "match_id", "boot_id", "at_s", "wall_time", "type", "body")
"""What a row's hash covers. The body names the pictures, and their names hold the hashes of the pictures."""


def row_hash(before: str, row: Mapping[str, object]) -> str:
    """The SHA-256, in hex, of a row with the columns `CHAINED` that follows on a row with the hash `before`."""
    content = [before, *(row[column] for column in CHAINED)]
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=repr)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the chain: how many rows there are, and the hash of the last."""

    count: int = 0
    hash: str = START_HASH

    @classmethod
    def beside(cls, journal: Path) -> Self | None:
        """The head that was last written beside `journal`; None where there is none or it cannot be read."""
        try:
            count, last = _file(journal).read_text(encoding="ascii").split()
            return cls(int(count), last)
        except (OSError, ValueError):
            return None

    def write_beside(self, journal: Path) -> None:
        """Leave it beside `journal`, without waiting for the disk.

        After a power cut the file may tell of an earlier row: it says how many rows there were at least,
        and a disk that refuses it leaves it so.
        """
        with suppress(OSError):
            handle = os.open(_file(journal), os.O_WRONLY | os.O_CREAT, 0o644)
            try:
                os.pwrite(handle, f"{self.count:20} {self.hash}\n".encode("ascii"), 0)
            finally:
                os.close(handle)


def _file(journal: Path) -> Path:
    return journal.with_name(journal.name + ".head")
