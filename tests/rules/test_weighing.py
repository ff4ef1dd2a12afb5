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
