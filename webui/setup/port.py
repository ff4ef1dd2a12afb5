"""What the set-up pages need from the table; `device` provides it, tests hand in a fake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from webui.ports import Answer

Corners = tuple[tuple[float, float], ...]
"""Four (x, y) in pixels of the picture, clockwise from the top left of the field of 24 points."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A still picture of the table (JPEG), its width and height in pixels, and where the board was found in it.

    `corners` is None where no board was found surely enough.
    """

    jpeg: bytes
    size_px: tuple[int, int]
    corners: Corners | None


@dataclass(frozen=True, slots=True)
class SelfTest:
    """What came of learning the table from the start position.

    `refused` says in a sentence why nothing was learned; empty: it was, and the rest is told. `right` of `checkers`
    stand where they should. `home` is where white's home lies in the picture (`bottom-right` …), `home_told` whether
    the position says so. `colours` are white's and black's checkers (red, green, blue); `alike` warns that they differ
    little. The light may be `dark`, `blown` (too bright to show colours) or darker at one `dim_at`: `left`, `right`,
    `top`, `bottom`.
    """

    refused: str = ""
    right: int = 0
    checkers: int = 30
    home: str = "bottom-right"
    home_told: bool = True
    colours: tuple[tuple[int, int, int], tuple[int, int, int]] | None = None
    alike: bool = False
    dark: bool = False
    blown: bool = False
    dim_at: str = ""


class SetupPort(Protocol):
    """The set-up of one table, safe to call from any thread; one set-up at a time."""

    @property
    def needed(self) -> bool:
        """Whether nobody has said yet who plays at this table: a first start."""
        ...

    @property
    def learned(self) -> bool:
        """Whether a table that was learned here is in use, and could be thrown away."""
        ...

    @property
    def given(self) -> str:
        """The table file that was given at the start, and is read again at the next one; empty for none."""
        ...

    def look(self) -> Sight | None:
        """A new picture, with the board looked for in it; None while the camera gives none.

        What was learned from the last one and not kept is forgotten.
        """
        ...

    def sight(self) -> Sight | None:
        """The picture that was last looked at."""
        ...

    def learn(self, corners: Corners) -> SelfTest:
        """Learn the table from the picture that was looked at last, its board between these corners or near by."""
        ...

    def tested(self) -> SelfTest | None:
        """What came of the last `learn`."""
        ...

    def keep(self, home: str) -> Answer:
        """Use the table that was learned, at once and after a restart; `home` counts where the position tells none."""
        ...

    def forget(self) -> Answer:
        """Throw the learned table away: the board is looked for again, or the given table used."""
        ...
