"""A sitting hands over the picture that shows an event, however long the record made it wait."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from device.sitting import PICTURES_WAITING, REFUSED, Sitting
from device.store.errors import JournalError
from rules.commands import Decided, TurnEnded
from rules.decisions import ResignationAccepted, ResignationOffered
from rules.events import Event, GameStarted, MatchStarted, Noted, Win
from rules.game import apply
from rules.match import MatchState
from rules.position import START, Player, Position
from rules.reading import Reading
from rules.referee import Referee
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, die, reading
from vision.frame import Frame
from vision.observe import Eyes
from vision.settle import Settler

GEOMETRY = BoardGeometry(((10.0, 10.0), (140.0, 10.0), (140.0, 100.0), (10.0, 100.0)))
BEGIN = MatchStarted(at_s=0.0, length=5, white="A", black="B")


class ScriptedSettler(Settler):
    """Settles on every frame whose name begins with `start` or `roll`."""

    def feed(self, frame: Frame) -> Iterator[Reading]:
        if frame.name.startswith("start"):
            yield replace(reading(START), at_s=frame.at_s)
        elif frame.name.startswith("roll"):
            yield replace(reading(START, die(5, LEFT_HALF), die(2, RIGHT_HALF)), at_s=frame.at_s)


class Record:
    """Keeps events by type with the name of the frame that they name and the one that came with them."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, tuple[str, ...], str | None]] = []
        self.refuse = False

    def __call__(self, events: Sequence[Event], frame: Frame | None) -> None:
        if self.refuse:
            raise JournalError("the disk is full")
        came = frame.name if frame is not None else None
        self.kept += [(type(event).__name__, event.evidence, came) for event in events]


@pytest.fixture
def record() -> Record:
    return Record()


@pytest.fixture
def sitting(record: Record) -> Sitting:
    referee = Referee(apply(MatchState(), BEGIN))
    return Sitting(ScriptedSettler(Eyes(GEOMETRY), stills=False), referee, record)


def frame(name: str, at_s: float) -> Frame:
    return Frame(np.zeros((110, 150, 3), np.uint8), at_s, name)


def test_an_event_comes_with_the_frame_that_settled(sitting: Sitting, record: Record) -> None:
    for k, name in enumerate(("start#0", "#1", "roll#2", "#3")):
        sitting.take(frame(name, k))
    assert record.kept == [("GameStarted", ("start#0",), "start#0"), ("Rolled", ("roll#2",), "roll#2")]


def test_what_waited_for_the_record_comes_with_its_own_frame(sitting: Sitting, record: Record) -> None:
    record.refuse = True
    for k, name in enumerate(("start#0", "roll#1")):
        with pytest.raises(JournalError):
            sitting.take(frame(name, k))
    record.refuse = False
    sitting.take(frame("#2", 2))
    assert record.kept == [("GameStarted", ("start#0",), "start#0"), ("Rolled", ("roll#1",), "roll#1")]


def test_a_long_wait_keeps_few_pictures(sitting: Sitting, record: Record) -> None:
    record.refuse = True
    for k in range(PICTURES_WAITING):
        with pytest.raises(JournalError):
            sitting.take(frame(f"start#{k}", k))
    with pytest.raises(JournalError):
        sitting.take(frame("roll#9", 9))
    record.refuse = False
    sitting.take(frame("#10", 10))
    assert record.kept == [("GameStarted", ("start#0",), "start#0"), ("Rolled", ("roll#9",), None)]


def test_what_is_said_becomes_an_event_or_is_noted_as_refused(sitting: Sitting, record: Record) -> None:
    sitting.take(frame("start#0", 0))
    offered = ResignationOffered(at_s=0, player=Player.WHITE, win=Win.SINGLE)
    sitting.tell(Decided(ResignationAccepted(at_s=0, player=Player.BLACK)))
    sitting.tell(Decided(offered))
    sitting.tell(Decided(ResignationAccepted(at_s=0, player=Player.BLACK)))
    sitting.tell(TurnEnded(Player.WHITE))
    types = [kind for kind, *_ in record.kept]
    assert types == ["GameStarted", "Noted", "ResignationOffered", "ResignationAccepted", "GameEnded"]
    assert sitting.match.score == (0, 1)


def test_the_last_turn_of_a_recording_is_shown_by_its_last_reading(sitting: Sitting, record: Record) -> None:
    for k, name in enumerate(("start#0", "roll#1", "#2")):
        sitting.take(frame(name, k))
    sitting.end()
    assert [came for *_, came in record.kept] == ["start#0", "roll#1", "roll#1"]


def test_what_is_said_names_who_said_it_also_where_it_is_refused(sitting: Sitting, record: Record) -> None:
    sitting.take(frame("start#0", 0))
    offered = sitting.tell(Decided(ResignationOffered(at_s=0, player=Player.WHITE, win=Win.SINGLE)), "director")
    refused = sitting.tell(Decided(ResignationAccepted(at_s=0, player=Player.WHITE)), "white")
    assert [event.by for event in (*offered, *refused)] == ["director", "white"]
    assert isinstance(refused[0], Noted)
    assert refused[0].key == REFUSED


def test_what_was_said_and_not_kept_is_not_done_later(sitting: Sitting, record: Record) -> None:
    sitting.take(frame("start#0", 0))
    record.refuse = True
    with pytest.raises(JournalError):
        sitting.tell(Decided(ResignationOffered(at_s=0, player=Player.WHITE, win=Win.SINGLE)), "director")
    record.refuse = False
    assert sitting.take(frame("#1", 1)) == ()
    assert sitting.match.resignation is None


class Acquainted(ScriptedSettler):
    """Sees the opening dice only once it knows whose checkers look how."""

    def feed(self, frame: Frame) -> Iterator[Reading]:
        self.observation = self.eyes.observe(frame)
        yield reading(START)

    def read_again(self, frame: Frame) -> Reading:
        return reading(START, die(5, LEFT_HALF), die(2, RIGHT_HALF))


@pytest.mark.parametrize("known", [True, False])
def test_of_a_match_that_goes_on_the_first_picture_is_read_again_once(
    record: Record, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    taught: list[Position] = []
    monkeypatch.setattr(Eyes, "learn", lambda _self, position, _seen: taught.append(position) or known)
    begun = apply(apply(MatchState(), BEGIN), GameStarted(at_s=0.0, position=START))
    sitting = Sitting(Acquainted(Eyes(GEOMETRY), stills=False), Referee(begun), record)
    sitting.take(frame("#0", 0))
    sitting.take(frame("#1", 1))
    assert [kind for kind, *_ in record.kept][:1] == ["Rolled"] * known
    assert taught == [START]
