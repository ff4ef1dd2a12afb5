"""XGID: one position with cube, turn, dice and score, in one line.

`XGID=26 chars:cube exponent:cube owner:turn:dice:bottom score:top score:Crawford/Jacoby:length:largest cube`.
It is absolute: the bottom player, here always WHITE, has the capital letters and is counted from his
ace point (character 0 is the top player's bar, 25 his own), whoever is on roll.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.cube import Cube
from rules.errors import CodecError
from rules.match import MatchState
from rules.position import BAR, CHECKERS, OFF, Player, Position
from rules.roll import Roll

_PLACES = 26
_LARGEST_EXPONENT = 30
_FIELDS = ("position", "cube", "cube owner", "turn", "dice", "score", "score", "Crawford", "length", "largest cube")
_SIGN = {Player.WHITE: "1", Player.BLACK: "-1", None: "0"}
_OWNER = {"1": Player.WHITE, "-1": Player.BLACK, "0": None}


@dataclass(frozen=True, slots=True)
class Xgid:
    """What an XGID holds. `roll` is None before the roll; `rules` is the Crawford or Jacoby field as it stands.

    With `length` 0 (money play) bit 1 of `rules` is Jacoby and bit 2 beavers; in a match 1 means Crawford.
    """

    position: Position
    turn: Player = Player.WHITE
    roll: Roll | None = None
    cube: Cube = field(default_factory=Cube)
    score: tuple[int, int] = (0, 0)
    rules: int = 0
    length: int = 0
    largest_cube: int = 10


def write_board(position: Position) -> str:
    """The 26 characters of an XGID, WHITE at the bottom.

    Raises:
        CodecError: both sides stand on one point, or 27 and more on one place.
    """
    places = []
    for place in range(_PLACES):
        white = position.count(Player.WHITE, place) if place != OFF else 0
        black = position.count(Player.BLACK, BAR - place) if place != BAR else 0
        if white and black:
            raise CodecError(f"an XGID cannot hold both sides on one point: white's {place} point")
        if max(white, black) > 26:
            raise CodecError(f"an XGID cannot hold {max(white, black)} checkers on one point")
        places.append(chr(64 + white) if white else chr(96 + black) if black else "-")
    return "".join(places)


def write_xgid(what: Xgid) -> str:
    """The XGID of these fields.

    Raises:
        CodecError: an XGID cannot hold them.
    """
    if what.cube.value & (what.cube.value - 1):
        raise CodecError(f"an XGID cannot hold a cube at {what.cube.value}")
    dice = "D" if what.cube.offered_by else f"{what.roll.high}{what.roll.low}" if what.roll else "00"
    turn = what.cube.offered_by or what.turn
    fields = (
        write_board(what.position),
        what.cube.value.bit_length() - 1,
        _SIGN[what.cube.owner],
        _SIGN[turn],
        dice,
        *what.score,
        what.rules,
        what.length,
        what.largest_cube,
    )
    return "XGID=" + ":".join(str(field) for field in fields)


def xgid_of_position(position: Position) -> str:
    """The XGID of a bare position: centred cube, white to roll, no score."""
    return write_xgid(Xgid(position))


def xgid_of_state(state: MatchState) -> str:
    """The XGID of a running game; where nobody knows whose turn it is, white's."""
    return write_xgid(
        Xgid(
            position=state.position,
            turn=state.turn or Player.WHITE,
            roll=state.roll,
            cube=state.cube,
            score=state.score,
            rules=int(state.crawford),
            length=state.length,
        )
    )


def read_xgid(text: str, checkers: tuple[int, int] = (CHECKERS, CHECKERS)) -> Xgid:
    """The fields of an XGID; `checkers` (white, black) tells how many each side plays with, the rest is borne off.

    Raises:
        CodecError: `text` is no XGID; the message names the column and what was expected.
    """
    body = text.strip()
    start = body.upper().find("XGID=")
    body = body[start + 5 :].split()[0] if start >= 0 and body[start + 5 :].split() else body
    fields = body.split(":")
    if not 5 <= len(fields) <= len(_FIELDS):
        raise CodecError(f"{text!r}: expected 10 fields after XGID=, separated by colons, got {len(fields)}")
    fields += ["0", "0", "0", "0", "10"][len(fields) - 5 :]
    position = read_board(fields[0], checkers, text)
    turn = _OWNER.get(fields[3])
    if turn is None:
        raise _wrong(text, fields, 3, "1 or -1")
    owner_field = fields[2]
    if owner_field not in _OWNER:
        raise _wrong(text, fields, 2, "1, 0 or -1")
    numbers = {k: _number(text, fields, k) for k in (1, 5, 6, 7, 8, 9)}
    if numbers[1] > _LARGEST_EXPONENT:
        raise _wrong(text, fields, 1, f"a number up to {_LARGEST_EXPONENT}")
    offered = fields[4] in ("D", "B", "R")
    cube = Cube(2 ** numbers[1], _OWNER[owner_field], turn if offered else None)
    return Xgid(
        position=position,
        turn=turn,
        roll=None if offered else _read_dice(text, fields),
        cube=cube,
        score=(numbers[5], numbers[6]),
        rules=numbers[7],
        length=numbers[8],
        largest_cube=numbers[9],
    )


def read_board(board: str, checkers: tuple[int, int] = (CHECKERS, CHECKERS), text: str | None = None) -> Position:
    """The position of an XGID's 26 characters; `text` is what an error message quotes.

    Raises:
        CodecError: not 26 characters, a character that is none of XGID's, or too many checkers.
    """
    shown = board if text is None else text
    if len(board) != _PLACES:
        raise CodecError(f"{shown!r}: expected 26 characters of position, got {len(board)}")
    white, black = [0] * _PLACES, [0] * _PLACES
    for place, char in enumerate(board):
        if "A" <= char <= "Z" and place != OFF:
            white[place] = ord(char) - 64
        elif "a" <= char <= "z" and place != BAR:
            black[BAR - place] = ord(char) - 96
        elif char != "-":
            column = shown.find(board) + place + 1
            raise CodecError(f"{shown!r}: column {column}: expected -, A–Z or a–z for place {place}, got {char!r}")
    for side, total, name in ((white, checkers[0], "white"), (black, checkers[1], "black")):
        side[OFF] = total - sum(side)
        if side[OFF] < 0:
            raise CodecError(f"{shown!r}: {name} has {sum(side[1:])} checkers on the board, more than {total}")
    return Position(tuple(white), tuple(black))


def _read_dice(text: str, fields: list[str]) -> Roll | None:
    dice = fields[4]
    if dice in ("00", "0"):
        return None
    if len(dice) == 2 and all(die in "123456" for die in dice):
        return Roll(int(dice[0]), int(dice[1]))
    raise _wrong(text, fields, 4, "two dice such as 53, 00 or D")


def _number(text: str, fields: list[str], index: int) -> int:
    if not (fields[index].isascii() and fields[index].isdigit() and len(fields[index]) < 5):
        raise _wrong(text, fields, index, "a number")
    return int(fields[index])


def _wrong(text: str, fields: list[str], index: int, expected: str) -> CodecError:
    column = text.find(fields[0]) + sum(len(field) + 1 for field in fields[:index]) + 1
    return CodecError(f"{text!r}: column {column}: expected {expected} as {_FIELDS[index]}, got {fields[index]!r}")
