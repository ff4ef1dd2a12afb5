"""XGID, GNU identifiers and OGID against outside strings, and what they refuse."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from gvformat.ogid import parse_ogid

from rules.codecs.gnubgid import (
    MatchId,
    read_gnuid,
    read_match_id,
    read_position_id,
    write_gnuid,
    write_match_id,
    write_position_id,
)
from rules.codecs.ogid import read_ogid, write_ogid
from rules.codecs.xgid import Xgid, read_board, read_xgid, write_board, write_xgid, xgid_of_position, xgid_of_state
from rules.cube import Cube
from rules.errors import CodecError
from rules.match import MatchState
from rules.position import START, Player, Position, side_of
from rules.roll import Roll

WHITE, BLACK = Player
START_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


def seats_exchanged(what: Xgid) -> Xgid:
    """The same situation with white and black exchanged."""

    def other(player: Player | None) -> Player | None:
        return None if player is None else player.opponent

    return replace(
        what,
        position=Position(what.position.black, what.position.white),
        turn=what.turn.opponent,
        cube=Cube(what.cube.value, other(what.cube.owner), other(what.cube.offered_by)),
        score=(what.score[1], what.score[0]),
    )


def test_outside_strings_in_both_turns(shared_dir: Path) -> None:
    rows = [json.loads(line) for line in (shared_dir / "data/rules/ids.jsonl").read_text().splitlines()]
    assert len(rows) == 59
    assert {read_xgid(row["xgid"]).turn for row in rows} == set(Player)
    for row in rows:
        what = read_xgid(row["xgid"])
        assert write_xgid(what) == row["xgid"]
        on_roll_below = what if what.turn is WHITE else seats_exchanged(what)
        assert write_gnuid(on_roll_below) == row["gnuid_player_on_roll_as_X"]
        assert read_gnuid(row["gnuid_player_on_roll_as_X"]) == on_roll_below


def test_the_start() -> None:
    assert xgid_of_position(START) == START_XGID
    assert read_xgid(START_XGID).position == START
    assert write_position_id(START, WHITE) == write_position_id(START, BLACK) == "4HPwATDgc/ABMA"
    assert write_ogid(Xgid(START, turn=BLACK)) == "11ccccchhhjjjjj:66666888dddddoo:N0N::W::0:0:0:0"
    assert read_ogid("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0").position == START


def test_a_position_id_that_tells_the_blocks_apart() -> None:
    what = read_gnuid("HC/wATDg8+AxAA:cIgUAAAAAAAA")
    assert (what.turn, what.roll, what.cube.owner, what.length) == (WHITE, Roll(5, 1), None, 0)
    assert what.position.white[16] == 2
    assert what.position.black[3] == 3


def test_match_ids_of_the_manual() -> None:
    money = read_match_id("MIEFAAAAAAAA")
    assert (money.cube_exponent, money.owner, money.die_1, money.die_2, money.length) == (0, 3, 3, 1, 0)
    match = read_match_id("8IhuACAACAAE")
    assert (match.length, match.score_0, match.score_1, match.crawford, match.die_1, match.die_2) == (3, 2, 1, 1, 5, 3)
    assert write_match_id(match) == "8IhuACAACAAE"


def test_another_reader_takes_our_ogids(shared_dir: Path) -> None:
    for line in (shared_dir / "data/rules/ids.jsonl").read_text().splitlines():
        what = read_xgid(json.loads(line)["xgid"])
        theirs = parse_ogid(write_ogid(what))
        mine, opp = what.position.side(what.turn), what.position.side(what.turn.opponent)
        assert theirs.on_roll == str(what.turn)[0].upper()
        assert list(theirs.board) == [opp[25], *(mine[p] - opp[25 - p] for p in range(1, 25)), mine[25]]
        assert (theirs.cube_value, theirs.match_length) == (what.cube.value, what.length)
        assert (theirs.score_white, theirs.score_black) == what.score


def test_an_offer_keeps_the_turn_with_the_doubler() -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:2:1:0:5:10"
    what = read_xgid(text)
    assert (what.turn, what.cube, what.roll) == (BLACK, Cube(1, None, BLACK), None)
    assert write_xgid(what) == text
    assert read_gnuid(write_gnuid(what)) == what
    assert read_ogid(write_ogid(what)) == what
    assert write_ogid(what).split(":")[2:6] == ["N0O", "", "B", "D"]


def test_the_xgid_of_a_match() -> None:
    state = MatchState(length=5, score=(4, 2), crawford=True, roll=Roll(3, 1), turn=BLACK)
    assert xgid_of_state(state) == "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:4:2:1:5:10"
    assert xgid_of_state(MatchState()) == START_XGID


def test_crawford_and_after_in_an_ogid() -> None:
    crawford = Xgid(START, score=(4, 2), rules=1, length=5)
    assert write_ogid(crawford).split(":")[8] == "5C"
    assert write_ogid(replace(crawford, rules=0)).split(":")[8] == "5L"
    assert read_ogid(write_ogid(crawford)) == crawford


def test_twelve_checkers() -> None:
    casual = Position(side_of({13: 5, 6: 5, 24: 2}), side_of({13: 5, 6: 5, 24: 2}))
    assert read_xgid(xgid_of_position(casual), (12, 12)).position == casual
    assert write_ogid(Xgid(casual)).endswith(":12")
    assert read_ogid(write_ogid(Xgid(casual))).position == casual
    with pytest.raises(CodecError, match="not 12 and 15"):
        write_ogid(Xgid(Position(casual.white, START.black)))


def test_an_xgid_in_a_line_of_text_and_a_short_one() -> None:
    assert read_xgid(f"see {START_XGID} here").position == START
    assert read_xgid("-b----E-C---eE---c-e----B-:1:-1:1:52").cube == Cube(2, BLACK)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 10 fields after XGID=, separated by colons, got 1"),
        ("XGID=", "expected 10 fields"),
        ("XGID=-b--:0:0:1:00:0:0:0:0:10", "expected 26 characters of position, got 4"),
        (START_XGID.replace("eE", "e?"), "column 19: expected -, A–Z or a–z for place 13, got '?'"),
        (START_XGID.replace(":0:0:1:", ":0:0:2:"), "column 37: expected 1 or -1 as turn, got '2'"),
        (START_XGID.replace(":0:0:1:", ":0:5:1:"), "column 35: expected 1, 0 or -1 as cube owner, got '5'"),
        (START_XGID.replace(":0:0:1:", ":x:0:1:"), "column 33: expected a number as cube, got 'x'"),
        (START_XGID.replace(":0:0:1:", ":99:0:1:"), "column 33: expected a number up to 30 as cube, got '99'"),
        (START_XGID.replace(":00:", ":07:"), "column 39: expected two dice such as 53, 00 or D as dice, got '07'"),
        (START_XGID.replace("E-C", "P-C"), "white has 26 checkers on the board, more than 15"),
        (START_XGID.replace("B-:", "Ba:"), "expected -, A–Z or a–z for place 25, got 'a'"),
    ],
)
def test_no_xgid(text: str, message: str) -> None:
    with pytest.raises(CodecError) as error:
        read_xgid(text)
    assert message in str(error.value)


def test_what_an_xgid_cannot_hold() -> None:
    with pytest.raises(CodecError, match="white's 24 point"):
        write_board(Position(START.white, side_of({1: 2})))
    with pytest.raises(CodecError, match="27 checkers on one point"):
        write_board(Position(side_of({6: 27}), side_of({})))
    with pytest.raises(CodecError, match="a cube at 3"):
        write_xgid(Xgid(START, cube=Cube(3)))
    with pytest.raises(CodecError, match="got 3"):
        read_board("---")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4HPwATDgc/ABMA", "expected a position ID, a colon and a match ID"),
        ("4HPwATDgc/ABM:MIEFAAAAAAAA", "a position ID is 14 characters of base64"),
        ("4HPwATDgc/ABMA:MIEFAAAA", "a match ID is 12 characters of base64, got 8"),
        ("4HPwATDgc/AB!A:MIEFAAAAAAAA", "a position ID is 14 characters of base64"),
        ("/////////////w:MIEFAAAAAAAA", "checkers, more than 15"),
        ("4HPwATDgc/ABMA:" + write_match_id(MatchId(owner=2)), "the cube's owner is 2"),
        ("4HPwATDgc/ABMA:" + write_match_id(MatchId(die_1=7, die_2=1)), "the dice are 7 and 1"),
    ],
)
def test_no_gnu_id(text: str, message: str) -> None:
    with pytest.raises(CodecError) as error:
        read_gnuid(text)
    assert message in str(error.value)


def test_what_gnu_ids_cannot_hold() -> None:
    with pytest.raises(CodecError, match="cannot hold 16 checkers of white"):
        write_position_id(Position(side_of({6: 16}), START.black), WHITE)
    with pytest.raises(CodecError, match="cannot hold 40000 as length"):
        write_match_id(MatchId(length=40000))
    assert read_position_id("4HPwATDgc/ABMA", BLACK) == START


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XGID=x", "expected an OGID"),
        ("11:66:N0N:79:W", "a die shows 1 to 6"),
        ("1111111111111111:66:N0N::W", "white has 16 checkers, more than 15"),
        ("p:66:N0N::W", "white cannot stand on p"),
    ],
)
def test_no_ogid(text: str, message: str) -> None:
    with pytest.raises(CodecError) as error:
        read_ogid(text)
    assert message in str(error.value)
