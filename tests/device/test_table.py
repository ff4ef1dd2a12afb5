"""The thread that owns the table: failures of camera and journal, the end of a recording, and stopping."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from time import monotonic

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from device import table as table_module
from device.cameras.choose import SourceName
from device.feed import Feed
from device.port import Port
from device.sitting import Sitting
from device.store.errors import JournalError
from device.store.evidence import Evidence
from device.store.journal import Journal
from device.table import MISTAKE, MatchRecord, TableThread
from rules.commands import Decided
from rules.events import CubeTaken, Event, GameStarted, MatchStarted, Role
from rules.game import apply
from rules.match import MatchState, Phase
from rules.position import START, Player
from rules.reading import Reading
from rules.referee import Referee
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, die, reading
from vision.errors import SourceError
from vision.frame import Frame
from vision.observe import Eyes
from vision.settle import Settler
from webui.ports import Answer

GEOMETRY = BoardGeometry(((10.0, 10.0), (140.0, 10.0), (140.0, 100.0), (10.0, 100.0)))
BLANK = np.zeros((110, 150, 3), np.uint8)
BEGIN = MatchStarted(
    at_s=0.0, length=5, white="A", black="B", profile="club-de", role=Role.RECORDER, consent=False, checkers=15
)
WAIT_S = 10.0


class ScriptedSettler(Settler):
    """Gives the readings that a frame's name asks for: `start`, `roll`, or nothing."""

    def feed(self, frame: Frame) -> Iterator[Reading]:
        if frame.name == "start":
            yield replace(reading(START), at_s=frame.at_s)
        elif frame.name == "roll":
            yield replace(reading(START, die(5, LEFT_HALF), die(2, RIGHT_HALF)), at_s=frame.at_s)
        elif frame.name == "mistake":
            raise ZeroDivisionError("nobody thought of this")


class FakeSource:
    """Frames by name, one a second; `error` ends them, otherwise the end or, with `live`, waiting for close."""

    stills = False

    def __init__(self, *names: str, error: Exception | None = None, live: bool = False) -> None:
        self._names, self._error, self._live = names, error, live
        self.closed = Flag()

    def frames(self) -> Iterator[Frame]:
        for k, name in enumerate(self._names):
            yield Frame(BLANK, float(k), name)
        if self._error is not None:
            raise self._error
        if self._live:
            assert self.closed.wait(WAIT_S)

    def close(self) -> None:
        self.closed.set()


class Record:
    """Keeps events; refuses as often as told."""

    def __init__(self, refuse: int = 0, only: str = "") -> None:
        self.kept: list[Event] = []
        self._refuse, self._only = refuse, only

    def __call__(self, events: Sequence[Event], _frame: Frame | None) -> None:
        if self._refuse and any(self._only in type(event).__name__ for event in events):
            self._refuse -= 1
            raise JournalError("journal.sqlite3: the disk is full")
        self.kept.extend(events)

    def names(self) -> list[str]:
        return [type(event).__name__ for event in self.kept]


class Watched:
    """A table thread over scripted sources, with what it told the feed."""

    def __init__(
        self,
        sources: Sequence[FakeSource | Exception],
        record: Callable[[Sequence[Event], Frame | None], None],
        *,
        retry: bool = False,
    ) -> None:
        self._left = iter(sources)
        self.opened: list[FakeSource] = []
        state = apply(MatchState(), BEGIN)
        self.sitting = Sitting(ScriptedSettler(Eyes(GEOMETRY), stills=False), Referee(state), record)
        self.feed = Feed(state, home_right=True)
        self.thread = TableThread(self._open, self.sitting, self.feed, retry=retry)

    def _open(self) -> FakeSource:
        source = next(self._left)
        if isinstance(source, Exception):
            raise source
        self.opened.append(source)
        return source

    def run(self) -> None:
        """Until the sources are used up."""
        self.thread.start()
        self.thread.join(WAIT_S)
        assert not self.thread.is_alive()

    def wait_for(self, seen: Callable[[], bool]) -> None:
        """Until the feed has told something by which `seen` is true."""
        until, version = monotonic() + WAIT_S, 0
        while not seen():
            assert monotonic() < until, self.feed.snapshot()
            snapshot = self.feed.wait(version, 0.05)
            version = snapshot.version if snapshot else version


@pytest.fixture(autouse=True)
def quick_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "RETRY_S", 0.01)


def test_a_recording_is_watched_to_its_end() -> None:
    record = Record()
    watched = Watched([FakeSource("start", "roll")], record)
    watched.run()
    assert record.names()[:2] == ["GameStarted", "Rolled"]
    snapshot = watched.feed.snapshot()
    assert (snapshot.status, snapshot.healthy, snapshot.state) == ("the recording is over", True, watched.sitting.match)
    assert watched.opened[0].closed.is_set()


def test_a_camera_that_fails_is_opened_again_and_its_time_goes_on() -> None:
    record = Record()
    lost = SourceError("usb:0: the camera gives no more pictures")
    back = FakeSource("roll", live=True)
    watched = Watched([FakeSource("", "", "start", error=lost), lost, lost, back], record, retry=True)
    watched.thread.start()
    watched.wait_for(lambda: len(record.kept) == 2)
    watched.thread.stop()
    started, rolled = record.kept
    assert record.names() == ["GameStarted", "Rolled"]
    assert started.at_s == 2.0
    assert 2.0 < rolled.at_s < 2.0 + WAIT_S
    assert watched.opened[0].closed.is_set()


def test_while_the_camera_is_away_the_page_says_so() -> None:
    lost = SourceError("usb:0: no camera answers there")
    watched = Watched([lost] * 10_000, Record(), retry=True)
    watched.thread.start()
    watched.wait_for(lambda: not watched.feed.snapshot().healthy)
    assert watched.feed.snapshot().status == "usb:0: no camera answers there"
    watched.thread.stop()
    assert not watched.thread.is_alive()


def test_a_recording_that_fails_is_not_opened_again() -> None:
    watched = Watched([FakeSource("start", error=SourceError("a.mp4: broken"))], Record())
    watched.run()
    assert (watched.feed.snapshot().status, watched.feed.snapshot().healthy) == ("a.mp4: broken", False)


@pytest.mark.parametrize("times", [1, 3])
def test_what_the_journal_refuses_is_tried_again_with_the_next_frame(
    monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    record = Record(refuse=times)
    told: list[tuple[str, bool]] = []
    watched = Watched([FakeSource("start", "", "", "", "roll")], record)
    publish = watched.feed.publish

    def listen(state: MatchState, status: str, *, healthy: bool) -> None:
        told.append((status, healthy))
        if not healthy:
            assert state.phase is Phase.BETWEEN_GAMES  # nobody is told of what is not kept
        publish(state, status, healthy=healthy)

    monkeypatch.setattr(watched.feed, "publish", listen)
    watched.run()
    assert record.names()[:2] == ["GameStarted", "Rolled"]
    assert told.count(("journal.sqlite3: the disk is full", False)) == times
    assert told[-1] == ("the recording is over", True)


def test_the_last_turn_of_a_recording_is_kept_once_the_journal_takes_it() -> None:
    record = Record(refuse=2, only="Play")
    watched = Watched([FakeSource("start", "roll")], record)
    watched.run()
    assert len(record.names()) == 3
    assert record.names()[2] in ("Played", "Noted")
    assert watched.feed.snapshot().status == "the recording is over"


def test_a_stop_in_mid_turn_judges_nothing() -> None:
    record = Record()
    watched = Watched([FakeSource("start", "roll", live=True)], record)
    watched.thread.start()
    watched.wait_for(lambda: len(record.kept) == 2)
    watched.thread.stop()
    assert not watched.thread.is_alive()
    assert record.names() == ["GameStarted", "Rolled"]
    assert watched.opened[0].closed.is_set()


def test_stop_before_the_start_is_harmless() -> None:
    Watched([], Record()).thread.stop()


def test_a_mistake_in_schiri_is_told_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: raised.append(args.exc_type))
    watched = Watched([FakeSource("start", "mistake")], Record())
    watched.run()
    assert raised == [ZeroDivisionError]
    assert (watched.feed.snapshot().status, watched.feed.snapshot().healthy) == (MISTAKE, False)
    assert watched.opened[0].closed.is_set()


def test_a_running_match_of_a_camera_is_resumed_and_another_one_begun_anew(tmp_path: Path) -> None:
    source = SourceName("usb", "0")
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        evidence = Evidence(tmp_path)
        first, _, _ = MatchRecord.resume_or_begin(journal, evidence, source, BEGIN)
        again, state, from_s = MatchRecord.resume_or_begin(journal, evidence, source, BEGIN)
        other, _, _ = MatchRecord.resume_or_begin(journal, evidence, SourceName("usb", "1"), BEGIN)
    assert first.match_id == again.match_id != other.match_id
    assert (state.names, from_s) == (("A", "B"), 0.0)


def test_people_are_heard_while_the_camera_is_lost_and_without_a_board() -> None:
    lost = SourceError("usb:0: no camera answers there")
    record = Record()
    watched = Watched([lost] * 10_000, record, retry=True)
    watched.sitting.settler = None
    watched.thread.start()
    watched.wait_for(lambda: not watched.feed.snapshot().healthy)
    version = watched.feed.snapshot().version
    assert watched.thread.tell(Decided(GameStarted(at_s=0, position=START)), "director") == Answer(True)
    after = watched.feed.snapshot()
    assert (after.state.phase, after.healthy) == (Phase.OPENING, False)
    assert after.status == "usb:0: no camera answers there"
    assert after.version > version
    watched.thread.stop()
    assert [(event.by, event.at_s > 0) for event in record.kept] == [("director", True)]


def test_a_refused_command_is_answered_with_the_sentence() -> None:
    watched = Watched([], Record())
    answer = watched.thread.tell(Decided(CubeTaken(at_s=0, player=Player.BLACK, value=2)), "panel")
    assert not answer.done
    assert "CubeTaken cannot follow in phase between_games" in answer.text


def test_a_full_disk_is_the_answer_to_who_says_something() -> None:
    watched = Watched([], Record(refuse=1))
    start = Decided(GameStarted(at_s=0, position=START))
    assert watched.thread.tell(start, "director") == Answer(False, "journal.sqlite3: the disk is full")
    assert watched.feed.snapshot().state.phase is Phase.BETWEEN_GAMES
    assert watched.thread.tell(start, "director").done


def test_another_match_begins_at_the_same_table(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        record, _, _ = MatchRecord.resume_or_begin(journal, Evidence(tmp_path), SourceName("sim", "0"), BEGIN)
        watched = Watched([], record.keep)
        port = Port(watched.feed, watched.thread, record, journal, tmp_path, lambda: "next")
        assert port.tell(Decided(GameStarted(at_s=0, position=START)), "director").done
        assert port.begin(replace(BEGIN, white="C", by="director")).done
        assert port.snapshot().match_id == "next"
        assert port.snapshot().state.names == ("C", "B")
        assert [entry.begin.white for entry in port.matches()] == ["C", "A"]
        assert [row.event.by for row in port.events(port.matches()[1].match_id)] == ["", "director"]
        assert port.picture("evidence/../journal.sqlite3") is None


def test_a_match_begun_on_the_page_is_resumed_unless_a_match_file_names_another(tmp_path: Path) -> None:
    source = SourceName("usb", "0")
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        evidence = Evidence(tmp_path)
        first, _, _ = MatchRecord.resume_or_begin(journal, evidence, source, BEGIN)
        first.begin("usb:0 told", replace(BEGIN, white="C", by="director"))
        told, state, _ = MatchRecord.resume_or_begin(journal, evidence, source, BEGIN, any_told=True)
        named, _, _ = MatchRecord.resume_or_begin(journal, evidence, source, replace(BEGIN, white="D"))
    assert (told.match_id, state.names) == ("usb:0 told", ("C", "B"))
    assert named.match_id != "usb:0 told"
