"""Situations at a table without pixels: readings of a perfectly clear board, and a referee that is shown them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count

from rules.commands import Command
from rules.events import Event, GameStarted, MatchStarted, Recovered
from rules.game import apply, replay
from rules.match import MatchState
from rules.play import parse_play
from rules.position import BAR, CHECKERS, POINTS, START, Player, Position
from rules.reading import COUNTS, CubeReading, DieReading, DieState, Half, PlaceEvidence, Reading
from rules.referee import Referee, Setup, step
from rules.transcript import moved as moved_by

LEFT_HALF, RIGHT_HALF = (0.25, 0.5), (0.75, 0.5)
"""Where dice lie, as `DieReading.xy`."""
UNLIKELY = -20.0
"""Nats: the log-likelihood of everything that a clear picture does not show."""


def reading(
    position: Position,
    *dice: DieReading,
    cube: CubeReading | None = None,
    doubt: Mapping[int, float] | None = None,
    hands: bool = False,
) -> Reading:
    """A clear picture of `position`; on white's points in `doubt` any other count is only so many nats less likely."""
    doubt = doubt or {}
    points = []
    for point in POINTS:
        likelihood = [-doubt.get(point, -UNLIKELY)] * COUNTS
        likelihood[CHECKERS + position.count(Player.WHITE, point) - position.count(Player.BLACK, BAR - point)] = 0.0
        points.append(PlaceEvidence(tuple(likelihood)))
    white, black = (
        tuple(0.0 if n == position.count(player, BAR) else UNLIKELY for n in range(CHECKERS + 1)) for player in Player
    )
    margin = min([-UNLIKELY, *doubt.values()])
    return Reading(0.0, position, tuple(points), white, black, margin, dice, cube, hands)


def die(
    pips: int, xy: tuple[float, float] = RIGHT_HALF, state: DieState = DieState.FLAT, confidence: float = 0.95
) -> DieReading:
    """One die at `xy`."""
    return DieReading(pips, state, Half.LEFT if xy[0] < 0.5 else Half.RIGHT, xy, confidence)


def roll(
    a: int, b: int, xy: tuple[float, float] = RIGHT_HALF, state: DieState = DieState.FLAT, confidence: float = 0.95
) -> tuple[DieReading, DieReading]:
    """Two dice side by side, the first at `xy`; the second is a flat one."""
    return die(a, xy, state, confidence), die(b, (xy[0] + 0.08, xy[1]))


def moved(position: Position, player: Player, text: str) -> Position:
    """The position after the play written as `text`, legal or not.

    Raises:
        PlayError: a step starts where the player has no checker.
    """
    return moved_by(position, player, parse_play(text))


def types(events: Iterable[Event]) -> list[str]:
    """The kinds of events, in order, by the names of their classes."""
    return [type(event).__name__ for event in events]


class Table:
    """A referee that is shown one reading after another, a second apart, and every event so far."""

    def __init__(
        self, setup: Setup | None = None, *, length: int = 5, profile: str = "club-de", checkers: int = CHECKERS
    ) -> None:
        begin = MatchStarted(at_s=0, length=length, white="White", black="Black", profile=profile, checkers=checkers)
        self.events: list[Event] = [begin]
        self.referee = Referee(replay(self.events), setup or Setup())
        self._clock = count(1)

    @property
    def match(self) -> MatchState:
        """The state of the match as the referee has it."""
        return self.referee.match

    @property
    def board(self) -> Position:
        """Where the checkers stand as the referee has it."""
        return self.match.position

    def see(self, *given: Reading | Command) -> list[Event]:
        """The events that follow from these, shown one after another; folded with all others they give `match`."""
        new: list[Event] = []
        for one in given:
            self.referee, events = step(self.referee, one, float(next(self._clock)))
            new += events
        self.events += new
        assert replay(self.events) == self.match
        return new

    def play(self, dice: tuple[DieReading, ...], after: Position) -> list[Event]:
        """The events of a turn: a roll that lies there, then the board without dice."""
        return self.see(reading(self.board, *dice), reading(after))

    def tell(self, *events: Event) -> None:
        """Take in events that others decided."""
        for event in events:
            self.referee = replace(self.referee, match=apply(self.match, event))
        self.events += events

    def stand(self, position: Position, turn: Player) -> None:
        """Begin a game that has come to `position`, `turn` to roll."""
        self.tell(
            GameStarted(at_s=0, position=START),
            Recovered(at_s=0, position=position, turn=turn, reason="rehearsal"),
        )
