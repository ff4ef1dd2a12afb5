"""How a play is written for the room: the mover's own count, `8/5 6/5`, `bar/22*`, `6/off`."""

from __future__ import annotations

from collections.abc import Iterable

from rules.play import Move, Play
from rules.position import BAR, OFF, Player, Position

NO_MOVE = "no move"


def play_text(play: Play) -> str:
    """The play in the usual notation, equal moves gathered (`13/11(2)`); "no move" for a dance."""
    return _gather(_move_text(move) for move in play.moves)


def displacement_text(before: Position, after: Position, player: Player) -> str:
    """How `player`'s checkers went, read off the board alone: from the highest places left to the highest reached.

    No rule is used, so it also writes what is no legal play, in the same words. An ellipsis stands
    where checkers of his are missing or too many.
    """
    left: list[int] = []
    reached: list[int] = []
    for place in range(BAR, OFF - 1, -1):
        change = after.count(player, place) - before.count(player, place)
        (reached if change > 0 else left).extend([place] * abs(change))
    if len(left) != len(reached):
        return "…"
    hits = {
        25 - place
        for place in range(1, BAR)
        if before.count(player.opponent, place) == 1 and after.count(player.opponent, place) == 0
    }
    moves = [Move(a, b, hit=b in hits) for a, b in zip(left, reached, strict=True)]
    return _gather(_move_text(move) for move in moves)


def _move_text(move: Move) -> str:
    origin = "bar" if move.origin == BAR else str(move.origin)
    target = "off" if move.target == OFF else str(move.target)
    return f"{origin}/{target}{'*' if move.hit else ''}"


def _gather(moves: Iterable[str]) -> str:
    counts: dict[str, int] = {}
    for move in moves:
        counts[move] = counts.get(move, 0) + 1
    return " ".join(move if n == 1 else f"{move}({n})" for move, n in counts.items()) or NO_MOVE
