"""The thread that owns the table: camera, eyes, referee, journal. Nobody else changes anything."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from threading import Event as Flag
from threading import Lock, Thread
from time import monotonic

from device.cameras.choose import SourceName
from device.errors import DOMAIN_ERRORS
from device.feed import Feed
from device.sitting import REFUSED, Sitting
from device.store.errors import JournalError
from device.store.event_json import EventJsonError
from device.store.evidence import Evidence
from device.store.journal import Journal
from rules.commands import Command
from rules.events import Event, MatchStarted, Noted
from rules.game import apply, replay
from rules.match import MatchState, Phase
from vision.errors import SourceError
from vision.frame import Frame, FrameSource
from vision.settle import Seeing
from webui.ports import Answer

FAILURES: tuple[type[Exception], ...] = (*DOMAIN_ERRORS, OSError)
RETRY_S = 2.0
AGAIN_AFTER_S = 8.0
MISTAKE = "Schiri has stopped watching because of a mistake in itself; please start it again"
WAITING = {
    Phase.NO_MATCH: "no match",
    Phase.BETWEEN_GAMES: "waiting for the start position",
    Phase.OPENING: "waiting for the opening roll",
    Phase.TO_ROLL: "waiting for a roll",
    Phase.TO_PLAY: "a roll is being played",
    Phase.CUBE_OFFERED: "the cube is offered",
    Phase.MATCH_OVER: "the match is over",
}
SEEING = {Seeing.HANDS: "hands over the board", Seeing.MOTION: "something moves"}


class MatchRecord:
    """One match in the journal: a place for its events and, with `consent`, for the pictures that show them."""

    def __init__(self, journal: Journal, evidence: Evidence, match_id: str, *, consent: bool) -> None:
        self._journal = journal
        self._evidence = evidence
        self._consent = consent
        self.match_id = match_id

    @classmethod
    def resume_or_begin(
        cls, journal: Journal, evidence: Evidence, source: SourceName, begin: MatchStarted, *, any_told: bool = False
    ) -> tuple[MatchRecord, MatchState, float]:
        """The running match of this source, or a new one from `begin`; its state and the time of its last event.

        A recording begins anew each time it is shown, so its match does too. A match that goes on keeps pictures only
        where both its beginning and `begin` consent. With `any_told`, one that was begun on the page goes on too,
        whatever `begin` says.
        """
        latest = journal.latest_match() if source.lasting else None
        if latest is not None and latest.startswith(f"{source} "):
            stored = [row.event for row in journal.events(latest)]
            state = replay(stored)
            told = any_told and bool(stored) and bool(stored[0].by)
            if state.phase is not Phase.MATCH_OVER and (told or _same_match(state, begin)):
                consent = state.consent and (told or begin.consent)
                record = cls(journal, evidence, latest, consent=consent)
                return record, state, stored[-1].at_s if stored else 0.0
        record = cls(journal, evidence, "", consent=False)
        return record, record.begin(new_match_id(source), begin), 0.0

    def begin(self, match_id: str, begin: MatchStarted) -> MatchState:
        """From now on the events are those of a new match; its state. Raises JournalError; then it is not begun."""
        new = MatchRecord(self._journal, self._evidence, match_id, consent=begin.consent)
        new.keep([begin])
        self.match_id, self._consent = match_id, begin.consent
        return apply(MatchState(), begin)

    def keep(self, events: Sequence[Event], frame: Frame | None = None) -> None:
        """Store events, and before them the picture of the frame that shows them, where that may be kept.

        Raises JournalError; then none of them is stored, nor the picture.
        """
        seq = self._journal.next_seq
        with self._evidence.shown(events, frame, match=self.match_id, seq=seq, consent=self._consent) as shown:
            self._journal.append(self.match_id, shown)


def new_match_id(source: SourceName) -> str:
    """The source, the date and time, and something that no other match has."""
    return f"{source} {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {secrets.token_hex(2)}"


def _same_match(state: MatchState, begin: MatchStarted) -> bool:
    return (state.length, state.names, state.profile, state.checkers) == (
        begin.length,
        (begin.white, begin.black),
        begin.profile,
        begin.checkers,
    )


class TableThread(Thread):
    """Watches the source until it ends or `stop` is called.

    A camera that fails is opened again every two seconds; the page says so meanwhile. One change at a
    time: `tell` and `begin` come from other threads and wait until the frame at hand is done, whether
    the camera lives or not. With `again`, a finished match is followed by another one between the same
    players. What the page calls unhealthy is told to `warn` too, once, and when it is well again. `alive`
    hears how the table is doing each time round the loop: where it is not called any more, the loop hangs.
    """

    def __init__(
        self,
        open_source: Callable[[], FrameSource],
        sitting: Sitting,
        feed: Feed,
        *,
        retry: bool,
        again: Callable[[], MatchState] | None = None,
        warn: Callable[[str], object] = lambda _text: None,
        alive: Callable[[str], object] = lambda _status: None,
    ) -> None:
        super().__init__(name="table", daemon=True)
        self._open = open_source
        self._sitting = sitting
        self._feed = feed
        self._retry = retry
        self._again = again
        self._warn = warn
        self._alive = alive
        self._warned = ""
        self._changing = Lock()
        self._stopping = Flag()
        self._anew = Flag()
        self._source: FrameSource | None = None
        self._lost = False
        self._at_s = 0.0
        self._frame_came = monotonic()

    def stop(self) -> None:
        """End the thread after the frame at hand; waits for it."""
        self._stopping.set()
        source = self._source
        if source is not None:
            source.close()
        if self.is_alive():
            self.join(timeout=5)

    def change(self, do: Callable[[], None]) -> None:
        """Change something at the table between two frames; safe from any thread. What `do` raises comes through."""
        with self._changing:
            do()

    def look_anew(self) -> None:
        """Open the source again before the next frame, and look for the board where the sitting is blind."""
        self._anew.set()

    def trouble(self, text: str) -> None:
        """The camera works and shows nothing; told by it in this thread while it is asked for the next frame."""
        self._tell(text, healthy=False)

    def tell(self, command: Command, by: str) -> Answer:
        """`by` says something; safe from any thread. Returns once it is in the record, or refused."""
        with self._changing:
            try:
                events = self._sitting.tell(command, by, self._time_without_frames())
            except (JournalError, EventJsonError) as error:
                return Answer(False, str(error))
            self._feed.update(self._sitting.match, WAITING[self._sitting.match.phase])
        refused = [event.text for event in events if isinstance(event, Noted) and event.key == REFUSED]
        return Answer(not refused, " ".join(refused))

    def begin(self, begin: Callable[[], MatchState]) -> Answer:
        """Go on with the match that `begin` puts into the record; safe from any thread."""
        with self._changing:
            try:
                self._sitting.restart(begin())
            except (JournalError, EventJsonError) as error:
                return Answer(False, str(error))
            self._feed.update(self._sitting.match, WAITING[self._sitting.match.phase])
        return Answer(True)

    def run(self) -> None:
        """Open the source and watch; again after a failure. Whatever ends it, the page says so."""
        ended = False
        try:
            self._keep_watching()
            ended = True
        finally:
            if not ended:
                self._tell(MISTAKE, healthy=False)

    def _keep_watching(self) -> None:
        while not self._stopping.is_set():
            blind = self._sitting.settler is None
            try:
                self._anew.clear()
                self._source = self._open()
                if self._watch(self._source):
                    return
                self._lost = True
            except FAILURES as error:
                self._tell(str(error), healthy=False)
                if not (self._retry and (isinstance(error, SourceError) or blind)):
                    return
                self._lost = True
            finally:
                if self._source is not None:
                    self._source.close()
            self._stopping.wait(RETRY_S)

    def _watch(self, source: FrameSource) -> bool:
        """Take the source's frames; whether that was all, and not only until it is to be opened anew."""
        over_since_s: float | None = None
        for frame in self._on_one_clock(source):
            if self._stopping.is_set():
                return True
            if self._anew.is_set():
                return False
            self._take(frame)
            if self._sitting.match.phase is not Phase.MATCH_OVER:
                over_since_s = None
            elif over_since_s is None:
                over_since_s = frame.at_s
            elif frame.at_s - over_since_s > AGAIN_AFTER_S:
                self._play_again()
        self._end()
        return True

    def _on_one_clock(self, source: FrameSource) -> Iterator[Frame]:
        """The source's frames; a camera that was opened again counts from 0, the table's time goes on."""
        ahead_s = self._time_without_frames() if self._lost else 0.0
        for frame in source.frames():
            self._at_s, self._frame_came = ahead_s + frame.at_s, monotonic()
            yield replace(frame, at_s=self._at_s)

    def _time_without_frames(self) -> float:
        """The table's time now; where the camera is live it goes on while no frame comes."""
        return self._at_s + (monotonic() - self._frame_came if self._retry else 0.0)

    def _play_again(self) -> None:
        if self._again is None:
            return
        try:
            with self._changing:
                self._sitting.restart(self._again())
        except JournalError as error:
            self._tell(str(error), healthy=False)

    def _end(self) -> None:
        """Judge the last turn of a recording, once the journal takes it; a stop in mid-turn judges nothing."""
        while not self._stopping.is_set():
            try:
                with self._changing:
                    self._sitting.end()
            except JournalError as error:
                self._tell(str(error), healthy=False)
                self._stopping.wait(RETRY_S)
            else:
                self._tell("the recording is over", healthy=True)
                return

    def _take(self, frame: Frame) -> None:
        try:
            with self._changing:
                self._sitting.take(frame)
        except JournalError as error:
            self._tell(str(error), healthy=False)
            return
        settler = self._sitting.settler
        if settler is None:
            return
        if settler.observation is not None:
            self._feed.show(settler.observation, settler.eyes.geometry)
        self._tell(SEEING.get(settler.seeing, WAITING[self._sitting.match.phase]), healthy=True)

    def _tell(self, status: str, *, healthy: bool) -> None:
        self._feed.publish(self._sitting.match, status, healthy=healthy)
        self._alive(status)
        if healthy:
            if self._warned:
                self._warn(f"well again: {status}")
            self._warned = ""
        elif status != self._warned:
            self._warned = status
            self._warn(status)
