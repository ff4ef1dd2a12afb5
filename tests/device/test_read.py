"""`schiri read`: one answer a picture, complete and in order, and a sentence for everything that is no picture."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from device import boardfinding, reader
from device.cameras.sim import table_profile
from device.cli import main
from device.sitting import eyes_of
from rules.codecs.xgid import read_xgid
from rules.position import START, Player
from vision import observe
from vision.board import find_board
from vision.picture import decode
from vision.synth.render.draw import Painter
from vision.synth.scene import Die, Scene
from vision.synth.table import Table

Answer = dict[str, Any]
TABLE = Table()
PROFILE = table_profile(TABLE)
DICE = (Die(6, (0.7, 0.5), 0.2, Player.WHITE), Die(2, (0.85, 0.5), 1.0, Player.WHITE))
CORNERS = " ".join(f"{x:g},{y:g}" for x, y in TABLE.corners)
OUTSIDE = "corners: {:g},{:g} lies outside the picture of 160×100".format(*TABLE.corners[0])
KEYS = ["image", "size", "board", "points", "bar", "off", "dice", "cube", "hands", "problems", "xgid", "ms"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good photo under an awkward name, its table file, and things that are no photos."""
    folder = tmp_path_factory.mktemp("Vereinsabend Süd")
    there, data = cv2.imencode(".png", Painter(TABLE).draw(Scene(dice=DICE)))
    assert there
    (folder / "Brett 1 ä.png").write_bytes(data.tobytes())
    (folder / "short.png").write_bytes(data.tobytes()[:9000])
    (folder / "text.jpg").write_text("Dear referee", encoding="utf-8")
    (folder / "empty.jpg").touch()
    (folder / "loop.jpg").symlink_to(folder / "loop.jpg")
    (folder / "album.jpg").mkdir()
    small = np.zeros((100, 160, 3), np.uint8)
    (folder / "small.png").write_bytes(cv2.imencode(".png", small)[1].tobytes())
    (folder / "table.json").write_text(PROFILE.model_dump_json(include={"corners", "bar"}), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


GOOD = "Brett 1 ä.png"


def read(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["read", *map(str, arguments)])
    assert "Traceback" not in result.output
    assert "mistake in Schiri" not in result.output
    return result


def answers(result: Result) -> list[Answer]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def good(folder: Path) -> Answer:
    result = CliRunner().invoke(main, ["read", str(folder / GOOD), "--json", "--table", str(folder / "table.json")])
    assert (result.exit_code, result.stderr) == (0, "")
    (answer,) = answers(result)
    return answer


def test_the_answer_is_complete(good: Answer, folder: Path) -> None:
    assert list(good) == KEYS
    assert (good["image"], good["size"], good["hands"], good["problems"]) == (str(folder / GOOD), [960, 600], False, [])
    assert list(good["board"]) == ["corners", "from", "confidence"]
    assert np.allclose(good["board"]["corners"], TABLE.corners, atol=0.06)
    assert (good["board"]["from"], good["off"]) == ("table", {"white": None, "black": None})
    assert good["bar"] == {"white": 0, "black": 0}
    for row in ("top", "bottom"):
        assert len(good["points"][row]) == 12
        assert all(list(point) == ["player", "count", "confidence", "occluded"] for point in good["points"][row])
    assert {"rectify", "checkers", "dice", "cube", "total"} <= set(good["ms"])
    assert all(isinstance(ms, int | float) for ms in good["ms"].values())


def test_the_answer_is_right(good: Answer) -> None:
    top, bottom = good["points"]["top"], good["points"]["bottom"]
    assert [p["count"] for p in top] == [5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, 2]
    assert [p["count"] for p in bottom] == [5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, 2]
    assert (top[0]["player"], top[1]["player"], top[4]["player"]) == ("white", None, "black")
    assert sorted(die["pips"] for die in good["dice"]) == [2, 6]
    for die in good["dice"]:
        assert list(die) == ["pips", "center", "state", "pair", "confidence"]
        assert (die["state"], die["pair"]) == ("flat", None)
    assert list(good["cube"]) == ["value", "center", "where", "offered", "confidence"]
    assert (good["cube"]["value"], good["cube"]["where"], good["cube"]["offered"]) == (64, "outside", False)
    seen = read_xgid(good["xgid"])
    assert (seen.position, str(seen.roll)) == (START, "6-2")


def test_a_declined_answer_has_the_same_keys() -> None:
    result = read("text.jpg", "--json", "--corners", CORNERS)
    (answer,) = answers(result)
    assert result.exit_code == 1
    assert list(answer) == KEYS
    assert answer["problems"] == ["text.jpg: this is no picture (JPEG, PNG, WebP, TIFF, BMP and GIF can be read)"]
    assert answer | {"image": "", "problems": []} == {
        "image": "",
        "size": None,
        "board": None,
        "points": None,
        "bar": None,
        "off": None,
        "dice": [],
        "cube": None,
        "hands": False,
        "problems": [],
        "xgid": None,
        "ms": None,
    }


def test_corners_on_the_command_line_are_given_ones_and_draw_into_a_file(tmp_path: Path) -> None:
    out = tmp_path / "gesehen ü.png"
    result = read(GOOD, "--json", "--corners", CORNERS, "--annotate", out)
    (answer,) = answers(result)
    assert (result.exit_code, answer["board"]["from"]) == (0, "given")
    assert out.read_bytes().startswith(b"\x89PNG")
    assert decode(out.read_bytes()).shape == (600, 960, 3)
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_in_words_and_into_a_folder(tmp_path: Path) -> None:
    (tmp_path / "out.2026").mkdir()
    result = read(GOOD, "--table", "table.json", "--annotate", tmp_path / "out.2026")
    lines = result.stdout.splitlines()
    assert (result.exit_code, lines[0]) == (0, f"{GOOD}:")
    assert [cell.rstrip("?") for cell in lines[1].split()] == ["5w", *"...", "3b", ".", "5b", *"....", "2w"]
    assert lines[3].startswith("bar: 0 white, 0 black   dice: ")
    assert lines[-1].startswith("XGID=")
    assert [path.name for path in (tmp_path / "out.2026").iterdir()] == ["Brett 1 ä.seen.jpg"]


def test_a_list_is_answered_line_by_line(tmp_path: Path, folder: Path) -> None:
    corners = PROFILE.corners
    lines = [
        json.dumps({"image": "empty.jpg", "corners": corners}),
        "",
        json.dumps({"image": GOOD, "corners": corners, "bar": PROFILE.bar}, ensure_ascii=False),
        "{broken",
        json.dumps({"image": "gone.jpg", "corners": corners}),
        json.dumps({"image": GOOD, "corners": (corners or [])[:3]}, ensure_ascii=False),
        json.dumps({"image": GOOD, "coners": corners}, ensure_ascii=False),
        json.dumps({"image": GOOD, "corners": ["1,2"] * 4}, ensure_ascii=False),
        json.dumps({"image": "a\0b.jpg", "corners": corners}),
        json.dumps({"image": "n" * 5000, "corners": corners}),
        json.dumps({"image": "a\u2028b.jpg", "corners": corners}, ensure_ascii=False),
        "[" * 100_000,
        json.dumps({"image": "loop.jpg", "corners": corners}),
        json.dumps({"image": "album.jpg", "corners": corners}),
        json.dumps({"image": GOOD}, ensure_ascii=False),
        json.dumps({"image": "small.png"}),
        json.dumps({"image": "small.png", "corners": corners}),
    ]
    (folder / "list.jsonl").write_text("\r\n".join(lines), encoding="utf-8-sig", newline="")
    os.chdir(tmp_path)  # the pictures lie beside the list
    result = read("--list", folder / "list.jsonl")
    given = answers(result)
    assert (result.exit_code, result.stderr) == (1, "")
    assert all(list(answer) == KEYS for answer in given)
    told = [answer["problems"][0].split(f"{folder}/")[-1] if answer["problems"] else "" for answer in given]
    expected = [
        "empty.jpg: the file is empty",
        "",
        "list.jsonl: line 4: the file: invalid JSON",
        "gone.jpg: No such file",
        f"{GOOD}: corners: expected four [x, y] pairs, got 3",
        "list.jsonl: line 7: unknown key 'coners'; did you mean 'corners'?",
        "list.jsonl: line 8: corners.0: ",
        "list.jsonl: line 9: image: a file name cannot hold the character NUL",
        "n" * 5000 + ": File name too long",
        "a\u2028b.jpg: No such file",
        "list.jsonl: line 12: the file: invalid JSON",
        "loop.jpg: Too many levels of symbolic links",
        "album.jpg: Is a directory",
        "",
        "small.png: no board was found",
        f"small.png: {OUTSIDE}",
    ]
    assert len(told) == len(expected)
    for text, begin in zip(told, expected, strict=True):
        assert text.startswith(begin)
    assert [answer["image"] for answer in given][:2] == ["empty.jpg", GOOD]
    assert given[1]["board"]["from"] == "given"


def test_a_list_may_leave_corners_to_the_table_file(folder: Path) -> None:
    (folder / "one.jsonl").write_text(json.dumps({"image": GOOD, "bar": None}), encoding="utf-8")
    result = read("--list", "one.jsonl", "--table", "table.json")
    assert result.exit_code == 0
    assert answers(result)[0]["board"]["from"] == "table"


def test_a_list_that_is_no_text_is_named(folder: Path) -> None:
    (folder / "utf16.jsonl").write_bytes('{"image": "a"}'.encode("utf-16"))
    result = read("--list", "utf16.jsonl")
    assert (result.exit_code, result.stderr) == (1, "schiri: utf16.jsonl: not a text file in UTF-8\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gone.jpg"], "gone.jpg: No such file or directory"),
        (["empty.jpg"], "empty.jpg: the file is empty"),
        (["text.jpg"], "text.jpg: this is no picture"),
        (["short.png"], "short.png: the picture is damaged or cut short"),
        (["album.jpg"], "album.jpg: Is a directory"),
        (["loop.jpg"], "loop.jpg: Too many levels of symbolic links"),
        (["small.png"], f"small.png: {OUTSIDE}"),
        ([GOOD, "--table", "gone.json"], "gone.json: No such file or directory"),
        ([GOOD, "--table", "text.jpg"], "text.jpg: line 1, column 1: not JSON"),
        ([GOOD, "--corners", "1,2 3,4 5,6"], "--corners: expected four [x, y] pairs, got 3"),
        ([GOOD, "--corners", "1,2;3,4"], '--corners: expected "x,y x,y x,y x,y"'),
        ([GOOD, "--corners", "nan,1 500,1 500,500 1,500"], "--corners: expected four"),
        ([GOOD, "--corners", "1,1 500,500 500,1 1,500"], "--corners: 1,1 500,500 500,1 1,500 do not go round"),
        ([GOOD, "--corners", "1,1 900,1 900,40 1,40"], f"{GOOD}: corners: 1,1 900,1 900,40 1,40 form a strip"),
        (["--list", "gone.jsonl"], "gone.jsonl: No such file or directory"),
        (["--list", "album.jpg"], "album.jpg: Is a directory"),
        ([GOOD, "--annotate", "seen.txt"], "seen.txt: --annotate writes .jpg"),
        ([GOOD, "--annotate", GOOD], f"{GOOD}: this is the picture itself"),
        ([GOOD, "--annotate", f"./{GOOD}"], f"{GOOD}: this is the picture itself"),
    ],
)
def test_one_line_names_the_file_and_what_is_wrong(folder: Path, arguments: list[str], message: str) -> None:
    before = {path.name: path.lstat().st_mtime_ns for path in folder.iterdir()}
    known = [] if {"--corners", "--table", "--list"} & set(arguments) else ["--corners", CORNERS]
    result = read(*arguments, *known)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"schiri: {message}")
    assert result.stderr.count("\n") == 1
    assert {path.name: path.lstat().st_mtime_ns for path in folder.iterdir()} == before


def test_without_corners_the_board_is_found() -> None:
    result = read(GOOD, "--json")
    (answer,) = answers(result)
    assert result.exit_code == 0
    assert answer["board"]["from"] == "found"
    assert 0.5 < answer["board"]["confidence"] < 1
    width = TABLE.corners[1][0] - TABLE.corners[0][0]
    assert np.linalg.norm(np.subtract(answer["board"]["corners"], TABLE.corners), axis=1).max() < 0.015 * width
    assert read_xgid(answer["xgid"]).position == START


def test_where_the_board_is_not_sure_it_says_how_to_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_board(decode(Path(GOOD).read_bytes()))
    assert found is not None
    monkeypatch.setattr(boardfinding, "find_board", lambda _bgr: replace(found, confidence=0.1))
    result = read(GOOD)
    assert result.exit_code == 1
    assert result.stderr.startswith(
        f"schiri: {GOOD}: where the board lies is not sure (confidence 0.10); name its corners"
    )


def test_a_board_that_may_lie_elsewhere_is_read_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_board(decode(Path(GOOD).read_bytes()))
    assert found is not None
    monkeypatch.setattr(boardfinding, "find_board", lambda _bgr: replace(found, confidence=0.4))
    (answer,) = answers(read(GOOD, "--json"))
    assert answer["board"]["confidence"] == 0.4
    assert answer["problems"] == [boardfinding.DOUBT]
    assert answer["points"] is not None


def test_a_table_file_without_a_bar_column_is_believed_when_the_board_is_found() -> None:
    Path("nobar.json").write_text('{"bar": null}', encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        asked = []
        patch.setattr(reader, "eyes_of", lambda table: asked.append(table) or eyes_of(table))
        assert read(GOOD, "--table", "nobar.json").exit_code == 0
    assert (asked[0].bar_known, asked[0].bar) == (True, None)


@pytest.mark.parametrize("arguments", [[], [GOOD, "--list", "list.jsonl"], [GOOD, "--cornes", "1"]])
def test_wrong_usage_is_exit_code_2(arguments: Sequence[str]) -> None:
    assert read(*arguments).exit_code == 2


def test_several_pictures_go_on_after_a_broken_one() -> None:
    result = read("empty.jpg", "text.jpg", "--corners", CORNERS)
    assert result.exit_code == 1
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == ["empty.jpg", "text.jpg"]


def test_drawings_of_pictures_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    drawings = reader.Drawings(tmp_path / "out", alone=False)
    names = [drawings.path_for(Path(name)).name for name in ("a/1.jpg", "b/1.jpg", "1.png", "2.png", "1-2.jpg")]
    assert names == ["1.seen.jpg", "1-2.seen.jpg", "1-3.seen.jpg", "2.seen.jpg", "1-2-2.seen.jpg"]


def test_a_file_name_in_another_encoding_is_answered(folder: Path) -> None:
    name = os.fsdecode(b"gr\xfcn.jpg")
    result = read(name, "--json", "--corners", CORNERS)
    assert result.exit_code == 1
    assert answers(result)[0]["image"] == "gr\ufffdn.jpg"


def test_as_a_real_process(folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from device.cli import main; main()", "read"]

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *arguments], capture_output=True, text=True, cwd=folder, check=False)

    blocked = tmp_path / "file"
    blocked.touch()
    fine = run(GOOD, "--table", "table.json", "--json", "--annotate", str(tmp_path / "a" / "b" / "seen.jpg"))
    assert (fine.returncode, fine.stderr, list(json.loads(fine.stdout))) == (0, "", KEYS)
    assert (tmp_path / "a" / "b" / "seen.jpg").is_file()
    failed = run("short.png", "--table", "table.json")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr.startswith("schiri: short.png: the picture is damaged or cut short")


def test_where_nothing_can_be_written_no_half_file_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = read(GOOD, "--table", "table.json", "--annotate", tmp_path / "file" / "seen.jpg")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"schiri: {tmp_path}/file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def right_points(label: Answer, answer: Answer) -> int:
    """Points read right, white taken as the light or as the dark side, whichever fits better."""
    rows = ("top", "bottom")
    truth = [(entry[:1], int(entry[1:] or 0)) for row in rows for entry in label["points"][row]]
    cells = [cell for row in rows for cell in answer["points"][row]]
    scores = []
    for names in ({"white": "L", "black": "D"}, {"white": "D", "black": "L"}):
        read_as = [(names.get(cell["player"], ""), cell["count"]) for cell in cells]
        scores.append(sum(a == b for a, b in zip(read_as, truth, strict=True)))
    return max(scores)


def test_three_quarters_of_the_points_of_clear_real_photos_are_right(
    shared_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observe, "find_dice", lambda *_: ())  # only checkers are counted here
    monkeypatch.setattr(observe, "find_cube", lambda *_: None)
    photos = shared_dir / "data" / "photos"
    lines = (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    labels = [one for one in map(json.loads, lines) if not one["occluded"] and one["confidence"] == "high"]
    tasks = [{"image": str(photos / one["image"]), "corners": one["corners"], "bar": one.get("bar")} for one in labels]
    (tmp_path / "photos.jsonl").write_text("\n".join(map(json.dumps, tasks)), encoding="utf-8")
    result = read("--list", tmp_path / "photos.jsonl")
    given = answers(result)
    assert [answer["image"] for answer in given] == [task["image"] for task in tasks]
    assert result.exit_code == 0
    right = sum(right_points(label, answer) for label, answer in zip(labels, given, strict=True))
    assert right / (24 * len(labels)) >= 0.75
