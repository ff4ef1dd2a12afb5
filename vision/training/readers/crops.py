"""Cut-outs of dice, cubes and what is neither, with the truth about them, for the readers to learn from.

Most are close-ups (`closeup`) over pieces of boards that the simulator drew, some are cut from drawn tables.
A seed gives the same cut-out on every machine that has the same fonts.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.frame import Bgr
from vision.readers import COCKED, CUBE_PX, DIE_PX, NO_CUBE, NO_DIE, REACH, UNREADABLE, VALUES, cut_out
from vision.synth.bodies import turned
from vision.synth.chance import palette
from vision.synth.render.sensor import developed
from vision.synth.solids import Role
from vision.synth.table import Sensor
from vision.training.readers import prints
from vision.training.readers.closeup import Block, Floats, Lamp, Light, View, drawn
from vision.training.readers.faces import cube_skin, die_skin
from vision.training.readers.tables import LEANING, Spot, drawn_tables

TOGETHER = 256
"""So many seeds share one drawn table."""
ROOM = 2.9
"""Side of a close-up in sides of the upper face."""
SIZE_ERROR, PLACE_ERROR = 0.24, 0.17
"""How far off a spot may be, as shares of the side."""
TOLD_BY_BODY = 0.35
"""Share of spots that lie between the middle of the upper face and that of the body, as some detectors have it."""
OBLIQUE = math.radians(57)
_NONE = np.random.default_rng(0)
"""Not drawn from: the sensor's own noise is off."""


@dataclass(frozen=True, slots=True)
class Example:
    """One cut-out and what it shows (a class of `vision.readers`)."""

    crop: Bgr
    shows: int


def die_example(seed: int) -> Example:
    """The cut-out of a seed for the reader of dice."""
    chance = random.Random(f"die {seed}")
    kind = chance.random()
    if kind < 0.71:
        return _close(chance, seed, DIE_PX, pips := chance.randint(1, 6), pips - 1)
    if kind < 0.75:
        return _close(chance, seed, DIE_PX, chance.randint(1, 6), COCKED, leaning=True)
    if kind < 0.85:
        return _from_scene(chance, seed, DIE_PX, Role.DIE)
    if kind < 0.88:
        return _close(chance, seed, DIE_PX, -chance.choice(VALUES), NO_DIE)
    if kind < 0.92:
        return _close(chance, seed, DIE_PX, chance.randint(1, 6), NO_DIE, beside=True)
    return _bare(chance, seed, DIE_PX, NO_DIE)


def cube_example(seed: int) -> Example:
    """The cut-out of a seed for the reader of cubes."""
    chance = random.Random(f"cube {seed}")
    kind = chance.random()
    if kind < 0.61:
        which = chance.randrange(len(VALUES))
        return _close(chance, seed, CUBE_PX, -VALUES[which], which)
    if kind < 0.73:
        return _close(chance, seed, CUBE_PX, -1, UNREADABLE)
    if kind < 0.81:
        return _from_scene(chance, seed, CUBE_PX, Role.CUBE)
    if kind < 0.87:
        return _close(chance, seed, CUBE_PX, chance.randint(1, 6), NO_CUBE)
    if kind < 0.91:
        return _close(chance, seed, CUBE_PX, -chance.choice(VALUES), NO_CUBE, beside=True)
    return _bare(chance, seed, CUBE_PX, NO_CUBE)


EXAMPLES: dict[str, Callable[[int], Example]] = {"die": die_example, "cube": cube_example}


def any_block(
    chance: random.Random, shows: int, at: tuple[float, float], tilt: float = 0.0, size: float = 1.0
) -> Block:
    """A block that lies on the ground: pips, or with `shows` < 0 a cube's number, −1 for a cube without one."""
    axes = turned(chance.uniform(0, 2 * math.pi), tilt).astype(np.float32)
    skin = die_skin(chance, shows) if shows > 0 else cube_skin(chance, -shows if shows < -1 else None)
    edge = chance.choice((0.015, chance.uniform(0.02, 0.1), chance.uniform(0.08, 0.2), chance.uniform(0.15, 0.33)))
    ball = chance.uniform(0.68, 0.8) if chance.random() < 0.35 else 1.0
    if shows < 0:
        edge, ball = min(edge, 0.22), max(ball, 0.72)
    lift = float(np.abs(axes[:, 2]).sum()) / 2 * size
    bulge = chance.choice((0.0, chance.uniform(-0.2, 0.5)))
    return Block(np.array([*at, lift], np.float32), axes, size, edge, ball, bulge, skin)


def _close(
    chance: random.Random, seed: int, px: int, shows: int, told: int, *, leaning: bool = False, beside: bool = False
) -> Example:
    """A close-up of a block; `beside` puts the spot where it is not."""
    tilt = chance.uniform(*LEANING) if leaning else 0.0
    block = any_block(chance, shows, (0.0, 0.0), tilt)
    blocks = [block] if beside else [block, *_neighbours(chance, block)]
    least = 9.0 if px == DIE_PX else 13.0
    least = least if chance.random() < 0.4 else 1.5 * least
    side = math.exp(chance.uniform(math.log(least), math.log(28.0 if px == DIE_PX else 32.0)))
    up = block.centre + np.float32(0.5) * block.axes[2]
    view = _view(chance, side, up, steep=leaning)
    light = any_light(chance)
    ground = _ground(chance, seed, view.px, side)
    picture = as_seen(chance, _touched(chance, drawn(ground, blocks, light, view), side), side)
    corners = up + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) @ block.axes[:2] / 2
    outline = view.project(corners.astype(np.float32))
    edges = np.linalg.norm(outline - np.roll(outline, 1, axis=0), axis=1)
    sunk = chance.random() if chance.random() < TOLD_BY_BODY else 0.0
    x, y = (float(v) for v in view.project((up + sunk * (block.centre - up))[None])[0])
    spot = _missed(chance, (x, y, float(edges.mean())), beside)
    return Example(cut_out(picture, *spot, px), told)


def _missed(chance: random.Random, spot: Spot, beside: bool) -> Spot:
    """The spot as a detector would tell it, or one that is no middle of anything."""
    x, y, side = spot
    turn = chance.uniform(0, 2 * math.pi)
    if not beside:
        far = (
            min(abs(chance.gauss(0, 0.1)), 2 * PLACE_ERROR) if chance.random() < 0.6 else chance.uniform(0, PLACE_ERROR)
        )
        wrong = math.exp(chance.uniform(-SIZE_ERROR, SIZE_ERROR))
        return x + far * side * math.cos(turn), y + far * side * math.sin(turn), side * wrong
    if chance.random() < 0.3:
        return x, y, side * chance.choice((chance.uniform(0.25, 0.4), chance.uniform(2.2, 3)))
    far = chance.uniform(0.75, 1.1)
    return x + far * side * math.cos(turn), y + far * side * math.sin(turn), side * chance.uniform(0.7, 1.3)


def _neighbours(chance: random.Random, block: Block) -> list[Block]:
    """Other dice and cubes, near or touching."""
    found = []
    for _ in range(chance.choices((0, 1, 2, 3), (6, 3, 1, 1))[0]):
        turn, far = (
            chance.uniform(0, 2 * math.pi),
            chance.uniform(1.05, 1.25) if chance.random() < 0.4 else chance.uniform(1.2, 2),
        )
        shows = chance.randint(1, 6) if chance.random() < 0.9 else -chance.choice(VALUES)
        other = any_block(chance, shows, (far * math.cos(turn), far * math.sin(turn)))
        if chance.random() < 0.5:
            other = replace(other, skin=replace(other.skin, gloss=block.skin.gloss))
        if far < 1.42:  # flush: side by side
            side = block.axes[0] if chance.random() < 0.5 else block.axes[1]
            sign = chance.choice((-1, 1))
            place = (
                block.centre
                + sign * far * side
                + chance.uniform(-0.4, 0.4) * (block.axes[1] if side is block.axes[0] else block.axes[0])
            )
            other = replace(other, centre=np.array([place[0], place[1], other.centre[2]], np.float32))
            if far < 1.2:
                other = replace(other, axes=block.axes if abs(block.axes[2, 2]) > 0.99 else other.axes)
        if math.hypot(*(other.centre[:2] - block.centre[:2])) < 1.0:
            continue
        found.append(other)
    return found


def _view(chance: random.Random, side: float, target: Floats, *, steep: bool) -> View:
    """A camera that looks at a place from some way off."""
    oblique = abs(chance.gauss(0, 0.25)) if steep or chance.random() < 0.5 else chance.uniform(0, OBLIQUE)
    oblique = min(oblique, OBLIQUE)
    away = math.exp(chance.uniform(math.log(5), math.log(60)))
    around, roll = chance.uniform(0, 2 * math.pi), chance.gauss(0, 0.3)
    up = np.array([math.sin(oblique) * math.cos(around), math.sin(oblique) * math.sin(around), math.cos(oblique)])
    forward = -up
    right = np.array([-math.sin(around), math.cos(around), 0.0])
    down = np.cross(right, forward)  # x right, y down and z up are left-handed
    c, s = math.cos(roll), math.sin(roll)
    axes = np.array([c * right + s * down, -s * right + c * down, forward], np.float32)
    return View((target + away * up).astype(np.float32), axes, side * away, math.ceil(ROOM * side))


def any_light(chance: random.Random) -> Light:
    """Lamps and a window."""
    ambient = chance.uniform(0.25, 0.9)
    warm = chance.gauss(0, 0.05)
    lamps = []
    for _ in range(chance.choice((0, 1, 1, 2, 2, 3))):
        lean, turn = abs(chance.gauss(0, 0.55)), chance.uniform(0, 2 * math.pi)
        lean = min(lean, 1.3)
        toward = np.array(
            [math.sin(lean) * math.cos(turn), math.sin(lean) * math.sin(turn), math.cos(lean)], np.float32
        )
        strength = chance.uniform(0.1, 0.6)
        tint = np.array([1 - warm, 1, 1 + warm], np.float32)
        lamps.append(Lamp(toward, (strength * tint).astype(np.float32), chance.uniform(0.01, 0.2)))
    pane = None
    if chance.random() < 0.5:
        lean, turn = abs(chance.gauss(0, 0.6)), chance.uniform(0, 2 * math.pi)
        toward = np.array(
            [math.sin(lean) * math.cos(turn), math.sin(lean) * math.sin(turn), math.cos(lean)], np.float32
        )
        hole = chance.uniform(0.4, 0.8) if chance.random() < 0.3 else 0.0
        pane = toward, chance.uniform(0.04, 0.3), chance.uniform(0.04, 0.3), hole
    return Light(ambient, tuple(lamps), pane)


def _ground(chance: random.Random, seed: int, px: int, side: float) -> Bgr:
    """What a block lies on: a piece of a drawn board, a plain colour; now and then a checker beneath or beside."""
    if chance.random() < 0.68:
        board = drawn_tables(seed // TOGETHER).bare
        wide = chance.randint(20, 200)
        x, y = chance.uniform(0, board.shape[1]), chance.uniform(0, board.shape[0])
        piece = cut_out(board, x, y, wide / REACH, px)
    else:
        piece = np.empty((px, px, 3), np.uint8)
        grey = chance.randint(130, 240)
        colours = palette.jittered(chance, (grey, grey, grey)), palette.cloth(chance), palette.skin(chance)
        piece[:] = chance.choices(colours, (5, 4, 2))[0]
        slant = np.linspace(chance.uniform(0.7, 1), chance.uniform(0.8, 1.2), px, dtype=np.float32)[None, :, None]
        piece = np.clip(piece * slant, 0, 255).astype(np.uint8)
    if chance.random() < 0.2:
        radius, far, turn = (
            side * chance.uniform(1.0, 1.7),
            side * chance.uniform(0, 2.2),
            chance.uniform(0, 2 * math.pi),
        )
        middle = round(px / 2 + far * math.cos(turn)), round(px / 2 + far * math.sin(turn))
        bgr = palette.jittered(chance, chance.choice(palette.CHECKERS)[chance.randrange(2)])
        cv2.circle(piece, middle, round(radius), bgr, -1, cv2.LINE_AA)
        cv2.circle(piece, middle, round(radius * chance.uniform(0.7, 1)), tuple(0.85 * c for c in bgr), 1, cv2.LINE_AA)
    return piece


def _from_scene(chance: random.Random, seed: int, px: int, role: Role) -> Example:
    """Something cut from a drawn table: mostly what the reader is for."""
    picture, found = chance.choice(drawn_tables(seed // TOGETHER).busy)
    own = [one for one in found if one[0] is role]
    others = [one for one in found if one[0] is not role]
    nothing = NO_DIE if role is Role.DIE else NO_CUBE
    if own and (chance.random() < 0.75 or not others):
        _, told, spot = chance.choice(own)
        return Example(cut_out(picture, *_missed(chance, spot, False), px), told)
    if not others:
        return _bare(chance, seed, px, nothing)
    kind, _, (x, y, side) = chance.choice(others)
    if kind is Role.CHECKER:
        side *= chance.uniform(0.5, 2.5)
    return Example(cut_out(picture, *_missed(chance, (x, y, side), False), px), nothing)


def _bare(chance: random.Random, seed: int, px: int, told: int) -> Example:
    """A piece of board, checkers, props and hands without what the reader is for; often with dots or print."""
    side = math.exp(chance.uniform(math.log(8), math.log(30)))
    room = math.ceil(ROOM * side)
    ground = _ground(chance, seed, room, side)
    kind = chance.random()
    if kind < 0.2:
        radius = max(1, round(side * chance.uniform(0.06, 0.5)))
        bgr = palette.jittered(chance, chance.choice(palette.CLOTHS), 40)
        cv2.circle(ground, (room // 2, room // 2), radius, bgr, chance.choice((-1, -1, 1)), cv2.LINE_AA)
    elif kind < 0.32:
        word = chance.choice(("12", "24", "6", "4", "8", "13", "18", "BG", "2", "16"))
        at = round(room / 2 - side * 0.4), round(room / 2 + side * 0.3)
        cv2.putText(ground, word, at, chance.choice((0, 2, 3)), side / 35, palette.cloth(chance), 1, cv2.LINE_AA)
    elif kind < 0.44:
        prints.line(chance, ground, side)
    elif kind < 0.54:
        prints.display(chance, ground, side)
    elif kind < 0.7:
        ground = _touched(chance, ground, side, middle=True)
    picture = as_seen(chance, ground, side)
    return Example(cut_out(picture, *_missed(chance, (room / 2, room / 2, side), False), px), told)


def _touched(chance: random.Random, picture: Bgr, side: float, *, middle: bool = False) -> Bgr:
    """Now and then with a fingertip: at the block's border, or with `middle` over the middle."""
    if not middle and chance.random() > 0.06:
        return picture
    px = len(picture)
    radius = side * chance.uniform(0.3, 0.6)
    far = chance.uniform(0, 0.3) * side if middle else radius + side * chance.uniform(0.42, 0.7)
    turn = chance.uniform(0, 2 * math.pi)
    toward = np.array([math.cos(turn), math.sin(turn)])
    tip = px / 2 + far * toward
    skin = np.asarray(palette.skin(chance), dtype=np.float64)
    for k in range(4):
        ends = tip, tip + 3 * px * (toward + chance.gauss(0, 0.05))
        start, end = ((round(float(x) * 16), round(float(y) * 16)) for x, y in ends)
        wide = max(1, round(2 * radius * (1 - 0.18 * k)))
        cv2.line(picture, start, end, tuple(float(v) for v in skin * (0.82 + 0.07 * k)), wide, cv2.LINE_AA, 4)
    return picture


def as_seen(chance: random.Random, picture: Bgr, side: float) -> Bgr:
    """What lens and sensor make of it."""
    dark = chance.random() < 0.1
    level = chance.uniform(0.25, 0.55) if dark else min(1.7, max(0.55, chance.gauss(1.0, 0.2)))
    if not dark and chance.random() < 0.6:  # a camera that looks for its exposure itself
        level = min(2.5, max(0.6, chance.uniform(80, 170) / max(1.0, float(picture.mean()))))
    balance = np.array([1 + chance.gauss(0, 0.07), 1, 1 + chance.gauss(0, 0.07)])
    picture = np.clip(picture * (level * balance), 0, 255).astype(np.uint8)
    soft = 0.3 + abs(chance.gauss(0, 0.3))
    if chance.random() < 0.2:
        soft = max(soft, side * chance.uniform(0.02, 0.06))
    motion = chance.uniform(1, 0.22 * side) if chance.random() < 0.1 else 0.0
    picture = developed(
        picture, Sensor(blur_px=soft, motion_px=motion, motion_rad=chance.uniform(0, math.pi), noise=0), _NONE
    )
    noise = chance.uniform(2, 10) if dark else min(12.0, abs(chance.gauss(0, 3.5)))
    grain = np.random.default_rng(chance.getrandbits(32)).standard_normal(picture.shape, dtype=np.float32)
    if chance.random() < 0.6:
        grain = 1.8 * cv2.GaussianBlur(grain, (0, 0), 0.6)
    noisy = np.clip(picture + noise * grain, 0, 255).astype(np.uint8)
    if chance.random() < 0.3:  # sharpened, as phones do
        halo, more = cv2.GaussianBlur(noisy, (0, 0), chance.uniform(0.8, 1.6)), chance.uniform(0.3, 1.5)
        noisy = np.asarray(cv2.addWeighted(noisy, 1 + more, halo, -more, 0), dtype=np.uint8)
    quality = 0 if chance.random() < 0.35 else chance.randint(35, 95)
    return developed(noisy, Sensor(blur_px=0, noise=0, jpeg=quality), _NONE)
