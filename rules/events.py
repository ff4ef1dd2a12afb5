"""What happened at the table, one value per fact; the journal holds nothing else.

A match is the fold of its events (`rules.game`). A correction or a ruling is a further
event: nothing is edited. Every event carries `at_s`, seconds on the table's own clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.play import Play
from rules.position import Player, Position
from rules.roll import Roll


class Win(StrEnum):
    """How a game was won; its factor on the cube (R34, R39)."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"

    @property
    def factor(self) -> int:
        """1, 2 or 3 times the cube."""
        return {Win.SINGLE: 1, Win.GAMMON: 2, Win.BACKGAMMON: 3}[self]


class Role(StrEnum):
    """Whom Schiri speaks to: the players (referee), the director only (recorder), or a learner (practice)."""

    REFEREE = "referee"
    RECORDER = "recorder"
    PRACTICE = "practice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A fact; `evidence` names the pictures that show it.

    `by` says who told it to Schiri (`director`, `white`, `black`, `panel`); empty: it was seen, or a rule's doing.
    """

    at_s: float
    evidence: tuple[str, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(Event):
    """The players, the length (0: money play), the rule profile, the role; checkers a side."""

    length: int
    white: str
    black: str
    profile: str = "club-de"
    role: Role = Role.RECORDER
    consent: bool = False
    checkers: int = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Event):
    """The checkers stand for a new game."""

    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Event):
    """A valid roll lies on the board; `player` is None while nobody can say whose it is (opening without halves)."""

    player: Player | None
    roll: Roll


@dataclass(frozen=True, slots=True, kw_only=True)
class RollVoided(Event):
    """A throw that does not count, both dice again: `reason` is a clause-like key such as `cocked` or `opening_tie`."""

    player: Player | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(Event):
    """A legal play (a dance is an empty one) and the position it leaves."""

    player: Player
    roll: Roll
    play: Play
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayFlagged(Event):
    """The roll was lifted and what lies there is no legal play, or cannot be told.

    `verdict` is `illegal` or `undecided`; `faults` are keys of `rules.faults`, `clause` the rule that the
    first breaks; `position` is what the board shows. The game goes on from what lies on the board.
    """

    player: Player
    roll: Roll
    verdict: str
    faults: tuple[str, ...]
    explanation: str
    position: Position
    clause: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCorrected(Event):
    """A play of `player` was put right (R18, R32) or understood later: it now is this one.

    `back` plays came after it; the last play is 0.
    """

    player: Player
    roll: Roll
    play: Play
    position: Position
    back: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeOffered(Event):
    """`player` doubles; `value` is what the cube would be."""

    player: Player
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeTaken(Event):
    """`player` takes: he owns the cube at `value` (R70)."""

    player: Player
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeDropped(Event):
    """`player` refuses and loses the value before the offer (R37)."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Event):
    """`winner` scores `points`, already multiplied."""

    winner: Player
    points: int
    win: Win


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded(Event):
    """`winner` has reached the match length."""

    winner: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered(Event):
    """After a confusion the board was understood again; the record goes on from `position`, `turn` to roll."""

    position: Position
    turn: Player | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Event):
    """Something worth telling the director that changes no state (`camera_lost`, `board_moved`, …)."""

    key: str
    text: str
