"""Where everything of a scene stands, in millimetres: from points and field space to solids."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from calibration.orientation import place_of
from rules.position import BAR, OFF, POINTS, Player
from vision.synth.bodies import boxed_die, cube_box, hand_rods, prop_solids
from vision.synth.scene import CubeAt, Die, Hand, Loose, Scene, Thing
from vision.synth.solids import ALOFT, ON_TOP, UNDER_DICE, UP, Box, Disc, Drum, Item, Role, Solid, tilted
from vision.synth.table import Table

BAR_STACK = 4
GAP_MM = 0.15
OVER_THE_MIDDLE = 0.3
"""So much of a checker a row may reach over the middle of the board before a second layer begins."""
FLAT_PILE = 5
CUP_FLOOR_MM = 4.0


def items(table: Table, scene: Scene) -> list[Item]:
    """Everything on the table, in no order. Places follow the table's seed: the same scene stands the same."""
    found = [*_on_points(table, scene), *_borne_off(table, scene)]
    found += _on_bar(table, scene, found)
    for one in scene.loose:
        found.append(_loose(table, one, found))
    found += [_prop(table, thing, found) for thing in scene.things]
    found += [_die(table, die, found) for die in scene.dice]
    found.append(_cube(table, scene.cube))
    found += [_hand(table, hand) for hand in scene.hands]
    return found


def _chance(table: Table, *key: int) -> random.Random:
    """The chances of one place: always the same for the same table and place."""
    return random.Random(hash((table.seed, *key)))


def _on_points(table: Table, scene: Scene) -> list[Item]:
    found = []
    for player in Player:
        for point in POINTS:
            place = place_of(point if player is Player.WHITE else 25 - point, table.home)
            count = scene.position.count(player, point)
            for n, (x, y, layer) in enumerate(stack_mm(table, place, count)):
                found.append(_checker(table, player, point, (x, y, layer), (place, n)))
    return found


def stack_mm(table: Table, place: int, count: int) -> list[tuple[float, float, int]]:
    """Centres (x, y) and layers of the checkers on a place (0–23 as seen), the one at the rail first."""
    board, style = table.board, table.checkers
    x0 = board.column_mm(place % 12)
    fits = max(1, int(board.height_mm / 2 / style.diameter_mm + OVER_THE_MIDDLE))
    rows = min(style.layer, fits)
    found: list[tuple[float, float, int]] = []
    radius = style.diameter_mm / 2
    for n in range(count):
        layer, k = divmod(n, rows)
        chance = _chance(table, place, n)
        loose = style.sloppy * radius
        x = x0 + max(-1.5, min(1.5, chance.gauss(0, 1))) * loose
        gap = GAP_MM + (1 - style.pushed) * radius * chance.random() + abs(chance.gauss(0, 0.4)) * loose
        y = found[-1][1] + 2 * radius + gap if k else radius + gap + 0.16 * radius * layer
        found.append((x, y, layer))
    half = board.height_mm / 2
    return [(x, y - half if place < 12 else half - y, layer) for x, y, layer in found]


def _checker(table: Table, player: Player, point: int, at: tuple[float, float, int], key: tuple[int, int]) -> Item:
    style = table.checkers
    x, y, layer = at
    chance = _chance(table, 31, *key)
    z, axis = layer * style.thickness_mm, UP
    if chance.random() < style.leaning:
        axis, z = _leaning(style.diameter_mm, chance, z)
    disc = Disc((x, y, z), style.diameter_mm / 2, style.thickness_mm, player, axis, chance.uniform(0, 2 * math.pi))
    return Item(Role.CHECKER, (disc,), disc.top_mm, player, point, layer=layer)


def _leaning(diameter_mm: float, chance: random.Random, z: float) -> tuple[tuple[float, float, float], float]:
    tilt = chance.uniform(0.08, 0.3)
    return tilted(tilt, chance.uniform(0, 2 * math.pi)), z + diameter_mm / 2 * math.sin(tilt)


def _on_bar(table: Table, scene: Scene, standing: list[Item]) -> list[Item]:
    """In a row from `bar_from` outwards; where the bar is too narrow, over the checkers of the points beside it."""
    found = []
    diameter = table.checkers.diameter_mm
    for player in Player:
        top = (player is Player.WHITE) == table.home.at_bottom
        chance = _chance(table, 41, top)
        start = table.checkers.bar_from - 0.25 * table.checkers.sloppy * chance.random()
        for n in range(scene.position.count(player, BAR)):
            layer, k = divmod(n, BAR_STACK)
            slip = table.checkers.sloppy * diameter / 2
            x = _chance(table, 43, top, n).gauss(0, 1) * slip
            y = (start - 0.5) * table.board.height_mm - k * (diameter + GAP_MM)
            y = y if top else -y
            below = _under(standing, x, y, diameter)
            z = max(table.board.height_at(0, 0), below) + layer * table.checkers.thickness_mm
            spin = chance.uniform(0, 2 * math.pi)
            layer += below > 0
            disc = Disc((x, y, z), diameter / 2, table.checkers.thickness_mm, player, UP, spin)
            found.append(Item(Role.CHECKER, (disc,), disc.top_mm, player, BAR, layer=layer))
    return found


def _borne_off(table: Table, scene: Scene) -> list[Item]:
    """On their edges in the tray beside the home board, or flat in piles."""
    board, style = table.board, table.checkers
    found = []
    radius, thick = style.diameter_mm / 2, style.thickness_mm
    x0 = table.tray_x * board.width_mm - board.width_mm / 2
    if not board.tray_mm:
        x0 += math.copysign(radius + 12, x0)
    on_edge = style.on_edge and board.tray_mm > style.diameter_mm
    for player in Player:
        bottom = (player is Player.WHITE) == table.home.at_bottom
        for n in range(scene.position.count(player, OFF)):
            layer, spin = 0, _chance(table, 53, bottom, n).uniform(0, 2 * math.pi)
            if on_edge:
                y, z = n * (thick + GAP_MM) + 4.0, radius
                axis = (0.0, -1.0 if bottom else 1.0, 0.0)
            else:
                k, layer = divmod(n, FLAT_PILE)
                y, z, axis = radius + 4.0 + k * (2 * radius + 1), layer * thick, UP
            down = board.height_mm / 2 - y
            disc = Disc((x0, down if bottom else -down, z), radius, thick, player, axis, spin)
            found.append(Item(Role.CHECKER, (disc,), disc.top_mm, player, OFF, layer=layer))
    return found


def _under(standing: list[Item], x: float, y: float, diameter_mm: float) -> float:
    """The height of the checkers that a checker at a place would run into; minus infinity where it has room."""
    discs = [solid for item in standing for solid in item.solids if isinstance(solid, Disc)]
    near = [
        disc.top_mm[2] for disc in discs if math.hypot(disc.base_mm[0] - x, disc.base_mm[1] - y) < 0.9 * diameter_mm
    ]
    return max(near, default=-math.inf)


def _loose(table: Table, loose: Loose, standing: list[Item]) -> Item:
    x, y = table.board.mm(loose.xy)
    radius = table.checkers.diameter_mm / 2
    below = -math.inf if loose.z_mm else _under(standing, x, y, 2 * radius)
    z = max(table.board.height_at(x, y), below) + loose.z_mm + radius * abs(math.sin(loose.tilt_rad))
    axis = tilted(loose.tilt_rad, loose.toward_rad)
    disc = Disc((x, y, z), radius, table.checkers.thickness_mm, loose.player, axis)
    return Item(Role.CHECKER, (disc,), disc.top_mm, loose.player, None, layer=ALOFT if loose.z_mm else int(below > 0))


def _die(table: Table, die: Die, standing: list[Item]) -> Item:
    """On the board, or on the checkers or whatever else is under it; in a cup on its floor."""
    x, y = table.board.mm(die.xy)
    style = table.dice_of(die.player)
    tops = [
        (top, item.role) for item in standing for solid in item.solids if (top := _carries(solid, x, y)) is not None
    ]
    on_checker = any(role is Role.CHECKER for _, role in tops)
    height = max([table.board.height_at(x, y), *(top for top, _ in tops)]) + die.z_mm
    state = "cocked" if die.tilt_rad else "on_checker" if on_checker else "flat"
    if not table.board.on_field(x, y) or any(role is Role.PROP for _, role in tops):
        state = "off_board"
    box = boxed_die(style, die.pips, (x, y, height), die.angle_rad, die.tilt_rad)
    layer = ALOFT if die.z_mm else ON_TOP if tops else 0
    return Item(Role.DIE, (box,), box.centre_mm, die.player, None, die.pips, layer, state, die.angle_rad)


def _carries(solid: Solid, x: float, y: float) -> float | None:
    """How high a die lies that is on (or in) a solid; None beside it."""
    match solid:
        case Disc():
            beside = math.hypot(solid.base_mm[0] - x, solid.base_mm[1] - y) >= solid.radius_mm
            return None if beside else solid.top_mm[2]
        case Drum():
            beside = math.hypot(solid.base_mm[0] - x, solid.base_mm[1] - y) >= solid.base_radius_mm
            return None if beside else solid.base_mm[2] + CUP_FLOOR_MM
        case Box():
            inside = cv2.pointPolygonTest(solid.sides()[0][4, :, :2].astype(np.float32), (x, y), False) > 0
            return solid.centre_mm[2] + solid.halves_mm[2][2] if inside else None
    return None


def _cube(table: Table, cube: CubeAt) -> Item:
    x, y = table.board.mm(cube.xy)
    turn = cube.quarter * math.pi / 2 + cube.angle_rad
    box = cube_box(table.cube, cube.value, (x, y, table.board.height_at(x, y) + cube.z_mm), turn)
    return Item(Role.CUBE, (box,), box.centre_mm, shows=cube.value, layer=ALOFT if cube.z_mm else 0, angle_rad=turn)


def _prop(table: Table, thing: Thing, standing: list[Item]) -> Item:
    """On the board or the table, or on the checkers under its middle."""
    x, y = table.board.mm(thing.xy)
    tops = [top for item in standing for solid in item.solids if (top := _carries(solid, x, y)) is not None]
    z = max([table.board.height_at(x, y), *tops]) + thing.z_mm
    solids = prop_solids(thing.prop, (x, y, z), thing.angle_rad, _chance(table, 61, *thing.prop.encode()))
    layer = ALOFT if thing.z_mm else UNDER_DICE
    return Item(Role.PROP, solids, (x, y, z), state=thing.prop.value, angle_rad=thing.angle_rad, layer=layer)


def _hand(table: Table, hand: Hand) -> Item:
    x, y = table.board.mm(hand.xy)
    person = table.people[hand.person % len(table.people)]
    rods = hand_rods(person, (x, y, hand.z_mm), hand, table.board.height_mm / 2)
    return Item(Role.HAND, rods, (x, y, hand.z_mm), layer=ALOFT)
