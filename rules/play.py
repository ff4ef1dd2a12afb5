"""A play: the moves that use one roll."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """One checker moved by one number, in the mover's own count (25 the bar, 0 off)."""

    origin: int
    target: int
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """All moves of a roll in the order they are written; no moves is a dance."""

    moves: tuple[Move, ...] = ()
