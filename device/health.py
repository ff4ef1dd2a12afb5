"""The health of the box in figures: pictures, stages, journal, disk, memory, heat; and a file for who helps."""

from __future__ import annotations

import io
import os
import platform
import shutil
import sys
import zipfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from threading import Lock

from device.address import qr_svg
from device.cameras.light import Memory
from device.doctor import examine
from device.paths import journal_path
from device.vitals import Figures, Vitals
from webui.health import Figure, Join, exposition

MESSAGES = 200
"""So many of the last messages are kept for who helps."""
THERMAL = "sys/class/thermal/thermal_zone0/temp"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""The Pi's firmware tells here, as a hexadecimal number, what it holds back."""
THROTTLE_BITS = {0: "under-voltage", 1: "slower clock", 2: "throttled", 3: "soft temperature limit"}
COUNTS = {
    "frames": "pictures looked at",
    "frames_dropped": "pictures dropped, since a newer one was there",
    "frames_black": "black pictures",
    "stalls": "times that the camera stalled",
    "openings": "times that the camera was opened",
    "events": "events recorded",
    "refusals": "times that the journal could not be written",
}
PACKAGES = ("schiri", "numpy", "opencv-python-headless", "onnxruntime", "flask", "gunicorn", "sqlalchemy", "picamera2")


class Messages:
    """The last things that were told to who runs the box, each with its time; passes them on."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell = tell
        self._lock = Lock()
        self._last: deque[str] = deque(maxlen=MESSAGES)

    def __call__(self, text: str) -> None:
        """Keep a message and pass it on."""
        with self._lock:
            self._last.append(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} {text}")
        self._tell(text)

    def text(self) -> str:
        """All that are kept, a line each."""
        with self._lock:
            return "".join(f"{line}\n" for line in self._last)


class Health:
    """A `HealthPort` over the counters of one process; `root` holds `proc` and `sys`; `url` tells its address."""

    def __init__(
        self,
        vitals: Vitals,
        data_dir: Path,
        messages: Messages,
        settings: str,
        light: Memory | None,
        url: Callable[[], str],
        root: Path = Path("/"),
    ) -> None:
        self._vitals, self._data_dir, self._messages = vitals, data_dir, messages
        self._settings, self._light, self._url, self._root = settings, light, url, root

    def join(self) -> Join:
        """The page's address; asked for anew, since a network may come and go."""
        url = self._url()
        return Join(url, qr_svg(url))

    def figures(self) -> tuple[Figure, ...]:
        """All figures as they are now."""
        now = self._vitals.figures()
        return (*_of_pictures(now), *_of_stages(now), *self._of_the_disk(now), *_of_the_machine(self._root, now))

    def diagnostics(self) -> bytes:
        """A zip for who helps: what the doctor says, figures, versions, settings and messages."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("figures.txt", exposition(self.figures()))
            archive.writestr("versions.txt", versions())
            archive.writestr("settings.toml", self._settings)
            archive.writestr("messages.txt", self._messages.text())
            archive.writestr("doctor.txt", "".join(f"{line}\n" for line in self._doctor()))
        return packed.getvalue()

    @property
    def has_light(self) -> bool:
        """Whether the camera is one whose light is fixed."""
        return self._light is not None

    def measure_light(self) -> None:
        """Ask the camera to measure its light anew."""
        if self._light is not None:
            self._light.ask()

    def _doctor(self) -> Iterator[str]:
        for finding in examine(self._data_dir, None, journal=False):
            yield str(finding)

    def _of_the_disk(self, now: Figures) -> Iterator[Figure]:
        yield Figure(
            "schiri_journal_lag_seconds",
            "seconds for which the journal has not taken what happened",
            now.journal_lag_s,
            f"{now.journal_lag_s:.0f} s",
        )
        place = self._data_dir
        with suppress(OSError):
            free = shutil.disk_usage(place).free
            yield Figure("schiri_disk_free_bytes", "room on the disk of the record", free, f"{free / 1e9:.1f} GB")
        with suppress(OSError):
            journal = journal_path(place)
            beside = journal.with_name(journal.name + "-wal")
            size = journal.stat().st_size + (beside.stat().st_size if beside.exists() else 0)
            yield Figure("schiri_journal_bytes", "size of the journal", size, f"{size / 1e6:.1f} MB")


def _of_pictures(now: Figures) -> Iterator[Figure]:
    rate = now.frames_a_second
    yield Figure("schiri_frames_per_second", "pictures looked at in a second", rate, f"{rate:.1f}")
    if now.frame_age_s is not None:
        age = now.frame_age_s
        yield Figure("schiri_frame_age_seconds", "seconds since the last picture", age, f"{age:.1f} s")
    for key, meaning in COUNTS.items():
        count = now.counts.get(key, 0)
        yield Figure(f"schiri_{key}_total", meaning, count, f"{count}")


def _of_stages(now: Figures) -> Iterator[Figure]:
    stages = [(stage, (("stage", name),)) for name, stage in sorted(now.stages.items())]
    for stage, labels in stages:
        yield Figure(
            "schiri_stage_seconds_total", "seconds in a stage", stage.total_s, f"{stage.total_s:.1f} s", labels
        )
    for stage, labels in stages:
        yield Figure("schiri_stage_runs_total", "runs of a stage", stage.runs, f"{stage.runs}", labels)
    for stage, labels in stages:
        text = f"{1000 * stage.longest_s:.0f} ms"
        yield Figure("schiri_stage_longest_seconds", "longest run of a stage", stage.longest_s, text, labels)


def _of_the_machine(root: Path, now: Figures) -> Iterator[Figure]:
    yield Figure("schiri_up_seconds", "seconds since the start", now.up_s, f"{now.up_s / 3600:.1f} h")
    with suppress(OSError, ValueError, IndexError):
        pages = int((root / "proc/self/statm").read_text(encoding="ascii").split()[1])
        held = pages * os.sysconf("SC_PAGE_SIZE")
        yield Figure("schiri_memory_bytes", "memory in use", held, f"{held / 1e6:.0f} MB")
    with suppress(OSError, ValueError):
        celsius = int((root / THERMAL).read_text(encoding="ascii")) / 1000
        yield Figure("schiri_temperature_celsius", "temperature of the processor", celsius, f"{celsius:.0f} °C")
    with suppress(OSError, ValueError):
        bits = int((root / THROTTLED).read_text(encoding="ascii"), 16)
        for bit, what in THROTTLE_BITS.items():
            held_back = bits >> bit & 1
            labels = (("why", what),)
            text = "yes" if held_back else "earlier" if bits >> bit + 16 & 1 else "no"
            yield Figure("schiri_throttled", "the Pi is held back now", held_back, text, labels)


def versions() -> str:
    """This machine, its Python and the packages, a line each."""
    lines = [platform.platform(), f"Python {sys.version.split()[0]}"]
    for name in PACKAGES:
        try:
            lines.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            lines.append(f"{name} is not installed")
    return "".join(f"{line}\n" for line in lines)
