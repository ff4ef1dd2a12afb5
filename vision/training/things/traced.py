"""Crops full of dice that are traced ray by ray: of every make, seen from aside, as a board's view or as they are."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from calibration.geometry import apply
from vision.frame import Bgr
from vision.readers import REACH, VALUES, cut_out
from vision.smallthings import BEYOND
from vision.synth.chance import palette
from vision.training.readers.closeup import Block, Floats, View, drawn
from vision.training.readers.crops import OBLIQUE, any_block, any_light, as_seen
from vision.training.readers.tables import drawn_tables
from vision.training.things.clutter import clutter
from vision.training.things.crop import CROP_PX, CUBE, DIE, SIDES_PX, Crop, inside
from vision.window import level_of

TOGETHER = 48
"""So many seeds share one drawn board as their ground."""
DIE_PX = (8.5, 28.0)
CUBE_EDGES = (1.1, 2.4)
UPRIGHT = 0.55
"""Share of crops that are turned so that the ground is seen from above."""
LEAN_SHARE, LEAN_RAD = 0.22, (0.12, 0.8)
ON_CHECKER, CHECKERS_EDGES = 0.12, (1.1, 1.8)
HIGH = 0.6
"""How high a checker is, in edges of a die."""
Place = tuple[float, float]


def traced(seed: int) -> Crop:
    """The crop of a seed."""
    chance = random.Random(f"traced {seed}")
    lit, view, blocks, side = pictured(chance, seed)
    upright = chance.random() < UPRIGHT
    turn = ground_from_above(view, side) if upright else np.eye(3, dtype=np.float32)
    things = np.asarray([lies(one, view, turn) for one in blocks], np.float32)
    picture = as_seen(chance, lit, side)
    if upright:
        size, border = (CROP_PX, CROP_PX), (BEYOND,) * 3
        warped = cv2.warpPerspective(picture, turn, size, borderMode=cv2.BORDER_CONSTANT, borderValue=border)
        picture = np.asarray(warped, dtype=np.uint8)
    level, spread = level_of(picture)
    return Crop(picture, inside(things, 0, 0), level, spread)


def pictured(chance: random.Random, seed: int) -> tuple[Bgr, View, list[tuple[Block, int, bool]], float]:
    """Blocks on a ground before lens and sensor, how they are looked at, what each is, a die's edge in pixels."""
    side = math.exp(chance.uniform(math.log(DIE_PX[0]), math.log(DIE_PX[1])))
    view = _view(chance, side)
    reach = 0.55 * CROP_PX / side
    blocks, discs = laid(chance, reach)
    ground = _ground(chance, seed)
    for middle, radius in discs:
        _checker(chance, ground, view, middle, radius)
    return drawn(ground, [block for block, *_ in blocks], any_light(chance), view), view, blocks, side


def _view(chance: random.Random, side: float) -> View:
    """A camera that looks at the ground's middle from some way off, where an edge is `side` pixels."""
    oblique = min(OBLIQUE, abs(chance.gauss(0, 0.3)) if chance.random() < 0.5 else chance.uniform(0, OBLIQUE))
    away = max(1.5 * CROP_PX / side, math.exp(chance.uniform(math.log(15), math.log(90))))
    around, roll = chance.uniform(0, 2 * math.pi), chance.uniform(0, 2 * math.pi)
    up = np.array([math.sin(oblique) * math.cos(around), math.sin(oblique) * math.sin(around), math.cos(oblique)])
    right = np.array([-math.sin(around), math.cos(around), 0.0])
    down = np.cross(right, -up)
    c, s = math.cos(roll), math.sin(roll)
    axes = np.array([c * right + s * down, -s * right + c * down, -up], np.float32)
    return View((away * up).astype(np.float32), axes, side * away, CROP_PX)


def ground_from_above(view: View, side: float) -> Floats:
    """The transform of the picture's pixels that shows the ground from above, an edge `side` pixels long."""
    far = CROP_PX / 2 / side
    corners = np.array([(-far, -far, 0), (far, -far, 0), (far, far, 0), (-far, far, 0)], np.float32)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * (CROP_PX - 1)
    return np.asarray(cv2.getPerspectiveTransform(view.project(corners), square), dtype=np.float32)


def laid(chance: random.Random, reach: float) -> tuple[list[tuple[Block, int, bool]], list[tuple[Place, float]]]:
    """Blocks on the ground with their kind and whether they lean; middles and radii of the checkers there."""
    blocks = list[tuple[Block, int, bool]]()
    discs = [(_place(chance, reach), chance.uniform(*CHECKERS_EDGES)) for _ in range(chance.choice((0, 0, 1, 3, 6)))]
    if chance.random() < 0.55:
        shows = -1 if chance.random() < 0.15 else -chance.choice(VALUES)
        lean = chance.uniform(*LEAN_RAD) if chance.random() < 0.1 else 0.0
        blocks.append((any_block(chance, shows, _place(chance, reach), lean, chance.uniform(*CUBE_EDGES)), CUBE, False))
    for _ in range(chance.randint(3, 8)):
        first = None
        at = _place(chance, reach)
        for _ in range(chance.choices((1, 2, 3), (6, 4, 1))[0]):
            if not _free(at, blocks, first):
                continue
            die = any_block(chance, chance.randint(1, 6), at, _lean(chance))
            leans = die.axes[2, 2] < 0.999
            if first is not None and not leans and first.axes[2, 2] > 0.999:
                die = _flush(die, first)
            if leans and chance.random() < 0.4:  # over a checker's border
                radius = chance.uniform(*CHECKERS_EDGES)
                far = (radius + chance.uniform(-0.1, 0.3)) * die.axes[2, :2] / max(1e-3, math.hypot(*die.axes[2, :2]))
                discs.append(((at[0] - float(far[0]), at[1] - float(far[1])), radius))
            elif chance.random() < ON_CHECKER:
                discs.append(((at[0] + chance.gauss(0, 0.4), at[1] + chance.gauss(0, 0.4)), CHECKERS_EDGES[1]))
                die = _lifted(die, HIGH * chance.choice((1, 1, 2)))
            blocks.append((die, DIE, bool(leans)))
            first = die
            step, turn = chance.uniform(1.02, 1.3), chance.randrange(4) * math.pi / 2
            along = step * (math.cos(turn) * die.axes[0, :2] + math.sin(turn) * die.axes[1, :2])
            at = at[0] + float(along[0]), at[1] + float(along[1])
    return blocks, discs


def _place(chance: random.Random, reach: float) -> Place:
    return chance.uniform(-reach, reach), chance.uniform(-reach, reach)


def _lean(chance: random.Random) -> float:
    return chance.uniform(*LEAN_RAD) if chance.random() < LEAN_SHARE else 0.0


def _free(at: Place, blocks: list[tuple[Block, int, bool]], beside: Block | None) -> bool:
    """Nothing lies there yet; only a die that it shall touch may be near."""
    return all(
        block is beside or math.hypot(block.centre[0] - at[0], block.centre[1] - at[1]) > 0.75 * (1 + block.size)
        for block, *_ in blocks
    )


def _flush(die: Block, beside: Block) -> Block:
    """The die turned as its neighbour."""
    return Block(die.centre, beside.axes, die.size, die.edge, die.ball, die.bulge, die.skin)


def _lifted(die: Block, by: float) -> Block:
    up = np.array([0, 0, by], np.float32)
    return Block(die.centre + up, die.axes, die.size, die.edge, die.ball, die.bulge, die.skin)


def lies(one: tuple[Block, int, bool], view: View, turn: Floats) -> tuple[float, ...]:
    """What is told of a block in the crop."""
    block, kind, leans = one
    up = block.centre + np.float32(block.size / 2) * block.axes[2]
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)], np.float32) @ block.axes[:2] * block.size / 2
    seen = apply(turn.astype(np.float64), view.project((up + corners).astype(np.float32)))
    edge = float(np.linalg.norm(seen[:4] - np.roll(seen[:4], 1, axis=0), axis=1).mean())
    low, high = SIDES_PX[kind]
    return kind, float(seen[4, 0]), float(seen[4, 1]), edge, low <= edge <= high, leans


def _ground(chance: random.Random, seed: int) -> Bgr:
    """A piece of a drawn board with its checkers, or a plain colour; print and marks upon it."""
    if chance.random() < 0.6:
        board = drawn_tables(seed // TOGETHER).bare
        x, y = chance.uniform(0, board.shape[1]), chance.uniform(0, board.shape[0])
        piece = cut_out(board, x, y, chance.uniform(60, 350) / REACH, CROP_PX).copy()
    else:
        grey = chance.randint(40, 245)
        colours = palette.jittered(chance, (grey, grey, grey)), palette.cloth(chance), palette.skin(chance)
        piece = np.empty((CROP_PX, CROP_PX, 3), np.uint8)
        piece[:] = chance.choices(colours, (5, 4, 2))[0]
        if chance.random() < 0.4:
            grain = np.random.default_rng(chance.getrandbits(32)).standard_normal((CROP_PX, CROP_PX)).astype(np.float32)
            wide, high = chance.uniform(0.3, 12), chance.uniform(0.3, 3)
            soft = cv2.GaussianBlur(grain, (0, 0), wide, sigmaY=high)
            piece = np.clip(piece * (1 + chance.uniform(0.02, 0.2) * soft / soft.std())[..., None], 0, 255)
            piece = np.asarray(piece, dtype=np.uint8)
    if chance.random() < 0.6:
        clutter(piece, np.zeros(piece.shape[:2], bool), chance)
    return piece


def _checker(chance: random.Random, ground: Bgr, view: View, middle: Place, radius: float) -> None:
    """Paint a checker onto the picture of the ground."""
    bgr = palette.jittered(chance, chance.choice(palette.CHECKERS)[chance.randrange(2)])
    turns = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    rim = np.stack([np.cos(turns), np.sin(turns)], axis=1) * radius + middle
    layers = [(0.0, 1.0, 0.6), (HIGH, 1.0, 1.0)]
    if chance.random() < 0.5:
        layers.append((HIGH, chance.uniform(0.3, 0.9), chance.uniform(0.75, 1.1)))
    for height, share, bright in layers:
        flat = (rim - middle) * share + middle
        outline = view.project(np.column_stack([flat, np.full(len(flat), height)]).astype(np.float32))
        colour = tuple(min(255.0, bright * c) for c in bgr)
        cv2.fillConvexPoly(ground, (16 * outline).round().astype(np.int32), colour, cv2.LINE_AA, 4)
