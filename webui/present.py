"""From a snapshot to what the room page says: every word of it stands here or in a template.

The room gets the facts of the table and nothing that helps a player (R47): no pip counts, no legal
plays. Where Schiri only records, it is also silent about faults (R42).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.events import Role, Win
from rules.match import GameRecord, MatchState, Phase
from rules.position import BAR, OFF, Player, Position
from webui.board import BoardView, board_view
from webui.heard import heard
from webui.languages import gettext, later, ngettext
from webui.notation import displacement_text, play_text
from webui.ports import Snapshot

PLAYS_SHOWN = 8
CLOSED = later("This match is not shown to spectators")

_CUBE_TOLD = (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY)
_VERDICTS = {"illegal": later("not a legal play"), "undecided": later("unclear")}
_RESIGNS = {
    Win.SINGLE: later("%(name)s offers to resign the game"),
    Win.GAMMON: later("%(name)s offers to resign a gammon"),
    Win.BACKGAMMON: later("%(name)s offers to resign a backgammon"),
}
_CUBE_WORDS = {
    "doubles": later("doubles"),
    "takes": later("takes"),
    "drops": later("drops"),
    "beavers": later("beavers"),
}


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One side of the score: `on_turn` while the table waits for this player, `action` says for what."""

    key: str
    name: str
    score: int
    on_turn: bool
    action: str
    winner: bool


@dataclass(frozen=True, slots=True)
class PlayView:
    """One line of the record; `remark` is empty unless the room may hear of it."""

    key: str
    name: str
    roll: str
    text: str
    remark: str


@dataclass(frozen=True, slots=True)
class EyesView:
    """How the eyes are doing, in words."""

    text: str
    healthy: bool


@dataclass(frozen=True, slots=True)
class RoomView:
    """Everything on the room page; `said` is the sentence on whose turn it is or how it ended;
    `announce` is False where a player's own line says the same.
    """

    version: int
    title: str
    length: str
    game: str
    crawford: bool
    said: str
    announce: bool
    over: bool
    black: PlayerView
    white: PlayerView
    board: BoardView
    board_text: str
    cube_text: str
    plays: tuple[PlayView, ...]
    eyes: EyesView


def room_view(snapshot: Snapshot, *, public: bool = True) -> RoomView:
    """The room page of one snapshot; to the public a match that is not shown is as none (R44)."""
    if public and not snapshot.state.shown:
        nothing = room_view(replace(snapshot, state=MatchState(), status=gettext(CLOSED), healthy=True))
        return replace(nothing, title="Schiri", said=gettext(CLOSED))
    state = snapshot.state
    score = " – ".join(str(n) for n in state.score)
    black, white = _player(state, Player.BLACK), _player(state, Player.WHITE)
    return RoomView(
        version=snapshot.version,
        title=f"{state.names[0]} {score} {state.names[1]}",
        length=_length(state),
        game=gettext("Game %(number)s", number=state.game.number) if state.game else "",
        crawford=state.crawford,
        said=_said(state),
        announce=state.resignation is not None
        or state.phase is Phase.CUBE_OFFERED
        or not (black.action or white.action),
        over=state.phase in (Phase.BETWEEN_GAMES, Phase.MATCH_OVER),
        black=black,
        white=white,
        board=board_view(
            state.position,
            home_right=snapshot.home_right,
            counted_by=state.turn or Player.WHITE,
            roll=state.roll,
            roller=state.turn,
            cube=state.cube,
            crawford=state.crawford,
        ),
        board_text=_board_text(state),
        cube_text=_cube_text(state) if state.phase in _CUBE_TOLD else "",
        plays=tuple(_plays(state)),
        eyes=EyesView(text=heard(snapshot.status), healthy=snapshot.healthy),
    )


def _length(state: MatchState) -> str:
    if state.phase is Phase.NO_MATCH:
        return ""
    return gettext("Match to %(length)s", length=state.length) if state.length else gettext("Money play")


def _said(state: MatchState) -> str:
    if state.resignation is not None:
        by, win = state.resignation
        return gettext(_RESIGNS[win], name=state.name(by))
    name = state.name(state.turn) if state.turn else None
    match state.phase:
        case Phase.NO_MATCH:
            return gettext("Waiting for a match")
        case Phase.BETWEEN_GAMES:
            return _result(state) or gettext("The next game is being set up")
        case Phase.MATCH_OVER:
            return _match_result(state)
        case Phase.OPENING:
            return gettext("Opening roll")
        case Phase.CUBE_OFFERED:
            return _offer(state)
        case Phase.TO_ROLL:
            return gettext("%(name)s to roll", name=name) if name else gettext("Waiting for a roll")
        case Phase.TO_PLAY:
            if name is None:
                return gettext("Opening roll %(roll)s", roll=state.roll)
            return gettext("%(name)s to play %(roll)s", name=name, roll=state.roll)


def _offer(state: MatchState) -> str:
    by = state.cube.offered_by
    if by is None:
        return gettext("The cube is offered")
    return gettext("%(name)s doubles to %(value)s", name=state.name(by), value=2 * state.cube.value)


def _result(state: MatchState) -> str:
    game = state.game
    if game is None or game.winner is None:
        return ""
    return game_won(state.name(game.winner), game.win or Win.SINGLE, game.points)


def game_won(name: str, win: Win, points: int) -> str:
    """Who has won a game, how, and the points it gave."""
    if win is Win.GAMMON:
        return ngettext(
            "%(name)s wins a gammon, %(num)s point", "%(name)s wins a gammon, %(num)s points", points, name=name
        )
    if win is Win.BACKGAMMON:
        return ngettext(
            "%(name)s wins a backgammon, %(num)s point", "%(name)s wins a backgammon, %(num)s points", points, name=name
        )
    return ngettext(
        "%(name)s wins the game, %(num)s point", "%(name)s wins the game, %(num)s points", points, name=name
    )


def _match_winner(state: MatchState) -> Player | None:
    if state.conceded_by is not None:
        return state.conceded_by.opponent
    white, black = state.score
    return None if white == black else Player.WHITE if white > black else Player.BLACK


def _match_result(state: MatchState) -> str:
    winner = _match_winner(state)
    if winner is None:
        return gettext("The match is over")
    return gettext("%(name)s wins the match", name=state.name(winner))


def _player(state: MatchState, player: Player) -> PlayerView:
    action = ""
    if state.phase is Phase.CUBE_OFFERED and state.cube.offered_by is player.opponent:
        action = gettext("to take or drop")
    elif state.turn is player and state.phase is Phase.TO_ROLL:
        action = gettext("to roll")
    elif state.turn is player and state.phase is Phase.TO_PLAY:
        action = gettext("to play %(roll)s", roll=state.roll)
    won = state.phase is Phase.MATCH_OVER and _match_winner(state) is player
    return PlayerView(
        key=player.value,
        name=state.name(player),
        score=state.score[0 if player is Player.WHITE else 1],
        on_turn=bool(action),
        action=action,
        winner=won,
    )


def _cube_text(state: MatchState) -> str:
    cube = state.cube
    if cube.offered_by is not None:
        return gettext("Cube offered at %(value)s by %(name)s", value=2 * cube.value, name=state.name(cube.offered_by))
    if state.crawford:
        return gettext("No cube in the Crawford game")
    if cube.owner is None:
        return gettext("Cube %(value)s, in the middle", value=cube.value)
    return gettext("Cube %(value)s, owned by %(name)s", value=cube.value, name=state.name(cube.owner))


def _board_text(state: MatchState) -> str:
    """The board in words, for those who hear the page."""
    white, black = (_side_text(state.position.side(player)) for player in Player)
    sides = (
        gettext("%(name)s, white: %(places)s.", name=state.names[0], places=white),
        gettext("%(name)s, black: %(places)s.", name=state.names[1], places=black),
    )
    roll = " " + gettext("Dice %(roll)s.", roll=state.roll) if state.roll else ""
    return f"{' '.join(sides)}{roll} {_cube_text(state)}."


def _side_text(side: tuple[int, ...]) -> str:
    places = [gettext("%(count)s on the bar", count=side[BAR])] if side[BAR] else []
    places += [
        gettext("%(count)s on %(point)s", count=side[point], point=point) for point in range(24, 0, -1) if side[point]
    ]
    places += [gettext("%(count)s off", count=side[OFF])] if side[OFF] else []
    return ", ".join(places) or gettext("no checkers")


def _plays(state: MatchState) -> Iterator[PlayView]:
    """The last turns of the running game, the newest first."""
    game = state.game
    if game is None:
        return
    for i in reversed(range(max(0, len(game.turns) - PLAYS_SHOWN), len(game.turns))):
        turn = game.turns[i]
        flagged = turn.verdict != "legal" and state.role is not Role.RECORDER
        yield PlayView(
            key=turn.player.value,
            name=state.name(turn.player),
            roll=str(turn.roll) if turn.roll else "",
            text=_turn_text(game, i),
            remark=gettext(_VERDICTS[turn.verdict]) if flagged and turn.verdict in _VERDICTS else "",
        )


def _turn_text(game: GameRecord, index: int) -> str:
    turn = game.turns[index]
    if turn.cube is not None:
        if turn.cube == "doubles" and turn.value:
            return gettext("doubles to %(value)s", value=turn.value)
        return gettext(_CUBE_WORDS[turn.cube]) if turn.cube in _CUBE_WORDS else turn.cube
    if turn.play is not None:
        return play_text(turn.play)
    if turn.position is None:
        return "…"
    return displacement_text(_position_before(game, index), turn.position, turn.player)


def _position_before(game: GameRecord, index: int) -> Position:
    """Where the checkers stood before turn `index`."""
    before = game.turns[index].before
    if before is not None:
        return before
    return next((t.position for t in reversed(game.turns[:index]) if t.position is not None), game.start)
