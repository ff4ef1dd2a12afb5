"""The panel with mocked pins: what the lamp shows, what the buzzer sounds, what a press means."""

import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device, exc
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device import panel as panel_module
from device.app import Appliance
from device.cameras.choose import SourceName
from device.cameras.sim import table_profile
from device.config import PanelSettings
from device.matchfile import MatchFile
from device.panel import CALL, MOVING, NOTHING, TAKEN, Panel, Tell, Teller, open_panel
from device.panel_signs import BY_THE_DIRECTOR, DIRECTOR, Contact, Press, signs
from device.table import TableThread
from rules.commands import Command, Decided, TurnEnded
from rules.decisions import Answered, Asked, ResignationAccepted, ResultConfirmed, ResultOfficial
from rules.events import Role, Win
from rules.match import GameRecord, MatchState, Phase, TurnRecord
from rules.position import START, Player
from rules.roll import Roll
from vision.synth.table import Table
from webui.fake_port import FakeTable
from webui.ports import Answer

ALL = PanelSettings(
    green=5, red=6, amber=13, white=19, buzzer=12, white_button=16, black_button=20, director_key=21, debounce_ms=30
)
ILLEGAL = TurnRecord(Player.WHITE, Roll(3, 1), verdict="illegal", faults=("wrong_distance",))
PLAYING = MatchState(
    length=5, phase=Phase.TO_ROLL, turn=Player.BLACK, games=(GameRecord(1, (0, 0), START),), role=Role.REFEREE
)
FAULT = replace(PLAYING, games=(GameRecord(1, (0, 0), START, turns=(ILLEGAL,)),))
QUESTION = replace(PLAYING, questions=(Asked(at_s=1.0, key="short_play", player=Player.WHITE, text="?"),))
OVER = replace(PLAYING, phase=Phase.MATCH_OVER)


@pytest.fixture(autouse=True)
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


class Box:
    """A panel over a fake table, stepped by hand a hundred times a second."""

    def __init__(
        self, pins: MockFactory, settings: PanelSettings = ALL, state: MatchState = PLAYING, tell: Tell | None = None
    ) -> None:
        self.pins, self.settings, self.at_s = pins, settings, 100.0
        self.table = FakeTable(state)
        self.said: list[tuple[Command, str]] = []
        self.panel = Panel(settings, self.table, tell or (lambda command, by: self.said.append((command, by))))
        self.heard: list[float] = []
        self._sounding: float | None = None
        for pin in (16, 20, 21):
            self.pins.pin(pin).drive_high()

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            self.at_s += 0.01
            self.panel.step(self.at_s)
            buzzer = self.panel._buzzer
            tone = None if buzzer is None or buzzer.tone is None else buzzer.tone.frequency
            if tone is not None and tone != self._sounding:
                self.heard.append(tone)
            self._sounding = tone

    def press(self, pin: int, seconds: float) -> None:
        self.pins.pin(pin).drive_low()
        self.run(seconds)
        self.pins.pin(pin).drive_high()
        self.run(0.5)

    def lamps(self) -> set[str]:
        names = {5: "green", 6: "red", 13: "amber", 19: "white"}
        return {name for pin, name in names.items() if self.pins.pin(pin).state}


@pytest.mark.parametrize(
    ("state", "status", "lamps"),
    [
        (PLAYING, "waiting for a roll", {"green"}),
        (PLAYING, "hands over the board", {"white"}),
        (PLAYING, "something moves", {"white"}),
        (FAULT, "waiting for a roll", {"red"}),
        (FAULT, "something moves", {"red"}),
        (QUESTION, "waiting for a roll", {"amber"}),
        (replace(PLAYING, thrown=True), "waiting for a roll", {"amber"}),
        (replace(PLAYING, thrown=True, phase=Phase.TO_PLAY), "a roll is being played", {"green"}),
        (replace(FAULT, games=(GameRecord(1, (0, 0), START, turns=(replace(ILLEGAL, stands=True),)),)), "", {"green"}),
        (replace(FAULT, role=Role.PRACTICE), "", {"red"}),
        (replace(FAULT, role=Role.RECORDER), "", {"green"}),
        (replace(QUESTION, role=Role.RECORDER), "", {"green"}),
        (replace(PLAYING, thrown=True, role=Role.RECORDER), "something moves", {"white"}),
    ],
)
def test_the_lamp(pins: MockFactory, state: MatchState, status: str, lamps: set[str]) -> None:
    box = Box(pins)
    box.table.push(state, status=status)
    box.run(0.05)
    assert box.lamps() == lamps


@pytest.mark.parametrize("state", [PLAYING, FAULT, replace(PLAYING, role=Role.RECORDER)])
def test_a_camera_that_is_lost_blinks_white_in_every_role(pins: MockFactory, state: MatchState) -> None:
    box = Box(pins)
    box.table.push(state, status="usb:0: the camera has stalled", healthy=False)
    seen = []
    for _ in range(40):
        box.run(0.05)
        seen.append(frozenset(box.lamps()))
    assert set(seen) == {frozenset({"white"}), frozenset()}
    assert sum(a != b for a, b in pairwise(seen)) in (3, 4)


def test_every_call_sounds_the_same_and_once(pins: MockFactory) -> None:
    for state in (FAULT, QUESTION, replace(PLAYING, thrown=True)):
        box = Box(pins)
        box.run(0.1)
        box.table.push(state)
        box.run(2)
        box.table.push(status="something moves")
        box.run(2)
        assert box.heard == [CALL, CALL]
        box.panel.close()


def test_a_recorder_makes_no_sound_about_faults(pins: MockFactory) -> None:
    box = Box(pins, state=replace(PLAYING, role=Role.RECORDER))
    box.run(0.1)
    box.table.push(replace(FAULT, role=Role.RECORDER))
    box.table.push(replace(QUESTION, role=Role.RECORDER))
    box.run(2)
    assert box.heard == []


def test_mute(pins: MockFactory) -> None:
    box = Box(pins, ALL.model_copy(update={"mute": True}), FAULT)
    box.press(16, 0.2)
    assert box.heard == []
    assert len(box.said) == 1


@pytest.mark.parametrize(("pin", "player"), [(16, Player.WHITE), (20, Player.BLACK)])
def test_a_short_press_is_done(pins: MockFactory, pin: int, player: Player) -> None:
    box = Box(pins)
    box.press(pin, 0.2)
    assert box.said == [(TurnEnded(player), str(player))]
    assert box.heard == [TAKEN]


def test_a_long_press_confirms_the_result_while_it_is_held(pins: MockFactory) -> None:
    box = Box(pins, state=OVER)
    pins.pin(20).drive_low()
    box.run(1.4)
    assert box.said == []
    box.run(0.3)
    expected = [(Decided(ResultConfirmed(at_s=0.0, player=Player.BLACK)), "black")]
    assert box.said == expected
    box.run(3)
    pins.pin(20).drive_high()
    box.run(1)
    assert box.said == expected, "neither the hold that goes on nor the release says anything more"


def test_a_long_press_takes_the_opponents_resignation_but_not_ones_own(pins: MockFactory) -> None:
    box = Box(pins, state=replace(PLAYING, resignation=(Player.WHITE, Win.GAMMON)))
    box.press(16, 2)
    assert (box.said, box.heard) == ([], [NOTHING])
    box.press(20, 2)
    assert box.said == [(Decided(ResignationAccepted(at_s=0.0, player=Player.BLACK)), "black")]


@pytest.mark.parametrize(
    "state",
    [PLAYING, replace(OVER, official=True), replace(OVER, confirmed_by=frozenset({Player.WHITE}))],
)
def test_a_long_press_with_nothing_to_confirm_says_nothing(pins: MockFactory, state: MatchState) -> None:
    box = Box(pins, state=state)
    box.press(16, 2)
    assert (box.said, box.heard) == ([], [NOTHING])


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (QUESTION, Answered(at_s=0.0, key="short_play", choice=BY_THE_DIRECTOR)),
        (OVER, ResultOfficial(at_s=0.0)),
        (replace(OVER, official=True), None),
        (PLAYING, None),
    ],
)
def test_the_directors_key_speaks_for_him_on_a_long_press_only(pins: MockFactory, state: MatchState, said: Any) -> None:
    box = Box(pins, state=state)
    pins.pin(21).drive_low()
    box.run(0.1)
    box.press(16, 0.3)
    assert box.said == []
    box.press(16, 2)
    assert box.said == ([] if said is None else [(Decided(said), DIRECTOR)])
    pins.pin(21).drive_high()
    box.run(0.1)
    box.said.clear()
    box.press(16, 0.2)
    assert box.said == [(TurnEnded(Player.WHITE), "white")]


def presses(levels: str, debounce_s: float = 0.03) -> list[tuple[int, Press]]:
    """Presses of a contact whose level is looked at every 10 ms, with the look at which each is complete."""
    contact = Contact(debounce_s, hold_s=0.5)
    seen = ((n, contact.sample(level == "#", n / 100)) for n, level in enumerate(levels))
    return [(n, press) for n, press in seen if press is not None]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ("...####......", [(10, Press.SHORT)]),
        ("...#.#.####.#......", [(16, Press.SHORT)]),  # bounces when it closes and when it opens
        ("...#..#..##...#..", []),  # never closed for long enough
        ("...####.####.####......", [(20, Press.SHORT)]),  # opens for less than it takes to count
        ("..####....####.....", [(9, Press.SHORT), (17, Press.SHORT)]),
        ("." * 3 + "#" * 70 + "." * 9, [(53, Press.LONG)]),
    ],
)
def test_a_contact_that_bounces(levels: str, expected: list[tuple[int, Press]]) -> None:
    assert presses(levels) == expected


def test_parts_without_a_pin_are_not_there(pins: MockFactory) -> None:
    box = Box(pins, PanelSettings(red=6), FAULT)
    box.run(0.2)
    assert pins.pin(6).state
    box.press(16, 0.2)
    assert box.said == []


def test_a_panel_that_ends_puts_its_lamps_out(pins: MockFactory) -> None:
    warned: list[str] = []
    table = FakeTable(FAULT)
    thread = open_panel(ALL, table, lambda _command, _by: None, warned.append)
    assert thread is not None
    thread.stop()
    assert not thread.is_alive()
    assert not any(pins.pin(pin).state for pin in (5, 6, 13, 19))
    again = open_panel(ALL, table, lambda _command, _by: None, warned.append)  # the pins are free
    assert again is not None
    again.stop()
    assert warned == []


def test_a_press_is_not_missed_while_the_table_takes_its_time(pins: MockFactory) -> None:
    busy, free, both = threading.Event(), threading.Event(), threading.Event()
    said: list[str] = []

    def slow(_command: Command, by: str) -> None:
        busy.set()
        assert free.wait(10)
        said.append(by)
        if len(said) == 2:
            both.set()

    teller = Teller(slow)
    teller.start()
    box = Box(pins, tell=teller.say)
    box.press(16, 0.1)
    assert busy.wait(10)
    box.press(20, 0.1)
    assert said == []
    free.set()
    assert both.wait(10)
    assert said == ["white", "black"]
    teller.stop()
    teller.join(10)
    assert not teller.is_alive()


def test_no_pins_in_the_settings_need_no_gpiozero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    warned: list[str] = []
    assert open_panel(PanelSettings(), FakeTable(), lambda _command, _by: None, warned.append) is None
    assert warned == []
    assert open_panel(ALL, FakeTable(), lambda _command, _by: None, warned.append) is None
    assert "the panel stays dark" in warned[0]
    assert "apt install --no-install-recommends python3-gpiozero python3-lgpio" in warned[0]


def test_a_machine_without_pins_goes_on_without_a_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pins(*_arguments: object) -> None:
        raise exc.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "_default_pin_factory", no_pins)
    warned: list[str] = []
    assert open_panel(ALL, FakeTable(), lambda _command, _by: None, warned.append) is None
    assert warned == ["the panel stays dark: Unable to load any default pin factory!"]


def test_moving_is_what_the_table_calls_so() -> None:
    table = FakeTable(PLAYING)
    for status in MOVING:
        assert signs(table.push(status=status), MOVING).lamps == {"white"}


def test_without_anybody_to_tell_there_are_lamp_and_buzzer_alone(pins: MockFactory) -> None:
    panel = Panel(ALL, FakeTable(FAULT), None)
    panel.step(1.0)
    assert pins.pin(6).state
    assert {info.name for info in pins.pins} == {"GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO12"}
    panel.close()


def test_a_table_with_pins_has_its_lamps_and_puts_them_out(pins: MockFactory, tmp_path: Path) -> None:
    name, profile = SourceName("sim", "3"), table_profile(Table())
    appliance = Appliance(name, profile, MatchFile(), tmp_path, panel=PanelSettings(green=5, white=19))
    appliance.open()
    appliance.close()
    lamps = [pins.pin(5), pins.pin(19)]
    assert any(was.state for lamp in lamps for was in lamp.states), "one of them shone"
    assert not any(lamp.state for lamp in lamps)


def test_a_buttons_word_reaches_the_table(pins: MockFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = threading.Event()
    said: list[tuple[Command, str]] = []

    def tell(_thread: TableThread, command: Command, by: str) -> Answer:
        said.append((command, by))
        told.set()
        return Answer(True)

    command = (TurnEnded(Player.BLACK), "black")
    monkeypatch.setattr(TableThread, "tell", tell)
    monkeypatch.setattr(panel_module, "meaning", lambda *_a, **_o: command)
    panel = PanelSettings(black_button=20, debounce_ms=0, hold_s=0.3)
    appliance = Appliance(SourceName("sim", "3"), table_profile(Table()), MatchFile(), tmp_path, panel=panel)
    pins.pin(20).drive_high()
    appliance.open()
    try:
        pins.pin(20).drive_low()
        assert told.wait(10)
    finally:
        appliance.close()
    assert said == [command]
