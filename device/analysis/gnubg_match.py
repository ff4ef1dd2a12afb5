"""From gnubg's own account of an analysed match to decisions and tallies in our words."""

from __future__ import annotations

from typing import Any

from device.analysis.evaluator import CubeChoice, Decision, EngineRefusedError, MatchAnalysis, Tally
from rules.codecs.xgid import Xgid, write_xgid
from rules.cube import Cube
from rules.errors import RulesError
from rules.match import GameRecord, MatchState, TurnRecord
from rules.movegen import resolve
from rules.play import Move, Play
from rules.position import Player
from rules.ruleset import profile

CLOSE = 0.16
"""gnubg counts a cube decision where a double would lose less than that."""
NO_PLAY = "no move"
_SIDES = {"X": Player.WHITE, "O": Player.BLACK}


def match_analysis(raw: Any, state: MatchState) -> MatchAnalysis:
    """The decisions of `raw`, each with its turn of `state`, the match as the file that gnubg read says it.

    Raises:
        EngineRefusedError: gnubg has read another match than we wrote.
    """
    decisions: list[Decision] = []
    for game, told in zip(state.games, raw["games"], strict=False):
        decisions += _game(
            state, game, [one for one in told["game"] if one["action"] in ("move", "double", "take", "drop")]
        )
    sides = (raw["stats"][key] for key in _SIDES)
    white, black = (_tally(side) for side in sides)
    return MatchAnalysis(tuple(decisions), (white, black))


def moment(state: MatchState, game: GameRecord, turn: TurnRecord) -> Xgid:
    """The moment before a turn was played (or the cube turned), with its roll."""
    if state.length:
        rules = int(game.crawford)
    else:
        by = profile(state.profile)
        rules = int(by.jacoby) + 2 * int(by.beavers)
    cube = turn.cube_before or Cube()
    return Xgid(
        position=turn.before or game.start,
        turn=turn.player,
        roll=turn.roll,
        cube=Cube(cube.value, cube.owner),
        score=game.score,
        rules=rules,
        length=state.length,
    )


def _game(state: MatchState, game: GameRecord, told: list[Any]) -> list[Decision]:
    found: list[Decision] = []
    offer: CubeChoice | None = None
    if len(told) != len(game.turns):
        raise EngineRefusedError(
            f"game {game.number}: the engine reads {len(told)} turns where there are {len(game.turns)}"
        )
    for index, (turn, one) in enumerate(zip(game.turns, told, strict=True)):
        if _SIDES[one["player"]] is not turn.player:
            raise EngineRefusedError(f"game {game.number}, turn {index + 1}: the engine takes it for the other side's")
        analysis = one.get("analysis") or {}
        where = moment(state, game, turn)
        choice = _choice(analysis) or offer
        if one["action"] in ("take", "drop"):
            if offer is not None:
                found.append(_answer(game, index, turn, where, offer))
            offer = None
            continue
        if choice is not None:
            found += _cube(game, index, turn, where, choice, doubled=one["action"] == "double")
        offer = choice if one["action"] == "double" else None
        if one["action"] == "move" and turn.roll is not None:
            found.append(_checker(game, index, turn, where, analysis))
    return found


def _choice(analysis: Any) -> CubeChoice | None:
    if "nd-cubeful-eq" not in analysis:
        return None
    return CubeChoice(float(analysis["nd-cubeful-eq"]), float(analysis["dt-cubeful-eq"]), 1.0)


def _cube(
    game: GameRecord, index: int, turn: TurnRecord, where: Xgid, choice: CubeChoice, *, doubled: bool
) -> list[Decision]:
    close = choice.best - min(choice.take, choice.drop) < CLOSE
    cost = choice.cost(doubled=doubled)
    if not (doubled or close or cost > 0):
        return []
    words = {True: "double", False: "no double"}
    xgid = write_xgid(Xgid(where.position, turn.player, None, where.cube, where.score, where.rules, where.length))
    return [
        Decision(
            game=game.number,
            index=index,
            player=turn.player,
            kind="cube",
            xgid=xgid,
            done=words[doubled],
            best=words[choice.double],
            cost=cost,
            counts=True,
            rank=1 if doubled == choice.double else 2,
            choices=2,
        )
    ]


def _answer(game: GameRecord, index: int, turn: TurnRecord, where: Xgid, choice: CubeChoice) -> Decision:
    taken = turn.cube == "takes"
    offered = Cube(where.cube.value, where.cube.owner, turn.player.opponent)
    what = Xgid(where.position, turn.player.opponent, None, offered, where.score, where.rules, where.length)
    return Decision(
        game=game.number,
        index=index,
        player=turn.player,
        kind="answer",
        xgid=write_xgid(what),
        done="take" if taken else "drop",
        best="take" if choice.takes else "drop",
        cost=choice.answer_cost(taken=taken),
        counts=True,
        rank=1 if taken == choice.takes else 2,
        choices=2,
    )


def _checker(game: GameRecord, index: int, turn: TurnRecord, where: Xgid, analysis: Any) -> Decision:
    moves, chosen = analysis.get("moves") or [], analysis.get("imove")
    cost, rank, best = 0.0, 1, str(turn.play or NO_PLAY)
    if moves and chosen is not None:
        cost = max(0.0, float(moves[0]["score"]) - float(moves[chosen]["score"]))
        rank = int(chosen) + 1
        best = _written(where, moves[0]["move"])
    return Decision(
        game=game.number,
        index=index,
        player=turn.player,
        kind="checker",
        xgid=write_xgid(where),
        done=str(turn.play or "") or NO_PLAY,
        best=best or NO_PLAY,
        cost=cost,
        counts=len(moves) > 1,
        rank=rank,
        choices=max(1, len(moves)),
        roll=turn.roll,
        luck=float(analysis.get("luck-value", 0.0)),
    )


def _written(where: Xgid, steps: list[list[int]]) -> str:
    """Gnubg's moves in our notation."""
    assert where.roll is not None
    try:
        play = Play(tuple(Move(origin, target) for origin, target in steps))
        return str(resolve(where.position, where.turn, where.roll, play).play)
    except RulesError as error:
        raise EngineRefusedError(f"the engine plays {steps}, which is no legal play: {error}") from error


def _tally(side: Any) -> Tally:
    moves, cube, dice = side["moves"], side["cube"], side["dice"]
    # The sum over kinds, not gnubg's `error-skill` of the cube, which its Python tells wrongly (it gives a mean).
    cube_error = sum(float(value) for key, value in cube.items() if key.startswith("err-") and key.endswith("-skill"))
    return Tally(
        unforced=int(moves["unforced-moves"]),
        close_cubes=int(cube["close-cube"]),
        checker_error=float(moves["error-skill"]),
        cube_error=cube_error,
        luck=float(dice["luck"]),
    )
