"""What the folding of all events shares: whether an event may come now, and how a turn is written down."""

from __future__ import annotations

from dataclasses import replace

from rules.errors import EventError
from rules.events import Event
from rules.match import GameRecord, MatchState, Phase, TurnRecord
from rules.position import Player

RUNNING = (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY, Phase.CUBE_OFFERED)
ON_MOVE = (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY)


def need(state: MatchState, event: Event, phases: tuple[Phase, ...]) -> None:
    """Refuse `event` unless the table waits for such a thing.

    Raises:
        EventError: the phase is none of `phases`.
    """
    if state.phase not in phases:
        raise EventError(f"{type(event).__name__} cannot follow in phase {state.phase}; expected {', '.join(phases)}")


def with_game(state: MatchState, game: GameRecord) -> tuple[GameRecord, ...]:
    """All games with the last one replaced."""
    return (*state.games[:-1], game)


def with_turn(state: MatchState, turn: TurnRecord) -> tuple[GameRecord, ...]:
    """All games with `turn` added to the last one; it keeps what stood before it, for an undo."""
    game = state.games[-1]
    turn = replace(turn, before=state.position, cube_before=replace(state.cube, offered_by=None))
    if turn.cube in ("takes", "drops", "beavers"):
        turn = replace(turn, cube_before=state.cube)
    return with_game(state, replace(game, turns=(*game.turns, turn)))


def last_play(game: GameRecord, back: int = 0) -> int | None:
    """Which turn of `game` is its last play, or the one `back` plays before, cube actions left out; None for none."""
    plays = [k for k, turn in enumerate(game.turns) if turn.roll is not None]
    return plays[-1 - back] if back < len(plays) else None


def added(score: tuple[int, int], player: Player, points: int) -> tuple[int, int]:
    """The score (white, black) with `points` for `player`."""
    return (score[0] + points, score[1]) if player is Player.WHITE else (score[0], score[1] + points)


def is_over(length: int, score: tuple[int, int]) -> bool:
    """Whether a match of `length` (0: money, never) is over at `score`; more points than needed count too."""
    return 0 < length <= max(score)


def waiting_phase(state: MatchState) -> Phase:
    """What the table waits for, read off the rest of the state."""
    game = state.game
    if game is None or game.winner is not None:
        return Phase.BETWEEN_GAMES
    if state.cube.offered_by is not None:
        return Phase.CUBE_OFFERED
    if state.roll is not None:
        return Phase.TO_PLAY
    return Phase.TO_ROLL if game.turns or state.turn is not None else Phase.OPENING


def side_with(side: tuple[int, ...], changes: dict[int, int]) -> tuple[int, ...]:
    """The 26 counts of a side with some changed by so much."""
    counts = list(side)
    for place, change in changes.items():
        counts[place] += change
    return tuple(counts)
