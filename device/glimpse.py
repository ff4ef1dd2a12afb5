"""The newest picture of a source, as the camera gave it, for who sets the table up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

from vision.frame import Frame, FrameSource

OLD_S = 10.0
"""A live camera that has given nothing for so long shows nothing."""


class Glimpse:
    """Holds the newest frame; written by one thread, read by any."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._newest: tuple[Frame, float] | None = None

    def put(self, frame: Frame) -> None:
        """A new frame."""
        self._newest = frame, self._clock()

    def newest(self, *, live: bool) -> Frame | None:
        """The newest frame; None where there was none, or a live camera's is old."""
        newest = self._newest
        if newest is None or (live and self._clock() - newest[1] > OLD_S):
            return None
        return newest[0]


class Glimpsed:
    """A source whose newest frame is kept in a `Glimpse`."""

    def __init__(self, source: FrameSource, glimpse: Glimpse) -> None:
        self.stills = source.stills
        self._source, self._glimpse = source, glimpse

    def frames(self) -> Iterator[Frame]:
        """The source's frames."""
        for frame in self._source.frames():
            self._glimpse.put(frame)
            yield frame

    def close(self) -> None:
        """Close the source."""
        self._source.close()
