"""A USB camera through Video4Linux."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Lock
from time import monotonic
from typing import Any, Protocol

import cv2
import numpy as np

from device.config import CameraSettings
from vision.errors import SourceError
from vision.frame import Frame

SIZE_PX = (1280, 720)
LOST_AFTER = 5
"""Failed reads in a row after which the camera counts as gone."""


class Capture(Protocol):
    """As much of OpenCV's VideoCapture as is used here."""

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's names)
        """Whether a camera answers."""
        ...

    def set(self, prop: int, value: float) -> bool:
        """Ask for a setting; False where the driver has none."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Whether there was a picture, and the picture."""
        ...

    def release(self) -> None:
        """Let go of the camera."""
        ...


def v4l2(index: int) -> Capture:
    """Camera `/dev/videoN` as Linux has it."""
    capture: Capture = cv2.VideoCapture(index, cv2.CAP_V4L2)
    return capture


class UsbCamera:
    """Camera number `index` (`usb:0` is the first); always the newest picture, none is queued."""

    stills = False

    def __init__(
        self, index: int, settings: CameraSettings | None = None, *, opened: Callable[[int], Capture] = v4l2
    ) -> None:
        self.index = index
        settings = settings or CameraSettings()
        self._one_at_a_time = Lock()  # a capture that is closed while it reads takes the process down
        self._capture = opened(index)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(f"usb:{index}: no camera answers there; is it plugged in, and is the number right?")
        width, height = settings.size_px or SIZE_PX
        asked = {
            cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(
                *"MJPG"
            ),  # uncompressed, USB 2 carries 5 such pictures a second
            cv2.CAP_PROP_FRAME_WIDTH: width,
            cv2.CAP_PROP_FRAME_HEIGHT: height,
            cv2.CAP_PROP_FPS: settings.fps,
            cv2.CAP_PROP_BUFFERSIZE: 1,
        }
        for prop, value in asked.items():
            self._capture.set(prop, value)

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
