"""The evening as a stream of frames: hands that come and go between scenes that lie still."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.events import Event
from rules.position import Player
from vision.frame import Bgr
from vision.synth.draw import Painter
from vision.synth.plan import Evening, Shot
from vision.synth.scene import Scene, Table

HAND_S = 0.6
HAND_STEPS = (1.0, 0.45, 0.0, 0.45)
"""How far out the hand is, in turn: 0 at the place it reaches for."""


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """A frame still to be drawn: scene, time, shot (counted from 0), and whether it is its first still one.

    `events` are what has happened once that first still frame is seen.
    """

    scene: Scene
    at_s: float
    shot: int
    settled: bool
    note: str
    events: tuple[Event, ...] = ()


class Film:
    """A drawn match at `fps` frames a second; `seed` decides everything. Raises FaultError for an unknown fault."""

    def __init__(
        self,
        seed: int,
        *,
        fps: float = 5.0,
        length: int = 5,
        table: Table | None = None,
        faults: tuple[str, ...] = (),
    ) -> None:
        self.table = table or Table()
        self.fps = fps
        self._evening = Evening(seed, self.table.home, length, faults)
        self.painter = Painter(self.table, seed)

    def frames(self, first_shot: int = 0) -> Iterator[FilmFrame]:
        """The frames from `first_shot` on; the table then already stands as that shot left it."""
        at_s = 0.0
        before: Scene | None = None
        for number, shot in enumerate(self._evening.shots()):
            if number < first_shot:
                continue
            for frame in self._of_shot(number, shot, before):
                happened = tuple(replace(event, at_s=round(at_s, 3)) for event in frame.events)
                yield replace(frame, at_s=at_s, events=happened)
                at_s += 1 / self.fps
            before = shot.scene

    def draw(self, frame: FilmFrame) -> Bgr:
        """The picture of one frame."""
        return self.painter.draw(frame.scene)

    def _of_shot(self, number: int, shot: Shot, before: Scene | None) -> Iterator[FilmFrame]:
        if before is not None and shot.player is not None:
            near = (shot.player is Player.WHITE) == self.table.home.at_bottom
            steps = max(2, round(HAND_S * self.fps))
            for k in range(steps):
                out = HAND_STEPS[k * len(HAND_STEPS) // steps]
                y = 0.5 + (0.62 if near else -0.62) * out
                under = before if k < steps / 2 else shot.scene
                scene = replace(under, hand=(0.5 + 0.1 * (number % 5 - 2), y, near))
                yield FilmFrame(scene, 0.0, number, False, shot.note)
        for k in range(max(2, round(shot.hold_s * self.fps))):
            yield FilmFrame(shot.scene, 0.0, number, k == 0, shot.note, shot.events if k == 0 else ())
