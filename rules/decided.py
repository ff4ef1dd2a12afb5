"""How the decisions of players and director change the state (`rules.decisions`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rules import decisions as de
from rules.cube import Cube
from rules.errors import EventError
from rules.events import Event
from rules.fold import RUNNING, added, is_over, last_play, need, side_with, waiting_phase, with_game, with_turn
from rules.irregularity_rows import KEYS
from rules.match import MatchState, Phase, TurnRecord
from rules.position import BAR, OFF, Player, Position
from rules.ruleset import profile

_STARTED = tuple(phase for phase in Phase if phase is not Phase.NO_MATCH)


def _cube_beavered(state: MatchState, event: de.CubeBeavered) -> MatchState:
    need(state, event, (Phase.CUBE_OFFERED,))
    if state.length or not profile(state.profile).beavers:
        raise EventError("CubeBeavered: beavers are played for money and by profile only")
    if event.player is state.cube.offered_by or event.value != 4 * state.cube.value:
        raise EventError(
            f"CubeBeavered: {event.player} at {event.value} does not beaver a cube from {state.cube.value}"
        )
    turn = TurnRecord(event.player, cube="beavers", value=event.value)
    return replace(state, phase=Phase.TO_ROLL, cube=Cube(event.value, event.player), games=with_turn(state, turn))


def _cube_automatic(state: MatchState, event: de.CubeAutomatic) -> MatchState:
    need(state, event, (Phase.OPENING,))
    if state.length or not profile(state.profile).automatic_doubles:
        raise EventError("CubeAutomatic: automatic doubles are played for money and by profile only")
    return replace(state, cube=Cube(event.value))


def _cube_corrected(state: MatchState, event: de.CubeCorrected) -> MatchState:
    need(state, event, RUNNING)
    state = replace(state, cube=Cube(event.value, event.owner))
    return replace(state, phase=waiting_phase(state))


def _resignation_offered(state: MatchState, event: de.ResignationOffered) -> MatchState:
    need(state, event, RUNNING)
    return replace(state, resignation=(event.player, event.win))


def _resignation_accepted(state: MatchState, event: de.ResignationAccepted) -> MatchState:
    _need_offer(state, event, event.player)
    return state


def _resignation_refused(state: MatchState, event: de.ResignationRefused) -> MatchState:
    _need_offer(state, event, event.player)
    return replace(state, resignation=None)


def _need_offer(state: MatchState, event: Event, player: Player) -> None:
    if state.resignation is None or state.resignation[0] is player:
        raise EventError(f"{type(event).__name__}: {player.opponent} has offered no resignation (T16)")


def _match_conceded(state: MatchState, event: de.MatchConceded) -> MatchState:
    need(state, event, tuple(phase for phase in _STARTED if phase is not Phase.MATCH_OVER))
    return replace(state, phase=Phase.MATCH_OVER, conceded_by=event.player)


def _concession_withdrawn(state: MatchState, event: de.ConcessionWithdrawn) -> MatchState:
    if state.conceded_by is not event.player:
        raise EventError(f"ConcessionWithdrawn: {event.player} has not conceded (R45)")
    return replace(state, phase=waiting_phase(state), conceded_by=None)


def _result_confirmed(state: MatchState, event: de.ResultConfirmed) -> MatchState:
    need(state, event, (Phase.BETWEEN_GAMES, Phase.MATCH_OVER))
    return replace(state, confirmed_by=state.confirmed_by | {event.player})


def _result_official(state: MatchState, event: de.ResultOfficial) -> MatchState:
    need(state, event, (Phase.MATCH_OVER,))
    return replace(state, official=True)


def _penalty_given(state: MatchState, event: de.PenaltyGiven) -> MatchState:
    need(state, event, _STARTED)
    return _scored(state, added(state.score, event.player, event.points))


def _score_corrected(state: MatchState, event: de.ScoreCorrected) -> MatchState:
    need(state, event, _STARTED)
    return _scored(state, event.score)


def _scored(state: MatchState, score: tuple[int, int]) -> MatchState:
    """The new score; it may end the match or, put right, open it again. The running game's Crawford stays (R58)."""
    over = is_over(state.length, score) or state.conceded_by is not None
    return replace(state, score=score, phase=Phase.MATCH_OVER if over else waiting_phase(state))


def _checker_found(state: MatchState, event: de.CheckerFound) -> MatchState:
    need(state, event, RUNNING)
    player, position = event.player, state.position
    k = 0 if player is Player.WHITE else 1
    missing = state.checkers - state.lost[k] - position.total(player)
    if missing <= 0 and not position.count(player, OFF):
        raise EventError(f"CheckerFound: no checker of {player} is off the board (R33)")
    changes = {OFF: 0 if missing > 0 else -1}
    if event.to_bar:
        changes[BAR] = 1
    mine = side_with(position.side(player), changes)
    found = Position(mine, position.black) if player is Player.WHITE else Position(position.white, mine)
    lost = state.lost if event.to_bar else added(state.lost, player, 1)
    return replace(state, position=found, lost=lost)


def _setup_corrected(state: MatchState, event: de.SetupCorrected) -> MatchState:
    need(state, event, RUNNING)
    game = state.games[-1]
    if not game.turns:
        game = replace(game, start=event.position)
    return replace(state, position=event.position, games=with_game(state, game))


def _play_stands(state: MatchState, event: de.PlayStands) -> MatchState:
    need(state, event, RUNNING)
    game = state.games[-1]
    last = last_play(game)
    if last is None or game.turns[last].player is not event.player:
        raise EventError(f"PlayStands: the last play is not {event.player}'s")
    turns = (*game.turns[:last], replace(game.turns[last], stands=True), *game.turns[last + 1 :])
    return replace(state, games=with_game(state, replace(game, turns=turns)))


def _asked(state: MatchState, event: de.Asked) -> MatchState:
    need(state, event, _STARTED)
    if event.key not in KEYS:
        raise EventError(f"Asked: {event.key} is no irregularity that anybody is asked about")
    others = tuple(one for one in state.questions if one.key != event.key)
    return replace(state, questions=(*others, event))


def _answered(state: MatchState, event: de.Answered) -> MatchState:
    left = tuple(one for one in state.questions if one.key != event.key)
    if left == state.questions:
        raise EventError(f"Answered: nobody has asked about {event.key}")
    return replace(state, questions=left)


def _undone(state: MatchState, event: de.Undone) -> MatchState:
    need(state, event, RUNNING)
    game = state.games[-1]
    if not game.turns:
        raise EventError("Undone: the game has no turn yet")
    last = game.turns[-1]
    turns = game.turns[:-1]
    doubler = last.cube_before.offered_by if last.cube_before else None
    state = replace(
        state,
        turn=(doubler or last.player) if turns else None,
        roll=None,
        thrown=False,
        position=last.before or game.start,
        cube=last.cube_before or Cube(),
        resignation=None,
        games=with_game(state, replace(game, turns=turns)),
    )
    return replace(state, phase=waiting_phase(state))


def _view_set(state: MatchState, event: de.ViewSet) -> MatchState:
    need(state, event, _STARTED)
    return replace(state, shown=event.shown)


DECISIONS: dict[type[Event], Callable[[MatchState, Any], MatchState]] = {
    de.CubeBeavered: _cube_beavered,
    de.CubeAutomatic: _cube_automatic,
    de.CubeCorrected: _cube_corrected,
    de.ResignationOffered: _resignation_offered,
    de.ResignationAccepted: _resignation_accepted,
    de.ResignationRefused: _resignation_refused,
    de.MatchConceded: _match_conceded,
    de.ConcessionWithdrawn: _concession_withdrawn,
    de.ResultConfirmed: _result_confirmed,
    de.ResultOfficial: _result_official,
    de.PenaltyGiven: _penalty_given,
    de.ScoreCorrected: _score_corrected,
    de.CheckerFound: _checker_found,
    de.SetupCorrected: _setup_corrected,
    de.PlayStands: _play_stands,
    de.Asked: _asked,
    de.Answered: _answered,
    de.Undone: _undone,
    de.ViewSet: _view_set,
}
