"""A match as a file tells it, before any rule has looked at it; every match format is read into this.

`play_through` then plays it by the rules: what comes out are events, so that a match that was read
and one that was watched are the same to everybody else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules import decisions as de
from rules import events as ev
from rules.cube import Cube
from rules.errors import CodecError, EventError, PlayError
from rules.events import Event, Win
from rules.game import apply
from rules.match import MatchState, Phase
from rules.movegen import resolve
from rules.play import Play
from rules.position import BAR, OFF, START, Player, Position
from rules.roll import Roll
from rules.ruleset import profile
from rules.ruling import judge
from rules.scoring import finished


@dataclass(frozen=True, slots=True)
class Action:
    """One cell of a match file: a roll with its play (None: rolled, then resigned) or what was done with the cube.

    `line` and `column`, from 1, are where it stands in the file. `after` is what an illegal play left, if it tells.
    """

    player: Player
    roll: Roll | None = None
    play: Play | None = None
    cube: str | None = None
    value: int | None = None
    line: int = 0
    column: int = 0
    after: Position | None = None


@dataclass(frozen=True, slots=True)
class GameText:
    """One game as written: the score at its head, its actions, and who won how many points, if it says so."""

    number: int
    score: tuple[int, int]
    actions: tuple[Action, ...] = ()
    winner: Player | None = None
    points: int = 0


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole match file: length (0 money), names (white, black), games, and its own headers."""

    length: int
    names: tuple[str, str]
    games: tuple[GameText, ...]
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class IllegalPlay:
    """A play in a file that the rules do not allow; it stands. Game and move count from 1."""

    game: int
    move: int
    player: Player
    text: str
    faults: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class PlayedThrough:
    """A transcript played by the rules: its events, the state they lead to, and what was odd."""

    events: tuple[Event, ...]
    state: MatchState
    illegal: tuple[IllegalPlay, ...]
    warnings: tuple[str, ...]


class _Table:
    """What is gathered while a transcript is played."""

    def __init__(self) -> None:
        self.state = MatchState()
        self.events: list[Event] = []
        self.illegal: list[IllegalPlay] = []
        self.warnings: list[str] = []

    def add(self, event: Event) -> None:
        self.state = apply(self.state, event)
        self.events.append(event)


def play_through(transcript: Transcript, rules_profile: str = "club-de") -> PlayedThrough:
    """The events of a transcript.

    An illegal play is flagged and stands. Where a game's score line is not what the games before it
    add up to, the file is believed and a warning says so: penalty points show only there.

    Raises:
        CodecError: the actions make no match: a cube word out of turn, a step from where no checker stands.
    """
    table = _Table()
    white, black = transcript.names
    table.add(ev.MatchStarted(at_s=0, length=transcript.length, white=white, black=black, profile=rules_profile))
    for game in transcript.games:
        try:
            _game(table, game)
        except EventError as error:
            raise CodecError(f"game {game.number}: {error}") from error
    if transcript.length and table.state.phase is Phase.MATCH_OVER:
        winner = Player.WHITE if table.state.score[0] > table.state.score[1] else Player.BLACK
        table.add(ev.MatchEnded(at_s=0, winner=winner))
    return PlayedThrough(tuple(table.events), table.state, tuple(table.illegal), tuple(table.warnings))


def _game(table: _Table, game: GameText) -> None:
    if game.score != table.state.score:
        was, now = table.state.score, game.score
        table.warnings.append(
            f"game {game.number} starts at {now[0]}-{now[1]}, the games before it add up to {was[0]}-{was[1]}"
        )
        table.add(de.ScoreCorrected(at_s=0, score=now, reason="the score line of the file"))
    table.add(ev.GameStarted(at_s=0, position=START))
    moves = 0
    for action in game.actions:
        moves += action.roll is not None
        try:
            _action(table, game, action, moves)
        except (EventError, PlayError) as error:
            raise CodecError(f"line {action.line}, column {action.column}: {error}") from error
    if game.winner is not None:
        _end(table, game, game.winner)


def _action(table: _Table, game: GameText, action: Action, move: int) -> None:
    player = action.player
    if action.cube == "doubles":
        table.add(ev.CubeOffered(at_s=0, player=player, value=action.value or 2 * table.state.cube.value))
    elif action.cube == "beavers":
        table.add(de.CubeBeavered(at_s=0, player=player, value=action.value or 4 * table.state.cube.value))
    elif action.cube == "takes":
        table.add(ev.CubeTaken(at_s=0, player=player, value=2 * table.state.cube.value))
    elif action.cube == "drops":
        table.add(ev.CubeDropped(at_s=0, player=player))
    if action.roll is not None:
        table.add(ev.Rolled(at_s=0, player=player, roll=action.roll))
        if action.play is not None:
            _play(table, game, action, action.roll, action.play, move)


def _play(table: _Table, game: GameText, action: Action, roll: Roll, play: Play, move: int) -> None:
    player, before = action.player, table.state.position
    try:
        legal = resolve(before, player, roll, play) if action.after is None else None
    except PlayError:
        legal = None
    if legal is None:
        after = action.after or moved(before, player, play)
        ruling = judge(before, player, roll, after, ruleset=profile(table.state.profile))
        faults = ruling.faults.keys()
        table.illegal.append(
            IllegalPlay(game.number, move, player, f"{roll.high}{roll.low}: {play}", faults, action.line)
        )
        table.add(
            ev.PlayFlagged(
                at_s=0,
                player=player,
                roll=roll,
                verdict=str(ruling.verdict),
                faults=faults,
                explanation=ruling.explanation,
                position=after,
            )
        )
        return
    table.add(ev.Played(at_s=0, player=player, roll=roll, play=legal.play, position=legal.after))


def moved(before: Position, player: Player, play: Play) -> Position:
    """The position after the steps of `play` as they are written, whether they are legal or not.

    Raises:
        PlayError: a step starts where the player has no checker.
    """
    mine, theirs = list(before.side(player)), list(before.side(player.opponent))
    for move in play.moves:
        if not mine[move.origin]:
            raise PlayError(f"{play}: {player} has no checker on {move.origin}")
        mine[move.origin] -= 1
        mine[move.target] += 1
        if move.target not in (OFF, BAR) and theirs[BAR - move.target] == 1:
            theirs[BAR - move.target] -= 1
            theirs[BAR] += 1
    sides = (tuple(mine), tuple(theirs))
    return Position(*sides) if player is Player.WHITE else Position(*reversed(sides))


def _end(table: _Table, game: GameText, winner: Player) -> None:
    state = table.state
    rules = profile(state.profile)
    result = finished(state.position, state.cube, rules, money=not state.length)
    turns = state.games[-1].turns
    if result is not None:
        win = result.win
        if (result.winner, result.points) != (winner, game.points):
            table.warnings.append(
                f"game {game.number}: the board says {result.winner} wins {result.points}, "
                f"the file {winner} {game.points}"
            )
    elif turns and turns[-1].cube == "drops":
        win = Win.SINGLE
    else:
        win = _resigned(state.cube, game.points)
        loser = winner.opponent
        table.add(de.ResignationOffered(at_s=0, player=loser, win=win))
        table.add(de.ResignationAccepted(at_s=0, player=winner))
    table.add(ev.GameEnded(at_s=0, winner=winner, points=game.points, win=win))


def _resigned(cube: Cube, points: int) -> Win:
    """Which win was conceded when `points` were written with the cube as it stands; a single one where nothing fits."""
    return next((win for win in Win if win.factor * cube.value == points), Win.SINGLE)


def plays_of(state: MatchState) -> Iterator[tuple[int, Player, Position]]:
    """Game number, mover and position before every checker play of a match, dances included."""
    for game in state.games:
        position = game.start
        for turn in game.turns:
            if turn.position is not None:
                yield game.number, turn.player, turn.before or position
                position = turn.position
