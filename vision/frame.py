"""One picture and its time, and where such pictures come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Bgr = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture: `bgr` is height × width × 3, uint8; `at_s` its time on the source's clock; `name` its name there."""

    bgr: Bgr
    at_s: float
    name: str


class FrameSource(Protocol):
    """Anything that gives pictures in the order of time: a camera, a video, a folder, the simulator."""

    stills: bool
    """True when every picture was taken of a quiet table (a folder of photos); False for a stream."""

    def frames(self) -> Iterator[Frame]:
        """The pictures, newest kept when the reader is slow. Raises SourceError when the source fails."""
        ...

    def close(self) -> None:
        """Let go of the hardware or the file; safe to call twice."""
        ...
