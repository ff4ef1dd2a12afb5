"""Tall stacks, which the eyes miscount alike each time: what a point showed when the position was known.

The same picture twice is no further evidence. A point that was read as six when seven stood there and is read as six
again may hold seven, however sure the eyes are; what else moved tells which.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.position import BAR, CHECKERS, OFF, POINTS, Player, Position
from rules.reading import PlaceEvidence, Reading

TALL = 5
"""From so many checkers on they lie on top of each other, or reach as far as can be seen."""


@dataclass(frozen=True, slots=True)
class Habit:
    """One of white's points 1–24 was read as `told` when `true` checkers stood there, black's counting negative."""

    point: int
    told: int
    true: int


def learned(reading: Reading, position: Position) -> tuple[Habit, ...]:
    """What `reading` tells otherwise of tall stacks than `position` has it."""
    both = zip(POINTS, _standing(reading.position), _standing(position), strict=True)
    return tuple(Habit(*one) for one in both if _miscounted(*one[1:]))


def _miscounted(told: int, true: int) -> bool:
    return told != true and told * true > 0 and max(abs(told), abs(true)) >= TALL


def understood(reading: Reading, habits: tuple[Habit, ...]) -> Reading:
    """The reading, where every tall stack may be miscounted as it was before; `position` stays what the eyes tell."""
    points = list(reading.points)
    for habit in habits:
        points[habit.point - 1] = _shifted(points[habit.point - 1], habit.true - habit.told)
    return replace(reading, points=tuple(points))


def _shifted(place: PlaceEvidence, by: int) -> PlaceEvidence:
    told = place.log_likelihood
    shifted = list(told)
    for count in range(-CHECKERS, CHECKERS + 1):
        other = count - by
        if abs(other) <= CHECKERS and _miscounted(other, count):
            shifted[CHECKERS + count] = max(told[CHECKERS + count], told[CHECKERS + other])
    return replace(place, log_likelihood=tuple(shifted))


def corrected(position: Position, habits: tuple[Habit, ...]) -> Position:
    """A position as the eyes tell it, with the stacks that they tell as ever taken for what they were."""
    sides = {player: list(position.side(player)) for player in Player}
    standing = _standing(position)
    for habit in habits:
        player = Player.WHITE if habit.told > 0 else Player.BLACK
        more, side = abs(habit.true) - abs(habit.told), sides[player]
        if standing[habit.point - 1] == habit.told and side[OFF] >= more:
            side[habit.point if player is Player.WHITE else BAR - habit.point] += more
            side[OFF] -= more
    return Position(tuple(sides[Player.WHITE]), tuple(sides[Player.BLACK]))


def _standing(position: Position) -> list[int]:
    """What stands on white's points 1–24, black's checkers counting negative."""
    return [position.count(Player.WHITE, point) - position.count(Player.BLACK, BAR - point) for point in POINTS]
