"""Faults of the drawn table: each on request, each what the rules say it is."""

import random

import pytest

from rules import events as ev
from rules.game import apply
from rules.match import MatchState
from rules.position import START, Player
from rules.roll import Roll
from rules.ruling import judge
from vision.synth.faults import DICE_FAULTS, PLAY_FAULTS, FaultError, faulty_play
from vision.synth.plan import Evening


@pytest.mark.parametrize("wanted", ["both_dice_playable", "wrong_distance", "wrong_direction"])
def test_a_wrong_play_has_the_wanted_fault_and_no_other(wanted: str) -> None:
    found = faulty_play(START, Player.WHITE, Roll(6, 5), wanted, random.Random(1))
    assert found is not None
    after, ruling = found
    assert ruling.faults.keys() == (wanted,)
    assert judge(START, Player.WHITE, Roll(6, 5), after) == ruling


def test_a_fault_that_cannot_happen_yet_waits() -> None:
    assert faulty_play(START, Player.WHITE, Roll(6, 5), "bar_not_entered", random.Random(1)) is None


@pytest.fixture(scope="module")
def evening() -> tuple[tuple[str, ...], list[ev.Event]]:
    """The faults asked for, and all events of a short match with them."""
    asked = ("wrong_distance", "both_dice_playable", "wrong_direction", "opponent_moved", *DICE_FAULTS)
    begin = ev.MatchStarted(at_s=0, length=1, white="White", black="Black")
    shots = Evening(2, length=1, faults=asked).shots()
    return asked, [begin, *(event for shot in shots for event in shot.events)]


def test_an_evening_shows_each_fault_once(evening: tuple[tuple[str, ...], list[ev.Event]]) -> None:
    asked, events = evening
    flagged = [event.faults[0] for event in events if isinstance(event, ev.PlayFlagged)]
    voided = [event.reason for event in events if isinstance(event, ev.RollVoided) and event.reason != "opening_tie"]
    assert sorted(flagged + voided) == sorted(asked)


def test_its_events_are_a_match(evening: tuple[tuple[str, ...], list[ev.Event]]) -> None:
    _, events = evening
    state = MatchState()
    for event in events:
        state = apply(state, event)
    assert [type(event).__name__ for event in events[-2:]] == ["GameEnded", "MatchEnded"]
    assert max(state.score) >= 1


def test_an_unknown_fault_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        FaultError, match=r"cocked: no fault that can be drawn; there are bar_not_entered, .*on_checker"
    ):
        Evening(1, faults=("cocked",))


def test_no_fault_unless_asked_for() -> None:
    events = [event for shot in Evening(2, length=1).shots() for event in shot.events]
    assert not any(isinstance(event, ev.PlayFlagged) for event in events)
    assert set(PLAY_FAULTS) & set(DICE_FAULTS) == set()
