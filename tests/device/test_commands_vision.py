"""`schiri watch` and `transcribe` told what they cannot do: one line that names the file, and nothing begun."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.cli import main

CORNERS = [[20, 20], [220, 20], [220, 160], [20, 160]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two dull pictures of different sizes, a text, and table files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fotos").mkdir()
    for name, (height, width) in {"1.png": (200, 260), "2.png": (100, 130)}.items():
        picture = np.full((height, width, 3), 90, np.uint8)
        (tmp_path / "fotos" / name).write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    (tmp_path / "table.json").write_text(json.dumps({"corners": CORNERS, "white_home": "top-left"}), encoding="utf-8")
    (tmp_path / "bad.json").write_text('{"length": 7,', encoding="utf-8")
    (tmp_path / "near.json").write_text('{"seats": {"near": "white"}}', encoding="utf-8")
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("watch gone.mp4", "gone.mp4: there is no such source"),
        ("watch table.json", "table.json: not a video that can be read"),
        ("watch fotos --table gone.json", "gone.json: No such file or directory"),
        ("watch fotos --match bad.json", "bad.json: line 1, column 14: not JSON"),
        ("watch fotos --table table.json --match near.json", "the match file seats white at the camera's side"),
        ("transcribe gone", "gone: there is no such file"),
        ("transcribe fotos/1.png table.json --table table.json", "table.json: not a picture"),
        ("transcribe fotos --table bad.json", "bad.json: line 1, column 14: not JSON"),
        ("transcribe fotos --match bad.json", "bad.json: line 1, column 14: not JSON"),
        ("transcribe fotos", "fotos: no board was found; name its corners"),
        ("transcribe gone.mp4 -o nowhere/a.mat", "nowhere/a.mat: there is no folder nowhere"),
        ("transcribe gone.mp4 --events nowhere/a.jsonl", "nowhere/a.jsonl: there is no folder nowhere"),
        ("transcribe fotos --table table.json -o a.mat", "2.png: corners: 220,20 lies outside the picture of 130×100"),
        ("transcribe fotos/1.png --table table.json -o a.mat", "fotos/1.png: no play was seen"),
    ],
)
def test_one_line_says_what_is_wrong_and_nothing_is_written(folder: Path, arguments: str, message: str) -> None:
    before = names(folder)
    result = CliRunner().invoke(main, [*arguments.split()])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1), result.output
    assert result.stderr.startswith(f"schiri: {message}")
    assert names(folder) == before
