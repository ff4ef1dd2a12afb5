"""Pictures of events: only with consent, before the event, never at its cost, and never more than there is room for."""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras.choose import SourceName
from device.store import evidence as evidence_module
from device.store.errors import JournalError
from device.store.evidence import LOST, ROTATED, Evidence, Limits, is_picture, matches_its_name
from device.store.inspection import inspect_journal
from device.store.journal import Journal
from device.table import MatchRecord
from rules.events import Event, GameEnded, MatchStarted, Noted, Rolled, Win
from rules.position import Player
from rules.roll import Roll
from vision.frame import Frame

DAY_S = 86_400.0
PLENTY = 10**12
NOW_S = 1_800_000_000.0
FRAME = Frame(np.full((48, 64, 3), (20, 120, 200), np.uint8), 5.0, "usb0#7")


def rolled(at_s: float = 5.0, frame: str = "usb0#7") -> Rolled:
    return Rolled(at_s=at_s, player=Player.WHITE, roll=Roll(3, 1), evidence=(frame,))


class Keeper:
    """Pictures below `base` with a disk and clocks of its own; what is stored is numbered on."""

    def __init__(self, base: Path, limits: Limits | None = None) -> None:
        self.clock_s = 0.0
        self.free_bytes = PLENTY
        self.base = base
        self.stored: list[Event] = []
        self.evidence = Evidence(
            base, limits, clock=lambda: self.clock_s, now=lambda: NOW_S, free=lambda _: self.free_bytes
        )

    def keep(self, *events: Event, frame: Frame | None = FRAME, consent: bool = True) -> list[Event]:
        seq = len(self.stored) + 1
        with self.evidence.shown(
            events, frame, match="usb:0 2026-05-01T20:15:00Z 1a2b", seq=seq, consent=consent
        ) as new:
            assert all((self.base / name).is_file() for event in new for name in event.evidence)  # before it is stored
            self.stored += new
        return new

    def pictures(self) -> list[str]:
        return sorted(path.relative_to(self.base).as_posix() for path in self.base.rglob("*.jpg"))

    def notes(self) -> list[str]:
        return [event.key for event in self.stored if isinstance(event, Noted)]


def test_an_event_names_its_picture_and_the_picture_is_the_frame(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    ended = GameEnded(at_s=5.0, winner=Player.WHITE, points=1, win=Win.SINGLE)
    keeper.keep(MatchStarted(at_s=0, length=1, white="A", black="B"))
    first, second = keeper.keep(rolled(), ended)
    (name,) = first.evidence
    assert second == ended
    assert re.fullmatch(r"evidence/usb-0-2026-05-01T20-15-00Z-1a2b/000002-Rolled-[0-9a-f]{64}\.jpg", name)
    assert is_picture(name)
    data = (tmp_path / name).read_bytes()
    assert hashlib.sha256(data).hexdigest() in name
    shown = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert np.abs(shown.astype(int) - FRAME.bgr).max() <= 3
    assert keeper.pictures() == [name]


def test_without_consent_no_picture_is_ever_written(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, Limits())
    for _ in range(3):
        (event,) = keeper.keep(rolled(), consent=False)
        assert event.evidence == ()
    assert list(tmp_path.iterdir()) == []


def test_events_of_one_picture_share_it(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    first, second = keeper.keep(rolled(), rolled())
    assert first.evidence == second.evidence
    assert len(keeper.pictures()) == 1


def test_no_event_gets_the_picture_of_another_moment(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.keep(rolled(frame="usb0#6"))
    keeper.keep(rolled(), frame=None)
    assert keeper.pictures() == []
    assert [event.evidence for event in keeper.stored] == [(), (), ()]
    assert keeper.notes() == [LOST]


def failing(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_disk_that_refuses_loses_no_event_and_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(evidence_module, "write_atomically", failing)
        keeper.keep(rolled(1.0))
        keeper.keep(rolled(2.0))
    keeper.keep(rolled(3.0))
    with monkeypatch.context() as broken:
        broken.setattr(evidence_module, "write_atomically", failing)
        keeper.keep(rolled(4.0))
    assert [event.at_s for event in keeper.stored if isinstance(event, Rolled)] == [1.0, 2.0, 3.0, 4.0]
    told = [event for event in keeper.stored if isinstance(event, Noted)]
    assert [(note.at_s, note.key) for note in told] == [(1.0, LOST), (4.0, LOST)]
    assert told[0].text == "no picture could be kept: No space left on device; the events are kept"
    assert len(keeper.pictures()) == 1


def test_a_folder_that_cannot_be_written_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("a file stands in the way", encoding="utf-8")
    keeper = Keeper(tmp_path)
    keeper.keep(rolled())
    assert [type(event) for event in keeper.stored] == [Rolled, Noted]


def test_the_floor_of_free_space_is_kept(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, Limits(free_bytes=1_000_000))
    keeper.free_bytes = 1_000_100
    keeper.keep(rolled())
    assert keeper.pictures() == []
    assert keeper.notes() == [LOST]
    assert "less than 1 MB of the disk would stay free" in str(keeper.stored[-1])


def test_what_is_not_stored_leaves_no_picture_and_is_told_with_what_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(tmp_path)

    def refuse(frame: Frame | None) -> None:
        with keeper.evidence.shown([rolled()], frame, match="m", seq=1, consent=True):
            raise JournalError("journal.sqlite3: the disk is full")

    with pytest.raises(JournalError):
        refuse(FRAME)
    assert keeper.pictures() == []
    with monkeypatch.context() as broken:
        broken.setattr(evidence_module, "write_atomically", failing)
        with pytest.raises(JournalError):
            refuse(FRAME)
        keeper.keep(rolled())
    assert keeper.notes() == [LOST]


def frames(count: int) -> list[Frame]:
    """So many noisy pictures of about the same size."""
    noise = np.random.default_rng(5)
    return [Frame(noise.integers(0, 255, (48, 64, 3), np.uint8), 0.0, "usb0#7") for _ in range(count)]


def named(keeper: Keeper, events: Sequence[Event]) -> list[str]:
    return [name for event in events if not isinstance(event, Noted) for name in event.evidence]


def test_the_oldest_go_when_they_are_too_many(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, Limits(total_bytes=20_000))
    for frame in frames(30):
        keeper.keep(rolled(), frame=frame)
    left = keeper.pictures()
    assert 3 <= len(left) < 30
    assert left == named(keeper, keeper.stored)[-len(left) :]
    assert sum((tmp_path / name).stat().st_size for name in left) <= 20_000
    removed = [name for event in keeper.stored if isinstance(event, Noted) for name in event.evidence]
    assert sorted(removed + left) == sorted(named(keeper, keeper.stored))
    assert set(keeper.notes()) == {ROTATED}


def test_the_oldest_go_before_the_disk_is_full(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, Limits(free_bytes=1_000_000))
    keeper.keep(rolled())
    keeper.free_bytes = 1_049_999  # within 5 % of the floor
    keeper.keep(rolled())
    assert named(keeper, keeper.stored)[1:] == keeper.pictures()
    assert keeper.notes() == [ROTATED]


def test_where_others_fill_the_disk_no_picture_goes_in_vain(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, Limits(free_bytes=1_000_000))
    keeper.keep(rolled())
    keeper.free_bytes = 0
    keeper.keep(rolled())
    assert len(keeper.pictures()) == 1
    assert keeper.notes() == [LOST]


def test_old_pictures_go_and_empty_folders_with_them(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, Limits(days=30))
    keeper.keep(rolled())
    keeper.clock_s = 30 * DAY_S - 1
    keeper.keep(rolled(), consent=False)
    assert len(keeper.pictures()) == 1
    keeper.clock_s = 30 * DAY_S
    keeper.keep(rolled(), consent=False)
    assert keeper.pictures() == []
    assert list((tmp_path / "evidence").iterdir()) == []
    assert keeper.notes() == [ROTATED]
    assert "older than 30 days" in str(keeper.stored[-1])


@pytest.mark.parametrize(("written_s", "stays"), [(NOW_S - 31 * DAY_S, False), (NOW_S + DAY_S, True), (0.0, True)])
def test_pictures_of_earlier_evenings_age_on(tmp_path: Path, written_s: float, stays: bool) -> None:
    Keeper(tmp_path).keep(rolled())
    (name,) = Keeper(tmp_path).pictures()
    os.utime(tmp_path / name, (written_s, written_s))
    keeper = Keeper(tmp_path, Limits(days=30))
    keeper.keep(rolled(), consent=False)
    assert (keeper.pictures() == [name]) is stays


def test_what_is_not_ours_is_never_removed(tmp_path: Path) -> None:
    theirs = tmp_path / "evidence" / "holiday" / "beach.jpg"
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(b"x" * 1000)
    keeper = Keeper(tmp_path, Limits(days=0, total_bytes=0))
    keeper.keep(rolled())
    keeper.keep(rolled())
    assert theirs.exists()


@pytest.mark.parametrize(
    "name", ["usb0#7", f"../../x-Played-{'0' * 64}.jpg", f"evidence/../1-Played-{'0' * 64}.jpg", "evidence/m/1.jpg"]
)
def test_what_is_no_name_of_ours(name: str) -> None:
    assert not is_picture(name)


def test_a_picture_that_cannot_be_read_does_not_match(tmp_path: Path) -> None:
    name = f"evidence/m/1-Played-{'0' * 64}.jpg"
    assert matches_its_name(tmp_path, name) is None
    (tmp_path / name).mkdir(parents=True)
    assert matches_its_name(tmp_path, name) is False


@pytest.mark.parametrize(
    ("before", "now", "kept"), [(True, True, 1), (False, False, 0), (True, False, 0), (False, True, 0)]
)
def test_a_match_that_goes_on_needs_consent_then_and_now(
    tmp_path: Path, before: bool, now: bool, kept: int, began: Callable[[bool], MatchStarted]
) -> None:
    source, evidence = SourceName("usb", "0"), Evidence(tmp_path, free=lambda _: PLENTY)
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        MatchRecord.resume_or_begin(journal, evidence, source, began(before))
        record, _, _ = MatchRecord.resume_or_begin(journal, evidence, source, began(now))
        record.keep([Noted(at_s=5.0, key="a", text="", evidence=("usb0#7",))], FRAME)
    assert len(list(tmp_path.rglob("*.jpg"))) == kept
    found = inspect_journal(tmp_path / "journal.sqlite3")
    assert (found.problems, found.pictures) == ([], kept)


WRITER = """
import sys
from itertools import count
from pathlib import Path

import numpy as np

from device.cameras.choose import SourceName
from device.store.evidence import Evidence
from device.store.journal import Journal
from device.table import MatchRecord
from rules.events import MatchStarted, Noted
from vision.frame import Frame

base = Path(sys.argv[1])
begin = MatchStarted(at_s=0, length=5, white="A", black="B", consent=True)
evidence = Evidence(base, free=lambda _: 10**12)
record, _, _ = MatchRecord.resume_or_begin(
    Journal.open(base / "journal.sqlite3"), evidence, SourceName("usb", "0"), begin
)
for number in count():
    frame = Frame(np.full((240, 320, 3), number % 250, np.uint8), float(number), f"#{number}")
    record.keep([Noted(at_s=number, key="k", text="", evidence=(frame.name,))], frame)
    print(number, flush=True)
"""


def test_a_kill_leaves_no_event_without_its_picture(tmp_path: Path) -> None:
    kept = 0
    for acknowledgements in (1, 2, 9, 40):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        with writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline() for _ in range(acknowledgements)]
            writer.kill()
            lines += writer.stdout.readlines()
        kept += sum(line.endswith("\n") for line in lines)
        found = inspect_journal(tmp_path / "journal.sqlite3")
        assert found.problems == []
        assert found.pictures >= kept > 0
        kept = found.pictures


@pytest.fixture
def began() -> Callable[[bool], MatchStarted]:
    return lambda consent: MatchStarted(at_s=0, length=5, white="A", black="B", consent=consent)


def test_a_journal_that_refuses_keeps_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = Evidence(tmp_path, free=lambda _: PLENTY)
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        begin = MatchStarted(at_s=0, length=5, white="A", black="B", consent=True)
        record, _, _ = MatchRecord.resume_or_begin(journal, evidence, SourceName("usb", "0"), begin)

        def full(*_: object) -> list[int]:
            raise JournalError("the disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(journal, "append", full)
            with pytest.raises(JournalError):
                record.keep([rolled()], FRAME)
        assert list(tmp_path.rglob("*.jpg")) == []
        record.keep([Noted(at_s=5.0, key="a", text="", evidence=("usb0#7",))], FRAME)
    assert len(list(tmp_path.rglob("*.jpg"))) == 1
