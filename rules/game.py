"""A match as the fold of its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from rules import events as ev
from rules.cube import Cube
from rules.decided import DECISIONS
from rules.errors import EventError
from rules.fold import ON_MOVE, RUNNING, added, is_over, last_play, need, waiting_phase, with_game, with_turn
from rules.match import GameRecord, MatchState, Phase, TurnRecord
from rules.position import START, Player
from rules.questions import still_open
from rules.ruleset import profile


def replay(events: Iterable[ev.Event]) -> MatchState:
    """The state after all `events`, from nothing.

    Raises:
        EventError: an event cannot follow the ones before it; the message tells which.
    """
    state = MatchState()
    for event in events:
        state = apply(state, event)
    return state


def apply(state: MatchState, event: ev.Event) -> MatchState:
    """The state after `event`.

    Whose turn it is follows the event's own player, since at a table a side that is closed out lets
    the other roll again (T10).

    Raises:
        EventError: `event` cannot follow `state`.
    """
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise EventError(f"{type(event).__name__} is no event of a match")
    if state.official and not isinstance(event, ev.Noted | ev.MatchStarted):
        raise EventError(f"{type(event).__name__}: the result is official, nothing changes any more (R45)")
    open_now = still_open(state, event)
    after: MatchState = handler(state, event)
    return after if after.questions != state.questions else replace(after, questions=open_now)


def _match_started(state: MatchState, event: ev.MatchStarted) -> MatchState:
    return MatchState(
        length=event.length,
        names=(event.white, event.black),
        profile=event.profile,
        role=event.role,
        consent=event.consent,
        checkers=event.checkers,
        phase=Phase.BETWEEN_GAMES,
    )


def _game_started(state: MatchState, event: ev.GameStarted) -> MatchState:
    need(state, event, (Phase.BETWEEN_GAMES, Phase.OPENING))
    games = state.games if state.phase is Phase.BETWEEN_GAMES else state.games[:-1]
    crawford = (
        state.length > 1
        and profile(state.profile).crawford
        and max(state.score) == state.length - 1
        and not any(game.crawford for game in games)
    )
    record = GameRecord(number=len(games) + 1, score=state.score, start=event.position, crawford=crawford)
    return replace(
        state,
        phase=Phase.OPENING,
        turn=None,
        roll=None,
        position=event.position,
        cube=Cube(),
        crawford=crawford,
        games=(*games, record),
        resignation=None,
        confirmed_by=frozenset(),
        lost=(0, 0),
        thrown=False,
    )


def _rolled(state: MatchState, event: ev.Rolled) -> MatchState:
    need(state, event, ON_MOVE)
    opening = state.phase is Phase.OPENING
    if opening and event.roll.is_double and state.position == START:
        raise EventError(f"{event.roll} opens no game: a tie is thrown again (R8)")
    turn = event.player if opening or event.player is not None else state.turn
    return replace(state, phase=Phase.TO_PLAY, turn=turn, roll=event.roll)


def _roll_voided(state: MatchState, event: ev.RollVoided) -> MatchState:
    need(state, event, ON_MOVE)
    turn = state.turn if state.games[-1].turns else None
    thrown = turn is not None and event.player in (None, turn)
    state = replace(state, roll=None, turn=turn, thrown=thrown or state.thrown)
    return replace(state, phase=waiting_phase(state))


def _played(state: MatchState, event: ev.Played) -> MatchState:
    need(state, event, ON_MOVE)
    turn = TurnRecord(event.player, event.roll, event.play, event.position)
    return _passed(state, event.player, turn)


def _play_flagged(state: MatchState, event: ev.PlayFlagged) -> MatchState:
    need(state, event, ON_MOVE)
    turn = TurnRecord(event.player, event.roll, None, event.position, verdict=event.verdict, faults=event.faults)
    return _passed(state, event.player, turn)


def _passed(state: MatchState, player: Player, turn: TurnRecord) -> MatchState:
    """The turn is written down, the board is as it says, the opponent is to roll."""
    assert turn.position is not None
    return replace(
        state,
        phase=Phase.TO_ROLL,
        turn=player.opponent,
        roll=None,
        thrown=False,
        position=turn.position,
        games=with_turn(state, turn),
    )


def _play_corrected(state: MatchState, event: ev.PlayCorrected) -> MatchState:
    need(state, event, RUNNING)
    game = state.games[-1]
    last = last_play(game, event.back)
    if last is None or game.turns[last].player is not event.player:
        which = f"the play {event.back} before the last" if event.back else "the last play"
        raise EventError(f"PlayCorrected: {which} is not {event.player}'s")
    turn = TurnRecord(event.player, event.roll, event.play, event.position)
    turn = replace(turn, before=game.turns[last].before, cube_before=game.turns[last].cube_before)
    turns = (*game.turns[:last], turn, *game.turns[last + 1 :])
    position = state.position if event.back else event.position
    return replace(state, position=position, games=with_game(state, replace(game, turns=turns)))


def _cube_offered(state: MatchState, event: ev.CubeOffered) -> MatchState:
    need(state, event, (Phase.TO_ROLL,))
    if state.crawford:
        raise EventError("CubeOffered: the cube is not used in the Crawford game (R52)")
    if state.thrown:
        raise EventError(f"CubeOffered: {event.player} has thrown already, if only invalidly (R36)")
    if state.cube.owner not in (None, event.player):
        raise EventError(f"CubeOffered: the cube is {state.cube.owner}'s, not {event.player}'s (R35)")
    if state.turn not in (None, event.player):
        raise EventError(f"CubeOffered: it is {state.turn}'s turn (R36)")
    if event.value != 2 * state.cube.value:
        raise EventError(f"CubeOffered: {event.value} does not double {state.cube.value} (R38)")
    turn = TurnRecord(event.player, cube="doubles", value=event.value)
    cube = replace(state.cube, offered_by=event.player)
    return replace(state, phase=Phase.CUBE_OFFERED, turn=event.player, cube=cube, games=with_turn(state, turn))


def _cube_taken(state: MatchState, event: ev.CubeTaken) -> MatchState:
    need(state, event, (Phase.CUBE_OFFERED,))
    if event.player is state.cube.offered_by:
        raise EventError(f"CubeTaken: {event.player} offered it himself")
    turn = TurnRecord(event.player, cube="takes", value=event.value)
    cube = Cube(event.value, event.player)
    return replace(state, phase=Phase.TO_ROLL, cube=cube, games=with_turn(state, turn))


def _cube_dropped(state: MatchState, event: ev.CubeDropped) -> MatchState:
    need(state, event, (Phase.CUBE_OFFERED,))
    if event.player is state.cube.offered_by:
        raise EventError(f"CubeDropped: {event.player} offered it himself")
    turn = TurnRecord(event.player, cube="drops", value=state.cube.value)
    return replace(state, games=with_turn(state, turn))


def _game_ended(state: MatchState, event: ev.GameEnded) -> MatchState:
    need(state, event, RUNNING)
    game = replace(state.games[-1], winner=event.winner, points=event.points, win=event.win)
    score = added(state.score, event.winner, event.points)
    return replace(
        state,
        phase=Phase.MATCH_OVER if is_over(state.length, score) else Phase.BETWEEN_GAMES,
        turn=None,
        roll=None,
        score=score,
        resignation=None,
        confirmed_by=frozenset(),
        games=with_game(state, game),
    )


def _match_ended(state: MatchState, event: ev.MatchEnded) -> MatchState:
    return replace(state, phase=Phase.MATCH_OVER, turn=None, roll=None)


def _recovered(state: MatchState, event: ev.Recovered) -> MatchState:
    need(state, event, RUNNING)
    game = replace(state.games[-1], gaps=(*state.games[-1].gaps, len(state.games[-1].turns)))
    return replace(
        state,
        phase=Phase.TO_ROLL,
        turn=event.turn,
        roll=None,
        thrown=False,
        position=event.position,
        cube=replace(state.cube, offered_by=None),
        games=with_game(state, game),
    )


def _noted(state: MatchState, event: ev.Noted) -> MatchState:
    return state


_HANDLERS: dict[type[ev.Event], Callable[[MatchState, Any], MatchState]] = {
    ev.MatchStarted: _match_started,
    ev.GameStarted: _game_started,
    ev.Rolled: _rolled,
    ev.RollVoided: _roll_voided,
    ev.Played: _played,
    ev.PlayFlagged: _play_flagged,
    ev.PlayCorrected: _play_corrected,
    ev.CubeOffered: _cube_offered,
    ev.CubeTaken: _cube_taken,
    ev.CubeDropped: _cube_dropped,
    ev.GameEnded: _game_ended,
    ev.MatchEnded: _match_ended,
    ev.Recovered: _recovered,
    ev.Noted: _noted,
    **DECISIONS,
}
