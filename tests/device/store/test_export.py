"""The lines of `--events`, key by key as docs/formats.md has them."""

import json
from dataclasses import replace
from itertools import accumulate

from pydantic import JsonValue

from device.store.export import event_line
from rules import decisions as de
from rules import events as ev
from rules.game import apply
from rules.match import MatchState
from rules.play import Move, Play
from rules.position import START, Player, Position, side_of
from rules.roll import Roll

WHITE, BLACK = Player.WHITE, Player.BLACK
AFTER_31 = replace(START, white=side_of({24: 2, 13: 5, 8: 2, 6: 4, 5: 2}))
WRONG = replace(AFTER_31, black=side_of({24: 1, 23: 1, 13: 5, 8: 3, 6: 5}))
GAME = (
    ev.MatchStarted(at_s=0.0, length=7, white="Ivory", black="Walnut"),
    ev.GameStarted(at_s=1.0, position=START),
    ev.RollVoided(at_s=2.0, player=None, reason="opening_tie"),
    ev.Rolled(at_s=3.0, player=None, roll=Roll(3, 1)),
    ev.Played(
        at_s=4.0,
        player=WHITE,
        roll=Roll(3, 1),
        play=Play((Move(8, 5), Move(6, 5))),
        position=AFTER_31,
        evidence=("a.jpg",),
    ),
    ev.Rolled(at_s=5.0, player=BLACK, roll=Roll(2, 6)),
    ev.PlayFlagged(
        at_s=6.0,
        player=BLACK,
        roll=Roll(6, 2),
        verdict="illegal",
        faults=("wrong_distance",),
        explanation="24/23 is one pip",
        position=WRONG,
    ),
    ev.CubeOffered(at_s=7.0, player=WHITE, value=2),
    ev.CubeDropped(at_s=8.0, player=BLACK),
    ev.GameEnded(at_s=9.0, winner=WHITE, points=1, win=ev.Win.SINGLE),
    ev.Noted(at_s=10.0, key="camera_lost", text="the camera is gone"),
)


def lines(*events: ev.Event) -> list[dict[str, JsonValue]]:
    """The lines of events that follow one another, as JSON gives them back."""
    states = list(accumulate(events, apply, initial=MatchState()))[1:]
    return [json.loads(json.dumps(event_line(k, *one))) for k, one in enumerate(zip(events, states, strict=True), 1)]


def test_a_play_has_every_key_of_the_contract() -> None:
    assert lines(*GAME)[4] == {
        "seq": 5,
        "at_s": 4.0,
        "type": "Played",
        "player": "white",
        "roll": [3, 1],
        "play": "8/5 6/5",
        "verdict": "legal",
        "faults": [],
        "position": "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:7:10",
        "evidence": ["a.jpg"],
    }


def test_an_illegal_play_names_its_faults_and_what_lies_there() -> None:
    line = lines(*GAME)[6]
    assert (line["verdict"], line["faults"], line["roll"]) == ("illegal", ["wrong_distance"], [6, 2])
    assert line["explanation"] == "24/23 is one pip"
    assert "play" not in line
    assert str(line["position"]).startswith("XGID=-aa--BD-B---eE---c-e----B-:")


def test_what_does_not_apply_is_left_out() -> None:
    seen = lines(*GAME)
    assert seen[3].keys() == {"seq", "at_s", "type", "roll", "position"}
    assert seen[2].keys() == {"seq", "at_s", "type", "reason", "position"}
    assert seen[7].keys() == {"seq", "at_s", "type", "player", "value", "position"}
    assert seen[9] == {"seq": 10, "at_s": 9.0, "type": "GameEnded", "winner": "white", "points": 1, "win": "single"}
    assert seen[10].keys() == {"seq", "at_s", "type", "key", "text"}


def test_a_dance_is_an_empty_play() -> None:
    dance = ev.Played(at_s=0.0, player=BLACK, roll=Roll(6, 6), play=Play(), position=START)
    assert event_line(1, dance, MatchState())["play"] == ""


def test_a_position_that_no_xgid_holds_is_left_out() -> None:
    crowded = Position(white=side_of({6: 15}), black=side_of({19: 15}))
    event = ev.Recovered(at_s=0.0, position=crowded, turn=None, reason="confusion")
    assert "position" not in event_line(1, event, MatchState(position=crowded))


def test_a_decision_says_whose_it_is_and_nothing_that_is_not_its_own() -> None:
    decisions = (
        *GAME[:2],
        de.PenaltyGiven(at_s=2.0, player=BLACK, points=1, reason="slow"),
        de.ResignationOffered(at_s=3.0, player=BLACK, win=ev.Win.GAMMON, evidence=("b.jpg",)),
        de.ScoreCorrected(at_s=4.0, score=(3, 2), reason="director"),
        de.MatchConceded(at_s=5.0, player=BLACK),
        de.ResultOfficial(at_s=6.0),
    )
    told = lines(*decisions)[2:]
    assert told == [
        {"seq": 3, "at_s": 2.0, "type": "PenaltyGiven", "player": "black", "points": 1, "reason": "slow"},
        {
            "seq": 4,
            "at_s": 3.0,
            "type": "ResignationOffered",
            "player": "black",
            "win": "gammon",
            "evidence": ["b.jpg"],
        },
        {"seq": 5, "at_s": 4.0, "type": "ScoreCorrected", "score": [3, 2], "reason": "director"},
        {"seq": 6, "at_s": 5.0, "type": "MatchConceded", "player": "black"},
        {"seq": 7, "at_s": 6.0, "type": "ResultOfficial"},
    ]


def test_a_decision_that_changes_board_or_cube_shows_them() -> None:
    decisions = (
        *GAME[:7],
        de.SetupCorrected(at_s=7.0, position=AFTER_31),
        de.CubeCorrected(at_s=8.0, value=2, owner=None, reason="R30"),
        de.Undone(at_s=9.0, reason="director"),
    )
    setup, cube, undone = lines(*decisions)[7:]
    after_31 = "XGID=-b---BD-B---eE---c-e----B-"
    assert setup["position"] == f"{after_31}:0:0:1:00:0:0:0:7:10"
    assert cube == {
        "seq": 9,
        "at_s": 8.0,
        "type": "CubeCorrected",
        "value": 2,
        "reason": "R30",
        "position": f"{after_31}:1:0:1:00:0:0:0:7:10",
    }
    assert undone["position"] == f"{after_31}:0:0:-1:00:0:0:0:7:10"
