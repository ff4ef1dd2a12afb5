"""Drawn tables that cut-outs are taken from: one without dice and cube, the same with many dice and the cube."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from rules.position import Player
from vision.frame import Bgr
from vision.readers import COCKED, UNREADABLE, VALUES
from vision.synth.chance.variety import random_scene, random_table
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Die, Scene
from vision.synth.solids import Box, Item, Role
from vision.synth.table import Table

SCENES_PX = ((640, 480), (800, 600), (960, 720))
BUSY = 2
DICE, DIE_MM = 14, 14.0
LEANING = (0.42, math.pi / 4)
"""How far cocked dice lean, in radians: less cannot be told from a flat die that is seen from the side."""
SHOWN, LEAST_PX = 0.8, 8.5
"""Of a die so much must be seen, and its upper face must be so large, to be read."""
AWAY = CubeAt(64, (0.5, 9.0))
Spot = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Tables:
    """A table without dice and cube, and pictures of it with them: of each thing its role, class and spot.

    The class of a checker is −1, its spot as wide as a die.
    """

    bare: Bgr
    busy: tuple[tuple[Bgr, list[tuple[Role, int, Spot]]], ...]


@lru_cache(maxsize=2)
def drawn_tables(number: int) -> Tables:
    """The drawn tables of a number."""
    chance = random.Random(f"tables {number}")
    table = random_table(number, chance.choice(SCENES_PX))
    painter = Painter(table, number)
    scene = random_scene(table, number)
    bare = painter.draw(replace(scene, dice=(), cube=AWAY))
    busy = [_with_dice(chance, random_scene(table, number + 10_000_000 * k)) for k in range(BUSY)]
    return Tables(bare, tuple(_seen(painter, table, one) for one in busy))


def _with_dice(chance: random.Random, scene: Scene) -> Scene:
    dice = tuple(
        Die(
            chance.randint(1, 6),
            (chance.uniform(0.05, 0.95), chance.uniform(0.1, 0.9)),
            chance.uniform(0, 2 * math.pi),
            chance.choice(list(Player)),
            chance.uniform(*LEANING) if chance.random() < 0.06 else 0.0,
        )
        for _ in range(DICE)
    )
    return replace(scene, dice=dice, cube=replace(scene.cube, value=chance.choice(VALUES)))


def _seen(painter: Painter, table: Table, scene: Scene) -> tuple[Bgr, list[tuple[Role, int, Spot]]]:
    picture, shown = painter.seen(scene)
    found = list[tuple[Role, int, Spot]]()
    for item, share in shown:
        solid = item.solids[0]
        if item.role is Role.CHECKER and share > SHOWN:
            middle = np.asarray(item.centre_mm)
            (x, y), far = table.camera.project([middle, middle + np.array((DIE_MM, 0, 0))])
            found.append((item.role, -1, (float(x), float(y), float(np.hypot(*(far - (x, y)))))))
        if item.role not in (Role.DIE, Role.CUBE) or share < SHOWN or not isinstance(solid, Box):
            continue
        outline = table.camera.project(solid.sides()[0][4])
        side = float(np.linalg.norm(outline - np.roll(outline, 1, axis=0), axis=1).mean())
        x, y = outline.mean(axis=0)
        if 0 < x < table.size_px[0] and 0 < y < table.size_px[1] and side > LEAST_PX:
            found.append((item.role, _class_of(item, solid), (float(x), float(y), side)))
    return picture, found


def _class_of(item: Item, box: Box) -> int:
    """The class that a drawn die or cube has for its own reader."""
    assert item.shows is not None
    if item.role is Role.CUBE:
        return UNREADABLE if box.faces[4] == "*" else VALUES.index(item.shows)
    return COCKED if item.state == "cocked" else item.shows - 1
