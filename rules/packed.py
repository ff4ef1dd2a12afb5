"""A position packed into one int, seen by the side to move: what the play generator adds and compares.

Byte p of the int (0–25, byte 0 the lowest) holds 64 plus the mover's checkers minus the
opponent's on the mover's point p; byte 25 is the mover's bar, byte 0 the opponent's bar (64 minus
its checkers). A move is then one addition, whatever it meets, and borne-off checkers are what is
missing from the total, which a move never changes for the opponent.
"""

from __future__ import annotations

from rules.position import OFF, Player, Position

ZERO = 64
WIDTH = 26
_LEVEL = int.from_bytes(bytes([ZERO]) * WIDTH, "little")


def pack(position: Position, player: Player) -> int:
    """The position as `player` sees it, packed."""
    if player is Player.WHITE:
        mine, theirs = position.white, position.black
    else:
        mine, theirs = position.black, position.white
    own = int.from_bytes(bytes(mine), "little") - mine[0]
    other = int.from_bytes(bytes(theirs), "big") - (theirs[0] << 200)
    return _LEVEL + own - other


def unpack(packed: int, player: Player, mine: int, theirs: int) -> Position:
    """The position of a packed one; `mine` and `theirs` are all checkers of the mover and of the opponent."""
    digits = packed.to_bytes(WIDTH, "little")
    own = [digit - ZERO if digit > ZERO else 0 for digit in digits]
    other = [ZERO - digit if digit < ZERO else 0 for digit in digits]
    other.reverse()
    own[OFF] = mine - sum(own)
    other[OFF] = theirs - sum(other)
    if player is Player.WHITE:
        return Position(tuple(own), tuple(other))
    return Position(tuple(other), tuple(own))


def weight(point: int) -> int:
    """What one checker of the mover on his `point` adds (0 for off: it leaves the board)."""
    return 0 if point == OFF else 1 << 8 * point


def step(origin: int, target: int, hit: bool) -> int:
    """What one move adds: the checker leaves and lands, a hit one goes to the opponent's bar."""
    moved = weight(target) - weight(origin)
    return moved + weight(target) - 1 if hit else moved
