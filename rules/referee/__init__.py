"""The referee: a pure state machine that turns readings and commands into events.

`step(referee, reading or command, now_s)` gives the next referee and what happened. No
pixels, no clock, no I/O. A turn ends when its dice have gone, when the next roll has
replaced them, by DONE or the clock where these are played, or when the recording ends;
only then is it judged, once (R16, R22, R63).
"""

from __future__ import annotations

from rules.commands import Command
from rules.events import Event
from rules.match import Phase
from rules.reading import Reading
from rules.referee import cubes, games, orders, throws, turns
from rules.referee.desk import Desk, clearly_not, shows
from rules.referee.dice import beside, left
from rules.referee.habits import corrected, learned, understood
from rules.referee.memory import DIE_SURE, OpenPlay, Referee, Setup

__all__ = ["DIE_SURE", "OpenPlay", "Referee", "Setup", "step"]


def step(referee: Referee, given: Reading | Command, now_s: float) -> tuple[Referee, tuple[Event, ...]]:
    """What `given` makes of the match; `now_s` is the table's clock and stamps the events.

    Raises:
        EventError: a command that cannot be obeyed now; nothing has changed.
    """
    desk = Desk(referee, now_s)
    if isinstance(given, Reading):
        _look(desk, given)
    else:
        orders.obey(desk, given)
    return desk.referee, tuple(desk.events)


def _look(desk: Desk, reading: Reading) -> None:
    """Take in a settled reading."""
    if reading.hands:
        return
    if desk.referee.seen is None and desk.match.game is not None:
        _begin(desk, reading)
    reading = understood(reading, desk.referee.habits)
    games.set_right(desk, reading)
    if desk.match.phase is Phase.CUBE_OFFERED:
        cubes.answer(desk, reading)
    if desk.match.phase is Phase.BETWEEN_GAMES:
        games.set_up(desk, reading)
    if desk.match.phase is Phase.TO_PLAY:
        turns.go_on(desk, reading)
    if desk.match.phase in (Phase.OPENING, Phase.TO_ROLL):
        throws.before_roll(desk, reading)
    cubes.watch(desk, reading)
    desk.keep(seen=reading, strays=left(desk.referee.strays, reading))


def _begin(desk: Desk, reading: Reading) -> None:
    """The first reading of a match that goes on shows what is misread, if nothing else is otherwise; no die was thrown.

    What lies on the bar or beside the field before anybody was seen to throw may be a hinge.
    """
    record, habits = desk.match.position, learned(reading, desk.match.position)
    explained = not clearly_not(reading, record) and shows(understood(reading, habits), record)
    if explained or corrected(reading.position, habits) == record:
        desk.keep(habits=habits)
    desk.keep(strays=beside(reading))
