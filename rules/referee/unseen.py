"""A turn whose throw was not seen, worked out from what the checkers show when the next player acts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from rules import events as ev
from rules.match import Phase
from rules.movegen import legal_plays, play_between
from rules.play import Play
from rules.position import Player, Position
from rules.reading import Reading
from rules.referee.desk import Desk, clearly_not, shows
from rules.referee.habits import corrected
from rules.roll import Roll
from rules.weighing import TELL_APART, TRUST_IN_PLAYERS

ROLLS = tuple(Roll(*pips) for pips in combinations_with_replacement(range(1, 7), 2))


@dataclass(frozen=True, slots=True)
class _Way:
    """One way in which the turn may have been played."""

    player: Player
    roll: Roll
    after: Position
    nats: float


def work_out(desk: Desk, reading: Reading, actor: Player | None) -> bool:
    """`actor` has thrown or doubled though by the record it is the other's turn: was that turn played unseen?

    With just one roll that allows what lies there it is written down, else the match goes on from there. False where
    the board is as recorded, or not clear.
    """
    opening = desk.match.phase is Phase.OPENING
    player = desk.match.turn if actor is None or not opening else actor.opponent
    if player is None or shows(reading, desk.match.position):
        return False
    ways = sorted(_ways(desk, reading, player), key=lambda way: way.nats, reverse=True)
    free = reading.log_likelihood(reading.position)
    if ways and free - ways[0].nats <= TRUST_IN_PLAYERS:
        close = [way for way in ways if ways[0].nats - way.nats < TELL_APART]
        if all((way.after, way.roll) == (close[0].after, close[0].roll) for way in close):
            _write(desk, reading, close[0])
            return True
        position = ways[0].after
    elif not opening and (reading.margin >= TELL_APART or clearly_not(reading, desk.match.position)):
        position = corrected(reading.position, desk.referee.habits)
    else:
        return False
    reason = f"a turn of {player} was not seen"
    desk.emit(ev.Recovered, reading, position=position, turn=player.opponent, reason=reason)
    desk.forget()
    return True


def _ways(desk: Desk, reading: Reading, player: Player) -> Iterator[_Way]:
    """All plays of all rolls that it may have been: with the die that was seen, if one was."""
    seen = None if desk.referee.alone is None else desk.referee.alone.pips
    before, opening = desk.match.position, desk.match.phase is Phase.OPENING
    for roll in ROLLS:
        if (opening and roll.is_double) or seen not in (None, roll.high, roll.low):
            continue
        for legal in legal_plays(before, player, roll):
            yield _Way(player, roll, legal.after, reading.log_likelihood(legal.after))


def _write(desk: Desk, reading: Reading, way: _Way) -> None:
    """No other roll allows what lies there."""
    play = play_between(desk.match.position, way.player, way.roll, way.after) or Play()
    text = f"the throw of {way.player} was not seen; what lies there can only be a {way.roll}"
    desk.emit(ev.Noted, reading, key="roll_worked_out", text=text)
    desk.emit(ev.Rolled, reading, player=way.player, roll=way.roll)
    desk.emit(ev.Played, reading, player=way.player, roll=way.roll, play=play, position=way.after)
    desk.forget()
