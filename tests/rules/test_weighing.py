"""A reading held against every legal play."""

from rules.position import Player, Position, side_of
from rules.rehearsal import moved, reading
from rules.roll import Roll
from rules.ruleset import CLUB_DE
from rules.ruling import Verdict
from rules.weighing import Guess, weigh


def test_the_last_checker_ends_the_game_though_the_other_number_could_hit() -> None:
    """6-1: `6/5*/off` uses both numbers, but after `6/off` there is nothing left to play with.

    6   5
    W   b
    """
    before = Position(side_of({6: 1}, 15), side_of({25 - 5: 1}, 15))
    ended = moved(before, Player.WHITE, "6/off")
    weighed = weigh(reading(ended), [Guess(before)], Player.WHITE, Roll(6, 1), CLUB_DE)
    assert (weighed.verdict, str(weighed.play), weighed.position) == (Verdict.LEGAL, "6/off", ended)


STAND = Position(side_of({13: 2, 6: 5, 5: 3, 4: 3, 2: 2}, 15), side_of({10: 5, 8: 3, 6: 5, 3: 2}, 15))


def test_a_checker_that_has_gone_was_lost_or_borne_off_whichever_breaks_less() -> None:
    """6-1: the 6 borne off too early and 5/4 is one breach; a lost checker and half a play would be two."""
    early = weigh(reading(moved(STAND, Player.WHITE, "6/off 5/4")), [Guess(STAND)], Player.WHITE, Roll(6, 1), CLUB_DE)
    assert (early.verdict, early.faults) == (Verdict.ILLEGAL, ("bore_off_early",))
    lost = moved(STAND, Player.WHITE, "13/7 5/4 2/off")
    weighed = weigh(reading(lost), [Guess(STAND)], Player.WHITE, Roll(6, 1), CLUB_DE)
    assert (weighed.verdict, weighed.faults, weighed.clause) == (Verdict.ILLEGAL, ("checker_count",), "R33")
    assert weighed.position.total(Player.WHITE) == 14


def test_an_illegal_play_is_judged_from_the_board_that_is_likeliest() -> None:
    other = moved(STAND, Player.WHITE, "13/12")
    wrong = moved(other, Player.WHITE, "12/6 13/11")
    weighed = weigh(reading(wrong), [Guess(STAND, 6.0), Guess(other)], Player.WHITE, Roll(6, 1), CLUB_DE)
    assert (weighed.verdict, weighed.faults) == (Verdict.ILLEGAL, ("wrong_distance",))
    assert weighed.before.position == other


def test_nobody_is_accused_while_the_board_before_is_in_doubt() -> None:
    other = moved(STAND, Player.WHITE, "13/12")
    wrong = moved(other, Player.WHITE, "12/6 13/11")
    weighed = weigh(reading(wrong), [Guess(STAND), Guess(other, 2.0)], Player.WHITE, Roll(6, 1), CLUB_DE)
    assert weighed.verdict is Verdict.UNDECIDED


def test_a_result_that_two_boards_lead_to_comes_from_the_likelier() -> None:
    other = moved(STAND, Player.WHITE, "13/12 5/6")
    after = moved(STAND, Player.WHITE, "13/7 13/12")
    befores = [Guess(STAND), Guess(moved(after, Player.WHITE, "7/13"), 3.0), Guess(other, 4.0)]
    weighed = weigh(reading(after), befores, Player.WHITE, Roll(6, 1), CLUB_DE)
    assert (weighed.verdict, weighed.before) == (Verdict.LEGAL, befores[0])


def test_between_a_legal_and_an_illegal_board_lies_doubt() -> None:
    wrong = moved(STAND, Player.WHITE, "13/7 6/4")
    unclear = reading(wrong, doubt={6: 3.0, 5: 3.0})
    assert weigh(unclear, [Guess(STAND)], Player.WHITE, Roll(6, 1), CLUB_DE).verdict is Verdict.UNDECIDED


def test_the_same_play_from_two_boards_is_no_doubt_about_the_play() -> None:
    """Black's stack may hold five or six: white's play is the same, and the record stands until more is seen."""
    fewer = moved(STAND, Player.BLACK, "10/off")
    unclear = reading(moved(fewer, Player.WHITE, "13/6"), doubt={15: 0.5})
    befores = [Guess(STAND), Guess(fewer)]
    weighed = weigh(unclear, befores, Player.WHITE, Roll(6, 1), CLUB_DE)
    assert (weighed.verdict, str(weighed.play), weighed.before) == (Verdict.LEGAL, "13/6", befores[0])
    assert {guess.position.count(Player.BLACK, 10) for guess in weighed.doubts} == {4, 5}
