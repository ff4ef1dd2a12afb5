"""A Picamera2 without a camera: the shipped fake at the seam of device/cameras/pi.py, for tests and for trying out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

import numpy as np
import numpy.typing as npt

Values = dict[str, object]

KNOWN: dict[str, tuple[object, object, object]] = {
    "AeEnable": (False, True, True),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1_000_000, None),
    "AfMode": (0, 2, 0),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "AwbEnable": (False, True, True),
    "ColourGains": (0.0, 32.0, None),
    "ExposureTime": (14, 11_767_556, 20_000),
    "FrameDurationLimits": (16_971, 11_767_556, None),
    "LensPosition": (0.0, 32.0, 1.0),
    "ScalerCrop": ((0, 0, 64, 64), (0, 0, 4608, 2592), (0, 0, 4608, 2592)),
}
"""What a camera module 3 offers: least, most, default."""
LATE_FRAMES = 3
"""Controls show so many frames after they were set."""


class FakeRequest:
    """One picture in its buffer."""

    def __init__(self, main: npt.NDArray[np.uint8], lores: npt.NDArray[np.uint8], metadata: Values) -> None:
        self._arrays, self._metadata = {"main": main, "lores": lores}, metadata

    def make_array(self, name: str) -> npt.NDArray[np.uint8]:
        """The picture of a stream."""
        return self._arrays[name]

    def get_metadata(self) -> Values:
        """What the camera says of it."""
        return dict(self._metadata)


class FakePicamera2:
    """Grey pictures of `level`, in a light that automatic exposure meets after `settles` frames.

    Refuses, as the real one does, controls and formats that it does not know. `on_frame` may change it, or raise,
    before each frame. `fail` names a call that fails.
    """

    def __init__(self, *, known: dict[str, tuple[object, object, object]] | None = None) -> None:
        self.camera_controls = dict(KNOWN if known is None else known)
        self.level, self.settles = 120, 5
        self.light = {"ExposureTime": 18_700, "AnalogueGain": 2.0, "ColourGains": (1.8, 2.1), "LensPosition": 1.25}
        self.on_frame: Callable[[FakePicamera2, int], object] = lambda _camera, _number: None
        self.fail = ""
        self.config: Values = {}
        self.set: Values = {}
        self.cycles = self.closed = 0
        self._coming: list[tuple[int, Values]] = []
        self._number = 0

    def create_video_configuration(
        self, main: Values, lores: Values, controls: Values, buffer_count: int
    ) -> dict[str, object]:
        """The streams and first controls."""
        self._refuse_unknown(controls)
        if (main["format"], lores["format"]) != ("RGB888", "YUV420"):
            raise RuntimeError(f"formats {main['format']} and {lores['format']} are not known")
        return {"main": main, "lores": lores, "controls": controls, "buffer_count": buffer_count}

    def configure(self, camera_config: Values) -> None:
        """Take the configuration."""
        self._try("configure")
        self.config = camera_config
        controls = camera_config["controls"]
        assert isinstance(controls, dict)
        self.set = dict(controls)

    def start(self) -> None:
        """Begin to give pictures."""
        self._try("start")

    def autofocus_cycle(self, wait: float) -> bool:
        """Focus; whether it could."""
        assert wait > 0
        self.cycles += 1
        if self.fail == "focus":
            raise TimeoutError
        return self.fail != "blur"

    def set_controls(self, controls: Values) -> None:
        """Set controls; they show some frames later."""
        self._refuse_unknown(controls)
        self._coming.append((self._number + LATE_FRAMES, dict(controls)))

    @contextmanager
    def captured_request(self, wait: float, flush: bool) -> Iterator[FakeRequest]:
        """The next picture."""
        assert wait > 0
        assert flush
        self._try("capture")
        while self._coming and self._coming[0][0] <= self._number:
            self.set |= self._coming.pop(0)[1]
        self.on_frame(self, self._number)
        self._number += 1
        main = self.config["main"]
        assert isinstance(main, dict)
        width, height = main["size"]
        picture = np.full((height, width, 3), self.level, np.uint8)
        small = np.full((360, 320), self.level, np.uint8)
        yield FakeRequest(picture, small, self._metadata())

    def close(self) -> None:
        """Let go of the camera."""
        self.closed += 1

    def _metadata(self) -> Values:
        shown: Values = dict(self.light)
        if self._number < self.settles:
            shown["ExposureTime"] = self.light["ExposureTime"] * self._number // self.settles + 100  # type: ignore[operator]
        if not self.set.get("AeEnable"):
            shown |= {name: self.set[name] for name in ("ExposureTime", "AnalogueGain") if name in self.set}
        if not self.set.get("AwbEnable") and "ColourGains" in self.set:
            shown["ColourGains"] = self.set["ColourGains"]
        if "LensPosition" not in self.camera_controls:
            del shown["LensPosition"]
        return shown | {"ScalerCrop": (0, 0, 4608, 2592), "Lux": 310.0}

    def _try(self, call: str) -> None:
        if self.fail == call:
            raise RuntimeError("Device or resource busy")

    def _refuse_unknown(self, controls: Values) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")


def module_with(camera: Callable[[], FakePicamera2]) -> ModuleType:
    """A module `picamera2` whose Picamera2 is `camera`."""
    module = ModuleType("picamera2")
    module.__dict__["Picamera2"] = camera
    return module
