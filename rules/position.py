"""Where every checker stands, seen by both players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.errors import PositionError

OFF = 0
BAR = 25
POINTS = range(1, 25)
CHECKERS = 15


class Player(StrEnum):
    """One of the two sides; WHITE is the bottom player of an XGID."""

    WHITE = "white"
    BLACK = "black"

    @property
    def opponent(self) -> Player:
        """The other side."""
        return Player.BLACK if self is Player.WHITE else Player.WHITE


@dataclass(frozen=True, slots=True)
class Position:
    """Both sides' checkers, each in its owner's own count.

    `white` and `black` hold 26 counts: index 0 the checkers borne off, 1–24 the
    points as that player counts them (1 is his ace point), 25 his bar.
    """

    white: tuple[int, ...]
    black: tuple[int, ...]

    def __post_init__(self) -> None:
        for name, side in (("white", self.white), ("black", self.black)):
            if len(side) != 26:
                raise PositionError(f"{name}: expected 26 counts (off, points 1–24, bar), got {len(side)}")
            if min(side) < 0:
                raise PositionError(f"{name}: a count is negative: {side}")

    def side(self, player: Player) -> tuple[int, ...]:
        """The 26 counts of `player`, in his own count."""
        return self.white if player is Player.WHITE else self.black

    def count(self, player: Player, point: int) -> int:
        """How many checkers `player` has on his own `point` (0 off, 25 bar)."""
        return self.side(player)[point]

    def total(self, player: Player) -> int:
        """All checkers of `player`, borne-off ones included."""
        return sum(self.side(player))

    def on_board(self, player: Player) -> int:
        """Checkers of `player` on the points and on the bar."""
        return sum(self.side(player)[1:])

    def pips(self, player: Player) -> int:
        """Pip count of `player`: the pips he needs to bear off everything."""
        return sum(point * n for point, n in enumerate(self.side(player)))

    def problems(self, checkers: Mapping[Player, int] | None = None) -> list[str]:
        """Everything that is wrong with this position, in words; empty when it can occur.

        `checkers` is how many each side plays with (15 where left out).
        """
        found = []
        for player in Player:
            want = CHECKERS if checkers is None else checkers[player]
            have = self.total(player)
            if have != want:
                found.append(f"{player} has {have} checkers instead of {want}")
        for point in POINTS:
            white, black = self.white[point], self.black[25 - point]
            if white and black:
                found.append(f"white and black both stand on white's {point} point ({white} and {black})")
        return found


def side_of(counts: Mapping[int, int] | Iterable[tuple[int, int]], checkers: int | None = None) -> tuple[int, ...]:
    """The 26 counts with `counts` (point → number) set; the rest of `checkers` is borne off."""
    side = [0] * 26
    for point, n in dict(counts).items():
        side[point] = n
    if checkers is not None:
        side[OFF] += checkers - sum(side)
    return tuple(side)


START = Position(
    white=side_of({24: 2, 13: 5, 8: 3, 6: 5}),
    black=side_of({24: 2, 13: 5, 8: 3, 6: 5}),
)
