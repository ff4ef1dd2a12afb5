"""What a reading says about a play: legal, illegal, or not clear enough to tell.

The free position, read from the pixels alone, is held against every legal result of the roll
from every position that the board may have had before. A legal result may explain the picture a
little worse than the free one, since players play legally far more often than not; it may never
overrule a picture that is clear.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.faults import Fault
from rules.movegen import legal_plays, play_between
from rules.play import Play
from rules.position import BAR, OFF, POINTS, Player, Position
from rules.reading import Reading
from rules.roll import Roll
from rules.ruleset import Ruleset
from rules.ruling import Ruling, Verdict, judge

TRUST_IN_PLAYERS = math.log(100)
"""Nats: a play is taken to be legal a hundred times more often than not."""
TELL_APART = 1.5
"""Nats by which one explanation must beat the next."""
CLEARLY_NOT = 10.0
"""Nats by which the picture must speak against every legal play."""
ILLEGAL_COSTS = (TRUST_IN_PLAYERS + CLEARLY_NOT) / 2
"""Nats that an illegal play is less likely than a legal one that the picture shows as well."""
KEPT = 12.0
"""What is so many nats less likely than the best need not be kept in mind."""
MOST_KEPT = 6
ASTRAY = 4
"""With more checkers elsewhere than any legal play has them it is no play that was seen, but something else."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A turn as it may have been: its play (None where it was no legal one) and the position it left."""

    player: Player
    roll: Roll
    play: Play | None
    after: Position


@dataclass(frozen=True, slots=True)
class Guess:
    """A position that the board may have: `nats` less likely than the likeliest.

    `path` are the last turns as they must have been then, the newest last; turns before them are as recorded.
    """

    position: Position
    nats: float = 0.0
    path: tuple[Passed, ...] = ()


@dataclass(frozen=True, slots=True)
class Weighed:
    """The verdict on one turn: the play where legal, the position to go on from, faults and words where not.

    `before` is the guess from which it was played, `guesses` what the board may have now, the likeliest first.
    """

    verdict: Verdict
    play: Play | None
    position: Position
    before: Guess
    guesses: tuple[Guess, ...]
    faults: tuple[str, ...] = ()
    clause: str | None = None
    explanation: str = ""

    @property
    def doubts(self) -> tuple[Guess, ...]:
        """The guesses, none where the position is the only one."""
        return () if all(guess.position == self.position for guess in self.guesses) else self.guesses


@dataclass(frozen=True, slots=True)
class _Turn:
    """Whose turn it is, with which roll, from which position as recorded."""

    player: Player
    roll: Roll
    recorded: Guess


@dataclass(frozen=True, slots=True)
class _Way:
    """One explanation of a picture: from where, how likely, with which result; `legal` or not."""

    nats: float
    before: Guess
    after: Position
    legal: bool


def weigh(reading: Reading, befores: Sequence[Guess], player: Player, roll: Roll, ruleset: Ruleset) -> Weighed:
    """Hold `reading` against every legal result of `roll` from each of `befores` (the recorded one first)."""
    base = min(befores, key=lambda guess: guess.nats)
    if befores[0].nats - base.nats < TELL_APART:
        base = befores[0]
    free = reading.position
    ways = _legal_ways(reading, befores, player, roll)
    ruling = judge(base.position, player, roll, free, ruleset=ruleset)
    brought_back, missing = _brought_back(base.position, free)
    if missing is not None:
        # Lost or borne off: whichever takes fewer breaches.
        lost = judge(base.position, player, roll, brought_back, ruleset=ruleset)
        if len(lost.faults) <= len(ruling.faults):
            free, ruling = brought_back, lost
    nats = reading.log_likelihood(free)
    if ruling.verdict is not Verdict.LEGAL:
        ways.append(_Way(nats - ILLEGAL_COSTS, base, free, legal=False))
    elif all(way.after != free for way in ways):
        # The last checker ends the game though a number is left, which no full play of the roll does.
        ways.append(_Way(nats, base, free, legal=True))
    ways.sort(key=lambda way: way.nats, reverse=True)
    doubtful = any(guess.nats - base.nats < TRUST_IN_PLAYERS for guess in befores if guess is not base)
    doubtful = doubtful or ruling.verdict is Verdict.UNDECIDED
    return _verdict(reading, ways, _Turn(player, roll, befores[0]), ruling, missing, doubtful)


def _legal_ways(reading: Reading, befores: Iterable[Guess], player: Player, roll: Roll) -> list[_Way]:
    """The best way to each position that a legal play gives."""
    best: dict[Position, _Way] = {}
    for guess in befores:
        for legal in legal_plays(guess.position, player, roll):
            way = _Way(reading.log_likelihood(legal.after) - guess.nats, guess, legal.after, legal=True)
            if way.after not in best or best[way.after].nats < way.nats:
                best[way.after] = way
    return list(best.values())


def _verdict(
    reading: Reading, ways: list[_Way], turn: _Turn, ruling: Ruling, missing: Player | None, doubtful: bool
) -> Weighed:
    """What the ways, the best first, say together."""
    best = ways[0]
    legal, *rivals = [way for way in ways if way.legal]
    guesses = _guesses(ways, turn)
    short_by = reading.log_likelihood(reading.position) - legal.nats
    most = TRUST_IN_PLAYERS
    if short_by < CLEARLY_NOT and _same_places(reading.position, legal.after):
        best, most = legal, CLEARLY_NOT

    def undecided(why: str) -> Weighed:
        return Weighed(Verdict.UNDECIDED, None, legal.after, legal.before, guesses, explanation=why)

    if best.legal:
        play = _play(best, turn)
        close = [way for way in rivals if best.nats - way.nats < TELL_APART]
        other = next((one for one in (_play(way, turn) for way in close) if one != play), None)
        if other is not None:
            return undecided(f"{play} or {other}: the picture does not tell which")
        # Where only the position before is in doubt, the record stands until more is seen.
        best = legal = next((way for way in (best, *close) if way.before is turn.recorded), best)
        if short_by <= most or reading.position == best.after:
            return Weighed(Verdict.LEGAL, play, best.after, best.before, guesses)
    lost = Fault.CHECKER_COUNT in ruling.faults
    if lost and any(reading.position.on_board(side) > turn.recorded.position.on_board(side) for side in Player):
        return undecided("more checkers lie there than before: one was overlooked")
    if missing is not None and (short_by < CLEARLY_NOT or _hidden(reading) or (lost and len(ruling.faults) > 1)):
        return undecided(f"a {missing} checker is not to be seen")
    illegal = next((way for way in ways if not way.legal), None)
    unclear = reading.hands or reading.problems or short_by < CLEARLY_NOT or doubtful
    if illegal is None or unclear or _no_play(illegal.after, [legal, *rivals]):
        return undecided("the board is not clear enough to tell what was played")
    faults = ruling.faults.keys()
    return Weighed(
        Verdict.ILLEGAL, None, illegal.after, illegal.before, guesses, faults, ruling.clause, ruling.explanation
    )


def _no_play(after: Position, ways: Sequence[_Way]) -> bool:
    """No hand plays so, legally or not: too much is elsewhere, or only the colours are others."""
    far = min(_astray(after, way.after) for way in ways) > ASTRAY
    return far or any(_same_places(after, way.after) for way in ways)


def _same_places(one: Position, other: Position) -> bool:
    """As many checkers stand everywhere, whosever they are: no play changes colours only, but light does."""
    bar = [sum(position.count(side, BAR) for side in Player) for position in (one, other)]
    points = [
        [position.count(Player.WHITE, k) + position.count(Player.BLACK, BAR - k) for k in POINTS]
        for position in (one, other)
    ]
    return points[0] == points[1] and bar[0] == bar[1]


def _astray(one: Position, other: Position) -> int:
    """How many checkers, of both sides together, stand elsewhere in one position than in the other."""
    both = (zip(one.side(side), other.side(side), strict=True) for side in Player)
    return sum(max(0, here - there) for counts in both for here, there in counts)


def _guesses(ways: Sequence[_Way], turn: _Turn) -> tuple[Guess, ...]:
    """What the board may have after the turn, each position once."""
    best = ways[0].nats
    found: dict[Position, Guess] = {}
    for way in ways:
        if best - way.nats <= KEPT and len(found) < MOST_KEPT and way.after not in found:
            passed = Passed(turn.player, turn.roll, _play(way, turn) if way.legal else None, way.after)
            found[way.after] = Guess(way.after, best - way.nats, (*way.before.path, passed))
    return tuple(found.values())


def _play(way: _Way, turn: _Turn) -> Play:
    return play_between(way.before.position, turn.player, turn.roll, way.after) or Play()


def _hidden(reading: Reading) -> bool:
    return any(place.occluded for place in reading.points)


def _brought_back(before: Position, after: Position) -> tuple[Position, Player | None]:
    """`after` with the checkers that cannot have been borne off neither there nor off, and whose they are."""
    missing = None
    for side in Player:
        if _missing(before, after, side):
            counts = (before.count(side, OFF), *after.side(side)[1:])
            after = Position(counts, after.black) if side is Player.WHITE else Position(after.white, counts)
            missing = side
    return after, missing


def _missing(before: Position, after: Position, side: Player) -> bool:
    """More checkers of `side` are out of sight than it can have borne off."""
    gone = after.count(side, OFF) - before.count(side, OFF)
    outside = sum(before.count(side, point) for point in POINTS if point > 6) + before.count(side, 25)
    return gone > 0 and (outside > 1 or gone > 4)
