"""The table, its board and pieces, the lamps and the camera: everything that stays the same all evening."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from calibration.camera import Camera
from calibration.geometry import Corners
from calibration.orientation import Home
from rules.position import Player

Bgr3 = tuple[int, int, int]


def shade(bgr: Bgr3, by: float) -> Bgr3:
    """The colour, darker or lighter."""
    b, g, r = bgr
    return max(0, min(255, round(b * by))), max(0, min(255, round(g * by))), max(0, min(255, round(r * by)))


class Surface(StrEnum):
    """What the playing field is made of."""

    FELT = "felt"
    LEATHER = "leather"
    CORK = "cork"
    WOOD = "wood"
    PRINT = "print"


class PointShape(StrEnum):
    """The outline of the 24 points."""

    TRIANGLE = "triangle"
    ROUND_TIP = "round_tip"
    ROUND_BASE = "round_base"
    OUTLINE = "outline"
    ARROW = "arrow"


@dataclass(frozen=True, slots=True)
class Board:
    """The board in millimetres.

    The field is 12 points and the bar wide; `tray_mm` is 0 without trays, else there is one on either side.
    Heights are above the playing surface, which itself is `depth_mm` above the table. `point_length` is a share
    of half the field, `point_width` of a point's own width. `ground` is the table top under the board, `ground_mm`
    its width and depth, `floor_bgr` the room beyond it.
    """

    point_mm: float = 42.0
    height_mm: float = 470.0
    bar_mm: float = 46.0
    bar_height_mm: float = 10.0
    rail_mm: float = 22.0
    rail_height_mm: float = 12.0
    tray_mm: float = 58.0
    depth_mm: float = 12.0
    surface: Surface = Surface.FELT
    shape: PointShape = PointShape.TRIANGLE
    point_length: float = 0.80
    point_width: float = 0.92
    field_bgr: Bgr3 = (118, 132, 106)
    points_bgr: tuple[Bgr3, Bgr3] = ((166, 196, 208), (62, 62, 122))
    rail_bgr: Bgr3 = (48, 72, 106)
    bar_bgr: Bgr3 = (48, 72, 106)
    tray_bgr: Bgr3 = (88, 99, 80)
    hinges: bool = False
    ornament: bool = False
    ground_bgr: Bgr3 = (70, 78, 84)
    ground: Surface = Surface.WOOD
    ground_mm: tuple[float, float] = (1600.0, 1100.0)
    floor_bgr: Bgr3 = (52, 56, 60)
    gloss: float = 0.0

    @property
    def width_mm(self) -> float:
        """The field's width with the bar."""
        return 12 * self.point_mm + self.bar_mm

    def mm(self, xy: tuple[float, float]) -> tuple[float, float]:
        """Table space of a place in field space."""
        return (xy[0] - 0.5) * self.width_mm, (xy[1] - 0.5) * self.height_mm

    @property
    def outline_mm(self) -> tuple[float, float]:
        """Half the width and half the height of the whole board with rails and trays."""
        beside = 2 * self.rail_mm + self.tray_mm if self.tray_mm else self.rail_mm
        return self.width_mm / 2 + beside, self.height_mm / 2 + self.rail_mm

    def column_mm(self, column: int) -> float:
        """Table-space x of the middle of column 0–11 as seen."""
        return (column - 5.5) * self.point_mm + (self.bar_mm / 2 if column > 5 else -self.bar_mm / 2)

    def on_field(self, x_mm: float, y_mm: float) -> bool:
        """Whether a place lies on the playing surface, not on the bar or beyond the field."""
        inside = abs(x_mm) < self.width_mm / 2 and abs(y_mm) < self.height_mm / 2
        return inside and abs(x_mm) >= self.bar_mm / 2

    def height_at(self, x_mm: float, y_mm: float) -> float:
        """How high the board stands under a place: on the bar, on a rail, in a tray, beside it on the table."""
        x, y = abs(x_mm), abs(y_mm)
        half_w, half_h = self.width_mm / 2, self.height_mm / 2
        out_w, out_h = self.outline_mm
        if x > out_w or y > out_h:
            return -self.depth_mm
        if y > half_h or half_w < x <= half_w + self.rail_mm or x > out_w - self.rail_mm:
            return self.rail_height_mm
        return self.bar_height_mm if x < self.bar_mm / 2 else 0.0


class CheckerKind(StrEnum):
    """The shape and stuff of a checker."""

    FLAT = "flat"
    RIMMED = "rimmed"
    RINGED = "ringed"
    CONCAVE = "concave"
    DOMED = "domed"
    PEARL = "pearl"
    WOOD = "wood"


@dataclass(frozen=True, slots=True)
class Checkers:
    """The checkers of both players; `sloppy` is how far from its place a checker may stand, in radii.

    `pushed` 1 puts them against the rail and each other, less leaves gaps. `layer` checkers stand beside each
    other on a point before the next one is put on top; `leaning` is the share of checkers that lean; those on the
    bar begin at `bar_from`, a share of the field's height from its edge, and go on outwards.
    """

    diameter_mm: float = 36.0
    thickness_mm: float = 9.0
    kind: CheckerKind = CheckerKind.RIMMED
    white_bgr: Bgr3 = (214, 232, 240)
    black_bgr: Bgr3 = (120, 66, 44)
    gloss: float = 0.2
    sloppy: float = 0.05
    pushed: float = 1.0
    layer: int = 5
    leaning: float = 0.0
    bar_from: float = 0.36
    on_edge: bool = True
    """Borne-off checkers stand on their edge in the tray, not flat."""

    def bgr(self, player: Player) -> Bgr3:
        """The colour of a player's checkers."""
        return self.white_bgr if player is Player.WHITE else self.black_bgr


@dataclass(frozen=True, slots=True)
class Dice:
    """One player's pair: the edge in millimetres, how round it is (share of the edge), its colours."""

    size_mm: float = 15.0
    roundness: float = 0.18
    body_bgr: Bgr3 = (238, 240, 242)
    pip_bgr: Bgr3 = (28, 26, 26)
    pip_size: float = 0.19
    numerals: bool = False
    gloss: float = 0.4


@dataclass(frozen=True, slots=True)
class Doubler:
    """The doubling cube: its edge, colours, whether its numbers are engraved, a logo in place of the 64."""

    size_mm: float = 28.0
    roundness: float = 0.12
    body_bgr: Bgr3 = (228, 236, 238)
    ink_bgr: Bgr3 = (40, 30, 30)
    font: int = 1
    engraved: bool = False
    logo: bool = False


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp: where it hangs, how bright (1 lights the field alone), its colour, its size for soft shadows."""

    position_mm: tuple[float, float, float] = (-250.0, -350.0, 1500.0)
    strength: float = 0.5
    bgr: tuple[float, float, float] = (0.97, 1.0, 1.03)
    radius_mm: float = 140.0


@dataclass(frozen=True, slots=True)
class Light:
    """All light: lamps, what comes from everywhere, a window that wanders, the shadow of the camera's arm.

    `window` is the direction it shines from and how strongly; `wander_per_s` how fast that changes.
    `arm` is the shadow of the camera's arm: two places in field space and its width in millimetres.
    """

    lamps: tuple[Lamp, ...] = (Lamp(),)
    ambient: float = 0.6
    window_rad: float = 0.0
    window: float = 0.0
    wander_per_s: float = 0.0
    arm: tuple[tuple[float, float], tuple[float, float], float] | None = None


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the camera does to the picture besides geometry: all of it off is a perfect camera.

    `exposure` and `balance_bgr` multiply, `flicker` changes exposure from frame to frame, `noise` is sigma in
    grey levels, `motion_px` and `motion_rad` a smear, `jpeg` a quality (0: none), `vignette` the loss in the
    corners, `dust` a number of spots, `drift_px_per_s` a mount that sinks, `banding` the rolling shutter's
    bands under a lamp that flickers. `h264` is the quantiser's parameter (1–51) of a camera that compresses with
    H.264 in place of JPEG (0: none), `key_every` the number of frames from one key frame to the next; `shutter_s`
    is for how long each frame of a film is exposed.
    """

    exposure: float = 1.1
    balance_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    flicker: float = 0.0
    blur_px: float = 0.6
    motion_px: float = 0.0
    motion_rad: float = 0.0
    noise: float = 2.5
    jpeg: int = 0
    h264: int = 0
    key_every: int = 50
    shutter_s: float = 0.02
    vignette: float = 0.12
    dust: int = 0
    drift_px_per_s: tuple[float, float] = (0.0, 0.0)
    banding: float = 0.0


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody's hands: skin and sleeve, how thick the wrist is, right- or left-handed, how quick."""

    skin_bgr: Bgr3 = (138, 172, 222)
    sleeve_bgr: Bgr3 = (92, 66, 52)
    wrist_mm: float = 58.0
    right_handed: bool = True
    pace: float = 1.0
    sleeve: float = 0.7
    """Share of the forearm that the sleeve covers: 0 is a bare arm."""


def _overhead() -> Camera:
    return Camera.looking((960, 600), 1050.0, distance_mm=940.0, oblique_rad=0.10, target_mm=(0.0, 4.0))


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that stays. `people` are the near player, the far player, then onlookers; `seed` decides
    where exactly each checker is put and how its grain runs.
    """

    board: Board = field(default_factory=Board)
    checkers: Checkers = field(default_factory=Checkers)
    dice: tuple[Dice, Dice] = (Dice(), Dice(body_bgr=(40, 36, 150), pip_bgr=(236, 236, 240)))
    cube: Doubler = field(default_factory=Doubler)
    light: Light = field(default_factory=Light)
    camera: Camera = field(default_factory=_overhead)
    sensor: Sensor = field(default_factory=Sensor)
    people: tuple[Person, ...] = (Person(), Person((92, 120, 172), (70, 70, 74), right_handed=False), Person())
    home: Home = Home.BOTTOM_RIGHT
    seed: int = 0

    @property
    def size_px(self) -> tuple[int, int]:
        """The picture's width and height."""
        return self.camera.size_px

    @property
    def corners(self) -> Corners:
        """The field's corners in the picture: TL TR BR BL."""
        x, y = self.board.width_mm / 2, self.board.height_mm / 2
        seen = self.camera.project([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)])
        a, b, c, d = ((float(u), float(v)) for u, v in seen)
        return a, b, c, d

    @property
    def bar(self) -> tuple[float, float]:
        """The bar's left and right edge in field space."""
        half = self.board.bar_mm / self.board.width_mm / 2
        return 0.5 - half, 0.5 + half

    @property
    def tray_x(self) -> float:
        """Field-space x of the middle of the tray beside the home boards."""
        beside = (self.board.rail_mm + self.board.tray_mm / 2) / self.board.width_mm
        return 1 + beside if self.home.at_right else -beside

    def dice_of(self, player: Player) -> Dice:
        """The pair that a player throws."""
        return self.dice[0 if player is Player.WHITE else 1]

    def scaled(self, width_px: int, height_px: int) -> Table:
        """The same table in a picture of another size."""
        return replace(self, camera=self.camera.scaled(width_px, height_px))

    def bumped(self, bump: tuple[float, float, float]) -> Table:
        """The table after its board was pushed."""
        return replace(self, camera=self.camera.moved(bump[:2], bump[2])) if any(bump) else self
