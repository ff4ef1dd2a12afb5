"""What the eyes misread alike each time: what a point showed when the position was known.

The same picture twice is no further evidence. A tall stack that was read as six when seven stood there and is read as
six again may hold seven, however sure the eyes are; what else moved tells which. So it is with a point that was taken
for the other side's, for a lamp still shines on it.
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
    """What `reading` tells otherwise than `position` has it, of tall stacks and of colours."""
    both = zip(POINTS, _standing(reading.position), _standing(position), strict=True)
    return tuple(Habit(*one) for one in both if _miscounted(*one[1:]) or _miscoloured(*one[1:]))


def _miscoloured(told: int, true: int) -> bool:
    return told * true < 0 and abs(told + true) <= 1


def _miscounted(told: int, true: int) -> bool:
    return told != true and told * true > 0 and max(abs(told), abs(true)) >= TALL


def understood(reading: Reading, habits: tuple[Habit, ...]) -> Reading:
    """The reading, where all may be misread as it was before; `position` stays what the eyes tell."""
    points = list(reading.points)
    for habit in habits:
        place = points[habit.point - 1]
        coloured = habit.told * habit.true < 0
        points[habit.point - 1] = _either(place, habit) if coloured else _shifted(place, habit.true - habit.told)
    return replace(reading, points=tuple(points))


def _shifted(place: PlaceEvidence, by: int) -> PlaceEvidence:
    told = place.log_likelihood
    shifted = list(told)
    for count in range(-CHECKERS, CHECKERS + 1):
        other = count - by
        if abs(other) <= CHECKERS and _miscounted(other, count):
            shifted[CHECKERS + count] = max(told[CHECKERS + count], told[CHECKERS + other])
    return replace(place, log_likelihood=tuple(shifted))


def _either(place: PlaceEvidence, habit: Habit) -> PlaceEvidence:
    """The place, where what looks like the other side's is as likely of the side that was mistaken for it."""
    told = list(place.log_likelihood)
    for count in range(1, CHECKERS + 1):
        mine, other = (CHECKERS + count, CHECKERS - count) if habit.true > 0 else (CHECKERS - count, CHECKERS + count)
        told[mine] = max(told[mine], told[other])
    return replace(place, log_likelihood=tuple(told))


def corrected(position: Position, habits: tuple[Habit, ...]) -> Position:
    """A position as the eyes tell it, with the points that they tell as ever taken for what they were."""
    sides = {player: list(position.side(player)) for player in Player}
    standing = _standing(position)
    changed = [habit for habit in habits if standing[habit.point - 1] == habit.told]
    for habit in sorted(changed, key=lambda habit: habit.told * habit.true):  # who turns over frees checkers
        for player, told, true in ((Player.WHITE, habit.told, habit.true), (Player.BLACK, -habit.told, -habit.true)):
            side, point = sides[player], habit.point if player is Player.WHITE else BAR - habit.point
            more = max(true, 0) - max(told, 0)
            side[point] += more
            side[OFF] -= more
    if any(side[OFF] < 0 for side in sides.values()):
        return position
    return Position(tuple(sides[Player.WHITE]), tuple(sides[Player.BLACK]))


def _standing(position: Position) -> list[int]:
    """What stands on white's points 1–24, black's checkers counting negative."""
    return [position.count(Player.WHITE, point) - position.count(Player.BLACK, BAR - point) for point in POINTS]
