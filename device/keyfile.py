"""The director's PIN and the secret of the sessions, made at the first start and kept in the data folder."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

from device.errors import DeviceError
from webui.keys import Keys, hashed

NAME = "access.json"
DIGITS = 6


def open_keys(data_dir: Path) -> tuple[Keys, str | None]:
    """The keys of this data folder, and the PIN where it was made just now: it is kept only as a hash.

    Raises DeviceError when the file cannot be read, or OSError.
    """
    path = data_dir / NAME
    if path.exists():
        return _read(path), None
    pin = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
    keys = Keys(hashed(pin), secrets.token_bytes(32))
    data_dir.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"pin": keys.pin_hash, "secret": keys.secret.hex()}) + "\n"
    half = path.with_name(f"{NAME}.{os.getpid()}.part")
    try:
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        half.rename(path)
    finally:
        half.unlink(missing_ok=True)
    return keys, pin


def _read(path: Path) -> Keys:
    try:
        data = json.loads(path.read_text(encoding="ascii"))
        return Keys(str(data["pin"]), bytes.fromhex(data["secret"]))
    except (ValueError, KeyError, TypeError) as error:
        raise DeviceError(f"{path}: cannot be read; remove it, and the next start makes a new PIN") from error
