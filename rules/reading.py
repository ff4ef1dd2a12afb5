"""The words in which the eyes report: what a settled board shows, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.position import CHECKERS, Player, Position

COUNTS = 2 * CHECKERS + 1


class DieState(StrEnum):
    """How a die lies (R10, R11)."""

    FLAT = "flat"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    OFF_BOARD = "off_board"


class Half(StrEnum):
    """Half of the field as the camera sees it."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die: its number (None when unreadable), how it lies, the half it lies in.

    `xy` is its centre in field space (0–1 across and down the field of 24 points), `lab` the L*a*b* of its face
    where it was measured.
    """

    pips: int | None
    state: DieState
    half: Half
    xy: tuple[float, float]
    confidence: float
    pair: str | None = None
    lab: tuple[float, float, float] | None = None


class CubePlace(StrEnum):
    """Where the doubling cube lies, as the camera sees the board."""

    BAR = "bar"
    TOP = "top"
    BOTTOM = "bottom"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class CubeReading:
    """The cube: the number on its upper face (None when unreadable), its place, and whether it is offered (R38)."""

    value: int | None
    where: CubePlace
    offered: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class PlaceEvidence:
    """What the picture says about one point.

    `log_likelihood` has 31 entries, index 15 + n for n white checkers (n > 0) or −n black
    ones (n < 0); 15 is the empty point. Only differences count. `occluded` marks a place
    that something hides; its likelihoods are flat.
    """

    log_likelihood: tuple[float, ...]
    occluded: bool = False

    def of(self, white: int, black: int) -> float:
        """Log-likelihood of that many checkers; minus infinity where both colours stand or a count is over 15."""
        if (white and black) or max(white, black) > CHECKERS:
            return float("-inf")
        return self.log_likelihood[CHECKERS + white - black]


@dataclass(frozen=True, slots=True)
class Reading:
    """A settled board.

    `position` is the free best position: the pixels alone, no rule used. `points` holds the
    evidence for white's points 1–24 (index 0 is his ace point), `bar_white` and `bar_black` the
    log-likelihood of 0–15 checkers on the bar. `margin` is how much better (in nats) the free
    best is than the next best position. `problems` are what hinders reading the checkers.
    `evidence` names stored pictures.
    """

    at_s: float
    position: Position
    points: tuple[PlaceEvidence, ...]
    bar_white: tuple[float, ...]
    bar_black: tuple[float, ...]
    margin: float
    dice: tuple[DieReading, ...] = ()
    cube: CubeReading | None = None
    hands: bool = False
    problems: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()

    def log_likelihood(self, position: Position) -> float:
        """How well `position` explains the picture, in nats; only differences count.

        Borne-off checkers are out of sight and cost nothing.
        """
        total = sum(
            place.of(position.count(Player.WHITE, k), position.count(Player.BLACK, 25 - k))
            for k, place in enumerate(self.points, 1)
        )
        white, black = position.count(Player.WHITE, 25), position.count(Player.BLACK, 25)
        if max(white, black) > CHECKERS:
            return float("-inf")
        return total + self.bar_white[white] + self.bar_black[black]
