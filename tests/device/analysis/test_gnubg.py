"""What the real gnubg says, through our adapter."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from device.analysis.evaluator import CubeChoice, EngineRefusedError
from device.analysis.gnubg import Gnubg, as_white
from rules.codecs.mat_read import read_mat
from rules.codecs.xgid import read_xgid
from rules.cube import Cube
from rules.match import MatchState
from rules.movegen import legal_plays
from rules.position import START, Player, Position
from rules.roll import Roll
from rules.transcript import play_through

OPENING = read_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
RACE = read_xgid("XGID=-BBBBBC------------cbbbbb-:0:0:1:00:0:0:0:7:10")
SHORT = """ 1 point match

 Game 1
 Ivory : 0                           Walnut : 0
  1) 31: 8/5 6/5                      64: 24/14
  2) 52: 13/8 24/22                   33: 24/21 13/10(2) 14/11
"""


def test_all_legal_plays_are_ranked_once_with_the_best_first(engine: Gnubg) -> None:
    for where in (OPENING, replace(OPENING, turn=Player.BLACK), replace(OPENING, roll=Roll(4, 4))):
        assert where.roll is not None
        ranked = engine.plays(where)
        assert [one.equity for one in ranked] == sorted((one.equity for one in ranked), reverse=True)
        legal = {play.after for play in legal_plays(where.position, where.turn, where.roll)}
        assert {one.after for one in ranked} == legal
        assert len(ranked) == len(legal)


def test_the_other_sides_turn_is_the_same_seen_from_there(engine: Gnubg) -> None:
    black = replace(OPENING, turn=Player.BLACK, score=(2, 5), cube=Cube(2, Player.WHITE))
    assert [one.play for one in engine.plays(black)] == [one.play for one in engine.plays(as_white(black))]
    assert as_white(black).score == (5, 2)
    assert as_white(black).cube == Cube(2, Player.BLACK)


def test_a_cached_hint_does_not_answer_for_another_depth(engine: Gnubg) -> None:
    six_four = replace(OPENING, roll=Roll(6, 4))
    shallow, deep = engine.plays(six_four, 0), engine.plays(six_four, 2)
    assert {one.plies for one in shallow} == {0}
    assert deep[0].plies == 2
    assert engine.plays(six_four, 0) == shallow


def test_the_score_and_the_cube_change_what_is_right(engine: Gnubg) -> None:
    doubtful = engine.cube(RACE)
    last = engine.cube(replace(RACE, length=0))
    assert doubtful != last
    assert doubtful.drop == pytest.approx(1.0)
    assert engine.cube(replace(RACE, roll=Roll(3, 1))) == doubtful


def test_a_position_that_the_engine_would_not_take_is_refused_not_kept(engine: Gnubg) -> None:
    engine.plays(OPENING)
    wrong = replace(OPENING, position=Position(START.white, (15, *([0] * 25))))
    with pytest.raises(EngineRefusedError, match="borne off everything"):
        engine.plays(wrong)
    with pytest.raises(EngineRefusedError, match="the match is over"):
        engine.plays(replace(OPENING, score=(7, 0)))
    with pytest.raises(EngineRefusedError, match="no roll"):
        engine.plays(replace(OPENING, roll=None))
    assert engine.plays(OPENING)[0].play == "8/5 6/5"


def test_luck_is_a_rolls_worth_against_the_average(engine: Gnubg) -> None:
    rolls = [Roll(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    lucks = [engine.luck(replace(OPENING, roll=roll)) for roll in rolls]
    weighed = sum(luck * (1 if roll.is_double else 2) for luck, roll in zip(lucks, rolls, strict=True))
    assert weighed == pytest.approx(0, abs=1e-5)
    assert max(lucks) > 0.2


def played(text: str) -> MatchState:
    return play_through(read_mat(text)).state


def test_a_match_is_told_turn_by_turn_with_gnubgs_own_tally(engine: Gnubg) -> None:
    heard: list[tuple[int, int]] = []
    analysis = engine.match(played(SHORT), lambda done, of: heard.append((done, of)))
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)]
    plays = [one for one in analysis.decisions if one.kind == "checker"]
    assert [one.done for one in plays] == ["8/5 6/5", "24/14", "24/22 13/8", "24/21 14/11 13/10(2)"]
    assert plays[0].best == "8/5 6/5"
    assert plays[0].rank == 1
    for side, tally in zip(Player, analysis.tallies, strict=True):
        mine = [one for one in plays if one.player is side]
        assert sum(one.cost for one in mine) == pytest.approx(tally.checker_error, abs=1e-5)
        assert sum(one.counts for one in mine) == tally.unforced
        assert sum(one.luck for one in mine) == pytest.approx(tally.luck, abs=1e-5)
    assert json.dumps(plays[1].xgid) == '"XGID=-b---BD-B---eE---c-e----B-:0:0:-1:64:0:0:0:1:10"'


@pytest.mark.parametrize(
    ("choice", "double", "takes", "costs"),
    [
        (CubeChoice(0.5, 0.6, 1.0), True, True, (0.0, 0.1, 0.0, 0.4)),  # double, take
        (CubeChoice(0.5, 0.4, 1.0), False, True, (0.1, 0.0, 0.0, 0.6)),  # no double, take
        (CubeChoice(0.9, 1.2, 1.0), True, False, (0.0, 0.1, 0.2, 0.0)),  # double, drop
        (CubeChoice(1.1, 1.2, 1.0), False, False, (0.1, 0.0, 0.2, 0.0)),  # too good
    ],
)
def test_a_cube_choice_says_what_each_side_loses(
    choice: CubeChoice, double: bool, takes: bool, costs: tuple[float, float, float, float]
) -> None:
    assert (choice.double, choice.takes) == (double, takes)
    found = (
        choice.cost(doubled=True),
        choice.cost(doubled=False),
        choice.answer_cost(taken=True),
        choice.answer_cost(taken=False),
    )
    assert found == pytest.approx(costs)
