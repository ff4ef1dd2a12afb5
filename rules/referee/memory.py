"""What the referee knows besides the match: the table, and what lies on the board but is no event yet."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.match import MatchState
from rules.position import START, Player, Position
from rules.reading import DieReading, Half, Reading
from rules.referee.habits import Habit
from rules.roll import Roll
from rules.ruleset import DiceZone, Ruleset, profile
from rules.ruling import Verdict
from rules.weighing import Guess

Lab = tuple[float, float, float]
PAIRS_APART = 20.0
"""Dice of two pairs differ by at least so much L*a*b*."""
DIE_SURE = 0.5
"""Dice less sure than this are not looked at."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed for a match: the start position (None: the first settled one) and white's seat.

    `zone` is where dice count at this table, whatever the rule profile says; None leaves it to the profile.
    """

    start: Position | None = START
    white_near: bool = True
    zone: DiceZone | None = None

    def near(self, player: Player) -> bool:
        """`player` sits at the camera's near side, the bottom of the picture."""
        return (player is Player.WHITE) == self.white_near

    def right_half(self, player: Player) -> Half:
        """The half of the picture at `player`'s right hand (T1)."""
        return Half.RIGHT if self.near(player) else Half.LEFT

    def thrower(self, half: Half) -> Player:
        """Whose right hand that half is at."""
        return Player.WHITE if self.right_half(Player.WHITE) is half else Player.BLACK


@dataclass(frozen=True, slots=True)
class Pairs:
    """The colours (L*a*b*) of white's and of black's dice, as far as valid throws have shown them."""

    white: Lab | None = None
    black: Lab | None = None

    def shown(self, player: Player, dice: Iterable[DieReading]) -> Pairs:
        """What is known after a valid throw of `player`: a quarter of it is new, so that dice may be swapped."""
        labs = [die.lab for die in dice if die.lab is not None]
        if not labs:
            return self
        new = _mean(labs)
        old = self.white if player is Player.WHITE else self.black
        if old is not None and math.dist(old, new) < PAIRS_APART:
            new = _mean([old, old, old, new])
        return Pairs(new, self.black) if player is Player.WHITE else Pairs(self.white, new)

    def owner(self, dice: Iterable[DieReading]) -> Player | None:
        """Whose dice these are by their colour; None where both sides' dice look alike, or it is not known."""
        labs = [die.lab for die in dice if die.lab is not None]
        if self.white is None or self.black is None or not labs or math.dist(self.white, self.black) < PAIRS_APART:
            return None
        nearer = {math.dist(lab, self.white) < math.dist(lab, self.black) for lab in labs}
        if len(nearer) > 1:
            return None
        return Player.WHITE if nearer.pop() else Player.BLACK


def _mean(labs: list[Lab]) -> Lab:
    lightness, green_red, blue_yellow = (sum(values) / len(labs) for values in zip(*labs, strict=True))
    return lightness, green_red, blue_yellow


@dataclass(frozen=True, slots=True)
class OpenPlay:
    """The last turn, which may still be put right, or seen more clearly, before the next roll (R18, R32).

    `player` is whose play it was recorded as, `turn` whose turn it was (None where only the play can tell),
    `befores` what the board may have had before; with `roll_unsure` nobody can be told that he played it wrongly.
    """

    player: Player
    turn: Player | None
    roll: Roll
    befores: tuple[Guess, ...]
    verdict: Verdict
    roll_unsure: bool = False


@dataclass(frozen=True, slots=True)
class Referee:
    """The referee's whole memory: the match and what lies on the board but is no event yet.

    `dice` are the roll that is being played, as it lay, `read_before` what it was taken for at first. `dead` lie
    there and do not count; `early` were thrown before the opponent lifted his (R14); `alone` is a die that was
    thrown by itself (T8). `held`: the dice were lifted and nothing was moved, and what that means is still open;
    `ended`: DONE was said. `pairs` are the colours of both sides' dice. `guesses` are what the board may have, none
    where it is as recorded for sure. `asked` are the questions of this turn. `strays` are no throw, and may be no
    dice: they lay beside the field before the game, or elsewhere before dice were thrown or lifted. `habits` are
    how the eyes misread what stands there (`rules.referee.habits`).
    """

    match: MatchState
    setup: Setup = field(default_factory=Setup)
    dice: tuple[DieReading, ...] = ()
    read_before: tuple[Roll, ...] = ()
    dead: tuple[DieReading, ...] = ()
    early: tuple[DieReading, ...] = ()
    alone: DieReading | None = None
    held: bool = False
    pairs: Pairs = field(default_factory=Pairs)
    ended: bool = False
    seen: Reading | None = None
    open_play: OpenPlay | None = None
    guesses: tuple[Guess, ...] = ()
    asked: frozenset[str] = frozenset()
    strays: tuple[DieReading, ...] = ()
    habits: tuple[Habit, ...] = ()

    @property
    def ruleset(self) -> Ruleset:
        """The rule profile of the match."""
        return profile(self.match.profile)

    @property
    def zone(self) -> DiceZone:
        """Where a throw is valid (R10, T1)."""
        return self.setup.zone or self.ruleset.dice_zone

    @property
    def befores(self) -> tuple[Guess, ...]:
        """What the board may have before the next play, the recorded position first."""
        recorded = [guess for guess in self.guesses if guess.position == self.match.position]
        others = [guess for guess in self.guesses if guess.position != self.match.position]
        return (*(recorded or [Guess(self.match.position)]), *others)
