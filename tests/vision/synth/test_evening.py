"""The drawn evening: legal games decided by a seed, with all that people do between the plays."""

from collections import Counter
from itertools import islice, pairwise

import pytest

from calibration.orientation import Home
from rules import decisions as de
from rules import events as ev
from rules.events import Event
from rules.game import replay
from rules.movegen import legal_plays
from rules.position import CHECKERS, OFF, START, Player
from rules.roll import Roll
from vision.synth.story.places import CENTRED_FACE
from vision.synth.story.plan import Evening, Plan
from vision.synth.story.shot import Deed, Done, Shot
from vision.synth.table import Table

BEGIN = ev.MatchStarted(at_s=0, length=3, white="White", black="Black")
SOME_GIVE_UP = (8, 20, 36)
ONLY_ON_REQUEST = {
    *(Deed.TOUCH_DICE, Deed.KNOCK_DIE, Deed.SHAKE_CUP, Deed.POUR, Deed.POINT, Deed.LEAN_IN, Deed.PUSH_BOARD),
    *(Deed.PUT_THING, Deed.TAKE_THING, Deed.REST_HAND, Deed.WITHDRAW),
}


@pytest.fixture(scope="module")
def evening() -> list[Shot]:
    return list(Evening(Plan(5, length=3)).shots())


def turns(shots: list[Shot]) -> list[tuple[Player, Roll, Shot, Shot]]:
    """Player, roll, the shot he rolled in, and the one in which his dice were lifted."""
    found = []
    rolled: tuple[ev.Rolled, Shot] | None = None
    for shot in shots:
        for event in shot.events:
            if isinstance(event, ev.Rolled):
                rolled = event, shot
            elif isinstance(event, ev.Played):
                assert rolled is not None
                assert (rolled[0].player, rolled[0].roll) == (event.player, event.roll)
                found.append((event.player, event.roll, rolled[1], shot))
    return found


@pytest.mark.parametrize("home", [Home.BOTTOM_RIGHT, Home.TOP_LEFT])
def test_every_play_is_legal(home: Home) -> None:
    played = turns(list(Evening(Plan(11, length=1), Table(home=home)).shots()))
    assert len(played) > 20
    for player, roll, before, after in played:
        results = {one.after for one in legal_plays(before.scene.position, player, roll)}
        assert after.scene.position in results
        assert str(player) in after.note


def test_nobody_loses_a_checker_and_the_dice_show_the_roll(evening: list[Shot]) -> None:
    for shot in evening:
        assert all(shot.scene.position.total(player) == CHECKERS for player in Player)
        assert shot.scene.position.problems() == []
    for player, roll, thrown, lifted in turns(evening):
        assert sorted(die.pips for die in thrown.scene.dice) == sorted((roll.high, roll.low))
        assert lifted.scene.dice == ()
        if "rolls" in thrown.note:
            assert {die.player for die in thrown.scene.dice} == {player}


def test_the_match_ends_and_its_events_are_one(evening: list[Shot]) -> None:
    assert evening[-1].note == "match over"
    assert evening[0].scene.position == START
    setups = [shot for shot in evening if shot.note == "set up"]
    assert all(shot.scene.cube.value == CENTRED_FACE and not shot.scene.dice for shot in setups)
    state = replay([BEGIN, *(event for shot in evening for event in shot.events)])
    assert max(state.score) >= 3
    assert state.confirmed_by == set(Player)
    assert [game.winner for game in state.games].count(None) == 0


def test_the_seed_decides_everything(evening: list[Shot]) -> None:
    assert list(Evening(Plan(5, length=3)).shots()) == evening
    assert list(islice(Evening(Plan(6, length=3)).shots(), 30)) != evening[:30]


def test_an_offer_is_answered_by_the_opponent(evening: list[Shot]) -> None:
    events = [event for shot in [*evening, *Evening(Plan(2)).shots()] for event in shot.events]
    offers = [k for k, event in enumerate(events) if isinstance(event, ev.CubeOffered)]
    assert offers
    for k in offers:
        answer = events[k + 1]
        assert isinstance(answer, ev.CubeTaken | ev.CubeDropped)
        assert answer.player is events[k].player.opponent  # type: ignore[attr-defined]


def said(shots: list[Shot]) -> list[Event]:
    return [event for shot in shots for event in shot.said]


def test_what_is_pressed_and_said(evening: list[Shot]) -> None:
    """DONE after each turn (R63), both confirm each game's result (R46)."""
    heard = Counter(type(event) for event in said(evening))
    games = sum(isinstance(event, ev.GameStarted) for shot in evening for event in shot.events)
    assert heard[Done] == len(turns(evening))
    assert heard[de.ResultConfirmed] == 2 * games
    assert not any(isinstance(event, Done) for event in said(list(Evening(Plan(5, length=1, done=False)).shots())))


def unbroken(seed: int) -> list[Shot]:
    return list(Evening(Plan(seed, 3, resignations=False)).shots())


def test_hopeless_games_are_given_up_now_and_then() -> None:
    """Offered, then accepted or refused; a game that ends so is set up anew (T16)."""
    many = [list(Evening(Plan(seed, length=3)).shots()) for seed in SOME_GIVE_UP]
    heard = Counter(type(event) for shots in many for event in said(shots))
    offered, accepted = heard[de.ResignationOffered], heard[de.ResignationAccepted]
    assert offered == accepted + heard[de.ResignationRefused]
    assert 0 < accepted < offered
    for shots in many:
        for shot, following in pairwise(shots):
            if any(isinstance(event, de.ResignationAccepted) for event in shot.said):
                assert isinstance(shot.events[1], ev.GameEnded)
                assert following.note == "the result is written down"
    stubborn = [event for seed in SOME_GIVE_UP for event in said(unbroken(seed))]
    assert not any(isinstance(event, de.ResignationOffered) for event in stubborn)


def test_people_do_everything_that_people_do() -> None:
    deeds = {act.deed for seed in range(3) for shot in Evening(Plan(seed, 3)).shots() for act in shot.acts}
    assert deeds == set(Deed) - ONLY_ON_REQUEST


def test_each_shot_is_what_its_deeds_lead_to(evening: list[Shot]) -> None:
    before = evening[0]
    for shot in evening[1:]:
        assert shot.scene == (shot.acts[-1].after if shot.acts else before.scene)
        before = shot


def test_somebody_bears_off_everything(evening: list[Shot]) -> None:
    ends = [shot for shot in evening if any(isinstance(event, ev.GameEnded) for event in shot.events)]
    assert any(shot.scene.position.count(player, OFF) == CHECKERS for shot in ends for player in Player)
