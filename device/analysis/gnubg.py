"""The `Evaluator` that asks GNU Backgammon. It is GPL and stays a process of its own; Schiri runs without it."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from device.analysis.evaluator import (
    LIVE_PLIES,
    REVIEW_PLIES,
    CubeChoice,
    EngineRefusedError,
    MatchAnalysis,
    Progress,
    RankedPlay,
)
from device.analysis.gnubg_match import match_analysis
from device.analysis.process import EngineProcess
from rules.codecs.gnubgid import write_gnuid
from rules.codecs.mat import write_mat
from rules.codecs.mat_read import read_mat
from rules.codecs.xgid import Xgid, write_xgid
from rules.cube import Cube
from rules.errors import RulesError
from rules.match import MatchState
from rules.movegen import resolve
from rules.play import parse_play
from rules.position import BAR, OFF, Player, Position
from rules.roll import Roll
from rules.ruleset import profile
from rules.transcript import play_through

LIMIT_S = 10.0
"""For one question; a hint of 2 plies takes 0.1–1 s here, several on a Pi."""
ROLLS = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))


class Gnubg:
    """An `Evaluator` over one supervised gnubg."""

    def __init__(self, process: EngineProcess, limit_s: float = LIMIT_S) -> None:
        self.process, self._limit_s = process, limit_s

    def plays(self, where: Xgid, plies: int = LIVE_PLIES) -> tuple[RankedPlay, ...]:
        """All legal plays of the roll, the best first. Raises EngineError."""
        if where.roll is None:
            raise EngineRefusedError("there is no roll to play; give two dice in the fifth field of the XGID")
        seen = as_white(where)
        found = self.process.ask("plays", self._limit_s, plies=plies, **_named(seen))
        return tuple(_ranked(seen, where, *one) for one in found)

    def cube(self, where: Xgid, plies: int = LIVE_PLIES) -> CubeChoice:
        """The cube decision of the side on roll. Raises EngineError."""
        seen = as_white(replace(where, roll=None, cube=replace(where.cube, offered_by=None)))
        found = self.process.ask("cube", self._limit_s, plies=plies, **_named(seen))
        return CubeChoice(*map(float, found))

    def luck(self, where: Xgid) -> float:
        """What the roll is worth against the average roll, as gnubg counts it (0 plies). Raises EngineError."""
        if where.roll is None:
            raise EngineRefusedError("there is no roll whose luck could be told")
        seen = as_white(where)
        rolls = [list(_named(replace(seen, roll=roll)).values()) for roll in ROLLS]
        best = [float(one or 0.0) for one in self.process.ask("luck", self._limit_s, rolls=rolls)]
        weights = [1 if roll.is_double else 2 for roll in ROLLS]
        mean = sum(weight * one for weight, one in zip(weights, best, strict=True)) / sum(weights)
        return best[ROLLS.index(where.roll)] - mean

    def match(self, state: MatchState, progress: Progress = lambda _done, _all: None) -> MatchAnalysis:
        """The analysis of a match, 2 plies deep as gnubg's own. Raises EngineError, or CodecError: no .mat holds it."""
        text, jacoby = write_mat(state), profile(state.profile).jacoby
        written = play_through(read_mat(text), state.profile).state
        self.process.home.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=self.process.home, suffix=".mat", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            return match_analysis(self.raw_match(Path(file.name), progress, jacoby=jacoby), written)

    def raw_match(
        self,
        file: Path,
        progress: Progress = lambda _done, _all: None,
        *,
        jacoby: bool = True,
        plies: int = REVIEW_PLIES,
    ) -> Any:
        """What gnubg itself says of a match file, in its own words. Raises EngineError."""
        limit_s = 3 * self._limit_s
        return self.process.ask("match", limit_s, progress, file=str(file), plies=plies, jacoby=jacoby)


def as_white(where: Xgid) -> Xgid:
    """The same moment with the side on roll as white, which is how gnubg stands it."""
    if where.turn is Player.WHITE:
        return where
    owner, offered = where.cube.owner, where.cube.offered_by
    return replace(
        where,
        position=Position(where.position.black, where.position.white),
        turn=Player.WHITE,
        cube=Cube(where.cube.value, owner and owner.opponent, offered and offered.opponent),
        score=(where.score[1], where.score[0]),
    )


def _named(where: Xgid) -> dict[str, Any]:
    """The moment as XGID, and the ID by which gnubg must know it then. Raises EngineRefusedError."""
    problems = where.position.problems()
    for player in Player:
        if where.position.count(player, OFF) + where.position.count(player, BAR) == where.position.total(player) == 0:
            problems.append(f"{player} has no checkers")
        if where.position.on_board(player) == 0:
            problems.append(f"{player} has borne off everything: the game is over")
    if where.length and max(where.score) >= where.length:
        problems.append("the match is over at this score")
    if problems:
        raise EngineRefusedError(f"this position cannot be evaluated: {'; '.join(problems)}")
    try:
        return {"xgid": write_xgid(where), "gnuid": write_gnuid(where)}
    except RulesError as error:
        raise EngineRefusedError(f"this position cannot be evaluated: {error}") from error


def _ranked(seen: Xgid, where: Xgid, written: str, equity: float, plies: int) -> RankedPlay:
    """Gnubg's play as a legal one by our own rules. Raises EngineRefusedError where these do not know it."""
    assert seen.roll is not None
    try:
        legal = resolve(seen.position, Player.WHITE, seen.roll, parse_play(written))
    except RulesError as error:
        raise EngineRefusedError(f"the engine plays {written}, which is no legal play: {error}") from error
    after = legal.after
    if where.turn is Player.BLACK:
        after = Position(after.black, after.white)
    return RankedPlay(str(legal.play), after, float(equity), int(plies))
