"""What the box counts, and how its health is told."""

import io
import itertools
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from device.cameras.light import Memory
from device.health import MESSAGES, THERMAL, THROTTLED, Health, Messages
from device.paths import journal_path
from device.store.errors import JournalError
from device.vitals import Counted, Stage, Vitals, counted
from rules.events import Event, Noted
from vision.frame import Frame

FRAME = Frame(np.zeros((4, 4, 3), np.uint8), 0.0, "#0")
NOTE = Noted(at_s=0.0, key="k", text="")


class Clock:
    def __init__(self) -> None:
        self.now_s = 50.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def vitals(clock: Clock) -> Vitals:
    return Vitals(clock)


class Slow:
    """Three pictures, each half a second after it is asked for."""

    stills = True

    def __init__(self, clock: Clock) -> None:
        self._clock, self.closed = clock, False

    def frames(self) -> Iterator[Frame]:
        for _ in range(3):
            self._clock.now_s += 0.5
            yield FRAME

    def close(self) -> None:
        self.closed = True


def test_waiting_for_pictures_and_working_on_them_are_told_apart(clock: Clock, vitals: Vitals) -> None:
    slow = Slow(clock)
    source = Counted(slow, vitals)
    assert source.stills
    for number, _ in enumerate(source.frames(), 1):
        clock.now_s += 0.1 * number
    source.close()
    assert slow.closed
    found = vitals.figures()
    waiting, working = found.stages["waiting for a picture"], found.stages["looking and judging"]
    assert (waiting.runs, working.runs) == (4, 3)
    assert waiting.total_s == pytest.approx(1.5)
    assert working.total_s == pytest.approx(0.6)
    assert working.longest_s == pytest.approx(0.3)
    assert found.counts["frames"] == 3
    assert found.frames_a_second == pytest.approx(3 / 1.6)
    assert found.frame_age_s == pytest.approx(0.3)


def test_the_rate_is_that_of_now_and_falls_when_no_picture_comes(clock: Clock, vitals: Vitals) -> None:
    for _ in range(200):
        clock.now_s += 0.1
        vitals.frame()
    assert vitals.figures().frames_a_second == pytest.approx(10, rel=0.05)
    clock.now_s += 60
    assert vitals.figures().frames_a_second < 1


def test_the_journals_lag_counts_from_its_first_refusal_to_the_next_event(clock: Clock, vitals: Vitals) -> None:
    refuses = True

    def keep(_events: Sequence[Event], _frame: Frame | None) -> None:
        if refuses:
            raise JournalError("the disk is full")

    record = counted(keep, vitals)
    for _ in range(3):
        with pytest.raises(JournalError):
            record([NOTE], None)
        clock.now_s += 2
    found = vitals.figures()
    assert (found.journal_lag_s, found.counts["refusals"]) == (6.0, 3)
    assert found.counts.get("events", 0) == 0
    refuses = False
    record([NOTE, NOTE], None)
    found = vitals.figures()
    assert (found.journal_lag_s, found.counts["events"], found.stages["recording"].runs) == (0.0, 2, 4)


def machine(root: Path, throttled: str) -> Path:
    for name, text in ((THERMAL, "61234\n"), (THROTTLED, throttled), ("proc/self/statm", "9 250 3")):
        path = root / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return root


def health(vitals: Vitals, tmp_path: Path, root: Path, light: Memory | None = None) -> Health:
    messages, settings = Messages(lambda _text: None), "[page]\nport = 81"
    return Health(vitals, tmp_path, messages, settings, light, lambda: "http://192.0.2.7:81/", root)


def test_the_pis_heat_and_what_it_holds_back(vitals: Vitals, tmp_path: Path) -> None:
    figures = health(vitals, tmp_path, machine(tmp_path / "root", "50001")).figures()
    texts = {(figure.name, *(value for _, value in figure.labels)): figure.text for figure in figures}
    assert texts["schiri_temperature_celsius",] == "61 °C"
    held_back = {why: text for (name, *label), text in texts.items() if name == "schiri_throttled" for why in label}
    assert held_back == {
        "under-voltage": "yes",
        "slower clock": "no",
        "throttled": "earlier",
        "soft temperature limit": "no",
    }


def test_a_machine_that_tells_nothing_is_no_error(vitals: Vitals, tmp_path: Path) -> None:
    names = {figure.name for figure in health(vitals, tmp_path / "none", tmp_path / "empty").figures()}
    assert "schiri_temperature_celsius" not in names
    assert "schiri_disk_free_bytes" not in names
    assert {"schiri_frames_total", "schiri_frames_dropped_total", "schiri_journal_lag_seconds"} <= names


def test_figures_of_one_name_stand_together(vitals: Vitals, tmp_path: Path) -> None:
    for stage in ("recording", "looking"):
        with vitals.timed(stage):
            pass
    journal_path(tmp_path).write_bytes(b"x" * 5000)
    names = [figure.name for figure in health(vitals, tmp_path, machine(tmp_path / "root", "0")).figures()]
    changes = sum(a != b for a, b in itertools.pairwise(names))
    assert changes == len(set(names)) - 1
    assert "schiri_journal_bytes" in names


def test_a_stage_that_fails_is_timed_too(clock: Clock, vitals: Vitals) -> None:
    def fail() -> None:
        with vitals.timed("recording"):
            clock.now_s += 3
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert vitals.figures().stages == {"recording": Stage(1, 3.0, 3.0)}


def test_messages_are_passed_on_and_the_last_ones_kept() -> None:
    told: list[str] = []
    messages = Messages(told.append)
    for number in range(MESSAGES + 5):
        messages(f"message {number}")
    assert len(told) == MESSAGES + 5
    lines = messages.text().splitlines()
    assert len(lines) == MESSAGES
    assert lines[0].endswith("message 5")


def test_diagnostics_hold_what_helps_and_nothing_of_the_game(vitals: Vitals, tmp_path: Path) -> None:
    journal_path(tmp_path).write_text("secret plays")
    with zipfile.ZipFile(io.BytesIO(health(vitals, tmp_path, tmp_path).diagnostics())) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert sorted(files) == ["doctor.txt", "figures.txt", "messages.txt", "settings.toml", "versions.txt"]
    assert "schiri_frames_total 0" in files["figures.txt"]
    assert files["settings.toml"] == "[page]\nport = 81"
    assert "numpy " in files["versions.txt"]
    assert "disk" in files["doctor.txt"]
    assert "port" not in files["doctor.txt"]
    assert not any("secret" in text for text in files.values())


def test_only_a_camera_with_light_can_measure_it(vitals: Vitals, tmp_path: Path) -> None:
    memory = Memory()
    with_light, without = (health(vitals, tmp_path, tmp_path, light) for light in (memory, None))
    assert (with_light.has_light, without.has_light) == (True, False)
    without.measure_light()
    assert not memory.asked
    with_light.measure_light()
    assert memory.asked


def test_a_phone_joins_by_the_address_of_now(vitals: Vitals, tmp_path: Path) -> None:
    join = health(vitals, tmp_path, tmp_path).join()
    assert join.url == "http://192.0.2.7:81/"
    assert join.svg.startswith("<svg")
    assert "style=" not in join.svg, "the pages' policy forbids styles in markup"
