"""The .mat match file that nearly every program reads: writing."""

from __future__ import annotations

from collections.abc import Callable

from rules.errors import CodecError
from rules.match import GameRecord, MatchState, TurnRecord
from rules.play import Play
from rules.position import START, Player

_LEFT = 5
_WIDTH = 34


def can_hold(state: MatchState) -> str | None:
    """Why a .mat file cannot hold this match, or None when it can (12 checkers, another start, a gap)."""
    if state.checkers != 15:
        return f"a .mat file holds games with 15 checkers a side, not {state.checkers}"
    for game in state.games:
        if game.start != START:
            return f"game {game.number} does not start from the standard position, which a .mat file cannot say"
    return None


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
    lines = [f" {state.length} point match", ""]
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
    cells, note = _cells(game, illegal)
    rows = _rows(cells)
    if game.winner is not None and note is None:
        result = f"Wins {game.points} point{'s' if game.points != 1 else ''}"
        if game.winner is Player.BLACK and rows and not rows[-1][1]:
            rows[-1] = (rows[-1][0], f" {result}")  # in the row of the drop: some readers need it there
            lines += _numbered(rows)
        else:
            left, right = (f"  {result}", "") if game.winner is Player.WHITE else ("", f"  {result}")
            lines += [*_numbered(rows), _row(" " * _LEFT + left, right)]
    else:
        lines += _numbered(rows)
    if note is not None:
        lines.append(f"; {note}")
    return [*lines, ""]


def _cells(
    game: GameRecord, illegal: Callable[[GameRecord, TurnRecord], str] | None
) -> tuple[list[tuple[Player, str]], str | None]:
    """Who did what in which words, and why the rest is left out, if it is."""
    cells: list[tuple[Player, str]] = []
    for k, turn in enumerate(game.turns):
        if k in game.gaps:
            return cells, f"game {game.number}: the record was lost here; the rest is not written"
        if turn.verdict != "legal" and turn.roll is not None and illegal is not None:
            cells.append((turn.player, f"{turn.roll.high}{turn.roll.low}: {illegal(game, turn)}"))
            continue
        if turn.verdict != "legal":
            what = f"{turn.player} {turn.roll}: a play that is {turn.verdict} stands"
            return cells, f"game {game.number}: {what}; a .mat file cannot hold the rest"
        cells.append((turn.player, _cell(turn)))
    return cells, None


def _cell(turn: TurnRecord) -> str:
    if turn.cube == "doubles":
        return f" Doubles => {turn.value}"
    if turn.cube is not None:
        return f" {turn.cube.capitalize()}"
    assert turn.roll is not None
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
