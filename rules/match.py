"""The state of a match: what the room page shows, and what the referee starts from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.cube import Cube
from rules.decisions import Asked
from rules.events import Role, Win
from rules.play import Play
from rules.position import START, Player, Position
from rules.roll import Roll


class Phase(StrEnum):
    """What the table is waiting for."""

    NO_MATCH = "no_match"
    BETWEEN_GAMES = "between_games"
    OPENING = "opening"
    TO_ROLL = "to_roll"
    TO_PLAY = "to_play"
    CUBE_OFFERED = "cube_offered"
    MATCH_OVER = "match_over"


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn of the running game as it is written down.

    `roll` is None for a cube action; `cube` is then `doubles`, `beavers`, `takes` or `drops`. `verdict` is
    `legal`, `illegal` or `undecided`; an illegal play that stands keeps its `position`, and `stands`
    once nobody can have it corrected any more (R18). `before` and `cube_before` are what an undo
    brings back.
    """

    player: Player
    roll: Roll | None = None
    play: Play | None = None
    position: Position | None = None
    verdict: str = "legal"
    faults: tuple[str, ...] = ()
    cube: str | None = None
    value: int | None = None
    stands: bool = False
    before: Position | None = None
    cube_before: Cube | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: the score it started from, its start, its turns, and its result once there is one.

    `gaps` are the numbers of turns before which the record was lost and taken up again.
    """

    number: int
    score: tuple[int, int]
    start: Position
    crawford: bool = False
    turns: tuple[TurnRecord, ...] = ()
    winner: Player | None = None
    points: int = 0
    win: Win | None = None
    gaps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchState:
    """Everything known of a match; a fold over its events.

    `score` is (white, black). `turn` is None where nobody can say yet. `games` are the finished
    ones and, last, the running one. `checkers` a side. `resignation` is an offer that waits for its
    answer: by whom, and which win (T16). `confirmed_by` are the sides that confirmed the last game's
    result (R46); once `official` nothing changes (R45). `lost` (white, black) are checkers of the
    running game that were found off the board and stay out (R33). `thrown`: the side on turn has thrown
    already, if only invalidly, and may not double any more (R36). `questions` wait for an answer.
    `shown`: spectators may see it (R44).
    """

    length: int = 0
    names: tuple[str, str] = ("White", "Black")
    profile: str = "club-de"
    role: Role = Role.RECORDER
    consent: bool = False
    checkers: int = 15
    score: tuple[int, int] = (0, 0)
    phase: Phase = Phase.NO_MATCH
    turn: Player | None = None
    roll: Roll | None = None
    position: Position = START
    cube: Cube = field(default_factory=Cube)
    crawford: bool = False
    games: tuple[GameRecord, ...] = ()
    resignation: tuple[Player, Win] | None = None
    conceded_by: Player | None = None
    confirmed_by: frozenset[Player] = frozenset()
    official: bool = False
    lost: tuple[int, int] = (0, 0)
    thrown: bool = False
    questions: tuple[Asked, ...] = ()
    shown: bool = True

    def name(self, player: Player) -> str:
        """The player's name."""
        return self.names[0] if player is Player.WHITE else self.names[1]

    @property
    def game(self) -> GameRecord | None:
        """The game that runs or was last played."""
        return self.games[-1] if self.games else None
