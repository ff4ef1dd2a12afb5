"""A match as lines of events: what is written is read back."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.cli import main
from device.errors import DeviceError
from device.event_files import read_events, write_events
from rules import decisions as de
from rules import events as ev
from rules.codecs.mat_read import read_mat
from rules.events import Event, Win
from rules.game import replay
from rules.match import MatchState
from rules.play import Move, Play, parse_play
from rules.position import START, Player, Position, side_of
from rules.roll import Roll
from rules.transcript import PlayedThrough, moved, play_through

WHITE, BLACK = Player


def round_trip(*events: Event) -> MatchState:
    played = PlayedThrough(events, replay(events), (), ())
    text = write_events(events)
    again = read_events(text)
    assert again.state == played.state
    assert again.events == events
    assert [json.loads(line)["seq"] for line in text.splitlines()] == list(range(1, len(events) + 1))
    return again.state


def started(**given: int) -> tuple[Event, Event]:
    start = Position(side_of({24: 2, 13: 5, 6: 5}), side_of({24: 2, 13: 5, 6: 5})) if given else START
    head = ev.MatchStarted(at_s=0.5, length=5, white="Bräune", black="B", **given)
    return head, ev.GameStarted(at_s=1, position=start, evidence=("a.jpg",))


def test_matches_that_people_played(shared_dir: Path) -> None:
    for file in sorted((shared_dir / "data/matches/selfplay").glob("*.mat"))[:3]:
        played = play_through(read_mat(file.read_text(encoding="utf-8")))
        again = read_events(write_events(played.events))
        assert (again.state, again.illegal) == (played.state, ())


def test_twelve_checkers_and_nobodys_roll() -> None:
    state = round_trip(*started(checkers=12), ev.Rolled(at_s=2, player=None, roll=Roll(2, 1)))
    assert state.position.total(WHITE) == 12


def test_positions_that_no_xgid_can_hold() -> None:
    play = parse_play("8/5 6/5")
    both = Position(moved(START, WHITE, play).white, side_of({20: 1, 24: 2, 13: 4, 8: 3, 6: 5}))
    flagged = ev.PlayFlagged(
        at_s=2,
        player=WHITE,
        roll=Roll(3, 1),
        verdict="illegal",
        faults=("hit_not_on_bar",),
        explanation="x",
        position=both,
    )
    assert both.problems()
    assert round_trip(*started(), ev.Rolled(at_s=1, player=WHITE, roll=Roll(3, 1)), flagged).position == both
    short = Position(side_of({24: 1, 13: 5, 8: 3, 6: 5}), START.black)
    lost = ev.Recovered(at_s=2, position=short, turn=None, reason="x")
    assert round_trip(*started(), lost).position.total(WHITE) == 14


def test_every_decision() -> None:
    play = parse_play("8/5 6/5")
    after = moved(START, WHITE, play)
    opened = (
        ev.Rolled(at_s=2, player=WHITE, roll=Roll(3, 1)),
        ev.Played(at_s=3, player=WHITE, roll=Roll(3, 1), play=play, position=after),
    )
    round_trip(
        *started(),
        *opened,
        de.PlayStands(at_s=4, player=WHITE),
        de.CubeCorrected(at_s=4, value=2, owner=None, reason="R30"),
        de.SetupCorrected(at_s=4, position=START, evidence=("b.jpg",)),
        de.PenaltyGiven(at_s=4, player=WHITE, points=1, reason="slow"),
        de.ResignationOffered(at_s=5, player=BLACK, win=Win.GAMMON),
        de.ResignationRefused(at_s=6, player=WHITE),
        de.Undone(at_s=6, reason="x"),
        *opened,
        de.ScoreCorrected(at_s=7, score=(3, 2), reason="director"),
        de.MatchConceded(at_s=8, player=WHITE),
        de.ResultOfficial(at_s=9),
    )


def test_a_corrected_play_of_joined_steps() -> None:
    wrong = moved(START, WHITE, parse_play("24/21"))
    right = Play((Move(24, 21), Move(21, 20)))
    round_trip(
        *started(),
        ev.Rolled(at_s=2, player=WHITE, roll=Roll(3, 1)),
        ev.PlayFlagged(
            at_s=3,
            player=WHITE,
            roll=Roll(3, 1),
            verdict="illegal",
            faults=("both_dice_playable",),
            explanation="x",
            position=wrong,
        ),
        ev.PlayCorrected(at_s=4, player=WHITE, roll=Roll(3, 1), play=right, position=moved(START, WHITE, right)),
    )


def test_a_12_checker_record_becomes_no_mat(tmp_path: Path) -> None:
    events = started(checkers=12)
    file = tmp_path / "a.jsonl"
    file.write_text(write_events(events), encoding="utf-8")
    result = CliRunner().invoke(main, ["convert", str(file), str(tmp_path / "a.mat")])
    assert result.exit_code == 1
    assert "15 checkers a side, not 12" in result.stderr


def test_a_line_that_is_no_event() -> None:
    with pytest.raises(DeviceError, match="line 1: Rolled: roll"):
        read_events('{"type": "Rolled", "at_s": 1, "player": "white", "roll": [7]}\n')
    with pytest.raises(DeviceError, match="line 1: 'x'"):
        read_events('{"type": "GameStarted", "at_s": 1, "position": "x"}\n')
