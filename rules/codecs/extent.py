"""How far the two-column formats and SGF can tell a match, and in which words they say where they cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from rules.cube import Cube
from rules.errors import PlayError
from rules.fold import added
from rules.match import GameRecord, MatchState, TurnRecord
from rules.play import Play
from rules.position import START, Position
from rules.transcript import moved


def can_hold(state: MatchState) -> str | None:
    """Why a .mat file cannot hold this match, or None when it can (12 checkers, another start, no game)."""
    if state.checkers != 15:
        return f"a .mat file holds games with 15 checkers a side, not {state.checkers}"
    if not state.games:
        return "a .mat file holds at least one game, and none has begun"
    for game in state.games:
        if game.start != START:
            return f"game {game.number} does not start from the standard position, which a .mat file cannot say"
    return None


def told(game: GameRecord, *, illegal: bool) -> tuple[tuple[TurnRecord, ...], str | None]:
    """The turns of a game as far as a reader who plays them sees the same board, and why the rest is left out.

    With `illegal` the format can say which board a play left that is not legal; it then is the one from which the
    game went on, since a decision may have put it right (R33).
    """
    turns = _as_it_went_on(game) if illegal else game.turns
    position, cube, last = game.start, Cube(), 0
    for k, turn in enumerate(turns):
        if turn.cube == "doubles" and turn.cube_before != cube:
            return turns[:k], "the cube had come to another value or side than by doubles"
        if turn.cube in ("takes", "beavers"):
            cube = Cube(turn.value or 1, turn.player)
        if turn.roll is None:
            continue
        if turn.verdict != "legal" and not illegal:
            return turns[:k], f"{turn.player} {turn.roll}: a play that is {turn.verdict} stands"
        if turn.verdict == "legal" and _played(position, turn) != turn.position:
            lost = any(last <= gap <= k for gap in game.gaps)
            return turns[:k], "the record was lost" if lost else "the board was put right by a decision"
        position, last = turn.position or position, k + 1
    return turns, None


def _played(position: Position, turn: TurnRecord) -> Position | None:
    """The board that a reader has after the turn's play, None where he cannot make it."""
    steps = sorted(turn.play.moves if turn.play else (), key=lambda move: -move.origin)
    try:
        return moved(position, turn.player, Play(tuple(steps)))
    except PlayError:
        return None


def _as_it_went_on(game: GameRecord) -> tuple[TurnRecord, ...]:
    """The turns, a play that is not legal with the position before the next turn, unless the record was lost there."""
    turns = list(game.turns)
    for k, (turn, following) in enumerate(pairwise(game.turns)):
        if turn.verdict != "legal" and k + 1 not in game.gaps:
            turns[k] = replace(turn, position=following.before or turn.position)
    return tuple(turns)


def unsaid(state: MatchState, *, illegal: bool) -> Iterator[tuple[int, str]]:
    """What the format cannot say of a match: the number of a game, and a sentence about it.

    Beside plays that are left out these are changes of the score and a concession: a reader sees only a jump in the
    next game's score, or nothing.
    """
    score = (0, 0)
    for game in state.games:
        if game.score != score:
            yield game.number, f"before it {_changed(score, game.score)}"
        turns, why = told(game, illegal=illegal)
        for turn in turns:
            if turn.verdict == "undecided":
                what = "is undecided; the board that was seen is written as an illegal play"
                yield game.number, f"{turn.player} {turn.roll} {what}"
        if why is not None:
            yield game.number, f"{why}; the rest of it is not written"
        score = game.score if game.winner is None else added(game.score, game.winner, game.points)
    last = state.games[-1].number
    if state.score != score:
        yield last, f"after it {_changed(score, state.score)}"
    if state.conceded_by is not None:
        yield last, f"{state.name(state.conceded_by)} conceded the match"


def _changed(old: tuple[int, int], new: tuple[int, int]) -> str:
    return f"the score was changed by a decision from {old[0]}-{old[1]} to {new[0]}-{new[1]}"
