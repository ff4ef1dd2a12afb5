"""Profiles and the table of irregularities."""

from collections.abc import Callable

import pytest

from rules import events as ev
from rules.clock import SIMPLE_DELAY
from rules.errors import RulesetError
from rules.irregularities import Caller, Decider, Until, irregularities, irregularity, window_open
from rules.irregularity_rows import ROWS, VARIANTS
from rules.match import MatchState
from rules.position import Player
from rules.ruleset import CLUB_DE, MONEY, ONLINE, PROFILES, UKBGF, USBGF, Breaks, Ruleset, differences, options, profile

WHITE, BLACK = Player


def test_the_profiles_and_their_sources() -> None:
    assert list(PROFILES) == ["club-de", "online", "ukbgf", "usbgf", "money", "practice"]
    assert all(ruleset.source for ruleset in PROFILES.values())
    for reading in (UKBGF, USBGF):
        assert "to be checked against the federation's current text" in reading.source


def test_an_unknown_profile() -> None:
    assert profile("money") is MONEY
    with pytest.raises(RulesetError, match="no rule profile 'x'; there are club-de, online"):
        profile("x")


def test_what_profiles_do_otherwise() -> None:
    assert differences(CLUB_DE, MONEY) == {"crawford": ("on", "off"), "jacoby": ("off", "on")}
    assert differences(CLUB_DE, UKBGF) == {
        "window_closes": ("next_throw", "valid_throw_or_double"),
        "clock": ("none", "simple_delay, 12 s, 120 s a point"),
    }
    assert differences(CLUB_DE, CLUB_DE) == {}
    assert differences(CLUB_DE, ONLINE)["turn_ends"] == ("both_dice_lifted", "done")


def test_every_option_in_words() -> None:
    shown = options(Ruleset(name="x", source="y", breaks=Breaks(number=2, minutes=5), clock=SIMPLE_DELAY))
    assert shown["breaks"] == "2 of 5 minutes"
    assert options(CLUB_DE)["breaks"] == "by the director"
    assert shown["cube_start_faces"] == "64, 1, no number"


def test_every_situation_has_a_row() -> None:
    clauses = {clause for row in irregularities(CLUB_DE) for clause in row.clause.split()}
    table = {"R10", "R11", "R12", "R13", "R14", "R15", "R16", "R17", "R18", "R23", "R29", "R30", "R31", "R32", "R33"}
    assert clauses == table | {"R35", "R36", "R38"} | {f"T{n}" for n in range(1, 19)}
    assert len({row[0] for row in ROWS}) == len(ROWS)


def test_rows_change_by_profile() -> None:
    assert irregularity("illegal_play", CLUB_DE).until is Until.NEXT_THROW
    assert irregularity("illegal_play", UKBGF).until is Until.VALID_THROW_OR_DOUBLE
    assert irregularity("illegal_play", CLUB_DE).called_by is Caller.EITHER
    assert irregularity("on_checker", USBGF).follows == "the throw stands if the die lies flat"
    assert irregularity("cocked", ONLINE).until is Until.NEVER
    assert irregularity("checker_found", CLUB_DE).decided_by is Decider.OPPONENT
    with pytest.raises(KeyError):
        irregularity("nothing", CLUB_DE)


def test_every_variant_names_a_row_an_option_and_a_value() -> None:
    keys = {row[0] for row in ROWS}
    for option, value, key, changes in VARIANTS:
        assert key in keys
        assert option in options(CLUB_DE)
        assert options(CLUB_DE)[option] != value
        assert set(changes) <= {"called_by", "until", "decided_by", "follows"}


def test_the_window_for_a_wrong_play_closes_with_the_next_throw(
    began: Callable[..., MatchState], opened: tuple[ev.Event, ...], rolled: Callable[..., ev.Rolled]
) -> None:
    """R18, R32: by profile the next throw, the next valid one, or a double too."""
    voided = ev.RollVoided(at_s=0, player=BLACK, reason="cocked")
    doubled = ev.CubeOffered(at_s=0, player=BLACK, value=2)
    taken = ev.CubeTaken(at_s=0, player=WHITE, value=2)
    states = [began(*opened, *more) for more in ((), (voided,), (doubled,), (doubled, taken), (rolled(BLACK, "5-2"),))]
    windows = (Until.NEXT_THROW, Until.NEXT_VALID_THROW, Until.VALID_THROW_OR_DOUBLE)
    assert [[window_open(until, state) for state in states] for until in windows] == [
        [True, False, True, True, False],
        [True, True, True, True, False],
        [True, True, False, False, False],
    ]
    assert not any(window_open(until, began()) for until in windows)
    assert irregularity("illegal_play", CLUB_DE).until in windows


def test_the_window_for_a_wrong_set_up_closes_with_the_second_round(
    began: Callable[..., MatchState],
    opened: tuple[ev.Event, ...],
    rolled: Callable[..., ev.Rolled],
    played: Callable[..., ev.Played],
) -> None:
    """R29: each player's second turn."""
    events = [*opened]
    for player, dice, text in ((BLACK, "3-1", "8/5 6/5"), (WHITE, "6-5", "24/13"), (BLACK, "6-5", "24/13")):
        assert window_open(Until.SECOND_ROUND, began(*events))
        events += [rolled(player, dice), played(player, dice, text, began(*events).position)]
    assert not window_open(Until.SECOND_ROUND, began(*events))
    assert window_open(Until.FIRST_ROLL, began())
    assert not window_open(Until.FIRST_ROLL, began(opened[0]))


def test_other_windows(began: Callable[..., MatchState], opened: tuple[ev.Event, ...]) -> None:
    state = began(*opened)
    assert window_open(Until.LIFT, began(opened[0]))
    assert not window_open(Until.LIFT, state)
    assert window_open(Until.GAME_END, state)
    assert not window_open(Until.NEVER, state)
    over = began(*opened, ev.GameEnded(at_s=0, winner=WHITE, points=1, win=ev.Win.SINGLE))
    assert not window_open(Until.GAME_END, over)
    assert not window_open(Until.GAME_END, MatchState())
