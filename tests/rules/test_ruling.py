"""Rulings: every fault by name, the fewest breaches, and what may be said aloud."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from rules.explanation import Breach
from rules.faults import CLAUSES, Fault
from rules.position import BAR, START, Player, Position, side_of
from rules.roll import Roll
from rules.ruling import Ruling, Verdict, judge

WHITE, BLACK = Player
Faults = Callable[..., tuple[str, ...]]


def test_the_names_of_all_faults() -> None:
    everything = ~Fault(0)
    assert everything.keys() == (
        "bar_not_entered", "point_blocked", "bore_off_early", "both_dice_playable", "higher_die_playable",
        "wrong_distance", "wrong_direction", "opponent_moved", "checker_count", "hit_not_on_bar",
        "bore_off_from_lower", "too_many_numbers", "off_returned",
    )  # fmt: skip
    assert set(CLAUSES) == set(everything)
    assert Fault(0).keys() == ()


@pytest.mark.parametrize(
    ("dice", "played", "wanted"),
    [
        ("3-1", "8/5 6/5", ()),
        ("3-1", "8/4", ()),
        ("3-1", "", ("both_dice_playable",)),
        ("3-1", "8/5", ("both_dice_playable",)),
        ("3-1", "8/3", ("both_dice_playable", "wrong_distance")),
        ("3-1", "8/5 6/4", ("wrong_distance",)),
        ("6-3", "13/7 13/7", ("wrong_distance",)),
        ("6-3", "13/3", ("wrong_distance",)),
        ("3-1", "8/5 8/5 6/5", ("wrong_distance", "too_many_numbers")),
        ("2-2", "13/11(4) 6/4", ("wrong_distance", "too_many_numbers")),
        ("2-2", "13/11(3)", ("both_dice_playable",)),
        ("5-1", "13/8 24/23", ()),
        ("5-4", "24/19 24/20", ("point_blocked",)),
        ("5-5", "24/14 13/3", ("point_blocked",)),
        ("3-1", "8/11 6/5", ("wrong_direction",)),
        ("3-1", "8/5 6/off", ("bore_off_early", "wrong_distance")),
    ],
)  # fmt: skip
def test_from_the_start(faults: Faults, dice: str, played: str, wanted: tuple[str, ...]) -> None:
    assert faults(START, dice, played) == wanted
    assert faults(START, dice, played, BLACK) == wanted


def test_several_faults_are_all_named(faults: Faults) -> None:
    bar = Position(side_of({BAR: 1, 6: 8, 3: 6}), side_of({6: 2, 5: 2, 8: 3, 13: 5, 24: 3}))
    assert faults(bar, "6-5", "6/off") == ("bar_not_entered", "bore_off_early")
    home = Position(side_of({6: 1, 5: 1, 2: 1}, 15), side_of({24: 2}, 15))
    assert faults(home, "4-3", "2/off") == ("both_dice_playable", "bore_off_from_lower")
    assert faults(home, "4-3", "6/off") == ("bore_off_from_lower",)


def test_a_checker_that_is_missing_or_too_many() -> None:
    played = side_of({24: 2, 13: 5, 8: 2, 6: 4, 5: 2})
    missing = replace(START, white=side_of({24: 1, 13: 5, 8: 2, 6: 4, 5: 2}))
    too_many = replace(START, white=side_of({24: 3, 13: 5, 8: 2, 6: 4, 5: 2}))
    theirs = Position(played, side_of({24: 2, 13: 4, 8: 3, 6: 5}))
    for after in (missing, too_many, theirs):
        assert judge(START, WHITE, Roll(3, 1), after).faults.keys() == ("checker_count",)


def test_an_opponents_borne_off_checker_that_is_back() -> None:
    before = Position(side_of({13: 2}, 15), side_of({3: 2}, 15))
    after = Position(side_of({10: 1, 12: 1}, 15), side_of({3: 3}, 15))
    assert judge(before, WHITE, Roll(3, 1), after).faults.keys() == ("off_returned",)


def test_a_blot_passed_over_must_be_hit_where_it_was_the_only_way() -> None:
    before = Position(side_of({24: 1, 6: 14}), side_of({7: 1, 5: 2, 13: 12}))
    unhit = Position(side_of({14: 1, 6: 14}), before.black)
    ruling = judge(before, WHITE, Roll(6, 4), unhit)
    assert ruling.faults.keys() == ("hit_not_on_bar",)
    assert ruling.explanation == "the checker hit on the 18 point is not on the bar"


def test_landing_on_two_and_sending_them_to_the_bar() -> None:
    after = Position(side_of({24: 1, 19: 1, 13: 5, 8: 3, 6: 4, 5: 1}), side_of({24: 2, 13: 5, 8: 3, 6: 3, BAR: 2}))
    assert judge(START, WHITE, Roll(5, 1), after).faults.keys() == ("point_blocked",)


def test_what_may_be_said_aloud_names_no_play(ruled: Callable[..., Ruling]) -> None:
    ruling = ruled(START, "3-1", "8/5")
    assert ruling.explanation.startswith("more numbers of the 3-1 were playable: ")
    assert ruling.discreet == "more numbers of the 3-1 were playable"
    assert ruling.legal_plays == 16
    bar = Position(side_of({BAR: 1, 13: 14}), side_of({20: 2, 6: 13}))
    assert ruled(bar, "6-3", "13/7").discreet.startswith("13/7: a checker on the bar must enter first")


def test_a_position_that_cannot_be_gives_no_verdict() -> None:
    odd = Position(START.white, side_of({1: 2, 6: 13}))
    ruling = judge(odd, WHITE, Roll(3, 1), odd)
    assert (ruling.verdict, ruling.play, ruling.clause, ruling.legal_plays) == (Verdict.UNDECIDED, None, None, 0)
    assert "white and black both stand on white's 24 point" in ruling.explanation
    many = Position(side_of({6: 16}), START.black)
    assert judge(many, WHITE, Roll(3, 1), many).verdict is Verdict.UNDECIDED


def test_a_hit_checker_elsewhere_is_one_fault() -> None:
    before = Position(side_of({8: 1, 6: 14}), side_of({20: 1, 13: 14}))
    hit_and_moved = Position(side_of({5: 2, 6: 13}), side_of({12: 1, 13: 14}))
    assert judge(before, WHITE, Roll(3, 1), hit_and_moved).faults.keys() == ("hit_not_on_bar",)
    assert Breach(Fault.HIT_NOT_ON_BAR).origin is None


def test_an_opponent_back_on_the_board_from_the_bar() -> None:
    before = Position(side_of({13: 15}), side_of({BAR: 1, 13: 0, 8: 14}))
    after = Position(side_of({13: 13, 10: 1, 12: 1}), side_of({22: 1, 8: 14}))
    ruling = judge(before, WHITE, Roll(3, 1), after)
    assert ruling.faults.keys() == ("opponent_moved",)
    assert ruling.explanation == "an opposing checker on the bar was moved without being hit"
