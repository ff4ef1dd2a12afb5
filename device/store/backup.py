"""Everything that a box must remember in one file: journal, pictures and settings; and back again.

A backup is a tar with `journal.sqlite3`, `journal.sqlite3.head`, `evidence/…` and `settings/…`. It may be made while
Schiri watches. Bringing one back moves what is there aside and deletes nothing.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from device.errors import DeviceError
from device.paths import EVIDENCE, journal_path
from device.store.atomic import make_folder
from device.store.errors import JournalError
from device.store.inspection import Inspection, inspect_journal
from device.store.lock import WriterLock

SETTINGS = "settings"
ASIDE = "before-restore"


class BackupError(DeviceError, ValueError):
    """A backup that cannot be made or brought back; the text names the file and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What is in a backup: what the journal's check found, its first and last day, and the settings' file names."""

    found: Inspection
    first: str
    last: str
    settings: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """The same in words."""
        if not self.found.events:
            yield "no journal"
        else:
            span = self.first[:10] if self.first[:10] == self.last[:10] else f"{self.first[:10]} to {self.last[:10]}"
            yield f"{self.found.events} events in {self.found.matches} matches, {span}"
            yield f"{self.found.pictures} pictures of events"
        yield "settings: " + (", ".join(self.settings) or "none")
        yield from self.found.problems


def back_up(target: Path, data_dir: Path, settings: Sequence[Path]) -> Preview:
    """Write everything into `target`, which is whole or not there; what is in it.

    Raises BackupError when it is there already, is not a .tar, or there is nothing to keep; JournalError or OSError.
    """
    if target.suffix != ".tar":
        raise BackupError(f"{target}: a backup is a .tar")
    if target.exists():
        raise BackupError(f"{target}: is there already; choose another name")
    journal = journal_path(data_dir)
    if not journal.exists() and not settings:
        raise BackupError(f"{data_dir}: there is neither a journal nor settings to keep")
    with tempfile.TemporaryDirectory(prefix=".schiri-backup-", dir=target.parent) as place:
        half = Path(place) / "backup.tar"
        with tarfile.open(half, "w") as tar:
            if journal.exists():
                _add_journal(tar, journal, Path(place))
            for path in settings:
                tar.add(path, f"{SETTINGS}/{path.name}")
        with half.open("rb") as file:
            os.fsync(file.fileno())
        half.replace(target)
    return preview(target)


def _add_journal(tar: tarfile.TarFile, journal: Path, place: Path) -> None:
    """The journal as it is at one moment, and then the pictures: those that it names are there already."""
    copy = place / journal.name
    head = journal.with_name(journal.name + ".head")
    if head.exists():
        shutil.copy(head, place)  # before the rows: it says how many there are at least
        tar.add(place / head.name, head.name)
    try:
        with (
            closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
    except sqlite3.Error as error:
        raise JournalError(f"{journal}: cannot be copied ({error})") from error
    tar.add(copy, journal.name)
    for path in sorted((journal.parent / EVIDENCE).glob("*/*.jpg")):
        try:
            tar.add(path, path.relative_to(journal.parent).as_posix())
        except FileNotFoundError:
            continue  # rotated meanwhile, and noted


def preview(backup: Path) -> Preview:
    """What is in a backup. Raises BackupError or OSError."""
    with _unpacked(backup, backup.parent) as folder:
        return _look(folder)


def _look(folder: Path) -> Preview:
    journal, found, days = journal_path(folder), Inspection(), ("", "")
    if journal.exists():
        found = inspect_journal(journal)
        if not found.problems:
            with closing(sqlite3.connect(journal)) as connection:
                days = connection.execute("SELECT min(wall_time), max(wall_time) FROM events").fetchone()
    names = tuple(sorted(path.name for path in (folder / SETTINGS).glob("*")))
    return Preview(found, days[0] or "", days[1] or "", names)


def restore(backup: Path, data_dir: Path, settings_dir: Path, now: datetime | None = None) -> tuple[Preview, Path]:
    """Bring everything back; what it was, and the folder in `data_dir` with what was there before.

    Raises BackupError, JournalError (Schiri runs, or the backup's journal is damaged) or OSError. Until all of the
    backup is unpacked and looked at, nothing is touched.
    """
    make_folder(data_dir)
    journal = journal_path(data_dir)
    lock = WriterLock.take(journal)
    try:
        with _unpacked(backup, data_dir) as folder:
            seen = _look(folder)
            if seen.found.problems:
                raise BackupError(f"{backup}: {seen.found.problems[0]}")
            aside = data_dir / f"{ASIDE}-{now or datetime.now(UTC):%Y%m%dT%H%M%SZ}"
            aside.mkdir()
            if journal_path(folder).exists():
                _swap(folder, data_dir, aside, (journal.name, f"{journal.name}.head", EVIDENCE))
                for log in ("-wal", "-shm"):  # of the old journal
                    _move(data_dir / f"{journal.name}{log}", aside)
            if seen.settings:
                make_folder(settings_dir)
                (aside / SETTINGS).mkdir()
                _swap(folder / SETTINGS, settings_dir, aside / SETTINGS, seen.settings)
    finally:
        lock.release()
        _give_to_its_owner(data_dir)
    return seen, aside


def _give_to_its_owner(folder: Path) -> None:
    """What root put into a folder of the service's user must not keep that one from writing there."""
    if os.geteuid() == 0:
        owner = folder.stat()
        for path in folder.rglob("*"):
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _swap(new: Path, old: Path, aside: Path, names: Sequence[str]) -> None:
    """Put what is called so in `new` into `old`, and what was there into `aside`."""
    for name in names:
        _move(old / name, aside)
        if (new / name).exists():
            shutil.move(new / name, old / name)


def _move(path: Path, folder: Path) -> None:
    if path.exists():
        shutil.move(path, folder / path.name)


@contextmanager
def _unpacked(backup: Path, near: Path) -> Iterator[Path]:
    """The files of a backup in a folder that goes again. Raises BackupError for what is no backup of ours."""
    with tempfile.TemporaryDirectory(prefix=".schiri-restore-", dir=near) as place:
        try:
            with tarfile.open(backup, "r:") as tar:
                members = tar.getmembers()
                strange = [member.name for member in members if not _is_ours(member)]
                if strange or not members:
                    raise BackupError(f"{backup}: not a backup of Schiri" + (f" ({strange[0]})" if strange else ""))
                for member in members:
                    _unpack(tar, member, Path(place))
        except tarfile.TarError as error:
            raise BackupError(f"{backup}: not a backup that can be read ({error})") from None
        yield Path(place)


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """One plain file, with no rights or owner of the archive's choosing."""
    path, data = folder / member.name, tar.extractfile(member)
    assert data is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    with data, path.open("wb") as file:
        shutil.copyfileobj(data, file)


def _is_ours(member: tarfile.TarInfo) -> bool:
    name, parts = journal_path(Path()).name, member.name.split("/")
    if not member.isfile() or ".." in parts:
        return False
    if len(parts) == 1:
        return parts[0] in (name, f"{name}.head")
    return (parts[0] == EVIDENCE and len(parts) == 3) or (parts[0] == SETTINGS and len(parts) == 2)
