"""The board as a drawing: where every checker, number, die and the cube go, in units of the view box.

White sits at the bottom. The field is 12 points wide with the bar in its middle; a tray stands at
either end: one for the checkers borne off, the other for the cube. Nothing here is a hint (R47):
only what lies on the table is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.cube import Cube
from rules.position import BAR, OFF, POINTS, Player, Position
from rules.roll import Roll

WIDTH, HEIGHT = 1064, 792
FIELD_TOP, FIELD_BOTTOM = 48, 744
MIDDLE = (FIELD_TOP + FIELD_BOTTOM) // 2
POINT_WIDTH = 64
POINT_HEIGHT = 296
TRAY_WIDTH = 72
TRAYS_X = (20, WIDTH - 20 - TRAY_WIDTH)
HALVES_X = (116, 564)
HALF_WIDTH = 6 * POINT_WIDTH
BAR_X = WIDTH // 2
RADIUS = 28
STACK = 5
"""Checkers drawn in a stack; a larger one carries its number."""


@dataclass(frozen=True, slots=True)
class PointView:
    """A triangle: its `shape` as an SVG path, whether it is of the dark wood, and the number written beside it."""

    shape: str
    dark: bool
    x: int
    number: int
    number_y: int


@dataclass(frozen=True, slots=True)
class CheckerView:
    """A checker; `count` is the size of its stack where that is too large to draw."""

    player: Player
    x: int
    y: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class TrayView:
    """Checkers borne off, seen from their edge: the top of each slab, and where their number stands."""

    player: Player
    x: int
    slabs: tuple[int, ...]
    count: int
    count_y: int


@dataclass(frozen=True, slots=True)
class DieView:
    """A die: its number, its middle, whose it is (None before the opening is decided)."""

    pips: int
    x: int
    y: int
    player: Player | None


@dataclass(frozen=True, slots=True)
class CubeView:
    """The cube: the number up, its middle, whether it is offered, whether it is out of play (Crawford game)."""

    value: int
    x: int
    y: int
    offered: bool
    resting: bool


@dataclass(frozen=True, slots=True)
class BoardView:
    """All that is drawn."""

    points: tuple[PointView, ...]
    checkers: tuple[CheckerView, ...]
    trays: tuple[TrayView, ...]
    dice: tuple[DieView, ...]
    cube: CubeView


def board_view(
    position: Position,
    *,
    home_right: bool = True,
    counted_by: Player = Player.WHITE,
    roll: Roll | None = None,
    roller: Player | None = None,
    cube: Cube | None = None,
    crawford: bool = False,
) -> BoardView:
    """The drawing of one moment; the points carry the numbers of the player `counted_by`."""
    checkers = [c for point in POINTS for c in _on_point(position, point, home_right)]
    checkers += [c for player in Player for c in _on_bar(position, player)]
    return BoardView(
        points=tuple(_point(point, home_right, counted_by) for point in POINTS),
        checkers=tuple(checkers),
        trays=tuple(_tray(position, player, home_right) for player in Player),
        dice=_dice(roll, roller),
        cube=_cube(cube or Cube(), home_right, crawford),
    )


def point_x(point: int, home_right: bool) -> int:
    """The middle of white's `point`, in units from the left."""
    column = (point - 1) % 12
    from_left = 11 - column if (point <= 12) == home_right else column
    return HALVES_X[from_left // 6] + POINT_WIDTH * (from_left % 6) + POINT_WIDTH // 2


def _point(point: int, home_right: bool, counted_by: Player) -> PointView:
    x, top = point_x(point, home_right), point > 12
    base, tip = (FIELD_TOP, FIELD_TOP + POINT_HEIGHT) if top else (FIELD_BOTTOM, FIELD_BOTTOM - POINT_HEIGHT)
    half = POINT_WIDTH // 2
    return PointView(
        shape=f"M{x - half} {base}H{x + half}L{x} {tip}z",
        dark=point % 2 == 0,
        x=x,
        number=point if counted_by is Player.WHITE else 25 - point,
        number_y=34 if top else HEIGHT - 14,
    )


def _stack(player: Player, count: int, x: int, start_y: int, step: int) -> Iterator[CheckerView]:
    """The checkers of one stack, the last one drawn carrying the number where not all are drawn."""
    drawn = min(count, STACK)
    for i in range(drawn):
        yield CheckerView(player, x, start_y + i * step, count if i == drawn - 1 and count > STACK else None)


def _on_point(position: Position, point: int, home_right: bool) -> Iterator[CheckerView]:
    start, step = (FIELD_TOP + RADIUS + 1, 2 * RADIUS) if point > 12 else (FIELD_BOTTOM - RADIUS - 1, -2 * RADIUS)
    x = point_x(point, home_right)
    for player in Player:
        yield from _stack(
            player, position.count(player, point if player is Player.WHITE else 25 - point), x, start, step
        )


def _on_bar(position: Position, player: Player) -> Iterator[CheckerView]:
    """They wait at the end where they enter: white's at the top, black's at the bottom."""
    down = 1 if player is Player.BLACK else -1
    yield from _stack(player, position.count(player, BAR), BAR_X, MIDDLE + down * 48, down * 2 * RADIUS)


def _tray(position: Position, player: Player, home_right: bool) -> TrayView:
    count, slab = position.count(player, OFF), 17
    first, step = (FIELD_BOTTOM - slab - 4, -slab) if player is Player.WHITE else (FIELD_TOP + 4, slab)
    return TrayView(
        player=player,
        x=TRAYS_X[home_right] + TRAY_WIDTH // 2,
        slabs=tuple(first + i * step for i in range(count)),
        count=count,
        count_y=FIELD_BOTTOM - slab * count - 20 if player is Player.WHITE else FIELD_TOP + slab * count + 44,
    )


def _dice(roll: Roll | None, roller: Player | None) -> tuple[DieView, ...]:
    """Each throws into the half at his right hand; while the roll is nobody's, one die lies in either half."""
    if roll is None:
        return ()
    left, right = (x + HALF_WIDTH // 2 for x in HALVES_X)
    if roller is None:
        return DieView(roll.high, left, MIDDLE, None), DieView(roll.low, right, MIDDLE, None)
    x = right if roller is Player.WHITE else left
    return DieView(roll.high, x - 40, MIDDLE, roller), DieView(roll.low, x + 40, MIDDLE, roller)


def _cube(cube: Cube, home_right: bool, crawford: bool) -> CubeView:
    """In the tray without checkers: in its middle or with its owner; offered, at the opponent's right hand (R38)."""
    if cube.offered_by is not None:
        half = HALVES_X[0] if cube.offered_by is Player.WHITE else HALVES_X[1]
        return CubeView(2 * cube.value, half + HALF_WIDTH // 2, MIDDLE, offered=True, resting=False)
    y = {None: MIDDLE, Player.WHITE: FIELD_BOTTOM - 40, Player.BLACK: FIELD_TOP + 40}[cube.owner]
    return CubeView(cube.value, TRAYS_X[not home_right] + TRAY_WIDTH // 2, y, offered=False, resting=crawford)
