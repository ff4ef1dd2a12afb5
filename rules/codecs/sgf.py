"""SGF for backgammon (GM[6]), as GNU Backgammon writes it: reading and writing.

White is the left player; letters a to x are White's points 1 to 24 whoever moves, y is the bar and z is
off. One tree holds one game; `MI` holds length, number of the game (from 0) and the score before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.codecs.extent import can_hold, told, unsaid
from rules.errors import CodecError
from rules.match import GameRecord, MatchState, TurnRecord
from rules.play import Move, Play
from rules.position import BAR, OFF, Player
from rules.roll import Roll
from rules.transcript import Action, GameText, Transcript

_RESULT = re.compile(r"([WB])\+(\d{1,5})R?$")
_PLAYERS = {"W": Player.WHITE, "B": Player.BLACK}
_LETTER = {Player.WHITE: "W", Player.BLACK: "B"}
_CUBE = {"double": "doubles", "take": "takes", "drop": "drops"}
_WORD = {word: key for key, word in _CUBE.items()}

Node = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class _Token:
    """A sign of SGF and where it stands."""

    kind: str
    text: str
    offset: int


def read_sgf(text: str) -> Transcript:
    """The match that an SGF file tells.

    Raises:
        CodecError: it is no SGF, another game, or a node cannot be read; the message names line and column.
    """
    games: list[GameText] = []
    names: tuple[str, str] | None = None
    length = 0
    for tree in _trees(text):
        root = tree[0][1]
        if root.get("GM", ["6"])[0].strip() != "6":
            raise CodecError(f"{_place(text, tree[0][0])}: expected backgammon (GM[6]), got GM[{root['GM'][0]}]")
        info = dict(item.split(":", 1) for item in root.get("MI", []) if ":" in item)
        length = _int(text, tree[0][0], info.get("length", "0"))
        names = names or (root.get("PW", ["White"])[0], root.get("PB", ["Black"])[0])
        games.append(_game(text, tree, info, len(games)))
    if names is None:
        raise CodecError("line 1, column 1: expected a game tree such as (;GM[6]…), got an empty file")
    return Transcript(length, names, tuple(games))


def _game(text: str, tree: list[tuple[int, Node]], info: dict[str, str], index: int) -> GameText:
    offset, root = tree[0]
    score = (_int(text, offset, info.get("ws", "0")), _int(text, offset, info.get("bs", "0")))
    actions = []
    for at, node in tree[1:]:
        for key, player in _PLAYERS.items():
            if key in node:
                actions.append(_action(text, at, player, node[key][0]))
    winner, points = None, 0
    if root.get("RE"):
        match = _RESULT.match(root["RE"][0].strip())
        if match is not None:
            winner, points = _PLAYERS[match[1]], int(match[2])
    number = _int(text, offset, info.get("game", str(index))) + 1
    return GameText(number, score, _with_beavers(actions), winner, points)


def _with_beavers(actions: list[Action]) -> tuple[Action, ...]:
    """The actions with a double that answers a double as a beaver, without the take that answers that."""
    found: list[Action] = []
    for action in actions:
        before = found[-1].cube if found else None
        if before == "beavers" and action.cube == "takes":
            continue
        found.append(replace(action, cube="beavers") if before == action.cube == "doubles" else action)
    return tuple(found)


def _action(text: str, at: int, player: Player, value: str) -> Action:
    line, column = _line_and_column(text, at)
    word = value.strip()
    if word in _CUBE:
        return Action(player, cube=_CUBE[word], line=line, column=column)
    if not re.fullmatch(r"[1-6][1-6](?:[a-z][a-z]){0,4}", word):
        raise CodecError(
            f"{_place(text, at)}: expected a roll and steps such as 31hefe, or double, take, drop, got {word!r}"
        )
    steps = word[2:]
    moves = tuple(
        Move(_point(steps[k], player, start=True), _point(steps[k + 1], player, start=False))
        for k in range(0, len(steps), 2)
    )
    return Action(player, Roll(int(word[0]), int(word[1])), Play(moves), line=line, column=column)


def _point(letter: str, player: Player, *, start: bool) -> int:
    if letter in "yz":
        return BAR if start else OFF
    point = ord(letter) - 96
    return point if player is Player.WHITE else BAR - point


def _int(text: str, at: int, value: str) -> int:
    if not re.fullmatch(r"\d{1,5}", value.strip()):
        raise CodecError(f"{_place(text, at)}: expected a number, got {value!r}")
    return int(value)


def _trees(text: str) -> Iterator[list[tuple[int, Node]]]:
    """Each game tree as its nodes with their places, the main line only."""
    nodes: list[tuple[int, Node]] = []
    depth, key = 0, ""
    closed = False
    for token in _tokens(text):
        if token.kind in "()":
            depth += 1 if token.kind == "(" else -1
            closed = closed or token.kind == ")"
            if closed and not nodes:
                raise CodecError(f"{_place(text, token.offset)}: expected a node, got {token.text!r}")
            if not depth:
                yield nodes
                nodes, closed = [], False
        elif not depth or not (nodes or token.kind == ";"):
            raise CodecError(f"{_place(text, token.offset)}: expected (;, got {token.text!r}")
        elif closed:
            continue
        elif token.kind == ";":
            nodes.append((token.offset, {}))
        elif token.kind == "key":
            key = token.text
        else:
            nodes[-1][1].setdefault(key, []).append(token.text)
    if depth:
        raise CodecError(f"{_place(text, len(text))}: expected ), got the end of the file")


_SIGN = re.compile(r"\s*(?:(?P<sign>[();])|(?P<key>[A-Z]+)|\[(?P<value>(?:[^\]\\]|\\.)*)\])", re.DOTALL)


def _tokens(text: str) -> Iterator[_Token]:
    at = 1 if text.startswith("\ufeff") else 0
    end = len(text.rstrip())
    while at < end:
        match = _SIGN.match(text, at)
        if match is None:
            raise CodecError(f"{_place(text, at)}: expected (, ), ;, a property or [value], got {text[at : at + 10]!r}")
        kind = str(match.lastgroup)
        offset = match.start(kind)
        if kind == "sign":
            yield _Token(match["sign"], match["sign"], offset)
        elif kind == "key":
            yield _Token("key", match["key"], offset)
        else:
            yield _Token("value", re.sub(r"\\(.)", r"\1", match["value"], flags=re.DOTALL), offset)
        at = match.end()


def _line_and_column(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _place(text: str, at: int) -> str:
    line, column = _line_and_column(text, at)
    return f"line {line}, column {column}"


def write_sgf(state: MatchState) -> str:
    """The match as SGF, one tree a game; where SGF cannot tell a game to its end a comment at its head says why.

    Raises:
        CodecError: SGF cannot hold it: 12 checkers, another start, no game.
    """
    reason = can_hold(state)
    if reason is not None:
        raise CodecError(reason.replace("a .mat file", "an SGF file"))
    notes = list(unsaid(state, illegal=False))
    return "".join(
        _tree(state, game, [text for number, text in notes if number == game.number]) for game in state.games
    )


def _tree(state: MatchState, game: GameRecord, notes: list[str]) -> str:
    white, black = (_escaped(name) for name in state.names)
    root = f"(;FF[4]GM[6]CA[UTF-8]AP[Schiri]MI[length:{state.length}][game:{game.number - 1}]"
    root += f"[ws:{game.score[0]}][bs:{game.score[1]}]PW[{white}]PB[{black}]"
    if state.length:
        root += "RU[Crawford:CrawfordGame]" if game.crawford else "RU[Crawford]"
    turns, _ = told(game, illegal=False)
    if game.winner is not None:
        root += f"RE[{_LETTER[game.winner]}+{game.points}{'R' if _was_resigned(turns) else ''}]"
    if notes:
        root += f"C[{_escaped('. '.join(notes))}]"
    return "\n".join([root, *map(_node, turns)]) + ")\n"


def _node(turn: TurnRecord) -> str:
    player, other = _LETTER[turn.player], _LETTER[turn.player.opponent]
    if turn.cube == "beavers":
        return f";{player}[double]\n;{other}[take]"
    return f";{player}[{_value(turn)}]"


def _was_resigned(turns: tuple[TurnRecord, ...]) -> bool:
    """Whether a reader of these turns can only take the game's end for a resignation."""
    last = turns[-1] if turns else None
    if last is None or last.cube == "drops":
        return last is None
    return last.position is None or last.position.on_board(last.player) > 0


def _value(turn: TurnRecord) -> str:
    if turn.roll is None:
        return _WORD[str(turn.cube)]
    moves = turn.play.moves if turn.play else ()
    letters = "".join(_sgf_point(m.origin, turn.player) + _sgf_point(m.target, turn.player) for m in moves)
    return f"{turn.roll.high}{turn.roll.low}{letters}"


def _sgf_point(point: int, player: Player) -> str:
    if point in (BAR, OFF):
        return "y" if point == BAR else "z"
    return chr(96 + (point if player is Player.WHITE else BAR - point))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
