from __future__ import annotations

from dataclasses import replace

import pytest

from rules.cube import Cube
from rules.events import Role, Win
from rules.match import GameRecord, MatchState, Phase, TurnRecord
from rules.play import Move, Play
from rules.position import START, Player, Position, side_of
from rules.roll import Roll
from webui.ports import Snapshot
from webui.present import RoomView, room_view

W, B = Player.WHITE, Player.BLACK
MATCH = MatchState(
    length=7,
    names=("Ivory", "Walnut"),
    score=(2, 5),
    phase=Phase.TO_PLAY,
    turn=B,
    roll=Roll(6, 3),
    games=(GameRecord(4, (2, 5), START),),
)


def room(state: MatchState) -> RoomView:
    return room_view(Snapshot(version=9, state=state, status="watching", healthy=True))


def test_the_facts_of_the_match_are_there() -> None:
    view = room(MATCH)
    assert (view.version, view.title, view.length, view.game) == (9, "Ivory 2 – 5 Walnut", "Match to 7", "Game 4")
    assert (view.white.name, view.white.score, view.black.name, view.black.score) == ("Ivory", 2, "Walnut", 5)
    assert room(replace(MATCH, length=0)).length == "Money play"


@pytest.mark.parametrize(
    ("change", "said", "on_turn"),
    [
        ({}, "Walnut to play 6-3", "Walnut"),
        ({"phase": Phase.TO_ROLL, "roll": None}, "Walnut to roll", "Walnut"),
        ({"phase": Phase.TO_ROLL, "roll": None, "turn": None}, "Waiting for a roll", ""),
        ({"phase": Phase.OPENING, "roll": None, "turn": None}, "Opening roll", ""),
        ({"turn": None}, "Opening roll 6-3", ""),
        ({"phase": Phase.CUBE_OFFERED, "roll": None, "cube": Cube(2, B, B)}, "Walnut doubles to 4", "Ivory"),
        ({"phase": Phase.MATCH_OVER, "turn": None, "score": (3, 7)}, "Walnut wins the match", ""),
        ({"phase": Phase.MATCH_OVER, "turn": None, "conceded_by": B}, "Ivory wins the match", ""),
        ({"resignation": (W, Win.GAMMON)}, "Ivory offers to resign a gammon", "Walnut"),
        ({"phase": Phase.NO_MATCH, "turn": None}, "Waiting for a match", ""),
        ({"phase": Phase.BETWEEN_GAMES, "turn": None}, "The next game is being set up", ""),
    ],
)
def test_whose_turn_it_is(change: dict[str, object], said: str, on_turn: str) -> None:
    view = room(replace(MATCH, **change))  # type: ignore[arg-type]
    assert view.said == said
    assert [p.name for p in (view.white, view.black) if p.on_turn] == ([on_turn] if on_turn else [])


@pytest.mark.parametrize(
    ("win", "points", "said"),
    [
        (Win.SINGLE, 1, "Ivory wins the game, 1 point"),
        (Win.GAMMON, 4, "Ivory wins a gammon, 4 points"),
        (Win.BACKGAMMON, 3, "Ivory wins a backgammon, 3 points"),
    ],
)
def test_how_a_game_ended(win: Win, points: int, said: str) -> None:
    game = GameRecord(4, (2, 5), START, winner=W, points=points, win=win)
    view = room(replace(MATCH, phase=Phase.BETWEEN_GAMES, turn=None, games=(game,)))
    assert (view.said, view.over, view.announce) == (said, True, True)


@pytest.mark.parametrize(
    ("cube", "text"),
    [
        (Cube(), "Cube 1, in the middle"),
        (Cube(4, W), "Cube 4, owned by Ivory"),
    ],
)
def test_where_the_cube_is(cube: Cube, text: str) -> None:
    assert room(replace(MATCH, cube=cube)).cube_text == text
    assert text in room(replace(MATCH, cube=cube)).board_text


def test_the_crawford_game_has_no_cube() -> None:
    view = room(replace(MATCH, crawford=True))
    assert view.crawford
    assert view.board.cube.resting
    assert view.cube_text == "No cube in the Crawford game"


def with_turns(role: Role, *turns: TurnRecord) -> RoomView:
    return room(replace(MATCH, role=role, games=(GameRecord(4, (2, 5), START, turns=turns),)))


LEGAL = TurnRecord(W, Roll(3, 1), Play((Move(8, 5), Move(6, 5))))
WRONG_POSITION = Position(white=START.white, black=side_of({24: 2, 13: 4, 9: 1, 8: 3, 6: 5}))
WRONG = TurnRecord(B, Roll(6, 3), None, WRONG_POSITION, verdict="illegal", faults=("wrong_distance",))


def test_the_last_plays_come_newest_first() -> None:
    plays = with_turns(Role.RECORDER, LEGAL, TurnRecord(B, Roll(6, 6), Play())).plays
    assert [(p.name, p.roll, p.text) for p in plays] == [("Walnut", "6-6", "no move"), ("Ivory", "3-1", "8/5 6/5")]


def test_only_the_last_eight_plays_are_shown() -> None:
    assert len(with_turns(Role.RECORDER, *[LEGAL] * 30).plays) == 8


def test_a_recorder_shows_the_room_a_flagged_play_like_any_other() -> None:
    flagged = with_turns(Role.RECORDER, WRONG).plays[0]
    clean = with_turns(Role.RECORDER, replace(WRONG, verdict="legal", faults=())).plays[0]
    assert flagged == clean
    assert (flagged.text, flagged.remark) == ("13/9", "")


@pytest.mark.parametrize("role", [Role.REFEREE, Role.PRACTICE])
def test_a_referee_and_a_teacher_say_it(role: Role) -> None:
    assert with_turns(role, WRONG).plays[0].remark == "not a legal play"
    assert with_turns(role, replace(WRONG, verdict="undecided")).plays[0].remark == "unclear"
    assert with_turns(role, LEGAL).plays[0].remark == ""


def test_a_flagged_play_is_read_from_the_position_before_it() -> None:
    before = replace(LEGAL, position=Position(white=side_of({24: 2, 13: 5, 8: 2, 6: 4, 5: 2}), black=START.black))
    after = Position(white=before.position.white if before.position else (), black=WRONG_POSITION.black)
    assert with_turns(Role.REFEREE, before, replace(WRONG, position=after)).plays[0].text == "13/9"


def test_cube_actions_are_plays_of_the_record() -> None:
    plays = with_turns(
        Role.RECORDER, TurnRecord(W, cube="doubles", value=2), TurnRecord(B, cube="takes", value=2)
    ).plays
    assert [p.text for p in plays] == ["takes", "doubles to 2"]


def test_the_board_is_told_in_words_without_pip_counts() -> None:
    text = room(MATCH).board_text
    assert "Ivory, white: 2 on 24, 5 on 13, 3 on 8, 5 on 6." in text
    assert "167" not in text
