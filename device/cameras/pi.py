"""The Raspberry Pi's own camera through picamera2 (Debian's python3-picamera2)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from time import monotonic
from typing import Any

import numpy as np

from vision.errors import SourceError
from vision.frame import Frame

SIZE_PX = (1920, 1080)
BUFFERS = 4


class PiCamera:
    """The first camera on the ribbon cable. picamera2's "RGB888" is B, G, R in memory, as OpenCV wants it."""

    stills = False

    def __init__(self) -> None:
        try:
            module: Any = import_module("picamera2")
        except ImportError as error:
            raise SourceError(
                f"picamera: picamera2 is not there ({error}); "
                "sudo apt install --no-install-recommends python3-picamera2"
            ) from None
        try:
            self._camera = module.Picamera2()
        except (RuntimeError, IndexError) as error:
            raise SourceError(f"picamera: no camera answers ({error}); check the ribbon cable") from None
        main = {"size": SIZE_PX, "format": "RGB888"}
        try:
            self._camera.configure(self._camera.create_video_configuration(main=main, buffer_count=BUFFERS))
            self._camera.start()
        except RuntimeError as error:
            self._camera.close()  # else the next try finds it taken
            raise SourceError(f"picamera: the camera does not start ({error})") from None

    def frames(self) -> Iterator[Frame]:
        """The newest picture each time. Raises SourceError when the camera fails."""
        started, number = monotonic(), 0
        while True:
            try:
                with self._camera.captured_request(flush=True) as request:
                    bgr = np.array(request.make_array("main"), dtype=np.uint8)
            except RuntimeError as error:
                raise SourceError(f"picamera: the camera gives no more pictures ({error})") from None
            yield Frame(bgr, monotonic() - started, f"pi#{number}")
            number += 1

    def close(self) -> None:
        """Stop the camera."""
        self._camera.close()
