"""Exposure, white balance and focus of a Pi camera: measured, fixed, and looked after in the data of every picture.

Pure: what the camera says of a picture goes in, what it shall be set to comes out. Control names are libcamera's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

Controls = dict[str, object]
Metadata = Mapping[str, object]

STEADY_FRAMES = 8
STEADY = 0.02
"""Light counts as measured once brightness and colours of so many pictures differ by no more than this share."""
MEASURE_S = 10.0
"""Light that never is steady is taken as it is after this time."""
TAKEN_FRAMES = 30
"""So many pictures after it was set, a camera must show its new setting: some are on their way already."""
DRIFT_FRAMES = 10
TOLERANCES = {"ExposureTime": 0.03, "AnalogueGain": 0.05, "ColourGains": 0.02, "LensPosition": 0.05}
"""By which share a picture's data may differ from what was set: a chip exposes whole lines, and gains come in steps."""
DARKER = 0.35
"""By which share the picture's mean may change before the light counts as changed."""
LIGHT_S = 30.0
"""So long must it have changed: arms and shadows pass."""
FLICKER_MANUAL, AF_MANUAL = 1, 0


class Phase(Enum):
    """Where the lock stands."""

    MEASURING = "measuring the light"
    SET = "setting the light"
    LOCKED = "the light is locked"


def automatic(mains_hz: int, fps: float) -> Controls:
    """How the camera starts: it measures by itself, and exposes whole periods of the lamps' flicker."""
    frame_us = round(1e6 / fps)
    return {
        "AeEnable": True,
        "AwbEnable": True,
        "AeFlickerMode": FLICKER_MANUAL,
        "AeFlickerPeriod": flicker_us(mains_hz),
        "FrameDurationLimits": (frame_us, frame_us),
    }


def flicker_us(mains_hz: int) -> int:
    """Microseconds of one flicker of lamps, twice a period of the mains."""
    return 10_000 if mains_hz == 50 else 8_333


def locked(metadata: Metadata, mains_hz: int, fps: float, gains: tuple[float, float]) -> Controls:
    """The controls that keep what a picture's metadata shows, its exposure a whole number of flicker periods.

    What exposure gains, gain loses; `gains` are the least and most gain of the camera. Light so strong that one
    period is too long even at the least gain is daylight: that exposure stays, since sun does not flicker.
    """
    exposure_us, gain = _number(metadata["ExposureTime"]), _number(metadata["AnalogueGain"])
    period_us = flicker_us(mains_hz)
    most = max(1, int(1e6 / fps) // period_us)
    whole_us = period_us * min(most, max(1, round(exposure_us / period_us)))
    least_gain, most_gain = gains
    if exposure_us * gain >= whole_us * least_gain * (1 - TOLERANCES["AnalogueGain"]):
        exposure_us, gain = whole_us, min(most_gain, max(least_gain, exposure_us * gain / whole_us))
    controls: Controls = {
        "AeEnable": False,
        "ExposureTime": int(exposure_us),
        "AnalogueGain": gain,
        "AwbEnable": False,
        "ColourGains": _pair(metadata["ColourGains"]),
    }
    if "LensPosition" in metadata:
        controls |= {"AfMode": AF_MANUAL, "LensPosition": metadata["LensPosition"]}
    if "ScalerCrop" in metadata:
        controls["ScalerCrop"] = metadata["ScalerCrop"]
    return controls


@dataclass(slots=True)
class Memory:
    """What was fixed last, beyond one opening of the camera: it is measured anew only when somebody asks."""

    controls: Controls | None = None
    brightness: float | None = None
    asked: bool = False

    def ask(self) -> None:
        """Measure the light anew, with the next picture."""
        self.asked = True


class LightLock:
    """Looks after the light of one opened camera; `warn` hears in a sentence what is not as it was set."""

    def __init__(
        self, memory: Memory, fix: Callable[[Metadata], Controls], auto: Controls, warn: Callable[[str], object]
    ) -> None:
        self._memory, self._fix, self._auto, self._warn = memory, fix, auto, warn
        self.phase = Phase.MEASURING
        self._measured: deque[tuple[float, float, float]] = deque(maxlen=STEADY_FRAMES)
        self._since_s: float | None = None
        self._frames = self._wrong = 0
        self._told = ""
        self._light_since_s: float | None = None

    def step(self, metadata: Metadata, brightness: float, at_s: float) -> Controls | None:
        """What to set after a picture with this metadata and this mean (0–255), or None."""
        if self._memory.asked:
            return self._again()
        if self.phase is Phase.MEASURING:
            return self._measure(metadata, at_s)
        wrong = self._differences(metadata)
        self._frames += 1
        if self.phase is Phase.SET:
            self._await(wrong, brightness)
        else:
            self._watch(wrong, brightness, at_s)
        return None

    def _again(self) -> Controls:
        self._memory.asked, self._memory.controls, self._memory.brightness = False, None, None
        self.phase, self._since_s = Phase.MEASURING, None
        self._measured.clear()
        return dict(self._auto)

    def _measure(self, metadata: Metadata, at_s: float) -> Controls | None:
        if self._memory.controls is None:
            if self._since_s is None:
                self._since_s = at_s
            red, blue = _pair(metadata["ColourGains"])
            light = _number(metadata["ExposureTime"]) * _number(metadata["AnalogueGain"])
            self._measured.append((light, red, blue))
            steady = len(self._measured) == STEADY_FRAMES and all(map(_steady, zip(*self._measured, strict=True)))
            if not steady and at_s - self._since_s < MEASURE_S:
                return None
            if not steady:
                self._warn("the light is not steady; exposure and white balance are fixed as they are now")
            self._memory.controls = self._fix(metadata)
        self.phase, self._frames, self._wrong, self._told = Phase.SET, 0, 0, ""
        return self._memory.controls

    def _await(self, wrong: list[str], brightness: float) -> None:
        """After setting: until a picture shows it, or too many have not."""
        if wrong and self._frames < TAKEN_FRAMES:
            return
        self.phase = Phase.LOCKED
        if self._memory.brightness is None:
            self._memory.brightness = brightness
        if wrong:
            self._say(f"the camera does not take what it was set to: {', '.join(wrong)}")

    def _watch(self, wrong: list[str], brightness: float, at_s: float) -> None:
        self._wrong = self._wrong + 1 if wrong else 0
        if self._wrong >= DRIFT_FRAMES:
            self._say(f"the camera has drifted: {', '.join(wrong)}; measure the light anew")
        reference = self._memory.brightness
        assert reference is not None
        if abs(brightness - reference) <= DARKER * reference:
            self._light_since_s = None
        elif self._light_since_s is None:
            self._light_since_s = at_s
        elif at_s - self._light_since_s >= LIGHT_S:
            than = "darker" if brightness < reference else "brighter"
            self._say(f"the table is much {than} than when the light was measured; measure it anew if it stays so")

    def _say(self, text: str) -> None:
        if text.split(":")[0] != self._told:
            self._told = text.split(":")[0]
            self._warn(text)

    def _differences(self, metadata: Metadata) -> list[str]:
        """In words what a picture's data have otherwise than it was set; what they do not tell is not known."""
        controls = self._memory.controls
        assert controls is not None
        return [
            f"{name} {_shown(metadata[name])} instead of {_shown(controls[name])}"
            for name, share in TOLERANCES.items()
            if name in controls and name in metadata and not _near(metadata[name], controls[name], share)
        ]


def _steady(values: tuple[float, ...]) -> bool:
    return max(values) - min(values) <= STEADY * max(values)


def _near(seen: object, wanted: object, share: float) -> bool:
    pairs = zip(_numbers(seen), _numbers(wanted), strict=True)
    return all(abs(a - b) <= max(share * abs(b), 0.02) for a, b in pairs)


def _numbers(value: object) -> tuple[float, ...]:
    return tuple(map(float, value)) if isinstance(value, tuple | list) else (_number(value),)


def _number(value: object) -> float:
    assert isinstance(value, int | float)
    return float(value)


def _pair(value: object) -> tuple[float, float]:
    first, second = _numbers(value)
    return first, second


def _shown(value: object) -> str:
    return " and ".join(f"{number:g}" for number in _numbers(value))
