"""From the word on the command line to a source of pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from device.cameras.files import VIDEOS, PictureFiles, Video
from device.cameras.light import Memory
from device.cameras.paced import Paced
from device.cameras.pi import PiCamera
from device.cameras.sim import SimCamera
from device.cameras.usb import UsbCamera
from device.config import CameraSettings
from vision.errors import SourceError
from vision.frame import FrameSource

KINDS = "picamera, usb:0, a video, a folder of pictures, or sim (sim:7 for another game)"


@dataclass(frozen=True, slots=True)
class SourceName:
    """A source as the user named it: `kind` is picamera, usb, sim, video or folder, `detail` its number or path."""

    kind: str
    detail: str = ""

    @property
    def live(self) -> bool:
        """A camera that never ends by itself."""
        return self.kind in ("picamera", "usb")

    @property
    def stills(self) -> bool:
        """Photos of a quiet table, not a stream."""
        return self.kind == "folder"

    @property
    def lasting(self) -> bool:
        """A table that goes on where it was after a restart: a camera's, or the drawn one."""
        return self.live or self.kind == "sim"

    def __str__(self) -> str:
        return self.kind if not self.detail else f"{self.kind}:{self.detail}"


def parse_source(text: str) -> SourceName:
    """What `text` names. Raises SourceError when it names nothing that exists."""
    if text == "picamera":
        return SourceName("picamera")
    numbered = re.fullmatch(r"(usb|sim)(?::(\d{1,9}))?", text)
    if numbered:
        return SourceName(numbered[1], numbered[2] or "0")
    path = Path(text)
    if path.is_dir():
        return SourceName("folder", str(path.resolve()))
    if path.is_file() and path.suffix.lower() in VIDEOS:
        return SourceName("video", str(path.resolve()))
    if path.is_file():
        raise SourceError(f"{text}: not a video that can be read; the source is {KINDS}")
    raise SourceError(f"{text}: there is no such source; it is {KINDS}")


def default_source() -> SourceName:
    """The first camera that is there, else the drawn table."""
    if Path("/dev/media0").exists() and Path("/dev/v4l-subdev0").exists():
        return SourceName("picamera")
    if Path("/dev/video0").exists():
        return SourceName("usb", "0")
    return SourceName("sim", "0")


def open_source(
    name: SourceName,
    data_dir: Path,
    settings: CameraSettings | None = None,
    *,
    light: Memory | None = None,
    warn: Callable[[str], object] = lambda _text: None,
) -> FrameSource:
    """The source, opened; recordings are shown at their own pace.

    `settings` and `light` (what was fixed before) are those of a live camera, and `warn` hears what is not well with
    it. Raises SourceError when it does not answer.
    """
    match name.kind:
        case "picamera":
            return PiCamera(settings, light, warn)
        case "usb":
            return UsbCamera(int(name.detail), settings)
        case "sim":
            return SimCamera(int(name.detail), data_dir / f"sim-{name.detail}.json")
        case "folder":
            return Paced(PictureFiles.of_folder(Path(name.detail)))
        case _:
            return Paced(Video(Path(name.detail)))
