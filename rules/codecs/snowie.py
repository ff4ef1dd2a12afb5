"""Snowie's text: its one-line position, and its match file, a .mat that can also say that a play was illegal.

The position: `length;Jacoby;0;0;0;name on roll;other name;Crawford;score;score;cube;owner;26 places;die;die;`,
seen by the player on roll: the opponent's bar first, then the points from his ace point, then his own bar; his
checkers are positive. An illegal play stands in a match file as `42: Illegal play (…)` with the position it left.
"""

from __future__ import annotations

from rules.codecs.mat import match_text
from rules.cube import Cube
from rules.errors import CodecError
from rules.match import GameRecord, MatchState, TurnRecord
from rules.position import BAR, OFF, Player, Position

_HEAD, _PLACES = 12, 26


def write_places(position: Position, on_roll: Player) -> str:
    """The 26 places of the position, each with a semicolon, as the player on roll sees them."""
    mine, theirs = position.side(on_roll), position.side(on_roll.opponent)
    places = [-theirs[BAR], *(mine[point] - theirs[BAR - point] for point in range(1, BAR)), mine[BAR]]
    return "".join(f"{n};" for n in places)


def write_position(state: MatchState, game: GameRecord, cube: Cube, position: Position, on_roll: Player) -> str:
    """The whole line for a position of a game with the cube as it stood then, nothing rolled."""
    order = (0, 1) if on_roll is Player.WHITE else (1, 0)
    owner = {None: 0, on_roll: 1, on_roll.opponent: -1}[cube.owner]
    names = [state.names[k].replace(";", ",") for k in order]
    head = [state.length, 0, 0, 0, 0, *names, int(game.crawford), *(game.score[k] for k in order), cube.value, owner]
    return f"{''.join(f'{field};' for field in head)}{write_places(position, on_roll)}0;0;"


def read_position(text: str, on_roll: Player, checkers: tuple[int, int] = (15, 15)) -> Position:
    """The position of such a line; `checkers` (white, black) are how many each side plays with.

    Raises:
        CodecError: too few fields, or one that is no number, or too many checkers.
    """
    fields = text.strip().split(";")
    if len(fields) < _HEAD + _PLACES:
        raise CodecError(f"{text!r}: expected 40 fields with semicolons behind, got {len(fields) - 1}")
    return read_places(";".join(fields[_HEAD:]), on_roll, checkers)


def read_places(text: str, on_roll: Player, checkers: tuple[int, int] = (15, 15)) -> Position:
    """The position of 26 places with semicolons between, as the player on roll sees them.

    Raises:
        CodecError: one is no number, or there are too many checkers.
    """
    try:
        places = [int(field) for field in text.split(";")[:_PLACES]]
    except ValueError:
        raise CodecError(f"{text!r}: expected 26 numbers with semicolons between") from None
    mine, theirs = [0] * 26, [0] * 26
    for place, n in enumerate(places):
        if n > 0 and place != OFF:
            mine[place] = n
        elif n:
            theirs[BAR - place] = abs(n)
    white, black = (mine, theirs) if on_roll is Player.WHITE else (theirs, mine)
    for side, total in ((white, checkers[0]), (black, checkers[1])):
        side[OFF] = 0
        side[OFF] = total - sum(side)
        if side[OFF] < 0:
            raise CodecError(f"{text!r}: more than {total} checkers on one side")
    return Position(tuple(white), tuple(black))


def write_snowie(state: MatchState) -> str:
    """The match as Snowie text, illegal plays that stand among it.

    Raises:
        CodecError: 12 checkers, another start, or no game: the format cannot say that.
    """
    return match_text(state, illegal=lambda game, turn: _illegal(state, game, turn))


def _illegal(state: MatchState, game: GameRecord, turn: TurnRecord) -> str:
    if turn.position is None:
        raise CodecError("an illegal play without the position it left cannot be written")
    line = write_position(state, game, turn.cube_before or Cube(), turn.position, turn.player.opponent)
    return f"Illegal play ({line})"
