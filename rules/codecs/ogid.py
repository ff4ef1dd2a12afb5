"""OGID: a position as two lists of places, with cube, dice, score and the number of checkers a side.

`white:black:cube:dice:colour:state:white score:black score:length:move[:checkers]`. Places are absolute:
0 is White's bar, 1 to 24 (a to o from 10 on) are Black's points, 25 (p) is Black's bar; each checker
is one character. The colour is who acted last, so the other one is on roll.
"""

from __future__ import annotations

import re

from rules.codecs.xgid import Xgid
from rules.cube import Cube
from rules.errors import CodecError, RollError
from rules.position import BAR, CHECKERS, OFF, Player, Position
from rules.roll import Roll

_PLACES = "0123456789abcdefghijklmnop"
_COLOUR = {Player.WHITE: "W", Player.BLACK: "B"}
_PLAYER = {"W": Player.WHITE, "B": Player.BLACK}
_SHAPE = re.compile(
    r"(?P<white>[0-9a-p]*):(?P<black>[0-9a-p]*):(?P<owner>[WBND?])(?P<exponent>\d{1,2})(?P<action>[NOTP])"
    r":(?P<dice>\d{0,2}):(?P<colour>[WB])(?::(?P<state>[A-Z]*))?(?::(?P<w>\d{1,5}))?(?::(?P<b>\d{1,5}))?"
    r"(?::(?P<length>\d{1,5})(?P<crawford>C)?(?:L|G\d*)?)?(?::(?P<move>\d+))?(?::(?P<checkers>\d{1,2}))?$"
)


def write_ogid(what: Xgid, move: int = 0) -> str:
    """The OGID of these fields; `move` counts the moves so far.

    Raises:
        CodecError: the sides play with different numbers of checkers, which it cannot say.
    """
    position = what.position
    white, black = (position.total(player) for player in Player)
    if white != black:
        raise CodecError(f"an OGID has one number of checkers for both sides, not {white} and {black}")
    places = []
    for player in Player:
        held = [
            BAR - point if player is Player.WHITE else point
            for point in range(1, BAR + 1)
            for _ in range(position.count(player, point))
        ]
        places.append("".join(_PLACES[place] for place in sorted(held)))
    offered = what.cube.offered_by
    owner = "N" if what.cube.owner is None else _COLOUR[what.cube.owner]
    cube = f"{owner}{what.cube.value.bit_length() - 1}{'O' if offered else 'N'}"
    dice = f"{what.roll.low}{what.roll.high}" if what.roll else ""
    acted = offered or what.turn.opponent
    length = str(what.length)
    if what.length:
        length += "C" if what.rules & 1 else "L" if what.length > 1 and max(what.score) == what.length - 1 else ""
    fields = (*places, cube, dice, _COLOUR[acted], "D" if offered else "", *what.score, length, move)
    return ":".join(str(field) for field in fields) + (f":{white}" if white != CHECKERS else "")


def read_ogid(text: str) -> Xgid:
    """What an OGID holds; checkers that stand nowhere are borne off.

    Raises:
        CodecError: `text` is no OGID, or holds more checkers than it says there are.
    """
    match = _SHAPE.match(text.strip())
    if match is None:
        raise CodecError(f"{text!r}: expected an OGID such as 11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0")
    checkers = int(match["checkers"] or CHECKERS)
    sides = []
    for player in Player:
        side = [0] * 26
        for char in match[str(player)]:
            place = _PLACES.index(char)
            point = BAR - place if player is Player.WHITE else place
            if point == OFF:
                raise CodecError(f"{text!r}: {player} cannot stand on {char}")
            side[point] += 1
        side[OFF] = checkers - sum(side)
        if side[OFF] < 0:
            raise CodecError(f"{text!r}: {player} has {sum(side[1:])} checkers, more than {checkers}")
        sides.append(tuple(side))
    acted = _PLAYER[match["colour"]]
    offered = match["action"] == "O"
    dice = match["dice"]
    try:
        roll = Roll(int(dice[0]), int(dice[1])) if len(dice) == 2 else None
    except RollError as error:
        raise CodecError(f"{text!r}: {error}") from None
    return Xgid(
        position=Position(*sides),
        turn=acted if offered else acted.opponent,
        roll=roll,
        cube=Cube(1 << int(match["exponent"]), _PLAYER.get(match["owner"]), acted if offered else None),
        score=(int(match["w"] or 0), int(match["b"] or 0)),
        rules=int(match["crawford"] is not None),
        length=int(match["length"] or 0),
    )
