"""A position packed into one int, seen by the side to move: what the play generator adds and compares.

Byte p (0 the lowest, 25 the highest) is the mover's checkers on his place p minus the opponent's on that
place in the mover's count: on a point only one of them stands; place 0 is the mover's off and the
opponent's bar, place 25 the mover's bar and the opponent's off. The int is the sum of byte × 256^p, so a
byte may be negative. A move is then one addition, whatever it meets.
"""

from __future__ import annotations

from rules.position import BAR, OFF, Player, Position

_WIDTH = 26
_ZERO = 64
_LEVEL = int.from_bytes(bytes([_ZERO]) * _WIDTH, "little")

Side = tuple[int, ...]


def pack(mine: Side, theirs: Side) -> int:
    """The position with these counts of the mover and of his opponent, each in its owner's own count, packed."""
    return int.from_bytes(mine, "little") - int.from_bytes(theirs, "big")


def unpack(packed: int, before: Position, player: Player) -> Position:
    """The position of a packed one that `player` reached from `before`: no play bears off for the opponent."""
    places = [place - _ZERO for place in (packed + _LEVEL).to_bytes(_WIDTH, "little")]
    mine = [place if place > 0 else 0 for place in places]
    theirs = [-place if place < 0 else 0 for place in reversed(places)]
    theirs_off = before.count(player.opponent, OFF)
    theirs[OFF] = theirs_off
    theirs[BAR] = before.total(player.opponent) - theirs_off - sum(theirs[1:BAR])
    mine[BAR] = places[BAR] + theirs_off
    mine[OFF] = places[OFF] + theirs[BAR]
    if player is Player.WHITE:
        return Position(tuple(mine), tuple(theirs))
    return Position(tuple(theirs), tuple(mine))


def step(origin: int, target: int, *, hit: bool) -> int:
    """What one move adds: the checker leaves and lands, a hit one goes to the opponent's bar."""
    moved = (1 << 8 * target) - (1 << 8 * origin)
    return moved + (1 << 8 * target) - 1 if hit else moved
