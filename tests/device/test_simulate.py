"""`schiri simulate`: a film, and the truth about it that the eyes must find again."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from device.cli import main

SEED, FRAMES = "3", "40"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films") / "one"
    result = run("simulate", "--seed", SEED, "--max-frames", FRAMES, "-o", folder)
    assert (result.exit_code, result.output) == (0, f"{folder}: {FRAMES} frames\n")
    return folder


@pytest.fixture(scope="module")
def truth(filmed: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (filmed / "truth.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def pictures(filmed: Path) -> list[np.ndarray]:
    capture = cv2.VideoCapture(str(filmed / "film.avi"))
    found = []
    while True:
        there, picture = capture.read()
        if not there:
            return found
        found.append(picture)


def test_a_film_and_its_four_files(filmed: Path, truth: list[dict[str, Any]], pictures: list[np.ndarray]) -> None:
    names = {path.name for path in filmed.iterdir()}
    assert names == {"film.avi", "truth.jsonl", "table.json", "match.json", "commands.jsonl"}
    frames = [line for line in truth if "frame" in line]
    assert [line["frame"] for line in frames] == list(range(len(pictures))) == list(range(int(FRAMES)))
    assert [line["at_s"] for line in frames] == pytest.approx([k / 5 for k in range(len(frames))])


def test_the_centres_lie_on_the_things(truth: list[dict[str, Any]], pictures: list[np.ndarray]) -> None:
    settled = next(line for line in truth if line.get("settled") and line["dice"])
    picture = pictures[settled["frame"]]
    brightness: dict[str, list[float]] = {"white": [], "black": []}
    for checker in settled["checkers"]:
        x, y = (round(c) for c in checker["center"])
        brightness[checker["player"]].append(float(picture[y - 4 : y + 5, x - 4 : x + 5].mean()))
    assert [len(b) for b in brightness.values()] == [15, 15]
    assert min(brightness["white"]) > max(brightness["black"]) + 40


def test_a_hand_hides_what_lies_under_it(truth: list[dict[str, Any]]) -> None:
    with_hand = [line for line in truth if line.get("hands")]
    assert with_hand
    assert any(not checker["visible"] for line in with_hand for checker in line["checkers"])
    assert all(c["visible"] for line in truth if line.get("settled") for c in line["checkers"])


def test_the_same_seed_tells_the_same(filmed: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert run("simulate", "--seed", SEED, "--max-frames", "12", "-o", again).exit_code == 0
    whole = (filmed / "truth.jsonl").read_text(encoding="utf-8")
    assert whole.startswith((again / "truth.jsonl").read_text(encoding="utf-8"))


def test_transcribe_finds_the_truth_again(filmed: Path, truth: list[dict[str, Any]], tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"
    tables = ["--table", filmed / "table.json", "--match", filmed / "match.json"]
    run("transcribe", filmed / "film.avi", *tables, "--events", events)
    found = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    told = [line["event"] for line in truth if "event" in line]
    for event in (*found, *told):
        del event["at_s"]
    assert len(told) >= 3
    assert found[: len(told)] == told


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--faults", "coked"], 1, "--faults: coked: no fault that can be drawn"),
        (["--plan", "gone.json"], 1, "gone.json: No such file"),
        (["--plan", "gone.mat"], 1, "gone.mat: cannot be read"),
        (["--size", "20x20"], 2, "at least 320 pixels"),
        (["--size", "wide"], 2, "such as 1280x720"),
        (["--stream", "52"], 2, "0<=x<=51"),
    ],
)
def test_what_cannot_be_filmed(arguments: list[str], code: int, words: str, tmp_path: Path) -> None:
    result = run("simulate", "--seed", "1", "-o", tmp_path / "film", *arguments)
    assert result.exit_code == code
    assert words in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_streaming_camera_films_the_same_less_clearly(
    filmed: Path, pictures: list[np.ndarray], tmp_path: Path
) -> None:
    film = tmp_path / "film"
    assert run("simulate", "--seed", SEED, "--max-frames", "3", "--stream", "40", "-o", film).exit_code == 0
    there, picture = cv2.VideoCapture(str(film / "film.avi")).read()
    assert there
    assert 1 < np.abs(picture.astype(int) - pictures[0]).mean() < 12
    whole = (filmed / "truth.jsonl").read_text(encoding="utf-8")
    assert whole.startswith((film / "truth.jsonl").read_text(encoding="utf-8"))


def test_without_seed_and_plan_there_is_nothing_to_film(tmp_path: Path) -> None:
    result = run("simulate", "-o", tmp_path / "film")
    assert result.exit_code == 2
    assert "give --seed, --plan, or both" in result.stderr


def test_a_plan_with_a_fault_is_filmed_with_its_situation(tmp_path: Path) -> None:
    plan, film = tmp_path / "plan.json", tmp_path / "film"
    plan.write_text('{"seed": 3, "faults": ["spectator_finger", "cocked"]}', encoding="utf-8")
    sizes = ["--size", "320x320", "--fps", "2"]
    result = run("simulate", "--plan", plan, "--max-frames", "80", *sizes, "-o", film)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [json.loads(line) for line in (film / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    found = {line["situation"]["kind"]: line["situation"] for line in lines if "situation" in line}
    assert set(found) == {"spectator_finger", "cocked"}
    frames = {line["frame"]: line for line in lines if "frame" in line}
    for number in range(found["spectator_finger"]["from_frame"], found["spectator_finger"]["to_frame"] + 1):
        assert not frames[number]["settled"]
    last = frames[found["cocked"]["to_frame"]]
    assert last["settled"]
    assert [die["state"] for die in last["dice"]].count("cocked") == 1
    assert found["cocked"]["player"] in ("white", "black")
    voided = [line["event"]["reason"] for line in lines if line.get("event", {}).get("type") == "RollVoided"]
    assert "cocked" in voided
    pressed = [json.loads(line) for line in (film / "commands.jsonl").read_text(encoding="utf-8").splitlines()]
    assert pressed
    assert all(set(one) == {"at_s", "type", "player"} and one["type"] == "Done" for one in pressed)


def test_a_fault_without_an_occasion_is_told(tmp_path: Path) -> None:
    arguments = ["--faults", "off_returned", "--max-frames", "5", "--size", "320x320"]
    result = run("simulate", "--seed", "1", "-o", tmp_path / "film", *arguments)
    assert result.exit_code == 0
    assert "no occasion for off_returned" in result.stderr


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep", encoding="utf-8")
    result = run("simulate", "--seed", "1", "-o", tmp_path)
    assert result.exit_code == 1
    assert "name a new or an empty folder" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
