"""One sitting at a table: frames go in, events come out and are kept before anybody is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from calibration.errors import GeometryError
from calibration.profile import TableProfile
from rules.commands import Command, RecordingEnded
from rules.events import Event, GameStarted, Played
from rules.match import MatchState
from rules.position import CHECKERS, START
from rules.reading import Reading
from rules.referee import Referee, Setup, step
from rules.ruleset import DiceZone
from vision.frame import Frame
from vision.observe import Eyes
from vision.settle import Settler

NO_CORNERS = "the board's corners are not known; name them in a table file (--table)"
Record = Callable[[Sequence[Event]], object]


class Sitting:
    """Eyes and referee of one table; `record` keeps events and may refuse them by raising.

    The referee moves on only after `record` has returned: what was not kept has not happened,
    and is tried again with the next frame.
    """

    def __init__(self, settler: Settler, referee: Referee, record: Record, *, from_s: float = 0.0) -> None:
        self.settler = settler
        self._referee = referee
        self._record = record
        self._from_s = from_s
        self._now_s = from_s
        self._waiting: list[Reading | Command] = []

    @property
    def match(self) -> MatchState:
        """The match as recorded."""
        return self._referee.match

    def take(self, frame: Frame) -> tuple[Event, ...]:
        """Look at one frame; the events that follow from it."""
        self._now_s = self._from_s + frame.at_s
        self._waiting.extend(self.settler.feed(frame))
        return self._work_off()

    def end(self) -> tuple[Event, ...]:
        """No more pictures will come; may be called again when the journal refused what follows from that."""
        if RecordingEnded() not in self._waiting:
            self._waiting.append(RecordingEnded())
        return self._work_off()

    def restart(self, match: MatchState) -> None:
        """Begin another match at the same table; its first events are kept already."""
        self._referee = Referee(match, self._referee.setup)

    def _work_off(self) -> tuple[Event, ...]:
        """Take the next step for all that waits; what cannot be recorded now waits for the next frame."""
        done: tuple[Event, ...] = ()
        while self._waiting:
            referee, events = step(self._referee, self._waiting[0], self._now_s)
            if events:
                self._record(events)
            self._referee = referee
            self._waiting.pop(0)
            if any(isinstance(event, GameStarted | Played) for event in events):
                self.settler.eyes.keep_look()
            done += events
        return done


def setup_of(table: TableProfile) -> Setup:
    """What the referee must know of the table: start, white's seat, and its own dice zone where it names one.

    With fewer than 15 checkers there is no standard start: then it is taken as seen.
    """
    return Setup(
        start=START if table.start == "standard" and table.checkers == CHECKERS else None,
        white_near=table.white_home.at_bottom,
        zone=DiceZone(table.dice_zone) if table.dice_zone else None,
    )


def eyes_of(table: TableProfile) -> Eyes:
    """The eyes for a table whose corners are known. Raises GeometryError when they are not."""
    geometry = table.geometry()
    if geometry is None:
        raise GeometryError(NO_CORNERS)
    colours = None
    if table.white_bgr is not None and table.black_bgr is not None:
        colours = (table.white_bgr, table.black_bgr)
    return Eyes(geometry, home=table.white_home, checkers=table.checkers, colours=colours)
