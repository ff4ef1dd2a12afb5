"""What an engine can be asked, and its answers. Equities are the side on roll's, in units of the cube."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from device.errors import DeviceError
from rules.codecs.xgid import Xgid
from rules.match import MatchState
from rules.position import Player, Position
from rules.roll import Roll

Progress = Callable[[int, int], object]
"""Is told how many decisions are done, and how many there are."""
LIVE_PLIES, REVIEW_PLIES = 0, 2


class EngineError(DeviceError):
    """The engine gave no answer; the text says what happened and what to do."""


class EngineMissingError(EngineError):
    """There is no engine on this machine."""


class EngineRefusedError(EngineError, ValueError):
    """The engine works, and cannot answer this: a position it does not take, a match file it does not read."""


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A legal play: its notation in the mover's count, the position it leaves, its equity, the plies looked ahead."""

    play: str
    after: Position
    equity: float
    plies: int


@dataclass(frozen=True, slots=True)
class CubeChoice:
    """The cube before the roll: equities of the side on roll without a double, after double and take, after a drop."""

    no_double: float
    take: float
    drop: float

    @property
    def best(self) -> float:
        """What the decision is worth when both do the right thing."""
        return max(self.no_double, min(self.take, self.drop))

    @property
    def double(self) -> bool:
        """Whether to double."""
        return min(self.take, self.drop) > self.no_double

    @property
    def takes(self) -> bool:
        """Whether the other side takes."""
        return self.take <= self.drop

    def cost(self, *, doubled: bool) -> float:
        """What it costs the side on roll to double, or not to; never negative."""
        return self.best - (min(self.take, self.drop) if doubled else self.no_double)

    def answer_cost(self, *, taken: bool) -> float:
        """What the answer to the double costs the side that gives it; never negative."""
        return max(0.0, self.take - self.drop) if taken else max(0.0, self.drop - self.take)


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of an analysed match.

    `kind` is `checker`, `cube` (double or not) or `answer` (take or drop). `cost` is the loss in equity, `counts`
    whether it was a decision at all: an unforced play, a cube that was turned or was close. `luck` is that of the roll.
    `rank` is 1 for the best of `choices`.
    """

    game: int
    index: int
    player: Player
    kind: str
    xgid: str
    done: str
    best: str
    cost: float
    counts: bool
    rank: int = 1
    choices: int = 1
    roll: Roll | None = None
    luck: float = 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """One player's match in the engine's own statistics: errors and luck in equity (lost equity is positive)."""

    unforced: int
    close_cubes: int
    checker_error: float
    cube_error: float
    luck: float

    @property
    def decisions(self) -> int:
        """Unforced plays, and cube decisions that were made or close."""
        return self.unforced + self.close_cubes

    @property
    def per_decision(self) -> float:
        """Equity lost in a decision on average."""
        return (self.checker_error + self.cube_error) / self.decisions if self.decisions else 0.0


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """All decisions of a match in their order, and each side's tally (white, black)."""

    decisions: tuple[Decision, ...]
    tallies: tuple[Tally, Tally]


class Evaluator(Protocol):
    """An engine, safe to ask from any thread. Everything raises EngineError."""

    def plays(self, where: Xgid, plies: int = LIVE_PLIES) -> tuple[RankedPlay, ...]:
        """All legal plays of the roll, the best first."""
        ...

    def cube(self, where: Xgid, plies: int = LIVE_PLIES) -> CubeChoice:
        """The cube decision of the side on roll."""
        ...

    def luck(self, where: Xgid) -> float:
        """What the roll is worth against the average roll, for the side on roll."""
        ...

    def match(self, state: MatchState, progress: Progress = lambda _done, _all: None) -> MatchAnalysis:
        """The analysis of all that a match file (.mat) says of a match. Raises CodecError where it says nothing."""
        ...
