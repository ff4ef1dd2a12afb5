"""A live camera in a thread of its own: the newest picture is handed on, older ones are dropped, trouble is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from threading import Condition, Thread
from time import monotonic

import cv2
import numpy as np

from device.errors import DOMAIN_ERRORS
from device.vitals import Vitals
from vision.errors import SourceError
from vision.frame import Bgr, Frame, FrameSource

BLACK_S = 3.0
"""So long a camera that opens its eye may be black."""
EVERY_PX = 16
"""Of so many pixels one is looked at to tell whether a picture is black."""
CLOSE_S = 2.0
FAILURES: tuple[type[Exception], ...] = (*DOMAIN_ERRORS, OSError)
SAME_SHAPE = 0.01
"""Width over height may differ by this share in two pictures of the same view."""


@dataclass(slots=True)
class Size:
    """Width and height of the pictures by which the board was found; None until the first picture.

    It outlives the camera that is opened again: then the table must still lie where it lay.
    """

    wh: tuple[int, int] | None = None

    def fitted(self, frame: Frame) -> Frame:
        """The frame in the size that is expected. Raises SourceError where it shows another part of the room."""
        height, width = frame.bgr.shape[:2]
        if self.wh is None:
            self.wh = width, height
        wanted_w, wanted_h = self.wh
        if (width, height) == self.wh:
            return frame
        if abs(width * wanted_h / (height * wanted_w) - 1) > SAME_SHAPE:
            raise SourceError(
                f"the camera gives pictures of {width}x{height} instead of {wanted_w}x{wanted_h} pixels; "
                "set it back, or calibrate anew"
            )
        return replace(frame, bgr=np.asarray(cv2.resize(frame.bgr, self.wh, interpolation=cv2.INTER_AREA), np.uint8))


class Newest:
    """`source` read by a thread of its own, which alone touches it; `frames` gives the newest picture each time.

    One picture waits at most. Without a picture for `stall_s` seconds the source counts as stalled. A black picture
    (mean below `black_below`, 0–255) is not handed on; `tell` hears of it in a sentence once it has lasted.
    """

    stills = False

    def __init__(
        self,
        source: FrameSource,
        name: str,
        *,
        stall_s: float,
        black_below: float,
        size: Size,
        tell: Callable[[str], object],
        vitals: Vitals,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._source, self._name = source, name
        self._stall_s, self._black_below = stall_s, black_below
        self._size, self._tell, self._vitals, self._clock = size, tell, vitals, clock
        self._changed = Condition()
        self._frame: Frame | None = None
        self._error: Exception | None = None
        self._over = self._closed = False
        self._black_since: float | None = None
        self._thread = Thread(target=self._read, name="camera", daemon=True)

    def frames(self) -> Iterator[Frame]:
        """The newest pictures until it is closed. Raises SourceError when the source fails, stalls or ends."""
        self._thread.start()
        while (frame := self._next()) is not None:
            if not self._is_black(frame.bgr):
                yield self._size.fitted(frame)

    def close(self) -> None:
        """Let the reading thread end and close the source after its picture; one that hangs is left to itself."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)
        elif self._thread.ident is None:
            self._source.close()

    def _next(self) -> Frame | None:
        with self._changed:
            there = self._changed.wait_for(
                lambda: self._frame is not None or self._over or self._closed, timeout=self._stall_s
            )
            if not there:
                self._vitals.count("stalls")
                raise SourceError(f"{self._name}: the camera has stalled: no picture for {self._stall_s:g} s")
            frame, self._frame = self._frame, None
            if self._closed:
                return None
            if frame is None:
                raise self._error or SourceError(f"{self._name}: the camera gives no more pictures")
            return frame

    def _read(self) -> None:
        """The reading thread: put each picture where the last one was."""
        error: Exception | None = SourceError(f"{self._name}: the camera was lost by a mistake in Schiri")
        try:
            for frame in self._source.frames():
                with self._changed:
                    if self._closed:
                        break
                    if self._frame is not None:
                        self._vitals.count("frames_dropped")
                    self._frame = frame
                    self._changed.notify_all()
            error = None
        except FAILURES as failed:
            error = failed
        finally:
            self._source.close()
            with self._changed:
                self._error, self._over = error, True
                self._changed.notify_all()

    def _is_black(self, bgr: Bgr) -> bool:
        if float(bgr[::EVERY_PX, ::EVERY_PX].mean()) >= self._black_below:
            self._black_since = None
            return False
        self._vitals.count("frames_black")
        now = self._clock()
        if self._black_since is None:
            self._black_since = now
        if now - self._black_since >= BLACK_S:
            self._tell(f"{self._name}: the picture is black; is the lens covered, or the light off?")
        return True
