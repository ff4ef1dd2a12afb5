"""One sitting at a table: frames go in, events come out and are kept before anybody is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from calibration.errors import GeometryError
from calibration.profile import TableProfile
from device.boardwatch import BoardWatch
from rules.commands import Command, Decided, RecordingEnded, TurnEnded
from rules.errors import EventError
from rules.events import Event, GameStarted, Noted, Played
from rules.fold import RUNNING
from rules.match import MatchState
from rules.position import CHECKERS, START
from rules.reading import Reading
from rules.referee import Referee, Setup, step
from rules.ruleset import DiceZone
from vision.frame import Frame
from vision.observe import Eyes
from vision.settle import Seeing, Settler

NO_CORNERS = "the board's corners are not known; name them in a table file (--table)"
LOOKED_AT = (Seeing.SETTLED, Seeing.UNCHANGED, Seeing.HANDS)
"""A board that was pushed looks at first like arms over its rails."""
REFUSED = "refused"
"""The `Noted.key` of a command that could not be obeyed; its text is the referee's sentence."""
PICTURES_WAITING = 4
"""Of so many readings that wait for the record, the pictures are kept: each is megabytes."""
Record = Callable[[Sequence[Event], Frame | None], object]
"""Keeps events, and may keep the frame that they name in `evidence` and put its file's name there."""


class Sitting:
    """Eyes and referee of one table; `record` keeps events and may refuse them by raising, `watch` follows the board.

    The referee moves on only after `record` has returned: what was not kept has not happened,
    and is tried again with the next frame. Without a `settler` it is blind, and only listens, until `see`.
    """

    def __init__(
        self,
        settler: Settler | None,
        referee: Referee,
        record: Record,
        *,
        from_s: float = 0.0,
        watch: BoardWatch | None = None,
    ) -> None:
        self.settler = settler
        self._referee = referee
        self._record = record
        self._watch = watch
        self._from_s = from_s
        self._now_s = from_s
        self._waiting: list[tuple[Reading | Command, Frame | None]] = []
        self._shown: Frame | None = None
        self._acquainted = False

    @property
    def match(self) -> MatchState:
        """The match as recorded."""
        return self._referee.match

    def see(self, settler: Settler, watch: BoardWatch | None) -> None:
        """From now on it has eyes."""
        self.settler, self._watch, self._acquainted = settler, watch, False

    def set_up(self, setup: Setup) -> None:
        """From now on the table is another one; what was read of the old one is forgotten. Blind until `see`."""
        self._referee = replace(self._referee, setup=setup)
        self._waiting = [one for one in self._waiting if not isinstance(one[0], Reading)]
        self.settler = self._watch = None

    def take(self, frame: Frame) -> tuple[Event, ...]:
        """Look at one frame; the events that follow from it."""
        self._now_s = self._from_s + frame.at_s
        if self.settler is None:
            return self._work_off()
        read = self._begun(list(self.settler.feed(frame)), self.settler, frame)
        if not self._board_moved(frame):
            self._waiting += [self._with_picture(reading, frame) for reading in read]
        return self._work_off()

    def _begun(self, read: list[Reading], settler: Settler, frame: Frame) -> list[Reading]:
        """What was read; of a match that goes on, the first picture shows whose checkers look how."""
        if self._acquainted or not read:
            return read
        self._acquainted, seen = True, settler.observation
        running = self.match.game is not None and self.match.phase in RUNNING
        if running and seen is not None and settler.eyes.learn(self.match.position, seen):
            return [settler.read_again(frame)]
        return read

    def _with_picture(self, reading: Reading, frame: Frame) -> tuple[Reading, Frame | None]:
        """The reading, naming its frame, and the frame unless too many wait already."""
        if not reading.hands:
            self._shown = frame
        kept = frame if len(self._waiting) < PICTURES_WAITING else None
        return replace(reading, evidence=(frame.name,)), kept

    def _board_moved(self, frame: Frame) -> bool:
        """Look whether the board still lies where it lay, and follow it; what was read meanwhile does not count."""
        watch, settler = self._watch, self.settler
        if watch is None or settler is None or settler.seeing not in LOOKED_AT:
            return False
        drift = watch.look(frame)
        if drift is not None:
            settler.follow(watch.geometry)
            text = f"the board was moved by {drift.by_px:.0f} pixels and is followed"
            self._record([Noted(at_s=self._now_s, key="board_moved", text=text)], None)
        elif watch.doubtful:
            settler.again()
        return drift is not None or watch.doubtful

    def tell(self, command: Command, by: str = "", at_s: float = 0.0) -> tuple[Event, ...]:
        """`by` says or presses something; one that cannot be obeyed is noted, and nothing else happens.

        It happens at `at_s` on the frames' clock, or with the last frame where that is later. What the record refuses
        to take is not done later either: whoever said it hears of it and says it again.
        """
        if isinstance(command, Decided):
            command = Decided(replace(command.event, by=by))
        self._now_s = max(self._now_s, self._from_s + at_s)
        given = command, None
        self._waiting.append(given)
        if isinstance(command, TurnEnded) and self.settler is not None:
            self.settler.again()
        try:
            return self._work_off(by)
        except BaseException:
            self._waiting = [one for one in self._waiting if one is not given]
            raise

    def end(self) -> tuple[Event, ...]:
        """No more pictures will come; may be called again when the journal refused what follows from that."""
        if all(given != RecordingEnded() for given, _ in self._waiting):
            self._waiting.append((RecordingEnded(), self._shown))
        return self._work_off()

    def restart(self, match: MatchState) -> None:
        """Begin another match at the same table; its first events are kept already."""
        self._referee = Referee(match, self._referee.setup)

    def _work_off(self, by: str = "") -> tuple[Event, ...]:
        """Take the next step for all that waits; what cannot be recorded now waits for the next frame."""
        done: tuple[Event, ...] = ()
        while self._waiting:
            given, frame = self._waiting[0]
            try:
                referee, events = step(self._referee, given, self._now_s)
            except EventError as error:
                referee, events = self._referee, (Noted(at_s=self._now_s, key=REFUSED, text=str(error), by=by),)
            if events:
                self._record(events, frame)
            self._referee = referee
            self._waiting.pop(0)
            if any(isinstance(event, GameStarted | Played) for event in events):
                self._keep_look()
            done += events
        return done

    def _keep_look(self) -> None:
        """The board was understood: that is how the checkers of this table look."""
        if self.settler is not None:
            self.settler.eyes.keep_look()
            if self.settler.observation is not None:
                self.settler.eyes.learn(self.match.position, self.settler.observation)


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
