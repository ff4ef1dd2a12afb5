"""The dice that lie there: which of them count, where they lay before, whose they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.match import Phase
from rules.position import Player
from rules.reading import DieReading, DieState, Reading
from rules.referee.memory import DIE_SURE, Referee
from rules.ruleset import DiceZone, DieOnChecker

LIES_SURE = 0.8
"""So sure must a die be that lies in a way that does not count."""
LIES_PLAINLY = (DieState.ON_CHECKER, DieState.OFF_BOARD)
"""What its place alone tells; beside a sure die it need not be that sure."""
SECOND_SURE = 0.3
"""So sure must the second die of a throw be."""
PAIR_SURE = 0.9
"""So sure must two dice be together where neither is by itself."""
UNMOVED = 0.005
"""Share of the field's width within which a die has not been touched, whatever it was read as."""
SAME_PLACE = 0.02
"""Share of the field's width within which a die still lies where it lay; a knock moves it further."""
DIE_ON_DIE = 0.025
"""Dice whose middles are so near (a share of the field's width) cannot both lie flat on the board."""
FADES, FADED = 0.85, 0.1
"""What a stray that is not seen keeps of its confidence in each reading, and where it is forgotten."""
WRONG_HALF, OUT_OF_TURN = "wrong_half", "out_of_turn"


def told(referee: Referee, reading: Reading) -> tuple[DieReading, ...]:
    """The dice that can be read with some certainty, or clearly lie in a way that does not count; strays left out.

    Beside one die one other may be less sure: they are thrown in pairs.
    """
    dice = tuple(die for die in reading.dice if not near(die, referee.strays))
    sure = tuple(die for die in dice if _can_be_read(die, DIE_SURE) or (die.confidence >= LIES_SURE and not _flat(die)))
    if len(sure) == 1:
        second = tuple(die for die in dice if die not in sure and _flat(die) and _can_be_read(die, SECOND_SURE))
        return (*sure, *second) if len(second) == 1 else sure
    return sure


def thrown(referee: Referee, reading: Reading) -> tuple[DieReading, ...]:
    """The dice of a throw: as `told`, and the second may also lie in a way that does not count.

    How sure a die is says mostly whether its number is; that it lies on a checker or beside the field is plain. Two
    flat ones that lie alone may make up for each other; two beside the field that are not sure are none.
    """
    before = referee.seen.dice if referee.seen is not None else ()
    fresh = tuple(die for die in reading.dice if not near(die, referee.strays) and not near(die, before))
    dice = told(referee, reading)
    if len(dice) == 1 and _flat(dice[0]):
        others = tuple(die for die in fresh if die not in dice and die.confidence >= SECOND_SURE)
        return (*dice, *others) if len(others) == 1 and others[0].state in LIES_PLAINLY else dice
    if not dice and len(fresh) == 2 and all(_flat(die) and _can_be_read(die, SECOND_SURE) for die in fresh):
        return fresh if sum(die.confidence for die in fresh) >= PAIR_SURE else dice
    if not any(_flat(die) for die in dice):
        return tuple(die for die in dice if die.confidence >= LIES_SURE)
    return dice


def _can_be_read(die: DieReading, sure: float) -> bool:
    return die.confidence >= sure and die.pips is not None


def _flat(die: DieReading) -> bool:
    return die.state is DieState.FLAT


def beside(reading: Reading) -> tuple[DieReading, ...]:
    """The dice that lie beside the field."""
    return tuple(die for die in reading.dice if die.state is DieState.OFF_BOARD)


def left(strays: Iterable[DieReading], reading: Reading) -> tuple[DieReading, ...]:
    """The strays that may still lie there: one that is not seen any more fades, and is forgotten."""
    faded = (one if near(one, reading.dice) else replace(one, confidence=FADES * one.confidence) for one in strays)
    return tuple(one for one in faded if one.confidence >= FADED)


def lay(dice: Iterable[DieReading], before: Reading | None, besides: Iterable[DieReading]) -> tuple[DieReading, ...]:
    """Those of `dice` that lay there in the reading before as well, however unsure, and are none of `besides`."""
    if before is None:
        return ()
    besides = tuple(besides)
    return tuple(die for die in dice if die.confidence >= FADED and near(die, before.dice) and not near(die, besides))


def apart(one: DieReading, other: DieReading) -> float:
    """How far two dice lie from each other, as a share of the field's width (a field is about as high as wide)."""
    return max(abs(one.xy[0] - other.xy[0]), abs(one.xy[1] - other.xy[1]))


def near(die: DieReading, others: Iterable[DieReading], within: float = SAME_PLACE) -> DieReading | None:
    """The one of `others` that lies where `die` does, None where none does."""
    return next((one for one in others if apart(die, one) <= within), None)


def surest(dice: tuple[DieReading, ...], before: tuple[DieReading, ...]) -> tuple[DieReading, ...]:
    """The dice that lie there, each as it was seen best: one that was not touched shows what it showed."""
    seen = []
    for die in dice:
        same = near(die, before, UNMOVED)
        if same is not None and same.confidence > die.confidence:
            die = replace(die, pips=same.pips, state=same.state, confidence=same.confidence)
        seen.append(die)
    return tuple(seen)


def still(die: DieReading, before: Iterable[DieReading]) -> bool:
    """One of `before` lies there unchanged, number and all."""
    same = near(die, before)
    return same is not None and same.pips == die.pips


def fault_of(referee: Referee, dice: tuple[DieReading, ...]) -> str | None:
    """Why a throw does not count (R10, R11, T2), or None where it does."""
    ruleset, turn = referee.ruleset, referee.match.turn
    if not ruleset.invalid_throws:
        return None
    for state in (DieState.COCKED, DieState.ON_CHECKER, DieState.OFF_BOARD):
        allowed = state is DieState.ON_CHECKER and ruleset.die_on_checker is DieOnChecker.VALID_IF_FLAT
        sure = SECOND_SURE if state in LIES_PLAINLY else LIES_SURE
        if not allowed and any(die.state is state and die.confidence >= sure for die in dice):
            return state.value
    if near(dice[0], dice[1:], DIE_ON_DIE):
        return "die_on_die"
    if referee.match.phase is Phase.OPENING:
        return None
    halves = {die.half for die in dice}
    if referee.zone is not DiceZone.BOARD and len(halves) == 2:
        return "two_halves"
    if referee.zone is DiceZone.SEAT and turn is not None and referee.setup.right_half(turn) not in halves:
        return OUT_OF_TURN if referee.pairs.owner(dice) is turn.opponent else WRONG_HALF
    return None


def thrower(referee: Referee, dice: tuple[DieReading, ...]) -> Player | None:
    """Who threw them: by their colours, or else in whose right half they lie; None where neither tells."""
    owner = referee.pairs.owner(dice)
    if owner is not None:
        return owner
    halves = {die.half for die in dice}
    if referee.zone is not DiceZone.SEAT or len(halves) != 1:
        return None
    return referee.setup.thrower(halves.pop())
