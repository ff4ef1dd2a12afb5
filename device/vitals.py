"""What the box counts while it runs: pictures, what was dropped, how long each stage takes; safe from any thread."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from device.store.errors import JournalError
from rules.events import Event
from vision.frame import Frame, FrameSource

Record = Callable[[Sequence[Event], Frame | None], object]
RATE_OVER = 50
"""Frames over which their rate is taken."""


@dataclass(frozen=True, slots=True)
class Stage:
    """How often a stage ran, the seconds that it took in all, and the longest of them."""

    runs: int = 0
    total_s: float = 0.0
    longest_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts at one moment; `frame_age_s` is None before the first frame, `journal_lag_s` 0 while all is kept."""

    counts: dict[str, int]
    stages: dict[str, Stage]
    frames_a_second: float
    frame_age_s: float | None
    journal_lag_s: float
    up_s: float


class Vitals:
    """Counters and stop-watches of one process."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self._stages: dict[str, Stage] = {}
        self._frames_at: deque[float] = deque(maxlen=RATE_OVER)
        self._refused_since: float | None = None
        self._began = clock()

    def count(self, what: str, times: int = 1) -> None:
        """One more of `what`."""
        with self._lock:
            self._counts[what] += times

    def frame(self) -> None:
        """The table has looked at a frame."""
        with self._lock:
            self._counts["frames"] += 1
            self._frames_at.append(self._clock())

    def recorded(self, *, refused: bool) -> None:
        """The journal has taken what happened, or `refused` it: then all that follows waits too."""
        with self._lock:
            self._counts["refusals"] += refused
            if not refused:
                self._refused_since = None
            elif self._refused_since is None:
                self._refused_since = self._clock()

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Measure one run of a stage, also one that raises."""
        began = self._clock()
        try:
            yield
        finally:
            took = self._clock() - began
            with self._lock:
                old = self._stages.get(stage, Stage())
                self._stages[stage] = Stage(old.runs + 1, old.total_s + took, max(old.longest_s, took))

    def figures(self) -> Figures:
        """All of it as it is now."""
        with self._lock:
            now, at = self._clock(), self._frames_at
            span = now - at[0] if at else 0.0
            return Figures(
                dict(self._counts),
                dict(self._stages),
                len(at) / span if span > 0 else 0.0,
                now - at[-1] if at else None,
                0.0 if self._refused_since is None else now - self._refused_since,
                now - self._began,
            )


class Counted:
    """A source whose pictures are counted, with the time that is waited for each and that is spent on it."""

    def __init__(self, source: FrameSource, vitals: Vitals) -> None:
        self.stills = source.stills
        self._source, self._vitals = source, vitals

    def frames(self) -> Iterator[Frame]:
        """The source's pictures."""
        frames = self._source.frames()
        while True:
            with self._vitals.timed("waiting for a picture"):
                frame = next(frames, None)
            if frame is None:
                return
            self._vitals.frame()
            with self._vitals.timed("looking and judging"):
                yield frame

    def close(self) -> None:
        """Close the source."""
        self._source.close()


def counted(keep: Record, vitals: Vitals) -> Record:
    """A record whose events are counted, with the time that they take and whether they could be stored."""

    def keep_counted(events: Sequence[Event], frame: Frame | None) -> object:
        try:
            with vitals.timed("recording"):
                kept = keep(events, frame)
        except JournalError:
            vitals.recorded(refused=True)
            raise
        vitals.recorded(refused=False)
        vitals.count("events", len(events))
        return kept

    return keep_counted
