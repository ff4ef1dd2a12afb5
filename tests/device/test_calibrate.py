"""`schiri calibrate`: a table learned from one picture of its start position, or a sentence that says why not."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.orientation import Home
from calibration.profile import read_table
from device.cli import main
from rules.position import Player, Position
from vision.synth.render.draw import Painter
from vision.synth.scene import Scene
from vision.synth.table import Table

TABLE = Table()
NOBODY = Position((15,) + (0,) * 25, (15,) + (0,) * 25)
Draw = Callable[..., str]


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    """Draws a scene into a file of the working folder; gives its name."""
    monkeypatch.chdir(tmp_path)

    def drawn(scene: Scene, table: Table = TABLE, name: str = "start.png") -> str:
        data = cv2.imencode(".png", Painter(table, 1).draw(scene))[1]
        (tmp_path / name).write_bytes(data.tobytes())
        return name

    return drawn


def calibrate(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["calibrate", *arguments, "-o", "table.json"])


def written() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(Path("table.json").read_text(encoding="utf-8"))
    return content


def refused(result: Result, *parts: str) -> None:
    """One sentence with all these parts, exit code 1, and no file."""
    assert result.exit_code == 1, result.output
    assert result.stderr.count("\n") == 1
    for part in parts:
        assert part in result.stderr
    assert not Path("table.json").exists()


def moved(position: Position, player: Player, origin: int, target: int) -> Position:
    side = list(position.white if player is Player.WHITE else position.black)
    side[origin] -= 1
    side[target] += 1
    return replace(position, **{"white" if player is Player.WHITE else "black": tuple(side)})


def test_the_start_position_is_learned(draw: Draw) -> None:
    result = calibrate(draw(Scene()))
    assert result.exit_code == 0, result.output
    told = written()
    width = TABLE.corners[1][0] - TABLE.corners[0][0]
    assert np.linalg.norm(np.subtract(told["corners"], TABLE.corners), axis=1).max() < 0.01 * width
    assert told["white_home"] == TABLE.home
    assert "checkers" not in told, "only what was learned"
    camera = told["calibration"]["camera"]
    assert camera["axes"][2][2] == pytest.approx(TABLE.camera.axes[2][2], abs=0.01)
    assert "30 of 30 checkers" in result.stdout
    assert "light: even" in result.stdout
    profile = read_table(Path("table.json"))
    geometry = profile.geometry()
    assert geometry is not None
    assert geometry.bar == pytest.approx(TABLE.bar, abs=0.01)
    assert profile.calibration is not None
    seen = profile.calibration.seen_by()
    across, down = (v / 2 for v in profile.calibration.field_mm)
    corners = seen.project([(-across, -down, 0), (across, -down, 0), (across, down, 0), (-across, down, 0)])
    assert np.linalg.norm(corners - told["corners"], axis=1).max() < 5


def test_what_was_learned_reads_the_table(draw: Draw) -> None:
    calibrate(draw(Scene()))
    other = draw(Scene(position=moved(Scene().position, Player.WHITE, 8, 5)), name="other.png")
    result = CliRunner().invoke(main, ["read", other, "--table", "table.json", "--json"])
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["board"]["from"] == "table"
    assert answer["xgid"].startswith("XGID=-b---AE-B---eE---c-e----B-")


@pytest.mark.parametrize("home", [Home.BOTTOM_LEFT, Home.TOP_RIGHT])
def test_a_mirrored_start_is_told_by_its_checkers(draw: Draw, home: Home) -> None:
    result = calibrate(draw(Scene(), replace(TABLE, home=home)))
    assert result.exit_code == 0, result.output
    assert written()["white_home"] == home


def test_a_table_file_that_says_otherwise_is_not_overruled(draw: Draw) -> None:
    name = draw(Scene(), replace(TABLE, home=Home.TOP_LEFT))
    Path("known.json").write_text('{"white_home": "bottom-right"}', encoding="utf-8")
    refused(calibrate(name, "--table", "known.json"), "start.png", '"top-left"', '"bottom-right"')


def test_given_corners_stay_and_keep_their_board(draw: Draw) -> None:
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in TABLE.corners)
    result = calibrate(draw(Scene()), "--corners", corners)
    assert result.exit_code == 0, result.output
    told = written()
    assert told["corners"] == [[round(x), round(y)] for x, y in TABLE.corners]
    assert told["bar"] is not None


def test_corners_of_the_case_are_no_corners_of_the_field(draw: Draw) -> None:
    (left, top), (right, _), (_, bottom), _ = TABLE.corners
    wide = f"{left},{top - 5} {right + 90},{top - 5} {right + 90},{bottom + 5} {left},{bottom + 5}"
    refused(calibrate(draw(Scene()), "--corners", wide), "start.png")


def test_a_board_without_a_bar_column(draw: Draw) -> None:
    result = calibrate(draw(Scene(), replace(TABLE, board=replace(TABLE.board, bar_mm=0.0))))
    assert result.exit_code == 0, result.output
    assert written()["bar"] is None
    assert "no bar" in result.stdout


def test_another_position_is_refused_by_its_first_difference(draw: Draw) -> None:
    name = draw(Scene(position=moved(Scene().position, Player.WHITE, 6, 5)))
    refused(calibrate(name), "29 of 30", "bottom row", "5 light expected, 4 light seen", '"start": "seen"')


def test_fewer_checkers_on_a_table_that_has_them(draw: Draw) -> None:
    side = tuple({6: 4, 8: 3, 13: 4, 24: 1}.get(k, 0) for k in range(26))
    Path("known.json").write_text('{"checkers": 12, "start": "seen"}', encoding="utf-8")
    result = calibrate(draw(Scene(position=Position(side, side))), "--table", "known.json")
    assert result.exit_code == 0, result.output
    assert (written()["checkers"], written()["start"]) == (12, "seen")
    assert "24 of 24 checkers" in result.stdout
    Path("table.json").unlink()
    Path("known.json").write_text('{"checkers": 13, "start": "seen"}', encoding="utf-8")
    refused(calibrate("start.png", "--table", "known.json"), "12 light and 12 dark", "13 each")


def test_an_empty_board_tells_the_points_colours(draw: Draw) -> None:
    name, empty = draw(Scene()), draw(Scene(position=NOBODY), name="empty.png")
    result = calibrate(name, "--empty", empty)
    assert result.exit_code == 0, result.output
    colours = written()["calibration"]["background_bgr"]
    assert len(colours) == 24
    even, odd = np.mean(colours[:12:2], axis=0), np.mean(colours[1:12:2], axis=0)
    assert np.abs(even - odd).max() > 20, "points have two colours"
    assert "empty board" in result.stdout


def test_a_board_with_checkers_is_no_empty_one(draw: Draw) -> None:
    refused(calibrate(draw(Scene()), "--empty", draw(Scene(), name="full.png")), "full.png", "no empty board", "30")


def test_no_board_no_table_file(draw: Draw) -> None:
    (Path("grey.png")).write_bytes(cv2.imencode(".png", np.full((480, 640, 3), 120, np.uint8))[1].tobytes())
    refused(calibrate("grey.png"), "grey.png", "--corners")
    refused(calibrate("gone.png"), "gone.png: there is no such source")
    refused(calibrate(draw(Scene()), "--empty", "gone.png"), "gone.png")


def test_a_table_file_is_never_half_written_nor_put_nowhere(draw: Draw) -> None:
    name = draw(Scene())
    result = CliRunner().invoke(main, ["calibrate", name, "-o", "nowhere/table.json"])
    assert (result.exit_code, "there is no folder nowhere" in result.stderr) == (1, True)
    Path("table.json").write_text("the old one", encoding="utf-8")
    calibrate(draw(Scene(position=NOBODY)))
    assert Path("table.json").read_text(encoding="utf-8") == "the old one"


def test_the_first_picture_of_a_folder_that_shows_it_is_taken(draw: Draw) -> None:
    Path("photos").mkdir()
    draw(Scene(position=NOBODY), name="photos/1.png")
    draw(Scene(), name="photos/2.png")
    result = calibrate("photos")
    assert result.exit_code == 0, result.output
    assert "30 of 30" in result.stdout
