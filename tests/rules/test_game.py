"""A match as the fold of its events: what the clauses do not show yet."""

from collections.abc import Callable

import pytest

from rules import decisions as de
from rules import events as ev
from rules.cube import Cube
from rules.errors import EventError
from rules.events import Win
from rules.fold import waiting_phase
from rules.game import apply, replay
from rules.match import MatchState, Phase
from rules.play import parse_play
from rules.position import START, Player
from rules.roll import Roll
from rules.ruleset import PROFILES, Ruleset
from rules.transcript import moved

WHITE, BLACK = Player
Began = Callable[..., MatchState]
Events = tuple[ev.Event, ...]


@pytest.fixture
def money_with_all(monkeypatch: pytest.MonkeyPatch) -> str:
    """A money profile with beavers and automatic doubles, which are by agreement."""
    agreed = Ruleset(name="agreed", source="agreed", crawford=False, beavers=True, automatic_doubles=True)
    monkeypatch.setitem(PROFILES, "agreed", agreed)
    return "agreed"


def test_a_match_as_started() -> None:
    state = replay([ev.MatchStarted(at_s=1, length=7, white="Ivory", black="Walnut", checkers=12)])
    assert (state.phase, state.checkers, state.game) == (Phase.BETWEEN_GAMES, 12, None)
    assert (state.name(WHITE), state.name(BLACK)) == ("Ivory", "Walnut")
    assert waiting_phase(state) is Phase.BETWEEN_GAMES


def test_an_unknown_event() -> None:
    with pytest.raises(EventError, match="Event is no event of a match"):
        apply(MatchState(), ev.Event(at_s=0))


def test_whose_roll_nobody_can_say(
    began: Began, rolled: Callable[..., ev.Rolled], played: Callable[..., ev.Played]
) -> None:
    state = began(rolled(None, "3-1"))
    assert (state.phase, state.turn) == (Phase.TO_PLAY, None)
    assert began(rolled(None, "3-1"), played(BLACK, "3-1", "8/5 6/5")).turn is WHITE


def test_a_tie_is_automatic_in_money_play_where_agreed(began: Began, money_with_all: str) -> None:
    tie = ev.RollVoided(at_s=0, player=None, reason="opening_tie")
    state = began(tie, de.CubeAutomatic(at_s=0, value=2), length=0, profile=money_with_all)
    assert (state.cube, state.phase) == (Cube(2), Phase.OPENING)
    with pytest.raises(EventError, match="automatic doubles"):
        began(tie, de.CubeAutomatic(at_s=0, value=2))


def test_beavers(began: Began, opened: Events, money_with_all: str) -> None:
    offer = (*opened, ev.CubeOffered(at_s=0, player=BLACK, value=2))
    state = began(*offer, de.CubeBeavered(at_s=0, player=WHITE, value=4), length=0, profile=money_with_all)
    assert (state.cube, state.turn, state.phase) == (Cube(4, WHITE), BLACK, Phase.TO_ROLL)
    with pytest.raises(EventError, match="by profile only"):
        began(*offer, de.CubeBeavered(at_s=0, player=WHITE, value=4), length=0)
    with pytest.raises(EventError, match="black at 4 does not beaver"):
        began(*offer, de.CubeBeavered(at_s=0, player=BLACK, value=4), length=0, profile=money_with_all)
    with pytest.raises(EventError, match="white at 8 does not beaver"):
        began(*offer, de.CubeBeavered(at_s=0, player=WHITE, value=8), length=0, profile=money_with_all)


def test_nobody_answers_his_own_offer(began: Began, opened: Events) -> None:
    offer = (*opened, ev.CubeOffered(at_s=0, player=BLACK, value=2))
    for answer in (ev.CubeTaken(at_s=0, player=BLACK, value=2), ev.CubeDropped(at_s=0, player=BLACK)):
        with pytest.raises(EventError, match="offered it himself"):
            began(*offer, answer)


def test_an_undo_brings_back_what_was(began: Began, opened: Events, rolled: Callable[..., ev.Rolled]) -> None:
    undo = de.Undone(at_s=0, reason="director")
    first = began(*opened, undo)
    assert (first.position, first.phase, first.turn) == (START, Phase.OPENING, None)
    offer = (*opened, ev.CubeOffered(at_s=0, player=BLACK, value=2))
    assert began(*offer, undo) == began(*opened)
    take = (*offer, ev.CubeTaken(at_s=0, player=WHITE, value=2))
    assert began(*take, undo) == began(*offer)
    assert began(*take, undo, undo, undo).games[-1].turns == ()
    assert began(*opened, rolled(BLACK, "6-5"), undo).roll is None
    with pytest.raises(EventError, match="no turn yet"):
        began(undo)


def test_a_corrected_cube_while_a_roll_lies(began: Began, opened: Events, rolled: Callable[..., ev.Rolled]) -> None:
    lies = de.CubeCorrected(at_s=0, value=2, owner=WHITE, reason="R30")
    assert began(*opened, rolled(BLACK, "6-5"), lies).phase is Phase.TO_PLAY
    offered = began(
        *opened,
        ev.CubeOffered(at_s=0, player=BLACK, value=2),
        de.PenaltyGiven(at_s=0, player=BLACK, points=1, reason="slow"),
    )
    assert offered.phase is Phase.CUBE_OFFERED


def test_only_the_last_play_is_corrected_or_stands(began: Began, opened: Events) -> None:
    play = parse_play("8/5 6/5")
    wrong = ev.PlayCorrected(at_s=0, player=BLACK, roll=Roll(3, 1), play=play, position=moved(START, BLACK, play))
    with pytest.raises(EventError, match="the last play is not black's"):
        began(*opened, wrong)
    with pytest.raises(EventError, match="the last play is not black's"):
        began(*opened, de.PlayStands(at_s=0, player=BLACK))
    with pytest.raises(EventError, match="the last play is not white's"):
        began(de.PlayStands(at_s=0, player=WHITE))


def test_the_match_ends_with_its_length_or_by_word(began: Began, opened: Events) -> None:
    won = began(*opened, ev.GameEnded(at_s=0, winner=BLACK, points=6, win=Win.BACKGAMMON))
    assert (won.phase, won.score) == (Phase.MATCH_OVER, (0, 6))
    assert began(*opened, ev.MatchEnded(at_s=0, winner=WHITE)).phase is Phase.MATCH_OVER
    money = began(*opened, ev.GameEnded(at_s=0, winner=BLACK, points=6, win=Win.SINGLE), length=0)
    assert money.phase is Phase.BETWEEN_GAMES


def test_after_a_confusion_the_record_goes_on(began: Began, opened: Events) -> None:
    state = began(*opened, ev.Recovered(at_s=0, position=START, turn=None, reason="camera"))
    assert (state.phase, state.turn, state.position, state.games[-1].gaps) == (Phase.TO_ROLL, None, START, (1,))


def test_a_game_may_be_set_up_again_before_it_is_opened(began: Began) -> None:
    state = began(ev.GameStarted(at_s=0, position=START))
    assert [game.number for game in state.games] == [1]


def test_nothing_happens_before_a_match() -> None:
    for event in (ev.GameStarted(at_s=0, position=START), de.MatchConceded(at_s=0, player=WHITE)):
        with pytest.raises(EventError, match="no_match"):
            apply(MatchState(), event)


def test_white_found_a_checker_too(began: Began, rolled: Callable[..., ev.Rolled]) -> None:
    from rules.position import Position, side_of

    missing = Position(START.white, side_of({24: 1, 13: 5, 8: 3, 6: 5}, 15))
    state = began(rolled(WHITE, "2-1"), de.CheckerFound(at_s=0, player=BLACK, to_bar=True), start=missing)
    assert (state.position.count(BLACK, 25), state.position.total(BLACK)) == (1, 15)
    gone = Position(START.white, side_of({24: 1, 13: 5, 8: 3, 6: 5}))
    state = began(rolled(WHITE, "2-1"), de.CheckerFound(at_s=0, player=BLACK, to_bar=True), start=gone)
    assert (state.position.count(BLACK, 25), state.position.total(BLACK)) == (1, 15)
