"""Matches and faults before the referee: the comparing without a picture, and two short films of each kind."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from device.bench_referee import Run, read_results, runs
from device.bench_referee_film import Still, club_table, film_clip, film_match, fit_for_a_club
from device.bench_referee_judge import Judged, disturbs, group, judge_clip, judge_match, plays, told
from device.bench_referee_pictures import caption, captioned, differences
from device.bench_referee_table import Row, table
from device.cli import main
from device.errors import DeviceError
from rules import decisions as de
from rules import events as ev
from rules.game import replay
from rules.play import parse_play
from rules.position import START, Player
from rules.rehearsal import moved
from rules.roll import Roll
from vision.settle import Seeing
from vision.synth.film import FilmFrame
from vision.synth.scene import Scene
from vision.synth.story.faults import FAULTS

BEGUN = ev.MatchStarted(at_s=0, length=1, white="White", black="Black")
OPENED = replay([BEGUN, ev.GameStarted(at_s=0, position=START)])
THREE_ONE, SIX_FIVE = Roll(3, 1), Roll(6, 5)
MADE_FIVE = moved(START, Player.WHITE, "8/5 6/5")
LOVERS = moved(MADE_FIVE, Player.BLACK, "24/13")


def rolled(at_s: float, player: Player, roll: Roll) -> ev.Rolled:
    return ev.Rolled(at_s=at_s, player=player, roll=roll)


def played(at_s: float, text: str = "8/5 6/5") -> ev.Played:
    return ev.Played(at_s=at_s, player=Player.WHITE, roll=THREE_ONE, play=parse_play(text), position=MADE_FIVE)


def flagged(at_s: float, verdict: str = "illegal", faults: tuple[str, ...] = ("wrong_distance",)) -> ev.PlayFlagged:
    return ev.PlayFlagged(
        at_s=at_s,
        player=Player.WHITE,
        roll=THREE_ONE,
        verdict=verdict,
        faults=faults,
        explanation="",
        position=MADE_FIVE,
    )


def voided(at_s: float, reason: str = "cocked", player: Player = Player.WHITE) -> ev.RollVoided:
    return ev.RollVoided(at_s=at_s, player=player, reason=reason)


RUNAWAY = ev.Played(at_s=9, player=Player.BLACK, roll=SIX_FIVE, play=parse_play("24/13"), position=LOVERS)
TRUE = [rolled(1, Player.WHITE, THREE_ONE), played(5), rolled(7, Player.BLACK, SIX_FIVE), RUNAWAY]


def test_a_match_that_was_written_down_just_so() -> None:
    later = [replace(event, at_s=event.at_s + 0.5) for event in TRUE]
    judged = judge_match(OPENED, TRUE, later)
    assert judged.misses == []
    assert judged.counts["matches exact"] == judged.counts["results right"] == 1
    assert judged.counts["plays right"] == judged.counts["rolls right"] == judged.counts["turns"] == 2


def test_the_order_of_the_moves_does_not_count() -> None:
    judged = judge_match(OPENED, TRUE, [TRUE[0], played(5, "6/5 8/5"), *TRUE[2:]])
    assert judged.counts["plays right"] == 2


def test_a_roll_misread_and_a_legal_play_called_illegal() -> None:
    read = [rolled(1, Player.WHITE, Roll(3, 2)), flagged(5.4), *TRUE[2:]]
    judged = judge_match(OPENED, TRUE, read)
    assert (judged.counts["plays right"], judged.counts["rolls right"], judged.counts["false illegal"]) == (1, 1, 1)
    assert judged.counts["matches exact"] == 0
    assert [miss.what for miss in judged.misses] == ["plays", "rolls", "false illegal"]
    assert "8/5 6/5" in judged.misses[0].true
    assert "wrong_distance" in judged.misses[0].read
    assert judged.as_json(10.0)["misses"][0]["frame"] == 50


def test_undecided_and_voided_are_counted_apart() -> None:
    read = [voided(1), rolled(2, Player.WHITE, THREE_ONE), flagged(5, "undecided", ()), *TRUE[2:]]
    counts = judge_match(OPENED, TRUE, read).counts
    assert (counts["false void"], counts["false undecided"], counts["false illegal"]) == (1, 1, 0)


def test_a_play_put_right_later_is_exact_and_one_undone_is_gone() -> None:
    right = ev.PlayCorrected(
        at_s=6, player=Player.WHITE, roll=THREE_ONE, play=parse_play("8/5 6/5"), position=MADE_FIVE
    )
    assert plays([flagged(5), right]) == [right]
    assert plays([flagged(5), de.Undone(at_s=6, reason="")]) == []


def test_a_play_too_many_spoils_the_match() -> None:
    judged = judge_match(OPENED, TRUE, [*TRUE, replace(RUNAWAY, at_s=12)])
    assert (judged.counts["plays right"], judged.counts["matches exact"]) == (2, 0)
    assert [miss.what for miss in judged.misses] == ["extra plays"]


def test_a_game_with_another_result() -> None:
    single = ev.GameEnded(at_s=10, winner=Player.WHITE, points=1, win=ev.Win.SINGLE)
    gammon = replace(single, points=2, win=ev.Win.GAMMON)
    judged = judge_match(OPENED, [*TRUE, single], [*TRUE, gammon])
    assert judged.counts["results right"] == 0
    assert judged.misses[-1].what == "result"


def test_an_illegal_play_flagged_as_planned() -> None:
    true = [TRUE[0], flagged(5), *TRUE[2:]]
    judged = judge_clip("wrong_distance", OPENED, true, [replace(e, at_s=e.at_s + 0.4) for e in true], (3, 5))
    assert judged.counts["as planned"] == judged.counts["as planned asked"] == judged.counts["recovered"] == 1
    assert judged.misses == []


def test_other_faults_are_a_miss_but_no_false_alarm() -> None:
    read = [TRUE[0], flagged(5, faults=("point_blocked",)), *TRUE[2:]]
    judged = judge_clip("wrong_distance", OPENED, [TRUE[0], flagged(5), *TRUE[2:]], read, (3, 5))
    assert (judged.counts["as planned"], judged.counts["false illegal"]) == (0, 0)
    assert judged.misses[0].what == "as planned"
    assert "point_blocked" in judged.misses[0].read


@pytest.mark.parametrize("read", [voided(2, "on_checker"), voided(2, player=Player.BLACK), voided(60)])
def test_a_throw_called_for_another_reason_of_another_or_much_later(read: ev.RollVoided) -> None:
    judged = judge_clip("cocked", OPENED, [voided(2), *TRUE], [read, *TRUE], (1, 3))
    assert judged.counts["as planned"] == 0


def test_a_throw_of_the_other_player_was_none_of_his() -> None:
    counts = judge_clip("cocked", OPENED, [voided(2), *TRUE], [voided(2, player=Player.BLACK), *TRUE], (1, 3)).counts
    assert counts["false void"] == 1
    assert judge_clip("cocked", OPENED, [voided(2), *TRUE], [voided(2), *TRUE], (1, 3)).counts["false void"] == 0


def test_a_disturbance_asks_for_silence() -> None:
    assert judge_clip("cup_over_board", OPENED, TRUE, TRUE, (1, 2)).counts["as planned"] == 1
    talks = judge_clip("cup_over_board", OPENED, TRUE, [TRUE[0], voided(2), *TRUE[1:]], (1, 2))
    assert (talks.counts["as planned"], talks.counts["false void"]) == (0, 1)


def test_recovery_forgives_the_first_turn_only() -> None:
    first = judge_clip("bump", OPENED, TRUE, [TRUE[0], flagged(5.2, "undecided", ()), *TRUE[2:]], (2, 3))
    assert first.counts["recovered"] == 1
    second = judge_clip("bump", OPENED, TRUE, TRUE[:3], (2, 3))
    assert second.counts["recovered"] == 0
    assert {miss.what for miss in second.misses} == {"after the fault", "end"}


def test_a_play_put_right_has_to_be_followed() -> None:
    right = ev.PlayCorrected(
        at_s=6, player=Player.WHITE, roll=THREE_ONE, play=parse_play("8/5 6/5"), position=MADE_FIVE
    )
    true = [TRUE[0], flagged(5), right, *TRUE[2:]]
    assert judge_clip("short_play", OPENED, true, true, (3, 5)).counts["followed"] == 1
    deaf = judge_clip("short_play", OPENED, true, [true[0], true[1], *true[3:]], (3, 5))
    assert (deaf.counts["as planned"], deaf.counts["followed"], deaf.counts["followed asked"]) == (1, 0, 1)


def test_every_kind_has_its_group() -> None:
    assert {group(kind) for kind in FAULTS} == {"play", "throw", "cube", "disturbance", "dice and set-up"}
    assert sum(disturbs(kind) for kind in FAULTS) == 6


def test_told_in_a_line() -> None:
    assert told(flagged(5)) == "PlayFlagged white 3-1 illegal wrong_distance"


def test_runs_are_spread_over_all_kinds() -> None:
    wanted = list(runs(2, 3))
    assert len(wanted) == len(set(wanted)) == 2 + 3 * len(FAULTS)
    assert {run.kind for run in wanted[: 1 + len(FAULTS)]} == {"match", *FAULTS}
    assert {Run("match", seed).length for seed in range(30)} >= {1, 2, 3, 7}
    assert 0 < sum(Run("match", seed).every_frame for seed in range(30)) < 6


def test_the_table_counts_all_lines() -> None:
    lines = [
        {"kind": "match", "counts": Counter({"matches": 1, "matches exact": 1, "plays": 50, "plays right": 49})},
        {"kind": "bump", "counts": Counter({"clips": 1, "recovered": 1, "as planned asked": 1})},
        {"kind": "bump", "counts": Counter({"clips": 1, "as planned": 1, "as planned asked": 1})},
    ]
    rows = {row.figure: row for row in table([{**line, "frames": 30, "look_s": 2.0} for line in lines])}
    assert str(rows["matches: plays written exactly"]) == (
        "| matches: plays written exactly | 50 plays | 49 (98.0 %) | 99.9 % |"
    )
    assert rows["disturbance: bump: recovered in a turn"].as_json()["got"] == 1
    assert rows["frames looked at"].value == "15.0 a second"
    assert not any("blackout" in figure for figure in rows)


def test_nothing_was_measured() -> None:
    assert Row("plays", 0, 0, "plays").value == "–"


def test_tables_are_such_as_a_club_has() -> None:
    tables = [club_table(seed) for seed in (0, 1)]
    assert all(fit_for_a_club(one) for one in tables)
    assert tables[0] != tables[1]
    blind = replace(tables[0].sensor, exposure=0.3)
    assert not fit_for_a_club(replace(tables[0], sensor=blind))
    alike = replace(tables[0].checkers, black_bgr=tables[0].checkers.white_bgr)
    assert not fit_for_a_club(replace(tables[0], checkers=alike))


def test_what_was_read_stands_beside_what_is_true() -> None:
    still = Still(FilmFrame(Scene(), 3.0, 4, True, "set up"), None, Seeing.HANDS, covers=True)
    lines = caption(still)
    assert lines[0] == "frame 30, 3.0 s, shot 4: set up"
    assert lines[-1] == "no reading: hands"
    assert not still.right
    assert differences(START, MADE_FIVE) == ["white 5: 0 read as 2", "white 6: 5 read as 4", "white 8: 3 read as 2"]
    picture = captioned(np.zeros((50, 80, 3), np.uint8), lines)
    assert picture.shape[0] > 50
    assert picture[50:].max() > 200


def test_results_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert read_results(file) == {}
    file.write_text("nonsense\n")
    result = CliRunner().invoke(main, ["bench", "referee", "--results", str(file), "--matches", "0", "--clips", "0"])
    assert result.exit_code == 1
    assert "line 1 is no result of this bench" in result.stderr
    with pytest.raises(DeviceError, match="line 1"):
        read_results(file)


def test_what_is_there_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Run] = []

    def make(run: Run, _misses: Path | None) -> dict[str, object]:
        made.append(run)
        return {"kind": run.kind, "seed": run.seed, "frames": 5, "look_s": 1.0, **Judged().as_json(10.0)}

    monkeypatch.setattr("device.bench_referee.made", make)
    file = tmp_path / "new" / "results.jsonl"
    arguments = ["bench", "referee", "--results", str(file), "--matches", "2", "--clips", "0", "--json"]
    told = CliRunner().invoke(main, arguments)
    again = CliRunner().invoke(main, arguments)
    assert [run.seed for run in made] == [0, 1]
    assert len(file.read_text().splitlines()) == 2
    assert json.loads(again.stdout.splitlines()[-1]) == json.loads(told.stdout.splitlines()[-1])
    assert json.loads(told.stdout.splitlines()[-1])["got"] == 10


@pytest.mark.parametrize("seed", [0, 1])
def test_the_beginning_of_a_match(seed: int) -> None:
    filmed = film_match(seed, 1, turns=1)
    judged = judge_match(filmed.begin, filmed.true, filmed.read)
    assert judged.misses == []
    assert judged.counts["plays right"] == judged.counts["rolls right"] == 1
    assert all(still.right for still in filmed.stills if still.covers)


@pytest.mark.parametrize(("kind", "seed"), [("both_dice_playable", 1), ("wrong_half", 1)])
def test_a_clip_of_a_fault(kind: str, seed: int) -> None:
    filmed = film_clip(kind, seed, turns=1, before=0)
    assert filmed.situation is not None
    judged = judge_clip(kind, filmed.begin, filmed.true, filmed.read, filmed.situation)
    assert judged.misses == []
    assert judged.counts["as planned"] == judged.counts["recovered"] == 1
