"""An evening as a stream of frames: what people do between scenes that lie still."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.events import Event
from vision.synth.people.arm import Leg
from vision.synth.people.deeds import enact
from vision.synth.scene import Scene, Shutter
from vision.synth.story.plan import Evening, Plan
from vision.synth.story.shot import Shot, Situation
from vision.synth.table import Table

DARK = 0.2
LAST = 0.999
"""The share of a stretch up to which a shutter may see: after it what was in the air may have come down."""


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """A frame still to be drawn: scene, time, shot (counted from 0), and whether nothing moves or is in the way.

    `shutter` is how the scene changes while the frame is exposed, None where it does not. `events` are what has
    happened, and `said` what was said or pressed, once this frame is seen.
    """

    scene: Scene
    at_s: float
    shot: int
    settled: bool
    note: str
    events: tuple[Event, ...] = ()
    said: tuple[Event, ...] = ()
    situation: Situation | None = None
    shutter: Shutter | None = None


class Film:
    """A plan filmed at a table, `fps` frames a second. Raises FaultError as Evening does."""

    def __init__(self, plan: Plan, table: Table | None = None, *, fps: float = 5.0) -> None:
        self.plan, self.fps = plan, fps
        self.table = table or Table()
        self.evening = Evening(plan, self.table)

    def frames(self, first_shot: int = 0) -> Iterator[FilmFrame]:
        """The frames from `first_shot` on, to be asked for once; the table then already stands as that shot left it."""
        count = 0
        before: Scene | None = None
        for number, shot in enumerate(self.evening.shots()):
            if number < first_shot:
                continue
            for frame in self._of_shot(number, shot, before):
                at_s = count / self.fps
                stamp = round(at_s, 3)
                happened, said = (
                    tuple(replace(event, at_s=stamp) for event in events) for events in (frame.events, frame.said)
                )
                yield replace(frame, at_s=at_s, events=happened, said=said)
                count += 1
            before = shot.scene

    def _of_shot(self, number: int, shot: Shot, before: Scene | None) -> Iterator[FilmFrame]:
        if before is not None and shot.acts:
            legs = enact(self.table, before, shot.acts, hash((self.plan.seed, number)))
            for leg, share in _moments(legs, self.fps):
                frame = FilmFrame(leg.at(share), 0.0, number, False, shot.note, situation=shot.situation)
                yield replace(frame, shutter=_exposed(leg, share, self.table.sensor.shutter_s))
        lasting = shot.situation if shot.situation is not None and shot.situation.lasts else None
        settled = not shot.scene.hands and shot.scene.light > DARK
        for k in range(max(2, round(shot.hold_s * self.fps))):
            first = FilmFrame(shot.scene, 0.0, number, settled, shot.note, situation=lasting)
            yield first if k else replace(first, events=shot.events, said=shot.said)


def sampled(legs: list[Leg], fps: float) -> Iterator[Scene]:
    """The scenes of stretches in the middle of each frame's time, two at least."""
    for leg, share in _moments(legs, fps):
        yield leg.at(share)


def _exposed(leg: Leg, share: float, shutter_s: float) -> Shutter | None:
    if not leg.seconds or not shutter_s:
        return None
    half = shutter_s / leg.seconds / 2
    return leg.at(max(0.0, share - half)), leg.at(min(LAST, share + half))


def _moments(legs: list[Leg], fps: float) -> Iterator[tuple[Leg, float]]:
    """The stretch that each frame falls into, and its share that has passed then."""
    total_s = sum(leg.seconds for leg in legs)
    count = max(2, round(total_s * fps))
    waiting = list(legs)
    passed_s = 0.0
    for k in range(count):
        now_s = (k + 0.5) * total_s / count
        while len(waiting) > 1 and now_s >= passed_s + waiting[0].seconds:
            passed_s += waiting.pop(0).seconds
        leg = waiting[0]
        yield leg, min(1.0, (now_s - passed_s) / leg.seconds) if leg.seconds else 1.0
