"""The .mat match file that nearly every program reads: writing."""

from __future__ import annotations

from collections.abc import Callable

from rules.codecs.extent import can_hold, told, unsaid
from rules.errors import CodecError
from rules.match import GameRecord, MatchState, TurnRecord
from rules.play import Play
from rules.position import Player

_LEFT = 5
_WIDTH = 34


def write_mat(state: MatchState) -> str:
    """The match as .mat text: white in the left column, a comment where the format cannot say what happened.

    Raises:
        CodecError: `can_hold` tells why not.
    """
    return match_text(state, illegal=None)


def match_text(state: MatchState, illegal: Callable[[GameRecord, TurnRecord], str] | None) -> str:
    """The match in two columns; `illegal` writes a play that is not legal, None where the format cannot.

    Raises:
        CodecError: `can_hold` tells why not.
    """
    reason = can_hold(state)
    if reason is not None:
        raise CodecError(reason)
    notes = [f"; game {number}: {text}" for number, text in unsaid(state, illegal=illegal is not None)]
    lines = [*notes, f" {state.length} point match", ""]  # GNU Backgammon takes comments at the head only
    for game in state.games:
        lines += _game(state, game, illegal)
    return "\n".join(lines) + "\n"


def escape_name(name: str) -> str:
    """A player's name without what ends it in a .mat file: colons, commas and line ends."""
    plain = name.replace(":", ";").replace(",", ";")
    return " ".join(plain.split()) or "?"


def _game(state: MatchState, game: GameRecord, illegal: Callable[[GameRecord, TurnRecord], str] | None) -> list[str]:
    """One game: its head, its rows, its result."""
    white, black = (escape_name(name) for name in state.names)
    head = f" {white} : {game.score[0]}".ljust(_LEFT + _WIDTH) + f"{black} : {game.score[1]}"
    lines = [f" Game {game.number}", head]
    turns, _ = told(game, illegal=illegal is not None)
    rows = _rows([(turn.player, _cell(game, turn, illegal)) for turn in turns])
    result = "" if game.winner is None else f"Wins {game.points} point{'s' if game.points != 1 else ''}"
    if result and game.winner is Player.BLACK and rows and not rows[-1][1]:
        rows[-1] = (rows[-1][0], f" {result}")  # in the row of the drop: some readers need it there
        result = ""
    lines += _numbered(rows)
    if result:
        left, right = (f"  {result}", "") if game.winner is Player.WHITE else ("", f"  {result}")
        lines.append(_row(" " * _LEFT + left, right))
    return [*lines, ""]


def _cell(game: GameRecord, turn: TurnRecord, illegal: Callable[[GameRecord, TurnRecord], str] | None) -> str:
    if turn.cube in ("doubles", "beavers"):
        return f" {turn.cube.capitalize()} => {turn.value}"
    if turn.cube is not None:
        return f" {turn.cube.capitalize()}"
    assert turn.roll is not None
    if turn.verdict != "legal":
        assert illegal is not None, "`told` ends before it"
        return f"{turn.roll.high}{turn.roll.low}: {illegal(game, turn)}"
    return f"{turn.roll.high}{turn.roll.low}: {mat_play(turn.play or Play())}".rstrip()


def mat_play(play: Play) -> str:
    """A play as .mat readers take it: `bar` is 25, `off` is 0, every step with its own hit."""
    return str(play).replace("bar", "25").replace("off", "0")


def _rows(cells: list[tuple[Player, str]]) -> list[tuple[str, str]]:
    """The cells in two columns, white's left; a side that acts twice in a row starts a new row."""
    rows: list[tuple[str, str]] = []
    for player, text in cells:
        if player is Player.WHITE:
            rows.append((text, ""))
        elif rows and not rows[-1][1]:
            rows[-1] = (rows[-1][0], text)
        else:
            rows.append(("", text))
    return rows


def _numbered(rows: list[tuple[str, str]]) -> list[str]:
    return [_row(f"{k:3}) {left}", right) for k, (left, right) in enumerate(rows, 1)]


def _row(left: str, right: str) -> str:
    """Both cells, the right one at its column, or behind a left one that is longer."""
    return f"{left:<{_LEFT + _WIDTH - 1}} {right}".rstrip()
