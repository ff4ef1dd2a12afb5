import json
import stat
from pathlib import Path

import pytest

from device.errors import DeviceError
from device.keyfile import NAME, open_keys


def test_a_pin_is_made_once_and_kept_as_a_hash(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    keys, pin = open_keys(folder)
    assert pin is not None
    assert (len(pin), pin.isdecimal(), keys.opens(pin)) == (6, True, True)
    path = folder / NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert pin not in path.read_text()
    again, none = open_keys(folder)
    assert none is None
    assert (again.opens(pin), again.secret) == (True, keys.secret)
    assert [file.name for file in folder.iterdir()] == [NAME]


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({"pin": "x", "secret": "no hex"})])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    with pytest.raises(DeviceError, match=rf"{NAME}: cannot be read; remove it"):
        open_keys(tmp_path)
