"""Pictures that were taken before: single files, a folder, a video."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock

import cv2
import numpy as np

from device.errors import naming
from vision.errors import SourceError
from vision.frame import Frame
from vision.picture import decode

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".gif", ".ppm", ".mpo"})
VIDEOS = frozenset({".mp4", ".avi", ".mkv", ".mov", ".m4v", ".webm", ".mjpeg", ".mjpg", ".mpg", ".mpeg", ".ts"})
STILL_S = 1.0
"""Seconds between two photos of a recorded game, for want of their real times."""
USUAL_FPS = 25.0


def natural(path: Path) -> tuple[tuple[int, int | str], ...]:
    """Sort key by which picture 2 comes before picture 10."""
    parts = re.split(r"(\d+)", path.name.casefold())
    key: list[tuple[int, int | str]] = [(0, int(part)) if part.isdecimal() else (1, part) for part in parts]
    return (*key, (2, path.name))  # 01 and 1 are the same number but not the same picture


def read_frame(path: Path, at_s: float = 0.0) -> Frame:
    """The picture in a file. Raises DeviceError or OSError, naming the file."""
    with naming(path):
        return Frame(decode(path.read_bytes()), at_s, path.name)


class PictureFiles:
    """Photos of a quiet table, one after the other, a second apart."""

    stills = True

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = tuple(paths)

    @classmethod
    def of_folder(cls, folder: Path) -> PictureFiles:
        """All pictures in `folder`, in natural order. Raises SourceError when there is none.

        Hidden files are left out: a Mac puts a `._1.jpg`, which is no picture, beside every `1.jpg` on a stick.
        """
        named = (p for p in folder.iterdir() if p.suffix.lower() in PICTURES and not p.name.startswith("."))
        paths = sorted((p for p in named if not p.is_dir()), key=natural)
        if not paths:
            raise SourceError(f"{folder}: there is no picture in this folder")
        return cls(paths)

    @property
    def length(self) -> int:
        """How many pictures there are."""
        return len(self.paths)

    def frames(self) -> Iterator[Frame]:
        """The pictures. Raises DeviceError for one that cannot be read."""
        for k, path in enumerate(self.paths):
            yield read_frame(path, k * STILL_S)

    def close(self) -> None:
        """Nothing is held open."""


class Video:
    """A video file, every frame of it."""

    stills = False

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise SourceError(f"{path}: there is no such file")
        self.path = path
        self._one_at_a_time = Lock()  # a capture that is closed while it reads takes the process down
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise SourceError(f"{path}: this is no video that can be read")

    @property
    def length(self) -> int | None:
        """How many frames there are, as the file says; None where it does not."""
        count = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        return count if count > 0 else None

    def frames(self) -> Iterator[Frame]:
        """The frames in order, their times from the frame rate."""
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        fps = fps if 1 <= fps <= 240 else USUAL_FPS
        number = 0
        while True:
            with self._one_at_a_time:
                open_still = self._capture.isOpened()
                there, bgr = self._capture.read()
            if not there:
                break
            yield Frame(np.asarray(bgr, dtype=np.uint8), number / fps, f"{self.path.name}#{number}")
            number += 1
        if number == 0 and open_still:
            raise SourceError(f"{self.path}: not one frame could be read")

    def close(self) -> None:
        """Close the file, from any thread; frames end."""
        with self._one_at_a_time:
            self._capture.release()
