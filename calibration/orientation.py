"""Which point a column of the picture is: the four ways a board can lie before the camera (R1)."""

from __future__ import annotations

from enum import StrEnum

from calibration.geometry import COLUMNS


class Home(StrEnum):
    """Where white's home board lies in the picture; white sits on that side."""

    BOTTOM_RIGHT = "bottom-right"
    BOTTOM_LEFT = "bottom-left"
    TOP_RIGHT = "top-right"
    TOP_LEFT = "top-left"

    @property
    def at_bottom(self) -> bool:
        """White sits at the near side, the bottom of the picture."""
        return self in (Home.BOTTOM_RIGHT, Home.BOTTOM_LEFT)

    @property
    def at_right(self) -> bool:
        """White's home is the picture's right half."""
        return self in (Home.BOTTOM_RIGHT, Home.TOP_RIGHT)


def white_point(place: int, home: Home) -> int:
    """White's number (1–24) of `place`: 0–11 the top row from left to right, 12–23 the bottom row."""
    top = place < COLUMNS
    column = place % COLUMNS
    low = COLUMNS - column if home.at_right else column + 1
    return low if top != home.at_bottom else 2 * COLUMNS + 1 - low


def place_of(point: int, home: Home) -> int:
    """The place (0–23 as in `white_point`) of white's `point`."""
    low = point <= COLUMNS
    number = point if low else 2 * COLUMNS + 1 - point
    column = COLUMNS - number if home.at_right else number - 1
    top = low != home.at_bottom
    return column if top else COLUMNS + column
