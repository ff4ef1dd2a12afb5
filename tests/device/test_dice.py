"""`schiri dice`: one answer a picture, complete and in order, and a sentence for everything that is no picture."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from device.cli import main
from rules.position import Player, Position
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Die, Scene
from vision.synth.table import Table

Answer = dict[str, Any]
TABLE = Table()
EMPTY = Position((0,) * 26, (0,) * 26)
DICE = (Die(6, (0.3, 0.5), 0.2, Player.WHITE), Die(2, (0.7, 0.5), 1.0, Player.WHITE))
GOOD, WIDE = "two dice ä.png", 17
NO_PICTURE = "text.jpg: this is no picture (JPEG, PNG, WebP, TIFF, BMP and GIF can be read)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dice")
    picture = Painter(TABLE).draw(Scene(EMPTY, dice=DICE, cube=CubeAt(64, (9.0, 9.0))))
    (folder / GOOD).write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    plain = np.full((120, 160, 3), 120, np.uint8)
    (folder / "plain.png").write_bytes(cv2.imencode(".png", plain)[1].tobytes())
    (folder / "text.jpg").write_text("Dear referee", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def dice(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["dice", *map(str, arguments)])
    assert "Traceback" not in result.output
    assert "mistake in Schiri" not in result.output
    return result


def answers(result: Result) -> list[Answer]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def listed(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), encoding="utf-8")
    return path


def test_the_answer_is_complete_and_right() -> None:
    result = dice(GOOD, "--size", WIDE, "--json")
    (answer,) = answers(result)
    assert (result.exit_code, result.stderr) == (0, "")
    assert list(answer) == ["image", "dice", "problems"]
    assert (answer["image"], answer["problems"]) == (GOOD, [])
    by_place = sorted(answer["dice"], key=lambda die: die["center"])
    assert [(die["pips"], die["state"]) for die in by_place] == [(6, "flat"), (2, "flat")]
    for die, drawn in zip(by_place, DICE, strict=True):
        assert list(die) == ["pips", "center", "state", "confidence"]
        x, y = TABLE.board.mm(drawn.xy)
        ((u, v),) = TABLE.camera.project([(x, y, TABLE.dice_of(Player.WHITE).size_mm)])
        assert die["center"] == pytest.approx([u, v], abs=3)
        assert 0.3 < die["confidence"] <= 1


def test_a_list_is_answered_in_order_and_what_is_no_picture_with_its_reason(tmp_path: Path) -> None:
    file = listed(
        tmp_path / "list.jsonl",
        {"image": "text.jpg", "size_px": WIDE},
        "",
        {"image": GOOD, "size_px": WIDE},
        {"image": "plain.png"},
        {"image": GOOD, "size_px": -1},
        {"image": GOOD, "corners": []},
        {"image": GOOD, "size_px": 5000},
    )
    result = dice("--list", file)
    given = answers(result)
    assert result.exit_code == 1
    assert [answer["image"] for answer in given] == ["text.jpg", GOOD, "plain.png", "", "", GOOD]
    assert [len(answer["dice"]) for answer in given] == [0, 2, 0, 0, 0, 0]
    assert given[0]["problems"] == [NO_PICTURE]
    assert given[2]["problems"] == ["no die was found"]
    assert "list.jsonl: line 5: size_px" in given[3]["problems"][0]
    assert "corners" in given[4]["problems"][0]
    assert given[5]["problems"] == [f"{GOOD}: dice of 5000 pixels cannot be read in a picture of that size"]


def test_a_list_of_good_pictures_ends_well(tmp_path: Path) -> None:
    result = dice("--list", listed(tmp_path / "list.jsonl", {"image": GOOD}, {"image": "plain.png", "size_px": 20}))
    assert result.exit_code == 0
    assert [len(answer["dice"]) for answer in answers(result)] == [2, 0]


def test_in_words() -> None:
    result = dice(GOOD, "plain.png", "text.jpg", "--size", WIDE)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == f"{GOOD}:"
    assert {line.split(" at ")[0].rstrip("?") for line in lines[1:3]} == {"6", "2"}
    assert lines[3:] == ["plain.png:", "no die was found", NO_PICTURE]


def test_one_bad_picture_is_an_error() -> None:
    result = dice("text.jpg")
    assert (result.exit_code, result.stderr) == (1, f"schiri: {NO_PICTURE}\n")
    assert dice("nowhere.jpg").stderr == "schiri: nowhere.jpg: No such file or directory\n"


@pytest.mark.parametrize(
    "arguments", [(), (GOOD, "--list", "list.jsonl"), (GOOD, "--size", "0"), (GOOD, "--size", "x")]
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert dice(*arguments).exit_code == 2
