"""Why a position is not what the roll allows: the explanation with the fewest breaches.

An explanation pairs every place that lost a checker with one that gained one, says by which of the
numbers rolled each went, and counts what is then wrong. Among all of them the one with the fewest
breaches is told, with all breaches in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from rules.faults import Fault
from rules.position import BAR, OFF, Player, Position
from rules.roll import Roll

_MANY = 4

Side = tuple[int, ...]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Breach:
    """One thing that is wrong; `origin` and `target` say where, in the mover's count, as far as it has a place."""

    fault: Fault
    origin: int | None = None
    target: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One checker moved, in the mover's count; `number` is the one used, None where none of those rolled fits."""

    origin: int
    target: int
    number: int | None


@dataclass(frozen=True, slots=True)
class Need:
    """How many numbers had to be played, and, where it is one of two, which."""

    numbers: int
    single: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """Before and after, each side in its own count."""

    mine: Side
    mine_after: Side
    theirs: Side
    theirs_after: Side


def explain(before: Position, player: Player, roll: Roll, after: Position, need: Need) -> tuple[Breach, ...]:
    """The breaches of the explanation that has the fewest; none where `after` is a complete legal play."""
    other = player.opponent
    change = Change(before.side(player), after.side(player), before.side(other), after.side(other))
    moved = _lost_and_gained(change.theirs, change.theirs_after)
    best: tuple[Breach, ...] | None = None
    for pairs, missing in _pairings(change):
        for steps, spare in _ways(pairs, roll.numbers):
            found = (*missing, *_own_breaches(change, steps, roll, need, spare), *_their_breaches(change, steps, moved))
            if best is None or len(found) < len(best):
                best = found
            if not best:
                return ()
    return best or ()


def _pairings(change: Change) -> Iterator[tuple[tuple[Pair, ...], tuple[Breach, ...]]]:
    """Every way to pair places that lost a checker with places that gained one; the rest is a wrong count."""
    left, landed = _lost_and_gained(change.mine, change.mine_after)
    uneven = abs(len(left) - len(landed))
    missing = (Breach(Fault.CHECKER_COUNT),) * min(uneven, 1)
    seen = set()
    few, many, swapped = (left, landed, False) if len(left) <= len(landed) else (landed, left, True)
    orders = permutations(many, len(few)) if len(many) <= _MANY else iter([tuple(many[: len(few)])])
    for order in orders:
        pairs = tuple(sorted(zip(order, few, strict=True) if swapped else zip(few, order, strict=True), reverse=True))
        if pairs not in seen:
            seen.add(pairs)
            yield pairs, missing


def _lost_and_gained(before: Side, after: Side) -> tuple[list[int], list[int]]:
    """Places that hold fewer and places that hold more than before, once per checker, highest first."""
    lost, gained = [], []
    for place in range(BAR, OFF - 1, -1):
        change = after[place] - before[place]
        lost += [place] * -change
        gained += [place] * change
    return lost, gained


def _ways(pairs: tuple[Pair, ...], numbers: tuple[int, ...]) -> Iterator[tuple[tuple[Step, ...], int]]:
    """Every way to say by which numbers the pairs went, and how many further numbers a long way took."""
    if not pairs:
        yield (), 0
        return
    (origin, target), rest = pairs[0], pairs[1:]
    for path in _paths(origin, target, numbers):
        left = Counter(numbers)
        left.subtract(step.number for step in path if step.number is not None)
        for steps, spare in _ways(rest, tuple(left.elements())):
            yield (*path, *steps), spare
    further = min((origin - target - 1) // 6, len(numbers) - 1) if origin > target else 0
    for steps, spare in _ways(rest, numbers):
        yield (Step(origin, target, None), *steps), spare + max(further, 0)


def _paths(origin: int, target: int, numbers: tuple[int, ...]) -> Iterator[tuple[Step, ...]]:
    """Every way of one checker forward from `origin` to `target` by some of the numbers in some order."""
    for number in dict.fromkeys(numbers):
        landing = max(origin - number, OFF)
        if origin == OFF or landing < target:
            continue
        step = Step(origin, landing, number)
        if landing == target:
            yield (step,)
        else:
            left = list(numbers)
            left.remove(number)
            for onward in _paths(landing, target, tuple(left)):
                yield (step, *onward)


def _own_breaches(change: Change, steps: tuple[Step, ...], roll: Roll, need: Need, spare: int) -> list[Breach]:
    """What is wrong with the mover's own steps."""
    found = []
    held = list(change.mine)
    entered = sum(1 for step in steps if step.origin == BAR and step.target < BAR)
    waiting = held[BAR] > entered
    for step in sorted(steps, key=lambda step: (-step.origin, step.target)):
        found += _step_breaches(change, step, held, waiting)
        held[step.origin] -= 1
        held[step.target] += 1
    played = len(steps) + spare
    if played > len(roll.numbers):
        found.append(Breach(Fault.TOO_MANY_NUMBERS))
    if played < need.numbers and any(change.mine_after[1:]):
        found.append(Breach(Fault.BOTH_DICE_PLAYABLE))
    if played == need.numbers == 1 and need.single == roll.high != roll.low and steps[0].number == roll.low:
        found.append(Breach(Fault.HIGHER_DIE_PLAYABLE, number=roll.high))
    return found


def _step_breaches(change: Change, step: Step, held: list[int], waiting: bool) -> list[Breach]:
    """What is wrong with one step, made while the mover's checkers stand as in `held`."""
    origin, target, number = step.origin, step.target, step.number

    def breach(fault: Fault) -> Breach:
        return Breach(fault, origin, target, number)

    if origin == OFF:
        return [breach(Fault.OFF_RETURNED)]
    if target > origin:
        return [breach(Fault.WRONG_DIRECTION)]
    found = []
    if number is None:
        found.append(breach(Fault.WRONG_DISTANCE))
    if waiting and origin != BAR:
        found.append(breach(Fault.BAR_NOT_ENTERED))
    if target == OFF:
        if sum(held[7:]) > int(origin > 6):
            found.append(breach(Fault.BORE_OFF_EARLY))
        elif number is not None and number > origin and any(held[origin + 1 : 7]):
            found.append(breach(Fault.BORE_OFF_FROM_LOWER))
    elif change.theirs[BAR - target] > 1:
        found.append(breach(Fault.POINT_BLOCKED))
    return found


def _their_breaches(change: Change, steps: tuple[Step, ...], moved: tuple[list[int], list[int]]) -> list[Breach]:
    """What is wrong with the opponent's checkers, given where the mover landed."""
    found = []
    left, landed = (Counter(places) for places in moved)
    stops = {BAR - step.target for step in steps if 0 < step.target < BAR and step.origin > step.target}
    for place in stops:
        for _ in range(left.pop(place, 0)):
            if landed[BAR]:
                landed[BAR] -= 1
            elif any(landed[point] for point in range(1, BAR)):
                landed[next(point for point in range(1, BAR) if landed[point])] -= 1
                found.append(Breach(Fault.HIT_NOT_ON_BAR, target=BAR - place))
            else:
                found.append(Breach(Fault.CHECKER_COUNT))
                landed[OFF] -= bool(landed[OFF])
        if change.theirs[place] == 1 and change.theirs_after[place]:
            found.append(Breach(Fault.HIT_NOT_ON_BAR, target=BAR - place))
    gone, come = sorted(left.elements()), sorted(landed.elements())
    for k in range(max(len(gone), len(come))):
        if k >= len(gone) or k >= len(come) or come[k] == OFF:
            found.append(Breach(Fault.CHECKER_COUNT))
        elif gone[k] == OFF:
            found.append(Breach(Fault.OFF_RETURNED))
        else:
            found.append(Breach(Fault.OPPONENT_MOVED, target=BAR - gone[k]))
    return found
