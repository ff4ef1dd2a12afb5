"""Faults of the drawn table: each on request, each what the rules say it is."""

import random
from collections import Counter

import pytest

from rules import decisions as de
from rules import events as ev
from rules.game import apply, replay
from rules.position import BAR, CHECKERS, OFF, START, Player
from rules.roll import Roll
from rules.ruling import judge
from vision.synth.film import Film, FilmFrame
from vision.synth.scene import Prop
from vision.synth.story.faults import FAULTS, TROUBLES, FaultError
from vision.synth.story.places import CENTRED_FACE
from vision.synth.story.plan import Evening, Plan, Wanted
from vision.synth.story.play_faults import NEVER_ALONE, PLAY_FAULTS, faulty_play, forcing_roll
from vision.synth.story.shot import Deed, Shot
from vision.synth.story.throw_faults import INVALID, REASONS

ALL = tuple(Wanted(kind) for kind in FAULTS)
SEED = 20
BEGIN = ev.MatchStarted(at_s=0, length=1, white="White", black="Black")


@pytest.mark.parametrize("wanted", ["both_dice_playable", "wrong_distance", "wrong_direction"])
def test_a_wrong_play_has_the_wanted_fault_and_no_other(wanted: str) -> None:
    found = faulty_play(START, Player.WHITE, Roll(6, 5), wanted, random.Random(1))
    assert found is not None
    after, ruling = found
    assert ruling.faults.keys() == (wanted,)
    assert judge(START, Player.WHITE, Roll(6, 5), after) == ruling


def test_a_fault_that_cannot_happen_yet_waits() -> None:
    for wanted in ("bar_not_entered", "off_returned", "bore_off_from_lower", "higher_die_playable"):
        assert faulty_play(START, Player.WHITE, Roll(6, 5), wanted, random.Random(1)) is None
    assert forcing_roll(START, Player.WHITE) is None


@pytest.fixture(scope="module")
def evening() -> list[Shot]:
    """One game in which everything goes wrong."""
    made = Evening(Plan(SEED, length=1, faults=ALL))
    shots = list(made.shots())
    assert made.wanted == []
    return shots


@pytest.fixture(scope="module")
def frames() -> list[FilmFrame]:
    return list(Film(Plan(SEED, length=1, faults=ALL), fps=3).frames())


def situations(shots: list[Shot]) -> list[str]:
    """The kinds in the order in which they begin."""
    found: list[str] = []
    last = None
    for shot in shots:
        if shot.situation is not None and shot.situation != last:
            found.append(shot.situation.kind)
        last = shot.situation
    return found


def of(shots: list[Shot], kind: str) -> list[Shot]:
    return [shot for shot in shots if shot.situation is not None and shot.situation.kind == kind]


def test_an_evening_shows_each_fault_once(evening: list[Shot]) -> None:
    assert Counter(situations(evening)) == Counter(FAULTS)


def test_its_events_name_plays_and_throws(evening: list[Shot]) -> None:
    events = [event for shot in evening for event in shot.events]
    flagged = Counter(event.faults[-1] for event in events if isinstance(event, ev.PlayFlagged) and event.faults)
    assert flagged == Counter([*PLAY_FAULTS, "both_dice_playable", *["checker_count"] * 2])
    assert [event.verdict for event in events if isinstance(event, ev.PlayFlagged)].count("undecided") == 1
    voided = Counter(event.reason for event in events if isinstance(event, ev.RollVoided))
    assert voided - Counter(opening_tie=9) == Counter([*(REASONS.get(k, k) for k in INVALID), "premature_roll"])
    decided = Counter(type(event) for event in events)
    assert (decided[ev.PlayCorrected], decided[de.CheckerFound], decided[de.SetupCorrected]) == (3, 1, 1)


def test_its_events_are_a_match(evening: list[Shot]) -> None:
    state = replay([BEGIN, *(event for shot in evening for event in shot.events)])
    assert max(state.score) >= 1
    assert not any(shot.situation for shot in evening[-2:])


def test_each_wrong_play_is_judged_so(evening: list[Shot]) -> None:
    state, roll = replay([BEGIN]), None
    for event in (event for shot in evening for event in shot.events):
        if isinstance(event, ev.Rolled):
            roll = event.roll
        if isinstance(event, ev.PlayFlagged) and event.verdict == "illegal":
            assert roll is not None
            assert judge(state.position, event.player, roll, event.position).faults.keys() == event.faults
        state = apply(state, event)


def test_checkers_are_lost_only_where_one_is_to_be_lost(frames: list[FilmFrame]) -> None:
    for frame in frames:
        for player in Player:
            loose = sum(one.player is player for one in frame.scene.loose)
            assert frame.scene.position.total(player) + loose == CHECKERS


def test_what_only_passes_over_the_board_is_over_with_its_deed(frames: list[FilmFrame]) -> None:
    for kind in ("spectator_finger", "head_over_board", "cup_shaken"):
        during = [frame for frame in frames if frame.situation is not None and frame.situation.kind == kind]
        assert during
        assert not any(frame.settled for frame in during)


def test_the_scenes_show_it(evening: list[Shot]) -> None:
    """What is asked of each kind in turn; how it looks is another test."""

    def still(kind: str) -> Shot:
        return of(evening, kind)[-1]

    assert len(still("one_die").scene.dice) == 1
    assert len(still("one_die_lifted").scene.dice) == 1
    early = Counter(die.player for die in of(evening, "early_roll")[0].scene.dice)
    assert early == {Player.WHITE: 2, Player.BLACK: 2}
    assert any(die.tilt_rad > 0.3 for die in still("cocked").scene.dice)
    assert any(die.z_mm > 10 for die in still("die_on_die").scene.dice)
    assert len(still("lost_checker").scene.loose) == len(still("between_points").scene.loose) == 1
    assert still("wrong_start").scene.position != START
    assert still("wrong_cube").scene.cube.value not in (CENTRED_FACE, 1)
    assert any(still("bump").scene.bump)
    assert still("blackout").scene.light == 0
    assert len(still("cup_over_board").scene.things) == 2
    assert still("hand_left_on_board").scene.hands
    offered = {kind: still(kind).scene.cube for kind in ("cube_after_roll", "cube_by_wrong_player", "cube_skipped")}
    assert all(0 < cube.xy[0] < 1 for cube in offered.values())
    assert still("cube_after_roll").scene.dice
    deeds = {kind: {act.deed for shot in of(evening, kind) for act in shot.acts} for kind in FAULTS}
    assert Deed.TOUCH_DICE in deeds["touched_die"]
    assert Deed.KNOCK_DIE in deeds["knocked_die"]
    assert deeds["cup_shaken"] == {Deed.SHAKE_CUP}
    assert deeds["spectator_finger"] == {Deed.POINT}
    assert deeds["head_over_board"] == {Deed.LEAN_IN}


def test_a_shaken_cup_is_in_the_truth_and_the_throw_comes_from_it(evening: list[Shot], frames: list[FilmFrame]) -> None:
    shaken = of(evening, "cup_shaken")[0]
    thrown = evening[evening.index(shaken) + 1]
    assert Deed.POUR in {act.deed for act in thrown.acts}
    assert any(isinstance(event, ev.Rolled) for event in thrown.events)
    during = [frame for frame in frames if frame.situation is not None and frame.situation.kind == "cup_shaken"]
    cups = [{thing.xy for thing in frame.scene.things if thing.prop is Prop.CUP} for frame in during]
    assert all(len(places) <= 1 for places in cups)
    assert len(set.union(*cups)) > 3
    assert not any(thing.prop is Prop.CUP for thing in shaken.scene.things)


def test_a_hit_checker_in_the_tray_comes_back_to_the_bar(evening: list[Shot]) -> None:
    wrong = of(evening, "hit_into_tray")[-1]
    (flag,) = (event for event in wrong.events if isinstance(event, ev.PlayFlagged))
    right = next(
        event
        for shot in evening[evening.index(wrong) :]
        for event in shot.events
        if isinstance(event, ev.PlayCorrected)
    )
    hit = flag.player.opponent
    assert flag.faults == ("checker_count",)
    assert flag.position.count(hit, OFF) == right.position.count(hit, OFF) + 1
    assert flag.position.count(hit, BAR) == right.position.count(hit, BAR) - 1


def test_a_forgotten_cube_still_lies_in_mid_field_when_the_dice_lie(evening: list[Shot]) -> None:
    forgotten = of(evening, "cube_forgotten")
    assert any(isinstance(event, ev.CubeTaken) for event in forgotten[0].events)
    assert any(isinstance(event, ev.Rolled) for event in forgotten[-1].events)
    assert forgotten[-1].scene.dice
    assert all(0 < shot.scene.cube.xy[0] < 1 for shot in forgotten)
    after = evening[evening.index(forgotten[-1]) + 1].scene.cube
    assert after.xy != forgotten[-1].scene.cube.xy
    assert after.value == forgotten[-1].scene.cube.value


def test_a_fault_waits_for_its_turn() -> None:
    shots = list(Evening(Plan(SEED, length=1, faults=(Wanted("bump", turn=6),))).shots())
    before = shots[: shots.index(of(shots, "bump")[0])]
    assert sum(isinstance(event, ev.Rolled) for shot in before for event in shot.events) == 6


def test_an_unknown_fault_is_refused_with_those_there_are() -> None:
    with pytest.raises(FaultError, match=r"coked: no fault that can be drawn; there are bar_not_entered, .*cocked"):
        Evening(Plan(faults=(Wanted("coked"),)))


def test_a_match_that_is_told_has_no_room_for_what_changes_it() -> None:
    for kind in FAULTS:
        plan = Plan(faults=(Wanted(kind),), told=(BEGIN,))
        if TROUBLES[kind].changes_course:
            with pytest.raises(FaultError, match=f"{kind}: would change the match"):
                Evening(plan)
        else:
            Evening(plan)


def test_no_fault_unless_asked_for() -> None:
    shots = list(Evening(Plan(SEED, length=1)).shots())
    assert situations(shots) == []
    assert not any(isinstance(event, ev.PlayFlagged) for shot in shots for event in shot.events)
    assert len(set(FAULTS)) == len(FAULTS)
    assert set(NEVER_ALONE) < set(PLAY_FAULTS) < set(FAULTS)
