"""How a play is written for the room, in the mover's own count: `8/5 6/5`, `bar/22*`, `6/off`."""

from __future__ import annotations

from rules.play import Move, Play
from rules.position import BAR, OFF, Player, Position
from webui.languages import gettext, later

NO_MOVE = later("no move")


def play_text(play: Play) -> str:
    """The play in the field's notation; "no move" for a dance."""
    return str(play) or gettext(NO_MOVE)


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
    return play_text(Play(tuple(Move(a, b, hit=b in hits) for a, b in zip(left, reached, strict=True))))
