"""Where things are put on the table: dice, the cube, whatever falls beside the board."""

from __future__ import annotations

import random

from calibration.orientation import place_of, white_point
from rules.position import Player
from vision.synth.layout import stack_mm
from vision.synth.scene import CubeAt, Scene
from vision.synth.story.shot import Xy
from vision.synth.table import Table

BESIDE_X = -0.075
CENTRED_FACE = 64
"""The face that is up while the cube is in the middle: 64 means 1."""
PICTURE_RIGHT = (0.60, 0.94)
PICTURE_LEFT = (0.06, 0.40)
MIDDLE = (0.47, 0.53)
DICE_APART = 0.06
OUTER_EDGE_MM = 6.0


class Places:
    """Free places on one table, picked by chance."""

    def __init__(self, table: Table, chance: random.Random) -> None:
        self.table = table
        self._chance = chance

    def near(self, player: Player) -> bool:
        """Whether `player` sits at the near side."""
        return (player is Player.WHITE) == self.table.home.at_bottom

    def free_spot(self, scene: Scene, player: Player, taken: tuple[Xy, ...] = ()) -> Xy:
        """A place in the middle of the seat's right half (T1) that no long stack reaches."""
        low, high = PICTURE_RIGHT if self.near(player) else PICTURE_LEFT
        spots = [(self._chance.uniform(low, high), self._chance.uniform(*MIDDLE)) for _ in range(40)]
        clear = [xy for xy in spots if all(abs(xy[0] - t[0]) > DICE_APART for t in taken)]
        return min(clear or spots, key=lambda xy: max(0, self._reach(scene, xy[0]) - 4))

    def on_a_checker(self, scene: Scene, player: Player) -> Xy | None:
        """The middle of a checker in a stack of three or more in the seat's right half."""
        columns = range(6, 12) if self.near(player) else range(6)
        for place in (*columns, *(12 + column for column in columns)):
            count = self._standing(scene, place)
            if count >= 3:
                x, y, _ = stack_mm(self.table, place, count)[min(count, self.table.checkers.layer) - 1]
                return self.field_xy(x, y)
        return None

    def off_the_field(self) -> Xy:
        """On the bar, or on the far rail where there is no bar to speak of."""
        board = self.table.board
        if board.bar_mm >= 2 * OUTER_EDGE_MM + max(dice.size_mm for dice in self.table.dice):
            return 0.5, self._chance.uniform(*MIDDLE)
        return self.field_xy(self._chance.uniform(-0.3, 0.3) * board.width_mm, -(board.height_mm + board.rail_mm) / 2)

    def beside(self) -> Xy:
        """On the table or, where that is out of the picture, on a rail: where a checker gets that falls down."""
        board, radius = self.table.board, self.table.checkers.diameter_mm / 2
        across, down = board.outline_mm
        y = -self._chance.uniform(0.1, 0.35) * board.height_mm
        out = across + radius + OUTER_EDGE_MM
        wide, tall = self.table.size_px
        for x_mm, y_mm in ((-out, y), (out, y), (y, down + radius + OUTER_EDGE_MM)):
            u, v = self.table.camera.project([(x_mm, y_mm, -board.depth_mm)])[0]
            if 8 < u < wide - 8 and 8 < v < tall - 8:
                return self.field_xy(x_mm, y_mm)
        return self.field_xy(y, down - board.rail_mm / 2)

    def between(self, point: int, player: Player, scene: Scene) -> Xy:
        """Between a point of `player` and its neighbour towards the middle of its quarter, in front of the stacks."""
        place = place_of(point if player is Player.WHITE else 25 - point, self.table.home)
        column = place % 12
        other = place + (1 if column % 6 < 3 else -1)
        tall = max(self._standing(scene, place), self._standing(scene, other)) + 1
        (x0, y0, _), (x1, y1, _) = (stack_mm(self.table, p, min(tall, 5))[-1] for p in (place, other))
        return self.field_xy((x0 + x1) / 2, (y0 + y1) / 2)

    def beside_a_stack(self, scene: Scene, player: Player) -> Xy:
        """Against the front checker of the longest stack in the seat's right half: there a die comes to lean."""
        columns = range(6, 12) if self.near(player) else range(6)
        place = max((*columns, *(12 + c for c in columns)), key=lambda p: min(4, self._standing(scene, p)))
        x, y, _ = stack_mm(self.table, place, max(1, self._standing(scene, place)))[-1]
        away = self.table.checkers.diameter_mm / 2 + 0.35 * self.table.dice_of(player).size_mm
        return self.field_xy(x, y + (away if y < 0 else -away))

    def offered(self, scene: Scene, value: int, player: Player) -> CubeAt:
        """The cube as `player` offers it: on the opponent's half, that number up (R38)."""
        spots = [low + 0.02 + 0.06 * k for low in (0.08, 0.62) for k in range(5)]
        x = min(spots, key=lambda x: self._reach(scene, x))
        return CubeAt(value, (x, 0.45 if self.near(player) else 0.55))

    def cube(self, value: int, owner: Player | None) -> CubeAt:
        """The cube beside the board: in the middle, or at its owner's side."""
        if owner is None:
            return CubeAt(CENTRED_FACE, (BESIDE_X, 0.5), self._chance.randrange(4))
        return CubeAt(value, (BESIDE_X, 0.9 if self.near(owner) else 0.1), self._chance.randrange(4))

    def field_xy(self, x_mm: float, y_mm: float) -> Xy:
        """Field space of a place in table space."""
        return x_mm / self.table.board.width_mm + 0.5, y_mm / self.table.board.height_mm + 0.5

    def checker(self, scene: Scene) -> Xy:
        """The middle of some checker on a point, with none on top of it."""
        standing = [place for place in range(24) if 0 < self._standing(scene, place) <= 4]
        place = self._chance.choice(standing)
        x, y, _ = stack_mm(self.table, place, self._standing(scene, place))[-1]
        return self.field_xy(x, y)

    def _reach(self, scene: Scene, x: float) -> int:
        """How many checkers stand on the taller point at `x`."""
        column = min(11, int(x * 13 if x < 0.5 else x * 13 - 1))
        return max(self._standing(scene, column), self._standing(scene, 12 + column))

    def _standing(self, scene: Scene, place: int) -> int:
        point = white_point(place, self.table.home)
        return scene.position.count(Player.WHITE, point) + scene.position.count(Player.BLACK, 25 - point)
