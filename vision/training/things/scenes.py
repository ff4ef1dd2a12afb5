"""Pictures that are full of dice: on boards, on tables beside them, of every make, among things that are none."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import Camera
from rules.position import Player
from vision.frame import Bgr
from vision.synth.chance import muddle, palette
from vision.synth.chance.variety import random_position, random_table
from vision.synth.layout import stack_mm
from vision.synth.render.draw import Painter, viewed
from vision.synth.scene import CubeAt, Die, Loose, Prop, Scene, Thing
from vision.synth.solids import Item, Role
from vision.synth.table import Bgr3, Dice, Doubler, Surface, Table
from vision.training.things.clutter import clutter, patina

WIDTHS_PX = (640, 800, 960, 1120)
SCENES = 3
"""Scenes of one table: the board is drawn once, dice and cube of other makes lie on it each time."""
WOODS: tuple[Bgr3, ...] = ((110, 160, 200), (70, 110, 160), (40, 70, 110), (150, 195, 225), (60, 170, 210))
BESIDE = 0.4
"""Share of tables whose board is out of sight."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture with its things and the share of each that can be seen, and the table as the camera saw it."""

    picture: Bgr
    table: Table
    shown: list[tuple[Item, float]]
    on_board: bool


def drawn(seed: int) -> Iterator[Drawn]:
    """The pictures of a seed."""
    chance = random.Random(seed)
    width = chance.choice(WIDTHS_PX)
    size = width, width * 3 // 4
    table = random_table(seed, size)
    on_board = chance.random() > BESIDE
    table = _zoomed(table, chance) if on_board else _beside(table, chance)
    for number in range(SCENES):
        first = die_style(chance)
        if on_board and chance.random() < 0.5:
            first = replace(first, size_mm=chance.uniform(0.26, 0.62) * table.board.point_mm)
        second = first if chance.random() < 0.3 else replace(die_style(chance), size_mm=first.size_mm)
        table = replace(table, dice=(first, second), cube=cube_style(chance))
        scene = _scene(table, chance, on_board=on_board)
        painter = Painter(table, seed * SCENES + number)
        picture, shown = painter.seen(scene)
        patina(picture, painter.ids, _marked(shown), chance)
        clutter(picture, np.isin(painter.ids, _marked(shown)), chance)
        yield Drawn(picture, viewed(table, scene, 0.0), shown, on_board)


def die_style(chance: random.Random) -> Dice:
    """Dice as shops sell them, and any other colour."""
    body, pips = palette.die(chance)
    if chance.random() < 0.5:
        body, pips = _free(chance), chance.choice(((240, 240, 240), (24, 22, 22), (70, 180, 220), _free(chance)))
        if abs(palette.lightness(body) - palette.lightness(pips)) < 22:
            pips = (238, 240, 240) if palette.lightness(body) < 55 else (28, 26, 26)
    return Dice(
        size_mm=chance.uniform(8, 18) if chance.random() < 0.3 else chance.uniform(12, 17),
        roundness=chance.uniform(0.02, 0.4),
        body_bgr=body,
        pip_bgr=pips,
        pip_size=chance.uniform(0.12, 0.25),
        numerals=chance.random() < 0.04,
        gloss=chance.random(),
    )


def cube_style(chance: random.Random) -> Doubler:
    """A doubling cube of any make."""
    kind = chance.random()
    body, ink = palette.die(chance) if kind < 0.4 else ((228, 236, 238), (40, 30, 30))
    if kind > 0.7:  # wood, brass, any plastic
        body = palette.jittered(chance, chance.choice(WOODS), 25) if kind < 0.85 else _free(chance)
        ink = (238, 240, 240) if palette.lightness(body) < chance.choice((40, 60)) else (28, 26, 26)
    return Doubler(
        size_mm=chance.uniform(16, 35),
        roundness=chance.uniform(0.04, 0.25),
        body_bgr=body,
        ink_bgr=ink,
        font=chance.randrange(2),
        engraved=chance.random() < 0.3,
        logo=chance.random() < 0.15,
    )


def _free(chance: random.Random) -> Bgr3:
    """Any colour."""
    hsv = np.array([[[chance.randrange(180), int(255 * chance.random() ** 0.6), chance.randint(20, 250)]]], np.uint8)
    b, g, r = (int(v) for v in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])
    return b, g, r


def _pale(chance: random.Random) -> Bgr3:
    """White paper, cloth, a bright table."""
    return palette.jittered(chance, (218, 222, 224), 14.0)


def _zoomed(table: Table, chance: random.Random) -> Table:
    """The table from nearer, aimed at some place of the board."""
    camera, by = table.camera, 1 + 1.2 * chance.random() ** 2
    aim = table.board.mm((chance.uniform(-0.1, 1.1), chance.uniform(0, 1)))
    x, y = camera.project([(*aim, 0.0)])[0] - camera.centre_px
    pull = 1 - 1 / by  # not zoomed in it stays where it is
    middle = camera.centre_px[0] - by * x * pull, camera.centre_px[1] - by * y * pull
    return replace(table, camera=replace(camera, focal_px=camera.focal_px * by, centre_px=middle))


def _beside(table: Table, chance: random.Random) -> Table:
    """A camera that looks at the bare table, of any colour, beside the board."""
    board = replace(
        table.board,
        ground_mm=(4000.0, 3000.0),
        ground_bgr=chance.choice((_free(chance), palette.cloth(chance), _pale(chance))),
        ground=chance.choice((Surface.WOOD, Surface.FELT, Surface.PRINT, Surface.LEATHER, Surface.CORK)),
    )
    light = table.light
    if chance.random() < 0.3:  # the sun, or a bare bulb
        lamp = replace(light.lamps[0], radius_mm=chance.uniform(2, 25), strength=1.0)
        light = replace(light, lamps=(lamp,), ambient=chance.uniform(0.1, 0.4))
    distance = chance.uniform(500, 1500)
    die_px = chance.uniform(10, 36) * table.size_px[0] / 800
    camera = Camera.looking(
        table.size_px,
        die_px / 14 * distance,
        distance_mm=distance,
        oblique_rad=min(1.1, abs(chance.gauss(0, 0.4))),
        from_rad=chance.uniform(-math.pi, math.pi),
        roll_rad=chance.uniform(-math.pi, math.pi),
        target_mm=(chance.choice((-1, 1)) * (board.outline_mm[0] + chance.uniform(200, 900)), chance.gauss(0, 300)),
        bend=(chance.gauss(-0.03, 0.05), 0.0),
    )
    return replace(table, board=board, camera=camera, light=light)


def _scene(table: Table, chance: random.Random, *, on_board: bool) -> Scene:
    """Many dice, alone, in touching pairs and heaps, on checkers; the cube; checkers and other things between."""
    width, height = table.size_px

    def place(edge: float = 0.04) -> tuple[float, float]:
        u, v = chance.uniform(edge, 1 - edge), chance.uniform(edge, 1 - edge)
        x, y = table.camera.on_plane([(u * width, v * height)])[0]
        return x / table.board.width_mm + 0.5, y / table.board.height_mm + 0.5

    position = random_position(chance)
    props = [prop for prop in Prop if prop is not Prop.SPARE_DIE]
    things = tuple(
        Thing(chance.choice(props), place(), chance.uniform(0, 2 * math.pi))
        for _ in range(chance.choices((0, 1, 2), (5, 3, 1))[0])
    )
    dice: list[Die] = []
    for _ in range(chance.randint(4, 8)):
        xy = place()
        if on_board and chance.random() < 0.25:
            x, y, _ = chance.choice(stack_mm(table, chance.randrange(24), 3))
            xy = x / table.board.width_mm + 0.5, y / table.board.height_mm + 0.5
        elif things and chance.random() < 0.05:
            xy = things[0].xy
        dice += _heap(table, chance, xy)
    cube = muddle.cube_at(chance, table) if on_board and chance.random() < 0.7 else CubeAt(2, place(0.1))
    cube = replace(cube, value=chance.choice(muddle.CUBE_VALUES), angle_rad=chance.uniform(-0.8, 0.8))
    loose = 0 if on_board else chance.choice((0, 0, 3, 8))
    return Scene(
        position=position,
        dice=tuple(dice),
        cube=cube,
        hands=muddle.hands(chance, table) if on_board else (),
        loose=tuple(Loose(chance.choice(list(Player)), place()) for _ in range(loose)),
        things=things,
        head=(chance.uniform(0, 1), chance.choice((-0.1, 1.1))) if chance.random() < 0.06 else None,
    )


def _heap(table: Table, chance: random.Random, xy: tuple[float, float]) -> list[Die]:
    """One die, or two or three that touch or nearly do."""
    x, y = table.board.mm(xy)
    size = table.dice[0].size_mm
    turn, found = chance.uniform(0, 2 * math.pi), []
    for k in range(chance.choices((1, 2, 3), (5, 4, 1))[0]):
        if k:
            x += size * chance.uniform(1.03, 1.35) * math.cos(turn)
            y += size * chance.uniform(1.03, 1.35) * math.sin(turn)
        angle = turn + chance.gauss(0, 0.1) if chance.random() < 0.5 else chance.uniform(0, 2 * math.pi)
        at = x / table.board.width_mm + 0.5, y / table.board.height_mm + 0.5
        tilt = chance.uniform(0.12, 0.8) if chance.random() < 0.2 else 0.0
        found.append(Die(chance.randint(1, 6), at, angle, chance.choice(list(Player)), tilt))
        turn += chance.gauss(0, 0.7)
    return found


def _marked(shown: list[tuple[Item, float]]) -> list[int]:
    """The ids of dice and cubes."""
    return [n for n, (item, _) in enumerate(shown, start=1) if item.role in (Role.DIE, Role.CUBE)]
