"""Tall stacks, which the eyes miscount alike each time: what a point showed when the position was known.

The same picture twice is no further evidence. A point that was read as six when seven stood there and is read as six
again may hold seven, however sure the eyes are; what else moved tells which.
"""

from __future__ import annotations

from dataclasses import replace

from rules.position import BAR, CHECKERS, POINTS, Player, Position
from rules.reading import PlaceEvidence, Reading

TALL = 5
"""From so many checkers on they lie on top of each other, or reach as far as can be seen."""


def learned(reading: Reading, position: Position) -> tuple[int, ...]:
    """By how much each of white's points 1–24 holds more than `reading` tells, white's checkers counting positive."""
    return tuple(
        true - told if true * told > 0 and max(abs(true), abs(told)) >= TALL else 0
        for true, told in zip(_standing(position), _standing(reading.position), strict=True)
    )


def understood(reading: Reading, habits: tuple[int, ...]) -> Reading:
    """The reading, where every tall stack may be miscounted as it was before; `position` stays what the eyes tell."""
    if not any(habits):
        return reading
    places = zip(reading.points, habits, strict=True)
    return replace(reading, points=tuple(_shifted(place, by) if by else place for place, by in places))


def _shifted(place: PlaceEvidence, by: int) -> PlaceEvidence:
    told = place.log_likelihood
    shifted = list(told)
    for count in range(-CHECKERS, CHECKERS + 1):
        other = count - by
        if count * other > 0 and abs(other) <= CHECKERS and max(abs(count), abs(other)) >= TALL:
            shifted[CHECKERS + count] = max(told[CHECKERS + count], told[CHECKERS + other])
    return replace(place, log_likelihood=tuple(shifted))


def _standing(position: Position) -> list[int]:
    """What stands on white's points 1–24, black's checkers counting negative."""
    return [position.count(Player.WHITE, point) - position.count(Player.BLACK, BAR - point) for point in POINTS]
