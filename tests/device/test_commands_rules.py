"""The commands plays, judge, replay and convert, as they are called."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from device.cli import main
from rules.codecs.xgid import read_xgid
from rules.position import Player

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
AFTER = "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:0:10"
SHORT = "XGID=-b---AE-B---eE---c-e----B-:0:0:-1:00:0:0:0:0:10"
MATCH = " 5 point match\n\n Game 1\n Bräune : 0                          Walnut : 0\n"
LEGAL = MATCH + "  1) 31: 8/5 6/5                     65: 24/13\n      Wins 2 points\n"
ILLEGAL = MATCH + "  1) 31: 8/5                         65: 24/13\n      Wins 2 points\n"


def schiri(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def rows(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_plays() -> None:
    result = schiri("plays", START, "--json")
    (answer,) = rows(result)
    assert list(answer) == ["xgid", "player", "roll", "plays"]
    assert (answer["xgid"], answer["player"], answer["roll"]) == (START, "white", [3, 1])
    assert {"play": "8/5 6/5", "xgid": AFTER} in answer["plays"]
    assert len(answer["plays"]) == 16
    assert f"8/5 6/5                     {AFTER}" in schiri("plays", START).stdout.splitlines()


def test_a_dance_is_one_empty_play() -> None:
    closed = "XGID=aBBBBBB-------------------:0:0:-1:66:0:0:0:0:10"
    (answer,) = rows(schiri("plays", closed, "--json"))
    assert answer["plays"] == [{"play": "", "xgid": closed.replace(":-1:66:", ":1:00:")}]
    assert schiri("plays", closed).stdout.startswith("no play")


def test_lists_are_answered_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "list.jsonl"
    file.write_text(f'{{"xgid": "{START}"}}\n\n{{"xgid": "{START}", "checkers": [15, 15]}}\n', encoding="utf-8")
    assert [len(row["plays"]) for row in rows(schiri("plays", "--json", "--list", file))] == [16, 16]
    file.write_text(
        json.dumps({"before": START, "after": AFTER}) + "\n" + json.dumps({"before": START, "after": SHORT})
    )
    result = schiri("judge", "--json", "--list", file)
    assert [row["verdict"] for row in rows(result)] == ["legal", "illegal"]
    assert result.exit_code == 0


def test_checkers_tell_a_missing_one_from_one_borne_off(tmp_path: Path) -> None:
    before = "XGID=---------B--------------b-:0:0:1:21:0:0:0:0:10"
    after = "XGID=-------A----------------b-:0:0:1:00:0:0:0:0:10"
    file = tmp_path / "list.jsonl"
    file.write_text(json.dumps({"before": before, "after": after, "checkers": [2, 2]}) + "\n")
    (answer,) = rows(schiri("judge", "--json", "--list", file))
    assert "bore_off_early" in answer["faults"]
    assert read_xgid(before, (2, 2)).position.total(Player.WHITE) == 2


def test_judge() -> None:
    result = schiri("judge", START, AFTER, "--json")
    assert (result.exit_code, rows(result)[0]["play"]) == (0, "8/5 6/5")
    wrong = schiri("judge", START, SHORT, "--json", "--profile", "ukbgf")
    (answer,) = rows(wrong)
    assert wrong.exit_code == 1
    assert list(answer) == ["verdict", "play", "faults", "clause", "explanation", "legal_plays"]
    assert answer["verdict"] == "illegal"
    assert (answer["play"], answer["faults"], answer["clause"]) == (None, ["both_dice_playable"], "R25")
    assert answer["legal_plays"] == 16
    assert schiri("judge", START, AFTER).stdout == "legal: 8/5 6/5 is legal\n"
    assert schiri("judge", START, SHORT).stdout.startswith("illegal: more numbers of the 3-1 were playable: ")
    assert schiri("judge", START, SHORT).stdout.endswith("(R25)\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["plays"], 2, "give an XGID or --list FILE"),
        (["judge", START], 2, "give two XGIDs"),
        (["plays", "nonsense"], 1, "expected 10 fields"),
        (["plays", START.replace(":31:", ":00:")], 1, "there is no roll to play"),
        (["judge", START.replace(":31:", ":00:"), AFTER], 1, "there is no roll to judge by"),
        (["judge", START, AFTER, "--profile", "x"], 1, "no rule profile 'x'"),
        (["plays", "--list", "nowhere.jsonl"], 1, "nowhere.jsonl: cannot be read"),
        (["replay", "nowhere.mat"], 1, "nowhere.mat: cannot be read"),
        (["replay", "nowhere.doc"], 1, "nowhere.doc: the ending must be one of .mat, .sgf, .txt, .json, .jsonl"),
        (["convert", "a.mat", "b.doc"], 2, "b.doc: the ending must be one of"),
    ],
)
def test_what_is_refused(arguments: list[str], code: int, message: str) -> None:
    result = schiri(*arguments)
    assert result.exit_code == code
    assert message in result.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 1: no JSON"),
        ("[1]", 'line 1: expected an object such as {"xgid": "XGID=…"}'),
        ("{}", 'line 1: expected a text as "xgid"'),
        (json.dumps({"xgid": START, "checkers": [16, 15]}), "line 1: expected two numbers from 1 to 15"),
        (json.dumps({"xgid": "XGID=x"}), "line 1: 'XGID=x': expected 10 fields"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "list.jsonl"
    file.write_text(line + "\n", encoding="utf-8")
    result = schiri("plays", "--json", "--list", file)
    assert (result.exit_code, message in result.stderr, str(file) in result.stderr) == (1, True, True)


def test_replay(tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    file.write_text(LEGAL, encoding="utf-8")
    (answer,) = rows(schiri("replay", file, "--json"))
    assert answer == {
        "file": str(file),
        "length": 5,
        "players": ["Bräune", "Walnut"],
        "score": [2, 0],
        "games": [{"winner": 0, "points": 2, "positions": ["4HPwATDgc/ABMA", "sGfwATDgc/ABMA"]}],
        "illegal": [],
        "warnings": [],
    }
    assert schiri("replay", file).stdout == f"{file}: Bräune 2 – 0 Walnut\n"


def test_replay_tells_of_illegal_plays(tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    file.write_text(ILLEGAL, encoding="utf-8")
    result = schiri("replay", file, "--json")
    assert result.exit_code == 1
    illegal = [{"game": 1, "move": 1, "player": 0, "play": "31: 8/5", "faults": ["both_dice_playable"]}]
    assert rows(result)[0]["illegal"] == illegal
    assert "game 1, move 1: white 31: 8/5: both_dice_playable" in schiri("replay", file).stdout


@pytest.mark.parametrize("text", [LEGAL, ILLEGAL])
def test_convert_there_and_back(tmp_path: Path, text: str) -> None:
    first = tmp_path / "a.mat"
    first.write_text(text, encoding="utf-8")
    for ending in (".json", ".jsonl", ".txt", ".sgf", ".mat"):
        target = tmp_path / f"b{ending}"
        result = schiri("convert", first, target)
        assert result.exit_code == 0, result.stderr
        lossy = ending in (".sgf", ".mat") and text == ILLEGAL
        assert ("holds all of it" in result.stderr) == lossy
        again = rows(schiri("replay", target, "--json"))[0]
        if not lossy:
            assert again["games"] == rows(schiri("replay", first, "--json"))[0]["games"]


def test_events_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    for text, message in (
        ("nonsense\n", "line 1, column 1: no JSON"),
        ("[1]\n", "line 1, column 1: expected an event, got [1]"),
        ('{"type": "Nothing"}\n', "line 1: unknown type of event"),
        ('{"type": "Undone"}\n', "line 1: Undone: at_s: Field required"),
        ('{"type": "Undone", "at_s": 1, "reason": "x"}\n', "Undone cannot follow in phase no_match"),
    ):
        file.write_text(text, encoding="utf-8")
        result = schiri("replay", file)
        assert (result.exit_code, message in result.stderr) == (1, True), result.stderr


def test_an_old_file_in_latin_1_and_a_target_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    file.write_bytes(LEGAL.encode("latin-1"))
    assert rows(schiri("replay", file, "--json"))[0]["players"] == ["Bräune", "Walnut"]
    result = schiri("convert", file, tmp_path / "nowhere" / "b.mat")
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    file.write_text("hello", encoding="utf-8")
    assert f"{file}: line 1, column 1: expected `N point match`" in schiri("replay", file).stderr
