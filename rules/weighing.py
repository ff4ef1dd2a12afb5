"""What a reading says about a play: legal, illegal, or not clear enough to tell.

The free position, read from the pixels alone, is held against every legal result of the roll.
A legal result may explain the picture a little worse than the free one, since players play
legally far more often than not; it may never overrule a picture that is clear.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rules.movegen import LegalPlay, legal_plays
from rules.play import Play
from rules.position import OFF, POINTS, Player, Position
from rules.reading import Reading
from rules.roll import Roll
from rules.ruleset import Ruleset
from rules.ruling import Verdict, judge

TRUST_IN_PLAYERS = math.log(100)
"""Nats: a play is taken to be legal a hundred times more often than not."""
TELL_APART = 1.5
"""Nats by which one explanation must beat the next."""
CLEARLY_NOT = 10.0
"""Nats by which the picture must speak against every legal play."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The verdict on one turn: the play where legal, the position to go on from, faults and words where not.

    `perhaps` is the other position that an undecided picture may show.
    """

    verdict: Verdict
    play: Play | None
    position: Position
    faults: tuple[str, ...] = ()
    explanation: str = ""
    perhaps: Position | None = None


def weigh(reading: Reading, before: Position, player: Player, roll: Roll, ruleset: Ruleset) -> Weighed:
    """Hold `reading` against every legal result of `roll` for `player` from `before`."""
    free = reading.position
    legal = legal_plays(before, player, roll)
    ranked = sorted(((reading.log_likelihood(one.after), k) for k, one in enumerate(legal)), reverse=True)
    best_value, best_index = ranked[0]
    best = legal[best_index]
    told_apart = len(ranked) == 1 or best_value - ranked[1][0] >= TELL_APART
    short_by = reading.log_likelihood(free) - best_value
    if short_by <= TRUST_IN_PLAYERS:
        if told_apart:
            return Weighed(Verdict.LEGAL, best.play, best.after)
        other = legal[ranked[1][1]]
        return _unclear(best, f"{best.play} or {other.play}: the picture does not tell which", other.after)
    ended = judge(before, player, roll, free, ruleset=ruleset)
    if ended.verdict is Verdict.LEGAL:
        return Weighed(Verdict.LEGAL, ended.play, free)
    lost = [side for side in Player if _missing(before, free, side)]
    if lost:
        return _unclear(best, f"a {lost[0]} checker is not to be seen")
    if reading.hands or reading.problems or short_by < CLEARLY_NOT:
        return _unclear(best, "the board is not clear enough to tell what was played", free)
    return Weighed(Verdict.ILLEGAL, None, free, ended.faults.keys(), ended.explanation)


def _unclear(best: LegalPlay, why: str, perhaps: Position | None = None) -> Weighed:
    return Weighed(Verdict.UNDECIDED, None, best.after, (), why, perhaps)


def _missing(before: Position, after: Position, side: Player) -> bool:
    """More checkers of `side` are out of sight than it can have borne off."""
    gone = after.count(side, OFF) - before.count(side, OFF)
    outside = sum(before.count(side, point) for point in POINTS if point > 6) + before.count(side, 25)
    return gone > 0 and (outside > 1 or gone > 4)
