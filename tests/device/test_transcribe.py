"""`schiri transcribe`: a recorded game becomes exactly its plays."""

import hashlib
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from device.cameras.sim import table_profile
from device.cli import main
from rules.position import Player
from vision.synth.render.draw import Painter
from vision.synth.story.plan import Evening, Plan
from vision.synth.story.shot import Shot
from vision.synth.table import Table

SEED, SHOTS = 21, 25

Transcribe = Callable[..., Result]


@pytest.fixture
def transcribe(tmp_path: Path) -> Transcribe:
    """Runs the command with a table file; events go to `events.jsonl`."""

    def run(table: dict[str, object], *arguments: str | Path) -> Result:
        (tmp_path / "table.json").write_text(json.dumps(table), encoding="utf-8")
        given = ["--table", tmp_path / "table.json", "--events", tmp_path / "events.jsonl", *arguments]
        return CliRunner().invoke(main, ["transcribe", *map(str, given)])

    return run


def events(tmp_path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()]


def plays(tmp_path: Path) -> list[tuple[object, object, object]]:
    """(player, roll, play) of every play and flag."""
    return [
        (e["player"], e["roll"], e.get("play", e.get("verdict")))
        for e in events(tmp_path)
        if e["type"] in ("Played", "PlayFlagged", "PlayCorrected", "RollVoided")
    ]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Shot]]:
    """A drawn game as one photo a half-move, named 1.png to 25.png, and what was done in it."""
    folder = tmp_path_factory.mktemp("game")
    painter, shots = Painter(Table()), []
    for number, shot in zip(range(1, SHOTS + 1), Evening(Plan(SEED)).shots(), strict=False):
        cv2.imwrite(str(folder / f"{number}.png"), painter.draw(shot.scene))
        shots.append(shot)
    return folder, shots


def drawn_table() -> dict[str, object]:
    return table_profile(Table()).model_dump(mode="json", exclude_unset=True)


def test_a_drawn_game_comes_out_as_it_was_played(
    recording: tuple[Path, list[Shot]], transcribe: Transcribe, tmp_path: Path
) -> None:
    folder, shots = recording
    result = transcribe(drawn_table(), folder, "-o", tmp_path / "game.mat")
    assert (result.exit_code, result.stderr) == (0, "")
    told = [(p, f"{roll[0]}-{roll[1]}", play) for p, roll, play in plays(tmp_path)]  # type: ignore[index]
    done = [shot.note for shot in shots if " played " in shot.note]
    assert len(done) >= 4
    assert [f"{player} played {roll}: {play}" for player, roll, play in told] == done
    assert (tmp_path / "game.mat").read_text(encoding="utf-8").startswith(" 5 point match")


def test_a_terminal_is_shown_how_far_it_has_come(recording: tuple[Path, list[Shot]], tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text(json.dumps(drawn_table()), encoding="utf-8")
    pictures = [str(recording[0] / f"{k}.png") for k in (1, 2)]
    ours, its = pty.openpty()
    program = "import sys; from device.cli import main; main(sys.argv[1:])"
    arguments = ["transcribe", *pictures, "--table", str(tmp_path / "table.json")]
    subprocess.run([sys.executable, "-c", program, *arguments], stdout=subprocess.DEVNULL, stderr=its)
    assert "100%" in os.read(ours, 100_000).decode()
    os.close(its)
    os.close(ours)


def test_pictures_in_any_order_are_taken_in_natural_order(
    recording: tuple[Path, list[Shot]], transcribe: Transcribe, tmp_path: Path
) -> None:
    folder, shots = recording
    first = next(k for k, shot in enumerate(shots) if " played " in shot.note)
    pictures = [folder / f"{k}.png" for k in range(1, first + 2)]
    result = transcribe(drawn_table(), *reversed(pictures))
    assert result.exit_code == 0, result.output
    assert [e["type"] for e in events(tmp_path)][-1] == "Played"


def test_a_recording_without_a_play_says_so(
    recording: tuple[Path, list[Shot]], transcribe: Transcribe, tmp_path: Path
) -> None:
    folder, _ = recording
    result = transcribe(drawn_table(), folder / "1.png", "-o", tmp_path / "game.mat")
    assert result.exit_code == 1
    assert "no play was seen" in result.stderr
    assert [e["type"] for e in events(tmp_path)] == ["MatchStarted", "GameStarted"]
    assert not (tmp_path / "game.mat").exists()


def test_what_was_said_at_the_table_ends_the_game(
    recording: tuple[Path, list[Shot]], transcribe: Transcribe, tmp_path: Path
) -> None:
    folder, shots = recording
    last = next(k for k, shot in enumerate(shots) if " played " in shot.note) + 1
    said = [
        {"at_s": last - 0.5, "type": "ResignationOffered", "player": "white", "win": "gammon"},
        {"at_s": last + 9.0, "type": "ResignationAccepted", "player": "black"},
    ]
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said), encoding="utf-8")
    pictures = [folder / f"{k}.png" for k in range(1, last + 1)]
    result = transcribe(drawn_table(), *pictures, "--commands", tmp_path / "said.jsonl")
    assert result.exit_code == 0, result.output
    kinds = [e["type"] for e in events(tmp_path)]
    assert kinds[-4:] == ["Played", "ResignationOffered", "ResignationAccepted", "GameEnded"]
    assert (events(tmp_path)[-1]["winner"], events(tmp_path)[-1]["points"]) == ("black", 2)


@pytest.mark.parametrize("consent", [True, False])
def test_pictures_are_kept_beside_the_events_with_consent_only(
    recording: tuple[Path, list[Shot]], transcribe: Transcribe, tmp_path: Path, consent: bool
) -> None:
    folder, shots = recording
    last = next(k for k, shot in enumerate(shots) if " played " in shot.note) + 1
    (tmp_path / "match.json").write_text(json.dumps({"consent": consent}), encoding="utf-8")
    pictures = [folder / f"{k}.png" for k in range(1, last + 1)]
    result = transcribe(drawn_table(), *pictures, "--match", tmp_path / "match.json")
    assert result.exit_code == 0, result.output
    named = [(e["seq"], e["type"], name) for e in events(tmp_path) for name in e.get("evidence", [])]  # type: ignore[attr-defined]
    if not consent:
        assert named == []
        assert not list(tmp_path.rglob("*.jpg"))
        return
    assert [kind for _, kind, _ in named] == ["GameStarted", "Rolled", "Played"]
    for seq, kind, name in named:
        file = tmp_path / name
        assert file.parent == tmp_path / "events-evidence"
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        assert file.name == f"{seq:06}-{kind}-{digest}.jpg"
    shown = [cv2.imread(str(tmp_path / name)) for *_, name in named]
    drawn = [cv2.imread(str(pictures[k])) for k in (0, last - 2, last - 1)]
    for one, truth in zip(shown, drawn, strict=True):
        assert float(np.abs(one.astype(int) - truth).mean()) < 4


def test_events_into_a_pipe_have_no_place_for_pictures(recording: tuple[Path, list[Shot]], tmp_path: Path) -> None:
    folder, _ = recording
    (tmp_path / "table.json").write_text(json.dumps(drawn_table()), encoding="utf-8")
    (tmp_path / "match.json").write_text('{"consent": true}', encoding="utf-8")
    given = [folder / "1.png", "--table", tmp_path / "table.json", "--match", tmp_path / "match.json"]
    result = CliRunner().invoke(main, ["transcribe", *map(str, given), "--events", "/dev/stderr"])
    assert "/dev/stderr has no place beside it, so no pictures are kept" in result.stderr
    assert not list(Path("/dev").glob("*-evidence"))


def test_the_real_recorded_game(shared_dir: Path, transcribe: Transcribe, tmp_path: Path) -> None:
    """Twelve checkers a side, another start, no bar, half-moves, dice replaced by the next roll."""
    photos = shared_dir / "data" / "photos"
    labels = map(json.loads, (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    corners = next(label["corners"] for label in labels if label["image"] == "gallbotond_minta_1.jpg")
    table = {
        "corners": corners,
        "bar": None,
        "checkers": 12,
        "start": "seen",
        "white_home": "bottom-left",
        "dice_zone": "board",
    }
    pictures = [photos / f"gallbotond_minta_{k}.jpg" for k in range(1, 21)]
    result = transcribe(table, *pictures, "-o", tmp_path / "game.mat")
    assert plays(tmp_path) == [
        (Player.WHITE, [3, 2], "17/14 17/15"),
        (Player.BLACK, [4, 3], "24/20 17/14"),
        (Player.WHITE, [2, 1], "24/22 15/14"),
        (Player.BLACK, [2, 1], "17/14"),
        (Player.WHITE, [6, 3], "24/21 14/8"),
        (Player.BLACK, [4, 1], "24/20 6/5"),
    ]
    assert result.exit_code == 1
    assert "game.mat: not written: " in result.stderr
    assert "15 checkers a side, not 12" in result.stderr
    assert not (tmp_path / "game.mat").exists()


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        (["nothing.png"], "nothing.png: there is no such file"),
        (["table.json"], "table.json: not a picture"),
        (["empty"], "empty: there is no picture in this folder"),
    ],
)
def test_what_is_no_recording(sources: list[str], words: str, transcribe: Transcribe, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = transcribe(drawn_table(), *(tmp_path / source for source in sources))
    assert result.exit_code == 1
    assert words in result.stderr
    assert not (tmp_path / "events.jsonl").exists()
