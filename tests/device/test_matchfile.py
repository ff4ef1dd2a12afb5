"""The match file: what it may say, and one helpful sentence for everything it may not."""

import json
from pathlib import Path

import pytest

from device.errors import DeviceError
from device.matchfile import MatchFile, read_match
from rules.events import Role
from rules.position import Player


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "Spiel für heute.json"


def test_everything_a_file_may_say(file: Path) -> None:
    said = {
        "length": 7,
        "white": "Bräune",
        "black": "B",
        "profile": "club-de",
        "role": "referee",
        "consent": True,
        "seats": {"near": "black"},
    }
    file.write_text(json.dumps(said), encoding="utf-8-sig")
    match = read_match(file)
    assert match.seats is not None
    assert match.seats.near is Player.BLACK
    begin = match.started(2.5, 12)
    assert (begin.at_s, begin.length, begin.white, begin.black) == (2.5, 7, "Bräune", "B")
    assert (begin.role, begin.consent, begin.checkers) == (Role.REFEREE, True, 12)


def test_left_out_it_is_a_match_that_is_only_written_down(file: Path) -> None:
    file.write_text("{}", encoding="utf-8")
    match = read_match(file)
    assert match == MatchFile()
    assert (match.started(0, 15).role, match.consent, match.seats) == (Role.RECORDER, False, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: not JSON"),
        ('{"length": 7,}', "line 1, column 14: not JSON"),
        ("[]", "expected a JSON object"),
        ("[" * 100_000, "not JSON that can be read (too many brackets"),
        ('{"length": ' + "9" * 5000 + "}", "not JSON that can be read"),
        ('{"lenght": 7}', "unknown key 'lenght'; did you mean 'length'?"),
        ('{"length": -1}', "length: input should be greater than or equal to 0 (got -1)"),
        ('{"length": "seven"}', "length: "),
        ('{"length": true}', "length: input should be a valid integer (got true)"),
        ('{"consent": "maybe"}', "consent: "),
        ('{"consent": 1}', "consent: input should be a valid boolean (got 1)"),
        ('{"white": ""}', "white: "),
        ('{"black": "' + "x" * 81 + '"}', "black: "),
        ('{"role": "king"}', "role: input should be 'referee', 'recorder' or 'practice'"),
        ('{"profile": "klub-de"}', "profile: "),
        ('{"seats": {"near": "green"}}', "seats.near: "),
        ('{"seats": {"naer": "white"}}', "seats.near: field required"),
    ],
)
def test_a_mistake_is_named_with_the_file(file: Path, text: str, message: str) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DeviceError) as caught:
        read_match(file)
    assert str(caught.value).startswith(f"{file}: {message}")
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text(file: Path) -> None:
    file.write_bytes(b"\xff\xfe{\x00}")
    with pytest.raises(DeviceError, match=r"heute\.json: not a text file in UTF-8"):
        read_match(file)


def test_a_missing_file_is_named(file: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"heute\.json"):
        read_match(file)
