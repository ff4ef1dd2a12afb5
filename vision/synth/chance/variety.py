"""Tables, lights, cameras and positions by chance: one seed, one picture that nobody has seen before."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np

from calibration.camera import Camera
from calibration.orientation import Home
from rules.position import BAR, CHECKERS, OFF, POINTS, Player, Position
from vision.synth.chance import muddle, palette
from vision.synth.scene import Loose, Scene
from vision.synth.table import (
    Board,
    CheckerKind,
    Checkers,
    Dice,
    Doubler,
    Lamp,
    Light,
    Person,
    PointShape,
    Sensor,
    Surface,
    Table,
    shade,
)

SIZES_PX = ((320, 240), (426, 240), (640, 360), (640, 480), (800, 600), (960, 540), (1280, 720), (1920, 1080))
MOST_OBLIQUE_RAD = math.radians(55)
TRIES = 3
TEN_IN_A_COLUMN = 9.6
"""Diameters in a board's height, at least: boards are made so that five and five checkers find room."""
STREAMED, QPS = 0.12, (24, 42)
"""The share of pictures that are from a stream, and how coarsely those are compressed."""


def random_table(seed: int, size_px: tuple[int, int] | None = None) -> Table:
    """A table that another seed would not give; `size_px` fixes the picture's size."""
    chance = random.Random(seed)
    board = _board(chance)
    checkers = _checkers(chance, board)
    board = _clashing(chance, board, checkers)
    camera = framed(board, chance, size_px or chance.choice(SIZES_PX))
    return Table(
        board=board,
        checkers=checkers,
        dice=_dice(chance, checkers),
        cube=_cube(chance),
        light=_light(chance, board),
        camera=camera,
        sensor=_streamed(_sensor(chance, camera.size_px), seed),
        people=tuple(_person(chance) for _ in range(4)),
        home=chance.choice(list(Home)),
        seed=seed,
    )


def random_scene(table: Table, seed: int) -> Scene:
    """Something that might stand on this table: often a moment of a game, now and then a muddle."""
    chance = random.Random(seed * 7919 + 1)
    hands = muddle.hands(chance, table)
    loose = [
        Loose(chance.choice(list(Player)), hand.xy, max(1.0, hand.z_mm - 6), chance.uniform(0, 0.6))
        for hand in hands
        if not hand.pointing and chance.random() < 0.4
    ]
    if chance.random() < 0.1:
        loose.append(Loose(chance.choice(list(Player)), (chance.uniform(0.05, 0.95), chance.uniform(0.3, 0.7))))
    things = muddle.things(chance, table)
    return Scene(
        position=random_position(chance),
        dice=muddle.thrown(chance, table, things),
        cube=muddle.cube_at(chance, table),
        hands=hands,
        loose=tuple(loose),
        things=things,
        head=(chance.uniform(0, 1), chance.choice((-0.1, 1.1))) if chance.random() < 0.06 else None,
    )


def random_position(chance: random.Random) -> Position:
    """Fifteen checkers a side on points, bar and off: no game's position, but stacks of every height."""
    free = list(POINTS)
    chance.shuffle(free)
    sides: dict[Player, list[int]] = {}
    for player in Player:
        side = [0] * 26
        left = CHECKERS
        if chance.random() < 0.25:
            side[OFF] = min(left, chance.randint(1, 12))
        if chance.random() < 0.22:
            side[BAR] = min(left - side[OFF], chance.randint(1, 3))
        left -= side[OFF] + side[BAR]
        for _ in range(11):
            if not left or not free:
                break
            point = free.pop()
            tall = chance.random() < 0.1
            count = min(left, chance.randint(5, 10) if tall else chance.choice((1, 1, 2, 2, 2, 3, 3, 4, 5)))
            side[point if player is Player.WHITE else 25 - point] += count
            left -= count
        side[OFF] += left
        sides[player] = side
    return Position(tuple(sides[Player.WHITE]), tuple(sides[Player.BLACK]))


def framed(board: Board, chance: random.Random, size_px: tuple[int, int]) -> Camera:
    """A camera somewhere above the table that has most of the board in its picture."""
    oblique = abs(chance.gauss(0, 0.16)) if chance.random() < 0.55 else chance.uniform(0, MOST_OBLIQUE_RAD)
    around = chance.gauss(0, 0.06 + 0.35 * oblique) if chance.random() < 0.85 else chance.uniform(-math.pi, math.pi)
    roll = chance.gauss(0, 0.03) + (chance.choice((-1, 1)) * math.pi / 2 if chance.random() < 0.06 else 0.0)
    distance = chance.uniform(800, 1900)
    bend = (chance.gauss(-0.03, 0.05), 0.0)
    return framing(
        board,
        size_px,
        fill=chance.uniform(0.72, 0.99) if chance.random() < 0.92 else chance.uniform(1.0, 1.06),
        shift=(chance.gauss(0, 0.02), chance.gauss(0, 0.02)),
        whole=chance.random() < 0.75,
        distance_mm=distance,
        oblique_rad=oblique,
        from_rad=around,
        roll_rad=roll,
        bend=bend,
    )


def framing(
    board: Board,
    size_px: tuple[int, int],
    *,
    fill: float,
    whole: bool = True,
    shift: tuple[float, float] = (0.0, 0.0),
    distance_mm: float,
    oblique_rad: float = 0.0,
    from_rad: float = 0.0,
    roll_rad: float = 0.0,
    bend: tuple[float, float] = (0.0, 0.0),
) -> Camera:
    """The camera whose picture the board (or with `whole` False only its field) fills by a share `fill`.

    `shift` moves the board in the picture, in widths and heights of it.
    """
    x, y = board.outline_mm if whole else (board.width_mm / 2, board.height_mm / 2)
    rim = np.array([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], dtype=np.float64)
    size = np.asarray(size_px)
    focal, target = float(max(size_px)), np.zeros(2)
    middle_on = Camera.looking(
        size_px,
        focal,
        distance_mm=distance_mm,
        oblique_rad=oblique_rad,
        from_rad=from_rad,
        roll_rad=roll_rad,
        bend=bend,
    )
    x0, y0, z0 = middle_on.position_mm

    def camera() -> Camera:
        return replace(middle_on, focal_px=focal, position_mm=(float(target[0]) + x0, float(target[1]) + y0, z0))

    for _ in range(TRIES):
        seen = camera().project(rim)
        low, high = seen.min(axis=0), seen.max(axis=0)
        focal *= fill / float(((high - low) / size).max())
        seen = camera().project(rim)
        middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
        wanted = (size - 1) / 2 + np.asarray(shift) * size
        # the place now where the middle should be goes where the middle is
        here, there = camera().on_plane([wanted, middle])
        target = target + there - here
    return camera()


def _board(chance: random.Random) -> Board:
    surface = chance.choice(list(Surface))
    colours = palette.board(chance, surface)
    bar = chance.choice(
        (0.0, chance.uniform(6, 25), chance.uniform(30, 60), chance.uniform(40, 55), chance.uniform(70, 110))
    )
    printed = surface is Surface.PRINT and chance.random() < 0.6
    high = chance.random() < 0.2
    rail_height = 0.0 if printed else chance.uniform(20, 45) if high else chance.uniform(4, 18)
    point = chance.uniform(30, 54)
    return Board(
        point_mm=point,
        height_mm=point * chance.uniform(8.7, 12.3),
        bar_mm=bar,
        bar_height_mm=0.0 if printed else min(rail_height, chance.uniform(0, 16)),
        rail_mm=chance.uniform(6, 14) if printed else chance.uniform(12, 34),
        rail_height_mm=rail_height,
        tray_mm=0.0 if printed or chance.random() < 0.35 else point * chance.uniform(1.15, 1.6),
        depth_mm=1.0 if printed else chance.uniform(5, 40),
        surface=surface,
        shape=chance.choices(list(PointShape), (6, 1, 1, 1, 1))[0],
        point_length=chance.uniform(0.66, 0.96),
        point_width=chance.uniform(0.7, 1.0),
        field_bgr=colours[0],
        points_bgr=(colours[1], colours[2]),
        rail_bgr=colours[3],
        bar_bgr=colours[3] if chance.random() < 0.7 else colours[0],
        tray_bgr=shade(colours[0], chance.uniform(0.6, 1.0)),
        hinges=chance.random() < 0.4,
        ornament=chance.random() < 0.15,
        ground_bgr=palette.cloth(chance),
        ground_mm=(chance.uniform(800, 2200), chance.uniform(650, 1600)),
        floor_bgr=palette.cloth(chance),
        ground=chance.choice((Surface.WOOD, Surface.FELT, Surface.PRINT, Surface.LEATHER)),
        gloss=chance.uniform(0.2, 1.0) if chance.random() < 0.35 else 0.0,
    )


def _checkers(chance: random.Random, board: Board) -> Checkers:
    kind = chance.choice(list(CheckerKind))
    white, black = palette.checkers(chance, kind)
    diameter = board.point_mm * 0.985 * chance.uniform(0.78, 1.0)
    return Checkers(
        diameter_mm=max(24.0, min(50.0, diameter, board.height_mm / TEN_IN_A_COLUMN)),
        thickness_mm=chance.uniform(5.0, 14.0) if chance.random() < 0.3 else chance.uniform(8.0, 11.0),
        kind=kind,
        white_bgr=white,
        black_bgr=black,
        gloss=chance.uniform(0.2, 1.0) if chance.random() < 0.6 else 0.0,
        sloppy=chance.choice((0.02, 0.05, 0.1, 0.2)),
        pushed=1.0 if chance.random() < 0.6 else chance.uniform(0.3, 1.0),
        layer=chance.choices((5, 6, 4), (88, 10, 2))[0],
        leaning=0.0 if chance.random() < 0.85 else chance.uniform(0.02, 0.1),
        bar_from=0.36 if chance.random() < 0.5 else chance.uniform(0.08, 0.46),
        on_edge=chance.random() < 0.75,
    )


def _clashing(chance: random.Random, board: Board, checkers: Checkers) -> Board:
    """Now and then a point, both, or the bar has nearly the colour of one player's checkers."""
    if chance.random() > 0.3:
        return board
    near = palette.near(chance, chance.choice((checkers.white_bgr, checkers.black_bgr)))
    match chance.randrange(4):
        case 0:
            return replace(board, points_bgr=(near, board.points_bgr[1]))
        case 1:
            return replace(board, points_bgr=(checkers.white_bgr, checkers.black_bgr))
        case 2:
            return replace(board, bar_bgr=near)
        case _:
            return replace(board, field_bgr=near)


def _dice(chance: random.Random, checkers: Checkers) -> tuple[Dice, Dice]:
    first = _die_style(chance)
    if chance.random() < 0.35:
        return first, first
    second = replace(_die_style(chance), size_mm=first.size_mm, roundness=first.roundness)
    if chance.random() < 0.4:
        bodies = (checkers.white_bgr, checkers.black_bgr)
        inks = ((30, 28, 28), (235, 235, 240))
        return replace(first, body_bgr=bodies[0], pip_bgr=inks[0]), replace(second, body_bgr=bodies[1], pip_bgr=inks[1])
    return first, second


def _die_style(chance: random.Random) -> Dice:
    body, pip = palette.die(chance)
    return Dice(
        size_mm=chance.uniform(8, 18) if chance.random() < 0.3 else chance.uniform(12, 16),
        roundness=chance.choice((0.02, 0.1, 0.18, 0.26, 0.32)),
        body_bgr=body,
        pip_bgr=pip,
        pip_size=chance.uniform(0.15, 0.23),
        numerals=chance.random() < 0.04,
        gloss=chance.random(),
    )


def _cube(chance: random.Random) -> Doubler:
    body, ink = palette.die(chance) if chance.random() < 0.5 else ((228, 236, 238), (40, 30, 30))
    return Doubler(
        size_mm=chance.uniform(15, 35),
        roundness=chance.uniform(0.04, 0.2),
        body_bgr=body,
        ink_bgr=ink,
        font=chance.randrange(2),
        engraved=chance.random() < 0.4,
        logo=chance.random() < 0.15,
    )


def _light(chance: random.Random, board: Board) -> Light:
    lamps = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        turn, out = chance.uniform(0, 2 * math.pi), chance.uniform(0, 900)
        warm = chance.gauss(0, 0.06)
        lamps.append(
            Lamp(
                position_mm=(out * math.cos(turn), out * math.sin(turn), chance.uniform(700, 2200)),
                strength=chance.uniform(0.3, 1.0),
                bgr=(1 - warm, 1.0, 1 + warm),
                radius_mm=chance.uniform(20, 250),
            )
        )
    arm = None
    if chance.random() < 0.15:
        x = chance.uniform(0.1, 0.9)
        arm = ((x, -0.3), (x + chance.gauss(0, 0.2), chance.uniform(0.4, 1.3)), chance.uniform(15, 60))
    return Light(
        lamps=tuple(lamps),
        ambient=chance.uniform(0.15, 0.9),
        window_rad=chance.uniform(0, 2 * math.pi),
        window=chance.uniform(0.2, 0.8) if chance.random() < 0.4 else 0.0,
        wander_per_s=chance.uniform(0, 0.05),
        arm=arm,
    )


def _sensor(chance: random.Random, size_px: tuple[int, int]) -> Sensor:
    fine = size_px[0] / 960
    dark = chance.random() < 0.08
    return Sensor(
        exposure=chance.uniform(0.18, 0.5) if dark else min(1.5, max(0.55, chance.gauss(0.98, 0.16))),
        balance_bgr=(1 + chance.gauss(0, 0.07), 1.0, 1 + chance.gauss(0, 0.07)),
        flicker=0.01,
        blur_px=(0.45 + abs(chance.gauss(0, 0.45))) * max(1.0, fine),
        motion_px=chance.uniform(2, 9) * fine if chance.random() < 0.08 else 0.0,
        motion_rad=chance.uniform(0, math.pi),
        noise=abs(chance.gauss(0, 4)) + 1.0 if not dark else chance.uniform(3, 14),
        jpeg=0 if chance.random() < 0.3 else chance.randint(35, 95),
        vignette=chance.uniform(0, 0.45),
        dust=chance.choice((0, 0, 0, 1, 3)),
        banding=chance.uniform(0.02, 0.06) if chance.random() < 0.08 else 0.0,
    )


def _streamed(sensor: Sensor, seed: int) -> Sensor:
    """Now and then the picture is from a stream; this has chances of its own, so that old seeds keep their tables."""
    chance = random.Random(seed * 7919 + 2)
    if chance.random() > STREAMED:
        return sensor
    return replace(sensor, h264=chance.randint(*QPS))


def _person(chance: random.Random) -> Person:
    return Person(
        skin_bgr=palette.skin(chance),
        sleeve_bgr=palette.cloth(chance),
        wrist_mm=chance.uniform(46, 66),
        right_handed=chance.random() < 0.88,
        pace=chance.uniform(0.6, 1.5),
        sleeve=chance.choice((0.0, 0.4, 0.7, 0.95)),
    )
