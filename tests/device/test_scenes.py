"""`schiri scenes`: a sheet of drawn tables."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.cli import main


def test_a_sheet_shows_different_scenes_and_the_same_again(tmp_path: Path) -> None:
    sheets = []
    for name in ("one.png", "two.png"):
        result = CliRunner().invoke(main, ["scenes", "--seed", "3", "--count", "5", "-o", str(tmp_path / name)])
        assert (result.exit_code, result.output) == (0, f"{tmp_path / name}: 5 scenes in rows of 4, from seed 3 on\n")
        sheets.append(cv2.imread(str(tmp_path / name)))
    assert sheets[0].shape == (480, 1280, 3)
    assert np.array_equal(*sheets)
    cells = [sheets[0][:240, 320 * k : 320 * (k + 1)].astype(int) for k in range(4)]
    assert all(np.abs(a - b).mean() > 10 for k, a in enumerate(cells) for b in cells[:k])
    assert sheets[0][240:, 320:].max() == 0


@pytest.mark.parametrize(
    ("output", "code", "words"), [("sheet.gif", 2, "is a .png or a .jpg"), ("no/s.png", 1, "no/s.png")]
)
def test_what_cannot_be_drawn(output: str, code: int, words: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["scenes", "--count", "1", "-o", str(tmp_path / output)])
    assert result.exit_code == code
    assert words in result.stderr
    assert list(tmp_path.iterdir()) == []
