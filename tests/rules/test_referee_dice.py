"""The referee without pixels: whose throw it is, and whether it counts."""

from dataclasses import replace

import pytest

from rules import decisions as de
from rules import events as ev
from rules.commands import TurnEnded
from rules.position import START, Player
from rules.reading import DieReading, DieState
from rules.referee import Setup, step
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, Table, die, moved, reading, roll, types
from rules.roll import Roll
from rules.ruleset import DiceZone

WHITE, BLACK = Player
LEFT_NEXT = (0.33, 0.5)


def test_r8_the_higher_die_opens_and_the_halves_tell_whose_it_is() -> None:
    table = Table()
    table.see(reading(START))
    (rolled,) = table.see(reading(START, die(2, RIGHT_HALF), die(6, LEFT_HALF)))
    assert rolled == ev.Rolled(at_s=2, player=BLACK, roll=Roll(6, 2))


def test_r8_a_tie_is_thrown_again_and_said_once() -> None:
    table = Table()
    tie = reading(START, die(4, RIGHT_HALF), die(4, LEFT_HALF))
    (voided,) = table.see(reading(START), tie, tie)[1:]
    assert isinstance(voided, ev.RollVoided)
    assert (voided.player, voided.reason) == (None, "opening_tie")
    assert types(table.see(reading(START), reading(START, die(5), die(4, LEFT_HALF)))) == ["Rolled"]


def test_t3_both_opening_dice_in_one_half_raise_a_question_and_no_alarm() -> None:
    table = Table()
    asked, rolled = table.see(reading(START), reading(START, *roll(5, 2)))[1:]
    assert isinstance(asked, de.Asked)
    assert asked.key == "opening_one_half"
    assert rolled == ev.Rolled(at_s=2, player=None, roll=Roll(5, 2))
    assert types(table.see(reading(moved(START, BLACK, "13/8 24/22")))) == ["Played"]
    assert table.match.turn is WHITE


@pytest.mark.parametrize(
    ("thrown", "reason"),
    [
        (roll(4, 2, RIGHT_HALF), "wrong_half"),
        ((die(4, LEFT_HALF), die(2, RIGHT_HALF)), "two_halves"),
        (roll(4, 2, LEFT_HALF, DieState.COCKED), "cocked"),
        (roll(4, 2, LEFT_HALF, DieState.ON_CHECKER), "on_checker"),
        ((replace(die(4, LEFT_HALF, DieState.COCKED), pips=None), die(2, LEFT_NEXT)), "cocked"),
        ((die(4, LEFT_HALF), die(2, LEFT_HALF)), "die_on_die"),
        ((die(4, (-0.02, 0.5), DieState.OFF_BOARD), die(2, LEFT_HALF)), "off_board"),
    ],
)
def test_r10_r11_an_invalid_throw_is_voided_once(table: Table, thrown: tuple[DieReading, ...], reason: str) -> None:
    seen = reading(table.board, *thrown)
    (voided,) = table.see(seen, seen)
    assert isinstance(voided, ev.RollVoided)
    assert (voided.player, voided.reason) == (BLACK, reason)
    valid = table.see(reading(table.board), reading(table.board, *roll(4, 2, LEFT_HALF)))
    assert types(valid) == ["Rolled"]


@pytest.mark.parametrize(
    ("name", "thrown"),
    [
        ("usbgf", roll(4, 2, LEFT_HALF, DieState.ON_CHECKER)),
        ("online", roll(4, 2, RIGHT_HALF)),
        ("online", (die(4, (-0.02, 0.5), DieState.OFF_BOARD), die(2, LEFT_HALF))),
    ],
)
def test_the_profile_says_which_throws_count(name: str, thrown: tuple[DieReading, ...]) -> None:
    table = Table(profile=name)
    table.see(reading(START), reading(START, die(3, RIGHT_HALF), die(1, LEFT_HALF)))
    table.see(reading(moved(START, WHITE, "8/5 6/5")), TurnEnded(WHITE), reading(moved(START, WHITE, "8/5 6/5")))
    (rolled,) = table.see(reading(table.board, *thrown))
    assert rolled == ev.Rolled(at_s=6, player=BLACK, roll=Roll(4, 2))


def test_dice_that_are_not_clearly_cocked_count(table: Table) -> None:
    (rolled,) = table.see(reading(table.board, *roll(4, 2, LEFT_HALF, DieState.COCKED, 0.7)))
    assert rolled == ev.Rolled(at_s=4, player=BLACK, roll=Roll(4, 2))


def test_t8_one_die_is_no_throw_and_void_once_it_is_taken_up(table: Table) -> None:
    assert table.see(reading(table.board, die(4, LEFT_HALF))) == []
    (voided,) = table.see(reading(table.board))
    assert isinstance(voided, ev.RollVoided)
    assert (voided.player, voided.reason) == (BLACK, "one_die")


def test_a_die_seen_alone_is_forgotten_when_the_board_was_played_on(table: Table) -> None:
    assert table.see(reading(table.board, die(4, LEFT_HALF)), reading(moved(table.board, BLACK, "13/9 8/6"))) == []


def test_t2_a_die_that_cannot_be_read_waits(table: Table) -> None:
    unread = replace(die(4, LEFT_HALF, DieState.OFF_BOARD), pips=None)
    table.referee = replace(table.referee, match=replace(table.match, profile="online"))
    assert step(table.referee, reading(table.board, unread, die(2, LEFT_NEXT)), 9.0)[1] == ()


def test_what_lay_beside_the_field_before_the_game_is_no_die_of_a_throw() -> None:
    """A cube with a worn face in the tray may look like a die."""
    table = Table()
    stray = die(1, (-0.1, 0.5), DieState.OFF_BOARD)
    table.see(reading(START, stray), reading(START, stray, die(2, RIGHT_HALF), die(6, LEFT_HALF)))
    assert types(table.see(reading(moved(START, BLACK, "24/18 13/11"), stray))) == ["Played"]
    voided = table.see(reading(table.board, stray, die(1, (1.1, 0.5), DieState.OFF_BOARD), die(4)))
    assert types(voided) == ["RollVoided"]


def test_on_the_whole_board_no_half_is_wrong() -> None:
    table = Table(Setup(zone=DiceZone.BOARD))
    table.see(reading(START))
    (rolled,) = table.see(reading(START, *roll(3, 1, LEFT_HALF)))
    assert rolled == ev.Rolled(at_s=2, player=None, roll=Roll(3, 1))


def test_the_far_seats_right_half_is_the_pictures_left() -> None:
    table = Table(Setup(white_near=False))
    table.see(reading(START))
    (rolled,) = table.see(reading(START, die(6, RIGHT_HALF), die(2, LEFT_HALF)))
    assert isinstance(rolled, ev.Rolled)
    assert rolled.player is BLACK


def test_the_same_numbers_thrown_next_are_a_new_roll(table: Table) -> None:
    before = table.board
    after = moved(before, BLACK, "13/9 13/11")
    events = table.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(after, *roll(4, 2, RIGHT_HALF)))
    assert types(events) == ["Rolled", "Played", "Rolled"]


def test_t7_a_slide_is_no_throw(table: Table) -> None:
    before = table.board
    slid = (die(4, (0.2, 0.4)), die(2, (0.33, 0.5)))
    assert types(table.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(before, *slid))) == ["Rolled"]
