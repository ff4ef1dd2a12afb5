"""GNU Backgammon's position and match identifiers.

Position ID: 80 bits as base64 without padding. For the opponent first, then for the player on roll:
his points 1 to 24 and his bar, each as so many ones and a zero; a byte's lowest bit comes first.
Match ID: 67 bits in the same packing; player 0 is the top one (here BLACK), 1 the bottom one (WHITE).
Only GNU Backgammon's dice may come in either order.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from rules.codecs.xgid import Xgid
from rules.cube import Cube
from rules.errors import CodecError
from rules.position import CHECKERS, OFF, Player, Position
from rules.roll import Roll

_POSITION_BYTES, _MATCH_BYTES = 10, 9
_CENTRED = 3
_PLAYING = 1
_WIDTHS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)
_PLAYERS = (Player.BLACK, Player.WHITE)


@dataclass(frozen=True, slots=True)
class MatchId:
    """The fields of a match ID, as GNU Backgammon numbers them; `to_act` is who has to decide, `on_roll` whose roll."""

    cube_exponent: int = 0
    owner: int = _CENTRED
    on_roll: int = 1
    crawford: int = 0
    state: int = _PLAYING
    to_act: int = 1
    offered: int = 0
    resignation: int = 0
    die_1: int = 0
    die_2: int = 0
    length: int = 0
    score_0: int = 0
    score_1: int = 0
    no_jacoby: int = 0

    def numbers(self) -> tuple[int, ...]:
        """The fields in the order in which they are packed."""
        return tuple(getattr(self, name) for name in self.__slots__)


def write_position_id(position: Position, on_roll: Player) -> str:
    """The 14 characters of the position seen by the player on roll.

    Raises:
        CodecError: more than 15 checkers of one side on the board.
    """
    bits, at = 0, 0
    for player in (on_roll.opponent, on_roll):
        if position.on_board(player) > CHECKERS:
            raise CodecError(f"a position ID cannot hold {position.on_board(player)} checkers of {player}")
        for point in range(1, 26):
            n = position.count(player, point)
            bits |= ((1 << n) - 1) << at
            at += n + 1
    return _text(bits, _POSITION_BYTES)


def read_position_id(text: str, on_roll: Player, checkers: tuple[int, int] = (CHECKERS, CHECKERS)) -> Position:
    """The position of an ID, given who is on roll; `checkers` (white, black) are how many each side plays with.

    Raises:
        CodecError: not 14 characters of base64, or more checkers than there are.
    """
    bits = _bits(text, _POSITION_BYTES, "position ID")
    total = {Player.WHITE: checkers[0], Player.BLACK: checkers[1]}
    sides: dict[Player, tuple[int, ...]] = {}
    for player in (on_roll.opponent, on_roll):
        side = [0] * 26
        for point in range(1, 26):
            while bits & 1:
                side[point] += 1
                bits >>= 1
            bits >>= 1
        side[OFF] = total[player] - sum(side)
        if side[OFF] < 0:
            raise CodecError(f"{text!r}: {player} has {sum(side[1:])} checkers, more than {total[player]}")
        sides[player] = tuple(side)
    return Position(sides[Player.WHITE], sides[Player.BLACK])


def write_match_id(match: MatchId) -> str:
    """The 12 characters of a match ID.

    Raises:
        CodecError: a field is too large for its bits.
    """
    bits, at = 0, 0
    for name, width, number in zip(match.__slots__, _WIDTHS, match.numbers(), strict=True):
        if not 0 <= number < 1 << width:
            raise CodecError(f"a match ID cannot hold {number} as {name}")
        bits |= number << at
        at += width
    return _text(bits, _MATCH_BYTES)


def read_match_id(text: str) -> MatchId:
    """The fields of a match ID.

    Raises:
        CodecError: not 12 characters of base64.
    """
    bits = _bits(text, _MATCH_BYTES, "match ID")
    numbers = []
    for width in _WIDTHS:
        numbers.append(bits & ((1 << width) - 1))
        bits >>= width
    return MatchId(*numbers)


def write_gnuid(what: Xgid) -> str:
    """Position and match ID with a colon between, as GNU Backgammon shows them; WHITE is its player 1."""
    turn = what.cube.offered_by or what.turn
    crawford = what.rules & 1 if what.length else 0
    match = MatchId(
        cube_exponent=what.cube.value.bit_length() - 1,
        owner=_CENTRED if what.cube.owner is None else _PLAYERS.index(what.cube.owner),
        on_roll=_PLAYERS.index(turn),
        crawford=crawford,
        to_act=_PLAYERS.index(turn.opponent if what.cube.offered_by else turn),
        offered=int(what.cube.offered_by is not None),
        die_1=what.roll.high if what.roll else 0,
        die_2=what.roll.low if what.roll else 0,
        length=what.length,
        score_0=what.score[1],
        score_1=what.score[0],
        no_jacoby=int(bool(what.length) or not what.rules & 1),
    )
    return f"{write_position_id(what.position, turn)}:{write_match_id(match)}"


def read_gnuid(text: str, checkers: tuple[int, int] = (CHECKERS, CHECKERS)) -> Xgid:
    """What a position and match ID hold.

    Raises:
        CodecError: not two IDs with a colon between, or one of them cannot be read.
    """
    position_id, colon, match_id = text.strip().partition(":")
    if not colon:
        raise CodecError(f"{text!r}: expected a position ID, a colon and a match ID")
    match = read_match_id(match_id)
    turn = _PLAYERS[match.on_roll]
    if match.owner not in (0, 1, _CENTRED):
        raise CodecError(f"{text!r}: the cube's owner is {match.owner}, expected 0, 1 or 3")
    dice = (match.die_1, match.die_2)
    if any(dice) and not all(1 <= die <= 6 for die in dice):
        raise CodecError(f"{text!r}: the dice are {dice[0]} and {dice[1]}")
    return Xgid(
        position=read_position_id(position_id, turn, checkers),
        turn=turn,
        roll=Roll(*dice) if any(dice) else None,
        cube=Cube(
            1 << match.cube_exponent,
            None if match.owner == _CENTRED else _PLAYERS[match.owner],
            turn if match.offered else None,
        ),
        score=(match.score_1, match.score_0),
        rules=match.crawford if match.length else 1 - match.no_jacoby,
        length=match.length,
    )


def _text(bits: int, size: int) -> str:
    return base64.b64encode(bits.to_bytes(size, "little")).decode("ascii").rstrip("=")


def _bits(text: str, size: int, what: str) -> int:
    length = (size * 8 + 5) // 6
    plain = text.strip()
    try:
        packed = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise CodecError(f"{text!r}: a {what} is {length} characters of base64 ({error})") from None
    if len(packed) != size:
        raise CodecError(f"{text!r}: a {what} is {length} characters of base64, got {len(plain)}")
    return int.from_bytes(packed, "little")
