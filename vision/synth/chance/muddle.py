"""What lies about on a table by chance: thrown dice, the cube's place, hands, props."""

from __future__ import annotations

import math
import random

from rules.position import Player
from vision.synth.scene import CubeAt, Die, Hand, Prop, Thing
from vision.synth.table import Table

CUBE_VALUES = (2, 4, 8, 16, 32, 64)


def thrown(chance: random.Random, table: Table, things: tuple[Thing, ...]) -> tuple[Die, ...]:
    """No dice, one pair, both pairs; flat as a rule, else cocked, touching, on checkers, in a cup, off the board."""
    dice: list[Die] = []
    players = chance.choices(((), (Player.WHITE,), (Player.BLACK,), tuple(Player)), (2, 4, 4, 1))[0]
    for player in players:
        low, high = chance.choice(((0.06, 0.42), (0.58, 0.94)))
        first = chance.uniform(low, high), chance.uniform(0.3, 0.7) if chance.random() < 0.85 else chance.uniform(0, 1)
        size = table.dice_of(player).size_mm
        apart = size * (chance.uniform(1.02, 1.2) if chance.random() < 0.15 else chance.uniform(1.6, 8))
        turn = chance.uniform(0, 2 * math.pi)
        second = (
            first[0] + apart * math.cos(turn) / table.board.width_mm,
            first[1] + apart * math.sin(turn) / table.board.height_mm,
        )
        if chance.random() < 0.06:
            second = chance.choice(((0.5, 0.5), (1.04, 0.5), (-0.2, 0.6)))
        if things and chance.random() < 0.2:
            second = things[0].xy
        for xy in (first, second):
            cocked = chance.uniform(0.12, 0.7) if chance.random() < 0.07 else 0.0
            dice.append(Die(chance.randint(1, 6), xy, chance.uniform(0, 2 * math.pi), player, cocked))
    return tuple(dice)


def cube_at(chance: random.Random, table: Table) -> CubeAt:
    """In a tray, on the bar, on a rail, on the table's edge, offered in mid-field; turned as it happens to lie."""
    value = chance.choice(CUBE_VALUES)
    board = table.board
    tray = 0.5 + (board.width_mm / 2 + board.rail_mm + board.tray_mm / 2) / board.width_mm
    beside = 0.5 + (board.outline_mm[0] + 40) / board.width_mm
    side = tray if board.tray_mm else beside
    xy = chance.choices(
        (
            (chance.choice((side, 1 - side)), chance.choice((0.12, 0.5, 0.88))),
            (0.5, chance.choice((0.5, 0.5, 0.06, 0.94))),
            (chance.choice((beside, 1 - beside)), chance.uniform(0.1, 0.9)),
            (chance.uniform(0.1, 0.9), chance.uniform(0.4, 0.6)),
        ),
        (5, 3, 1, 1),
    )[0]
    turn = chance.gauss(0, 0.08) if chance.random() < 0.7 else chance.uniform(-math.pi / 4, math.pi / 4)
    return CubeAt(value, xy, chance.randrange(4), turn)


def hands(chance: random.Random, table: Table) -> tuple[Hand, ...]:
    """Mostly none; else one or two, with fingertips anywhere over the board."""
    found = []
    for person in range(chance.choices((0, 1, 2), (8, 3, 1))[0]):
        who = chance.randrange(len(table.people)) if person else person
        xy = chance.uniform(0.05, 0.95), chance.uniform(0.1, 0.9)
        right = table.people[who].right_handed
        found.append(Hand(xy, chance.random() < 0.5, chance.uniform(8, 60), who, right, chance.random() < 0.15))
    return tuple(found)


def things(chance: random.Random, table: Table) -> tuple[Thing, ...]:
    """Props beside the board, over its trays, now and then on it."""
    found = []
    out = table.board.outline_mm[0] / table.board.width_mm
    for _ in range(chance.choices((0, 1, 2, 4), (3, 3, 2, 1))[0]):
        prop = chance.choice(list(Prop))
        place = chance.random()
        if place < 0.7:
            xy = 0.5 + chance.choice((-1, 1)) * (out + chance.uniform(0.09, 0.3)), chance.uniform(0.05, 0.95)
        elif place < 0.93:
            xy = 0.5 + chance.choice((-1, 1)) * (out - 0.02), chance.uniform(0.1, 0.9)
        else:
            xy = chance.uniform(0.1, 0.9), chance.uniform(0.35, 0.65)
        found.append(Thing(prop, xy, chance.uniform(0, 2 * math.pi)))
    return tuple(found)
