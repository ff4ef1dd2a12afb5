"""Pictures that show what happened, kept beside the record when the match file says that pictures may be kept.

A picture is on disk before the event that names it is stored, and an event never waits for its picture: on a full
disk it is kept without. The name says which event of which match it shows and carries the picture's SHA-256,
`evidence/usb-0-2026-05-01T20-15-00Z-1a2b/000012-Played-<hash>.jpg`, so the chain over the events covers it too.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from device.paths import EVIDENCE
from device.store.atomic import make_folder, write_atomically
from rules.events import Event, Noted
from vision.annotate import jpeg
from vision.frame import Frame

LOST, ROTATED = "evidence_lost", "evidence_rotated"
"""The `Noted.key`s that tell of a picture that could not be kept, and of old ones that were removed, by name."""
CLOCK_SET_S = 1_750_000_000
"""Seconds since 1970; a file that claims to be older was written before the clock was set, and its age is unknown."""
SLACK = 0.05
"""How much of its room a rotation frees beyond what is needed, so that not every picture brings one."""
AT_ONCE = 500
"""So many pictures go at once, that the note which names them stays small."""
_DAY_S = 86_400
_NAME = re.compile(rf"{EVIDENCE}/[\w.-]+/\d+-[A-Za-z]+-([0-9a-f]{{64}})\.jpg")


@dataclass(frozen=True, slots=True)
class Limits:
    """For how many days pictures are kept, how many bytes of them, and how many bytes of the disk they leave free."""

    days: float = 30
    total_bytes: float = 2_000_000_000
    free_bytes: float = 500_000_000


@dataclass(frozen=True, slots=True)
class _Kept:
    """A picture on disk; `expires_s` on the steady clock of this process."""

    path: Path
    size_bytes: int
    expires_s: float


class Evidence:
    """The pictures in the folder `under` of `base`, a folder a match; their names are paths seen from `base`.

    With `limits` the oldest go when they are too old or too many, and only then are those looked for that lie
    there already. Ages are counted from when a picture was found or taken on `clock`, which nobody sets: the wall
    clock `now` of a Pi may jump by weeks once it finds a network.
    """

    def __init__(
        self,
        base: Path,
        limits: Limits | None = None,
        *,
        under: str = EVIDENCE,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        self._base = base
        self._folder = base / under
        self._rotates = limits is not None
        self._limits = limits or Limits()
        self._clock = clock
        self._free = free
        self._told_lost = False
        self._kept = _found(base, self._limits, clock(), now()) if self._rotates else []

    @contextmanager
    def shown(
        self, events: Sequence[Event], frame: Frame | None, *, match: str, seq: int, consent: bool
    ) -> Iterator[list[Event]]:
        """`events` with the name of the picture that shows them, while the caller stores them from number `seq` on.

        Those that name `frame` get its picture; what they named before was no file. Behind them may follow notes: a
        picture could not be kept (told once until one can be kept again), old ones are removed. If storing them
        raises, the new picture goes again and the old ones stay. Without `consent` no picture is written.
        """
        showing = next((k for k, event in enumerate(events) if event.evidence), None)
        if showing is None:
            yield list(events)
            return
        picture, lost = self._try(frame, events[showing], match, seq + showing) if consent else (None, "")
        name = (self._name(picture),) if picture else ()
        named = [replace(event, evidence=name if event.evidence else ()) for event in events]
        old, why = self._outdated(picture)
        try:
            yield named + self._notes(events[-1].at_s, lost, old, why)
        except BaseException:
            if picture is not None:
                _delete(picture)
            raise
        self._told_lost = bool(lost)
        gone = set(old)
        self._kept = [kept for kept in self._kept if kept not in gone] + ([picture] if picture else [])
        for kept in old:
            _delete(kept)

    def _notes(self, at_s: float, lost: str, old: Sequence[_Kept], why: str) -> list[Event]:
        """What the record must say beside the events: why there is no picture, and which ones go."""
        notes: list[Event] = []
        if lost and not self._told_lost:
            notes.append(Noted(at_s=at_s, key=LOST, text=f"no picture could be kept: {lost}; the events are kept"))
        if old:
            names = tuple(map(self._name, old))
            notes.append(
                Noted(at_s=at_s, key=ROTATED, text=f"old pictures removed: {len(old)} ({why})", evidence=names)
            )
        return notes

    def _name(self, kept: _Kept) -> str:
        return kept.path.relative_to(self._base).as_posix()

    def _try(self, frame: Frame | None, event: Event, match: str, seq: int) -> tuple[_Kept | None, str]:
        """The picture on disk, or why there is none."""
        if frame is None or frame.name not in event.evidence:
            return None, "it was let go while the record waited for the disk"
        try:
            return self._write(frame, f"{seq:06}-{type(event).__name__}", match), ""
        except OSError as error:
            return None, error.strerror or str(error)

    def _write(self, frame: Frame, name: str, match: str) -> _Kept:
        """The picture on disk. Raises OSError; nothing is left then."""
        data = jpeg(frame.bgr)
        if self._free(self._base) - len(data) < self._limits.free_bytes:
            raise OSError(f"less than {self._limits.free_bytes / 1e6:.0f} MB of the disk would stay free")
        folder = self._folder / _plain(match)
        make_folder(folder)
        path = folder / f"{name}-{hashlib.sha256(data).hexdigest()}.jpg"
        write_atomically(path, data)
        return _Kept(path, len(data), self._clock() + self._limits.days * _DAY_S)

    def _outdated(self, new: _Kept | None) -> tuple[list[_Kept], str]:
        """The pictures that have to go now, and why."""
        if not self._rotates:
            return [], ""
        limits, now_s = self._limits, self._clock()
        expired = [kept for kept in self._kept if kept.expires_s <= now_s]
        if expired:
            return expired[:AT_ONCE], f"older than {limits.days:g} days"
        stored = sum(kept.size_bytes for kept in self._kept)
        total = stored + (new.size_bytes if new else 0)
        if total > limits.total_bytes:
            return self._oldest(total - (1 - SLACK) * limits.total_bytes), f"over {limits.total_bytes / 1e6:.0f} MB"
        with suppress(OSError):
            short = (1 + SLACK) * limits.free_bytes - self._free(self._base)
            if 0 < short <= stored:
                return self._oldest(short), "the disk is nearly full"
        return [], ""

    def _oldest(self, least_bytes: float) -> list[_Kept]:
        """The oldest pictures that together have so many bytes, as far as they go at once."""
        sizes = accumulate((kept.size_bytes for kept in self._kept), initial=0)
        count = sum(1 for before in sizes if before < least_bytes)
        return self._kept[: min(count, AT_ONCE)]


def is_picture(name: str) -> bool:
    """Whether an event's `evidence` of this name is a picture that was kept by these rules."""
    return _NAME.fullmatch(name) is not None and ".." not in name


def matches_its_name(base: Path, name: str) -> bool | None:
    """Whether the picture `name` below the folder `base` has the hash in its name; None where there is no such file."""
    digest = _NAME.fullmatch(name)
    try:
        with (base / name).open("rb") as file:
            return digest is not None and hashlib.file_digest(file, "sha256").hexdigest() == digest[1]
    except FileNotFoundError:
        return None
    except OSError:
        return False


def _plain(match: str) -> str:
    """The match's name as that of a folder: its end, which has date and time, of letters that every disk takes."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", match)[-100:].strip("-.") or "match"


def _delete(kept: _Kept) -> None:
    """Remove the picture, and its folder with the last one; what cannot be removed is found again at the next start."""
    with suppress(OSError):
        kept.path.unlink()
        kept.path.parent.rmdir()


def _found(base: Path, limits: Limits, clock_s: float, now_s: float) -> list[_Kept]:
    """The pictures that lie in `base` already, the oldest first; other files are left alone."""
    found = []
    for path in base.glob(f"{EVIDENCE}/*/*.jpg"):
        if is_picture(path.relative_to(base).as_posix()):
            with suppress(OSError):
                status = path.stat()
                age_s = max(0.0, now_s - status.st_mtime) if status.st_mtime > CLOCK_SET_S else 0.0
                kept = _Kept(path, status.st_size, clock_s + limits.days * _DAY_S - age_s)
                found.append((status.st_mtime, path.name, kept))
    return [kept for *_, kept in sorted(found, key=lambda one: one[:2])]
