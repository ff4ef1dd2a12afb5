"""A USB camera through Video4Linux."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from time import monotonic

import cv2
import numpy as np

from vision.errors import SourceError
from vision.frame import Frame

SIZE_PX = (1280, 720)
LOST_AFTER = 5
"""Failed reads in a row after which the camera counts as gone."""


class UsbCamera:
    """Camera number `index` (`usb:0` is the first); always the newest picture, none is queued."""

    stills = False

    def __init__(self, index: int) -> None:
        self.index = index
        self._one_at_a_time = Lock()  # a capture that is closed while it reads takes the process down
        self._capture = cv2.VideoCapture(index)
        if not self._capture.isOpened():
            raise SourceError(f"usb:{index}: no camera answers there; is it plugged in, and is the number right?")
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE_PX[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE_PX[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def frames(self) -> Iterator[Frame]:
        """Pictures until the camera is closed. Raises SourceError when it has gone."""
        started, number, failed = monotonic(), 0, 0
        while True:
            with self._one_at_a_time:
                if not self._capture.isOpened():
                    return
                there, bgr = self._capture.read()
            if not there:
                failed += 1
                if failed >= LOST_AFTER:
                    raise SourceError(f"usb:{self.index}: the camera gives no more pictures")
                continue
            failed = 0
            yield Frame(np.asarray(bgr, dtype=np.uint8), monotonic() - started, f"usb{self.index}#{number}")
            number += 1

    def close(self) -> None:
        """Let go of the camera, from any thread; pictures end."""
        with self._one_at_a_time:
            self._capture.release()
