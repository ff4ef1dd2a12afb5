"""A recording shown at the pace at which it was taken, as a camera would have."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from time import monotonic

from vision.frame import Frame, FrameSource

LATE_S = 0.2
"""A frame of a stream that comes later than this is left out."""


class Paced:
    """`source` in real time: waits for each frame's time; late ones of a stream are left out, photos never."""

    def __init__(self, source: FrameSource) -> None:
        self.stills = source.stills
        self._source = source
        self._closed = Event()

    def frames(self) -> Iterator[Frame]:
        """The frames at their times, until the source ends or is closed."""
        started = monotonic()
        for frame in self._source.frames():
            early_s = frame.at_s - (monotonic() - started)
            if early_s < -LATE_S and not self.stills:
                continue
            if self._closed.wait(max(0.0, early_s)):
                return
            yield frame

    def close(self) -> None:
        """End the waiting and close the source."""
        self._closed.set()
        self._source.close()
