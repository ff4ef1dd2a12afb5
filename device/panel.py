"""The panel on the GPIO header: lamp, buzzer, the players' buttons and the director's key, through gpiozero.

A thread of its own looks at the newest state and at the contacts a hundred times a second; it owns the pins. All of it
is optional: parts without a pin in the settings are not there, and a machine without pins goes on without a panel.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from importlib import import_module
from queue import SimpleQueue
from threading import Event as Flag
from threading import Thread
from time import monotonic
from typing import Any, Protocol
from warnings import catch_warnings, simplefilter

from device.config import PanelSettings
from device.panel_signs import Contact, Lamp, Press, Signs, meaning, signs
from device.table import SEEING
from rules.commands import Command
from rules.position import Player
from webui.ports import Snapshot

POLL_S = 0.01
BLINK_S = 0.5
TAKEN, NOTHING, CALL = 880.0, 440.0, 660.0
"""Tones in hertz: a press was taken, it means nothing now, look up. The same for both sides and for every fault."""
TONE_S, PAUSE_S = 0.08, 0.12
MOVING = frozenset({*SEEING.values(), "starting"})
Tell = Callable[[Command, str], object]
Melody = Iterable[tuple[float | None, float]]


class Watched(Protocol):
    """As much of a `TablePort` as the panel looks at."""

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        ...


class Panel:
    """The parts of a panel, looked at and driven by `step`; `tell` takes what the buttons say, and who says it.

    Without `tell` there are lamp and buzzer alone.
    """

    def __init__(self, settings: PanelSettings, port: Watched, tell: Tell | None) -> None:
        """Take the pins. Raises what gpiozero does where there are none."""
        gpiozero: Any = import_module("gpiozero")
        pins = settings.pins()
        self._port = port
        self._tell: Tell = tell or (lambda _command, _by: None)
        self._made: list[Any] = []
        self._lamps = {lamp: self._part(gpiozero.LED, pins[lamp]) for lamp in Lamp if lamp in pins}
        self._buttons = {
            player: self._contact(gpiozero, pins[f"{player}_button"], settings)
            for player in Player
            if tell is not None and f"{player}_button" in pins
        }
        has_key = bool(self._buttons) and "director_key" in pins
        self._key = self._contact(gpiozero, pins["director_key"], settings) if has_key else None
        has_buzzer = "buzzer" in pins and not settings.mute
        self._buzzer = self._part(gpiozero.TonalBuzzer, pins["buzzer"]) if has_buzzer else None
        self._melody: deque[tuple[float | None, float]] = deque()
        self._tone_until_s = 0.0
        self._shown: tuple[int, Signs] | None = None

    def _part(self, kind: Any, pin: int, **options: object) -> Any:
        try:
            part = kind(pin, **options)
        except BaseException:
            self.close()
            raise
        self._made.append(part)
        return part

    def _contact(self, gpiozero: Any, pin: int, settings: PanelSettings) -> tuple[Any, Contact]:
        part = self._part(gpiozero.DigitalInputDevice, pin, pull_up=True)
        return part, Contact(settings.debounce_ms / 1000, settings.hold_s)

    def step(self, at_s: float) -> None:
        """Look at the contacts and at the table once, and go on with a tone."""
        self._look_at_buttons(at_s)
        self._show(at_s)
        self._sound(at_s)

    def close(self) -> None:
        """Put the lamps out and let go of the pins."""
        for part in self._made:
            part.close()
        self._made.clear()

    def _look_at_buttons(self, at_s: float) -> None:
        director = False
        if self._key is not None:
            part, contact = self._key
            contact.sample(part.is_active, at_s)
            director = contact.held
        for player, (part, contact) in self._buttons.items():
            press = contact.sample(part.is_active, at_s)
            if press is not None:
                self._pressed(press, player, director=director)

    def _pressed(self, press: Press, player: Player, *, director: bool) -> None:
        said = meaning(press, player, self._port.snapshot().state, director=director)
        if said is None:
            self._play([(NOTHING, TONE_S)])
            return
        self._tell(*said)
        self._play([(TAKEN, TONE_S)])

    def _show(self, at_s: float) -> None:
        snapshot = self._port.snapshot()
        new = signs(snapshot, MOVING)
        old = self._shown[1] if self._shown else Signs(frozenset())
        self._shown = snapshot.version, new
        for lamp, part in self._lamps.items():
            blinks = new.trouble and lamp is Lamp.WHITE
            part.value = lamp in new.lamps and not (blinks and int(at_s / BLINK_S) % 2)
        if new.calls and new != old:
            self._play([(CALL, TONE_S), (None, PAUSE_S), (CALL, TONE_S)])

    def _play(self, melody: Melody) -> None:
        if self._buzzer is not None:
            self._melody.extend(melody)

    def _sound(self, at_s: float) -> None:
        if self._buzzer is None or at_s < self._tone_until_s:
            return
        tone, lasts_s = self._melody.popleft() if self._melody else (None, 0.0)
        self._tone_until_s = at_s + lasts_s
        if tone is None:
            self._buzzer.stop()
        else:
            self._buzzer.play(tone)


class Teller(Thread):
    """Passes on what buttons say, in order, in a thread of its own: the table may take a while to answer.

    Meanwhile the panel goes on looking at its contacts, so that no press is missed.
    """

    def __init__(self, tell: Tell) -> None:
        super().__init__(name="panel-teller", daemon=True)
        self._tell = tell
        self._waiting: SimpleQueue[tuple[Command, str] | None] = SimpleQueue()

    def say(self, command: Command, by: str) -> None:
        """Pass it on as soon as what was said before is done."""
        self._waiting.put((command, by))

    def run(self) -> None:
        """Pass on until `stop`."""
        while (said := self._waiting.get()) is not None:
            self._tell(*said)

    def stop(self) -> None:
        """Say what waits, and nothing more."""
        self._waiting.put(None)


class PanelThread(Thread):
    """Steps a panel until `stop`."""

    def __init__(self, panel: Panel, teller: Teller | None) -> None:
        super().__init__(name="panel", daemon=True)
        self._panel, self._teller = panel, teller
        self._stopping = Flag()

    def run(self) -> None:
        """Step, a hundred times a second."""
        if self._teller is not None:
            self._teller.start()
        try:
            while not self._stopping.wait(POLL_S):
                self._panel.step(monotonic())
        finally:
            self._panel.close()
            if self._teller is not None:
                self._teller.stop()

    def stop(self) -> None:
        """Put the lamps out and end; waits for it."""
        self._stopping.set()
        if self.is_alive():
            self.join(timeout=1)


def open_panel(
    settings: PanelSettings, port: Watched, tell: Tell | None, warn: Callable[[str], object]
) -> PanelThread | None:
    """The panel, running; None where the settings name no pin or this machine has none, which is told."""
    if not settings.pins():
        return None
    try:
        gpiozero: Any = import_module("gpiozero")
    except ImportError as error:
        warn(f"the panel stays dark: {error}; sudo apt install --no-install-recommends python3-gpiozero python3-lgpio")
        return None
    failures: tuple[type[Exception], ...] = (gpiozero.GPIOZeroError, OSError, RuntimeError)
    teller = Teller(tell) if tell is not None else None
    try:
        with catch_warnings():
            simplefilter("ignore")  # gpiozero tells of every pin library that is not there; the last word is enough
            panel = Panel(settings, port, teller.say if teller is not None else None)
    except failures as error:
        warn(f"the panel stays dark: {' '.join(str(error).split())}")
        return None
    panel.step(monotonic())  # the lamp is right from the first moment on
    thread = PanelThread(panel, teller)
    thread.start()
    return thread
