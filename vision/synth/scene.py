"""What stands on the drawn table at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from calibration.orientation import Home
from rules.position import START, Player, Position


@dataclass(frozen=True, slots=True)
class Die:
    """A die: its number, its centre in field space, its turn, whose it is."""

    pips: int
    xy: tuple[float, float]
    angle_rad: float
    player: Player


@dataclass(frozen=True, slots=True)
class CubeAt:
    """The cube: the number up, its centre in field space, its turn in quarters."""

    value: int
    xy: tuple[float, float]
    quarter: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """Checkers, dice, cube and perhaps a hand (its fingertip in field space, from the near or far side)."""

    position: Position = START
    dice: tuple[Die, ...] = ()
    cube: CubeAt = field(default_factory=lambda: CubeAt(64, (-0.075, 0.5)))
    hand: tuple[float, float, bool] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The drawn board and the camera above it.

    `size_px` is the picture's width and height; `corners` the field's corners in it (TL TR BR BL);
    `bar` the bar's left and right edge in field space. Colours are BGR.
    """

    size_px: tuple[int, int] = (960, 600)
    corners: tuple[tuple[float, float], ...] = ((128.0, 61.0), (836.0, 57.0), (844.0, 548.0), (119.0, 551.0))
    bar: tuple[float, float] = (0.46, 0.54)
    home: Home = Home.BOTTOM_RIGHT
    checker_radius: float = 0.43
    white_bgr: tuple[int, int, int] = (214, 232, 240)
    black_bgr: tuple[int, int, int] = (46, 38, 44)
    felt_bgr: tuple[int, int, int] = (118, 132, 106)
    points_bgr: tuple[tuple[int, int, int], tuple[int, int, int]] = ((166, 196, 208), (62, 62, 122))
    wood_bgr: tuple[int, int, int] = (48, 72, 106)

    def scaled(self, width_px: int, height_px: int) -> Table:
        """The same table in a picture of another size."""
        across, down = width_px / self.size_px[0], height_px / self.size_px[1]
        corners = tuple((x * across, y * down) for x, y in self.corners)
        return replace(self, size_px=(width_px, height_px), corners=corners)
