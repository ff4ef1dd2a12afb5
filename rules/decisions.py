"""What people decide beside the plays: resignations, penalties, rulings, corrections; each a further event."""

from __future__ import annotations

from dataclasses import dataclass

from rules.events import Event, Win
from rules.position import Player, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeBeavered(Event):
    """`player`, who was doubled, doubles at once again and keeps the cube at `value` (money play with beavers)."""

    player: Player
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeAutomatic(Event):
    """The opening was a tie and the cube goes to `value`, still in the middle (money play with automatic doubles)."""

    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeCorrected(Event):
    """The cube counts as it lies, over any record (R30)."""

    value: int
    owner: Player | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationOffered(Event):
    """`player` offers to lose the game as `win` (T16)."""

    player: Player
    win: Win


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationAccepted(Event):
    """`player`, the opponent, accepts; the game's end follows (T16)."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationRefused(Event):
    """`player`, the opponent, refuses; the game goes on (T16)."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConceded(Event):
    """`player` concedes the match; it can be taken back until the result is official (R45)."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcessionWithdrawn(Event):
    """The concession was a mistake and the result is not yet official (R45)."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultConfirmed(Event):
    """`player` confirms the result of the last game as it is written (R46)."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultOfficial(Event):
    """The winner is on the draw sheet: nothing changes any more (R45)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGiven(Event):
    """`points` are credited to `player` because of the other's `reason` (`slow`, `late`, …; R55–R58)."""

    player: Player
    points: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCorrected(Event):
    """The score is (white, black) from here on, by the director or the file that was read."""

    score: tuple[int, int]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckerFound(Event):
    """A checker of `player` lay off the board: he enters it from the bar, or plays on without it (R33)."""

    player: Player
    to_bar: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupCorrected(Event):
    """A wrong set-up was put right in time (R29); the plays made so far stand."""

    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayStands(Event):
    """The window has closed, or a ruling says so: the last play counts as it lies (R18)."""

    player: Player
    reason: str = "R18"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Event):
    """Something is open that people must answer: `key` of `rules.irregularities`, `player` whom it is about.

    It is no fault and no ruling: the game goes on. `rules.questions` says when it is over by itself.
    """

    key: str
    player: Player | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Event):
    """The open question `key` was answered; `choice` in the words of who answered."""

    key: str
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Event):
    """The last turn of the running game did not happen: the board stands as before it, its player to roll again."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewSet(Event):
    """The match is shown to spectators, or not any more (R44)."""

    shown: bool
