"""A play: the moves that use one roll, and its notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from rules.errors import PlayError
from rules.position import BAR, OFF

_PIECE = re.compile(r"(?P<stops>(?:bar|off|\d\d?)\*?(?:/(?:bar|off|\d\d?)\*?)+)(?:\((?P<times>\d)\))?$", re.IGNORECASE)
_DANCES = frozenset({"", "-", "dance", "cannot move", "no play", "no move"})


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

    def __str__(self) -> str:
        """The field's notation, higher origins first: `24/18*/13`, `13/11(2)`, `bar/21`, `6/off`; a dance is empty."""
        pieces = sorted(_pieces(self.moves), key=lambda piece: (-piece[0].origin, piece[-1].target))
        groups: list[tuple[tuple[Move, ...], int]] = []
        for piece in pieces:
            if groups and _same_way(groups[-1][0], piece):
                groups[-1] = (groups[-1][0], groups[-1][1] + 1)
            else:
                groups.append((piece, 1))
        return " ".join(_written(piece) + (f"({n})" if n > 1 else "") for piece, n in groups)


def _pieces(moves: tuple[Move, ...]) -> list[tuple[Move, ...]]:
    """The moves joined checker by checker: each piece is the way of one checker."""
    left = list(moves)
    pieces = []
    while left:
        piece = [left.pop(0)]
        while True:
            following = next((k for k, move in enumerate(left) if move.origin == piece[-1].target != OFF), None)
            if following is None:
                break
            piece.append(left.pop(following))
        pieces.append(tuple(piece))
    return pieces


def _same_way(first: tuple[Move, ...], other: tuple[Move, ...]) -> bool:
    """Whether both can be written as one with `(2)`: same ends, and a hit only at the end of the first."""
    ends = first[0].origin == other[0].origin and first[-1].target == other[-1].target
    return ends and not any(move.hit for move in (*first[:-1], *other))


def _written(piece: tuple[Move, ...]) -> str:
    """One checker's way; stops in between are written only where it hits."""
    stops = [_name(piece[0].origin)]
    stops += [f"{move.target}*" for move in piece[:-1] if move.hit]
    stops.append(_name(piece[-1].target) + ("*" if piece[-1].hit else ""))
    return "/".join(stops)


def _name(point: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def parse_play(text: str) -> Play:
    """The play that `text` writes; each written step is one Move, also where it takes several numbers at once.

    Accepts `bar` or 25, `off` or 0, in any case; `24/18*(2)` hits with the first checker only.
    `rules.movegen.resolve` turns the result into a legal play of a roll.

    Raises:
        PlayError: `text` is not a play; the message names the part that is not.
    """
    if text.strip().lower() in _DANCES:
        return Play()
    moves: list[Move] = []
    for word in text.split():
        match = _PIECE.match(word)
        if match is None:
            raise PlayError(f"{text!r}: expected steps such as 13/8, bar/21*, 6/off or 13/11(2), got {word!r}")
        stops = [_stop(part, text) for part in match["stops"].split("/")]
        for time in range(int(match["times"] or 1)):
            for (origin, _), (target, hit) in pairwise(stops):
                moves.append(Move(origin, target, hit and time == 0))
    return Play(tuple(moves))


def _stop(part: str, text: str) -> tuple[int, bool]:
    name = part.rstrip("*").lower()
    point = {"bar": BAR, "off": OFF}.get(name)
    if point is None:
        point = int(name)
    if point > BAR:
        raise PlayError(f"{text!r}: there is no point {point}")
    return point, part.endswith("*")
