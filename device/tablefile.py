"""The table that was learned on the page, kept in the data folder and used again at the next start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.profile import TableProfile, read_table, table_text
from device.cameras.choose import SourceName
from device.store.atomic import make_folder, write_atomically


def learned_path(data_dir: Path, source: SourceName) -> Path | None:
    """Where the learned table of a source lies; a recording has none."""
    return data_dir / f"table-{source.kind}-{source.detail or 0}.json" if source.lasting else None


def learned_table(data_dir: Path, source: SourceName, warn: Callable[[str], object]) -> TableProfile | None:
    """The learned table of a source, or None; one that cannot be used is told and left where it is."""
    path = learned_path(data_dir, source)
    if path is None or not path.exists():
        return None
    try:
        return read_table(path)
    except (CalibrationError, OSError) as error:
        warn(f"{error}; the board is looked for instead, learn the table anew at /setup")
        return None


def write_learned(path: Path, table: TableProfile) -> None:
    """Keep a learned table: whole on the disk, or the old one as it was. Raises OSError."""
    make_folder(path.parent)
    write_atomically(path, table_text(table))
