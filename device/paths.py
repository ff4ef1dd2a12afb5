"""Where Schiri keeps what it must remember."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_state_path

EVIDENCE = "evidence"
"""The folder inside the data folder that holds the pictures of events; the journal names them from the latter on."""


def default_data_dir() -> Path:
    """The folder for journals and evidence: systemd's `$STATE_DIRECTORY`, else the user's state folder.

    On Linux the latter is `~/.local/state/schiri`. The folder may not exist yet.
    """
    given = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(given) if given else user_state_path("schiri", appauthor=False)


def journal_path(data_dir: Path) -> Path:
    """The journal inside `data_dir`."""
    return data_dir / "journal.sqlite3"
