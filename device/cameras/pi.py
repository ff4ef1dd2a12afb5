"""The Raspberry Pi's own camera through picamera2 (Debian's python3-picamera2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from time import monotonic
from typing import Any

import numpy as np

from device.cameras.light import LightLock, Memory, automatic, locked
from device.config import CameraSettings
from vision.errors import SourceError
from vision.frame import Frame

SIZE_PX = (1920, 1080)
SMALL_PX = (320, 240)
"""The second, small stream, by which the light is watched; its rows need no padding."""
BUFFERS = 6
FOCUS_S = 10.0
TROUBLE: tuple[type[Exception], ...] = (RuntimeError, TimeoutError, OSError)
"""What picamera2 raises when the camera fails, or when a picture that it was to wait for does not come."""


class PiCamera:
    """The first camera on the ribbon cable. picamera2's "RGB888" is B, G, R in memory, as OpenCV wants it.

    It starts automatic; once the light is measured, exposure, gains, white balance and focus are fixed and then looked
    after (device/cameras/light.py). `memory` keeps them beyond this opening; `warn` hears what is not as it was set.
    """

    stills = False

    def __init__(
        self,
        settings: CameraSettings | None = None,
        memory: Memory | None = None,
        warn: Callable[[str], object] = lambda _text: None,
    ) -> None:
        self._settings = settings or CameraSettings()
        self._warn = warn
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
        try:
            self._start()
        except RuntimeError as error:
            self._camera.close()  # else the next try finds it taken
            raise SourceError(f"picamera: the camera does not start ({error})") from None
        self._light = self._light_lock(memory or Memory()) if self._settings.lock else None

    def frames(self) -> Iterator[Frame]:
        """The newest picture each time. Raises SourceError when the camera fails."""
        started, number = monotonic(), 0
        while True:
            try:
                with self._camera.captured_request(wait=self._settings.stall_s, flush=True) as request:
                    bgr = np.array(request.make_array("main"), dtype=np.uint8)
                    metadata = request.get_metadata()
                    brightness = float(np.mean(request.make_array("lores")[: SMALL_PX[1]]))
                at_s = monotonic() - started
                self._look_after_the_light(metadata, brightness, at_s)
            except TROUBLE as error:
                why = str(error) or "no picture came"
                raise SourceError(f"picamera: the camera gives no more pictures ({why})") from None
            yield Frame(bgr, at_s, f"pi#{number}")
            number += 1

    def close(self) -> None:
        """Stop the camera."""
        self._camera.close()

    def _start(self) -> None:
        main = {"size": self._settings.size_px or SIZE_PX, "format": "RGB888"}
        small = {"size": SMALL_PX, "format": "YUV420"}
        auto = self._allowed(automatic(self._settings.mains_hz, self._settings.fps))
        self._camera.configure(
            self._camera.create_video_configuration(main=main, lores=small, controls=auto, buffer_count=BUFFERS)
        )
        self._camera.start()
        self._focus()

    def _focus(self) -> None:
        if "AfMode" not in self._camera.camera_controls:
            return
        try:
            focused = self._camera.autofocus_cycle(wait=FOCUS_S)
        except TimeoutError:
            focused = False
        if not focused:
            self._warn("picamera: the camera finds no focus; is the board at least 10 cm away and lit?")

    def _light_lock(self, memory: Memory) -> LightLock:
        settings, offered = self._settings, self._camera.camera_controls
        least, most, _ = offered["AnalogueGain"]
        fix = partial(locked, mains_hz=settings.mains_hz, fps=settings.fps, gains=(float(least), float(most)))
        auto = automatic(settings.mains_hz, settings.fps)
        return LightLock(memory, fix, auto, lambda text: self._warn(f"picamera: {text}"))

    def _look_after_the_light(self, metadata: dict[str, object], brightness: float, at_s: float) -> None:
        controls = self._light.step(metadata, brightness, at_s) if self._light is not None else None
        if controls is not None:
            self._camera.set_controls(self._allowed(controls))
            if controls["AeEnable"]:  # measured anew
                self._focus()

    def _allowed(self, controls: dict[str, object]) -> dict[str, object]:
        """Those that this camera knows: not every one has a lens to move, nor every libcamera flicker periods."""
        return {name: value for name, value in controls.items() if name in self._camera.camera_controls}
