"""The drawn table as a camera: no hardware, the same pixels path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import monotonic

from calibration.geometry import BoardGeometry, apply
from calibration.profile import TableProfile
from device.store.atomic import write_atomically
from vision.frame import Frame
from vision.synth.film import Film
from vision.synth.render.draw import Painter
from vision.synth.story.plan import Plan
from vision.synth.table import Table

FPS = 5.0


def table_profile(table: Table) -> TableProfile:
    """What a person would write into the drawn table's file: corners, bar or none, white's home."""
    left, right = table.bar
    bar = None
    if left < right:
        field = BoardGeometry(table.corners, table.bar).image_from_field
        bar = [[float(x), float(y)] for x, y in apply(field, [(left, 0), (right, 0), (right, 1), (left, 1)])]
    return TableProfile(corners=[list(corner) for corner in table.corners], bar=bar, white_home=table.home)


class SimCamera:
    """Evenings one after the other, in real time; nobody gives up, since nobody is there to press a button for it.

    Like a real table it stands as it was left when the plug was pulled: the shot it is at is kept
    in `memory`, and a new SimCamera of the same seed goes on from there.
    """

    stills = False

    def __init__(self, seed: int, memory: Path, *, fps: float = FPS, length: int = 5) -> None:
        self._seed, self._memory, self._fps, self._length = seed, memory, fps, length
        self._closed = Event()
        self.evening, self._shot = self._remembered()
        self.table = Table()

    def frames(self) -> Iterator[Frame]:
        """Frames in real time, or slower where the machine cannot keep up: then people's movements are left out, and
        what lies still is shown as long as in time, so that a slow machine sees the same game.
        """
        started, offset_s = monotonic(), 0.0
        while not self._closed.is_set():
            seed = self._seed + self.evening
            film = Film(Plan(seed, self._length, resignations=False), self.table, fps=self._fps)
            painter = Painter(self.table, seed)
            at_s = offset_s
            for frame in film.frames(self._shot):
                at_s = offset_s + frame.at_s
                made = frame.settled and frame.shot != self._shot
                if made:
                    self._shot = frame.shot
                    self._remember()
                late_s = monotonic() - started - at_s
                late = late_s > 1 / self._fps
                if late and not frame.settled:
                    continue
                if self._closed.wait(max(0.0, -late_s)):
                    return
                yield Frame(painter.draw(frame.scene, at_s, frame.shutter), at_s, f"sim:{seed}#{frame.shot}")
                if late:
                    started += late_s
            offset_s = at_s + 1 / self._fps
            self.evening, self._shot = self.evening + 1, 0
            self._remember()

    def close(self) -> None:
        """End the film."""
        self._closed.set()

    def _remembered(self) -> tuple[int, int]:
        try:
            kept = json.loads(self._memory.read_text(encoding="utf-8"))
            return int(kept["evening"]), int(kept["shot"])
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            return 0, 0

    def _remember(self) -> None:
        write_atomically(self._memory, json.dumps({"evening": self.evening, "shot": self._shot}))
