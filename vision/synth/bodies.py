"""The shapes of dice, cube, props and hands: how each is put together from solids."""

from __future__ import annotations

import math
import random

import numpy as np

from calibration.geometry import Matrix
from vision.synth.scene import Hand, Prop
from vision.synth.solids import Box, Drum, Rod, Solid, Xyz
from vision.synth.table import Bgr3, CheckerKind, Dice, Doubler, Person

AROUND = {1: (2, 3, 5, 4), 2: (6, 3, 1, 4), 3: (2, 6, 5, 1), 4: (1, 5, 6, 2), 5: (4, 1, 3, 6), 6: (4, 5, 3, 2)}
"""The numbers on a die's sides, anticlockwise, for the one on top: opposite faces add up to seven."""
OPPOSITE = {2: 16, 16: 2, 4: 32, 32: 4, 8: 64, 64: 8}
SIDES = {2: (4, 8), 4: (8, 2), 8: (2, 4), 16: (8, 4), 32: (2, 8), 64: (4, 2)}
SHOULDER_MM = 330.0
"""How far beyond the field's edge an arm comes from."""


def turned(angle_rad: float, tilt_rad: float = 0.0) -> Matrix:
    """Rows: the directions of a thing's own x, y and z after it leaned over and was turned."""
    c, s = math.cos(angle_rad), math.sin(angle_rad)
    ct, st = math.cos(tilt_rad), math.sin(tilt_rad)
    out: Matrix = np.array([[c * ct, s * ct, -st], [-s, c, 0.0], [c * st, s * st, ct]])
    return out


def _box(base: Xyz, size: Xyz, axes: Matrix, bgr: Bgr3, **kind: object) -> Box:
    """A box that touches the height of `base` with its lowest corner."""
    halves = axes * (np.asarray(size)[:, None] / 2)
    up = float(np.abs(halves[:, 2]).sum())
    a, b, c = (tuple(float(v) for v in half) for half in halves)
    return Box((base[0], base[1], base[2] + up), (a, b, c), bgr, **kind)  # type: ignore[arg-type]


def boxed_die(style: Dice, pips: int, base: Xyz, angle_rad: float, tilt_rad: float) -> Box:
    """A die that shows `pips` on its upper face."""
    s = style.size_mm
    east, north, west, south = AROUND[pips]
    faces = tuple(str(n) if not style.numerals else f"#{n}" for n in (east, west, north, south, pips, 7 - pips))
    axes = turned(angle_rad, tilt_rad)
    return _box(
        base,
        (s, s, s),
        axes,
        style.body_bgr,
        faces=faces,
        ink_bgr=style.pip_bgr,
        roundness=style.roundness,
        mark_size=style.pip_size,
    )


def cube_box(style: Doubler, value: int, base: Xyz, angle_rad: float) -> Box:
    """The doubling cube with `value` up; a number that no cube has is on a face of its own."""
    s = style.size_mm
    a, b = SIDES.get(value, (4, 8))
    numbers = (a, OPPOSITE[a], b, OPPOSITE[b], value, OPPOSITE.get(value, 64))
    mark = "!" if style.engraved else "="
    faces = tuple("*" if style.logo and n == 64 else f"{mark}{style.font}{n}" for n in numbers)
    return _box(
        base,
        (s, s, s),
        turned(angle_rad),
        style.body_bgr,
        faces=faces,
        ink_bgr=style.ink_bgr,
        roundness=style.roundness,
    )


def prop_solids(prop: Prop, base: Xyz, angle_rad: float, chance: random.Random) -> tuple[Solid, ...]:
    """The solids of a prop that stands at `base`."""
    axes = turned(angle_rad)
    x, y, z = base

    def at(right: float, near: float, up: float = 0.0) -> Xyz:
        px, py, _ = np.asarray((x, y, 0.0)) + right * axes[0] + near * axes[1]
        return float(px), float(py), z + up

    match prop:
        case Prop.CUP:
            bgr = chance.choice(((38, 32, 30), (40, 40, 120), (60, 90, 40), (70, 100, 140)))
            return (Drum(base, 36, 41, 96, bgr, hollow=True),)
        case Prop.GLASS:
            return (Drum(base, 28, 36, 105, (190, 196, 200), hollow=True, clear=True),)
        case Prop.CLOCK:
            body = _box(base, (165, 60, 70), axes, chance.choice(((40, 40, 44), (120, 60, 40), (60, 90, 130))))
            dials = [_box(at(dx, -12, 70), (58, 30, 1), axes, (170, 190, 182), faces=_top("12:34")) for dx in (-38, 38)]
            return (body, *dials)
        case Prop.PHONE:
            screen = _box(at(0, 0, 7.5), (66, 142, 0.4), axes, (28, 24, 22))
            return (_box(base, (72, 150, 7.5), axes, (50, 48, 46)), screen)
        case Prop.SCORE_CARD:
            numbers = [str(chance.randint(0, 9)) for _ in range(2)]
            colours = ((236, 238, 238), (60, 50, 190))
            cards = zip((-34, 34), numbers, colours, strict=True)
            return tuple(_box(at(dx, 0), (64, 92, 0.6), axes, bgr, faces=_top(text)) for dx, text, bgr in cards)
        case Prop.PAPER:
            return (_box(base, (148, 210, 0.3), axes, (232, 236, 238), faces=_top("~")),)
        case Prop.PEN:
            end, start = at(-68, 0, 5), at(68, 0, 5)
            return (Rod(start, end, 5, 4, chance.choice(((120, 50, 20), (30, 30, 34), (40, 40, 160)))),)
        case Prop.SPECTACLES:
            rims = [Rod(at(dx - 18, 0, 16), at(dx + 18, 0, 16), 2.5, 2.5, (30, 34, 40)) for dx in (-34, 34)]
            sides = [Rod(at(dx, 0, 16), at(dx * 0.9, 110, 6), 2.2, 2.2, (30, 34, 40)) for dx in (-58, 58)]
            return (*rims, *sides, Rod(at(-16, 0, 18), at(16, 0, 18), 2, 2, (30, 34, 40)))
        case Prop.CASE:
            return (_box(base, (115, 80, 34), axes, chance.choice(((60, 30, 60), (34, 34, 36), (40, 70, 110)))),)
        case Prop.SPARE_DIE:
            style = Dice(14.0, body_bgr=(60, 160, 60), pip_bgr=(240, 240, 240), numerals=True)
            return (boxed_die(style, chance.randint(1, 6), base, angle_rad, 0.0),)


def _top(text: str) -> tuple[str, ...]:
    return ("", "", "", "", f"_{text}", "")


def hand_rods(person: Person, tip: Xyz, hand: Hand, half_field_mm: float) -> tuple[Rod, ...]:
    """Sleeve, forearm, palm and five fingers of a hand whose fingertips are at `tip`."""
    toward = 1.0 if hand.near else -1.0
    side = (1.0 if hand.right else -1.0) * toward
    shoulder_x = tip[0] * 0.55 + side * 60
    shoulder = np.array([shoulder_x, toward * (half_field_mm + SHOULDER_MM), 260.0])
    back = shoulder - (tip[0], tip[1], tip[2] + 90)
    back /= np.linalg.norm(back)
    right = np.array([-back[1], back[0], 0.0]) * -side
    right /= np.linalg.norm(right)  # from the thumb to the little finger
    top = np.asarray(tip)
    wrist = top + 128 * back + (0, 0, 62)
    knuckles = top + 62 * back + (0, 0, 46)
    rods = [_rod(wrist, knuckles + 18 * right, person.wrist_mm * 0.42, 19, person.skin_bgr)]
    rods += [_rod(wrist + 8 * right * k, knuckles + 21 * right * k, 19, 14, person.skin_bgr) for k in (-0.9, 0.1, 1.0)]
    tips = _fingertips(hand.pointing, top, back, right)
    for k, (end, bend) in enumerate(tips):
        root = knuckles + (-21 + 15 * k) * right
        rods += [_rod(root, bend, 9.5, 8.5, person.skin_bgr), _rod(bend, end, 8.5, 7.0, person.skin_bgr)]
    thumb_root = wrist - 26 * right - 34 * back
    thumb = top - 9 * right + 8 * back if not hand.pointing else knuckles - 8 * right - 12 * back
    rods.append(_rod(thumb_root, thumb, 12, 8, person.skin_bgr))
    elbow = shoulder
    cuff = elbow + (wrist - elbow) * (0.45 + 0.55 * person.sleeve)
    rods.append(_rod(wrist, elbow, person.wrist_mm * 0.46, person.wrist_mm * 0.7, person.skin_bgr))
    if person.sleeve:
        rods.append(_rod(cuff, elbow, person.wrist_mm * 0.6, person.wrist_mm * 0.95, person.sleeve_bgr))
    return tuple(rods)


def _fingertips(pointing: bool, top: Matrix, back: Matrix, right: Matrix) -> list[tuple[Matrix, Matrix]]:
    """(tip, middle joint) of the four fingers, index finger first."""
    up = np.array([0.0, 0.0, 1.0])
    found = []
    for k in range(4):
        if pointing and k == 0:
            found.append((top, top + 30 * back + 16 * up))
            continue
        curl = 0.0 if k < 2 and not pointing else 1.0
        end = top + (4 + 9 * k + 22 * curl) * back + (2 + 10 * k) * right + 12 * curl * up
        found.append((end, top + (22 + 12 * curl) * back + (-12 + 15 * k) * right + (34 + 6 * curl) * up))
    return found


def _rod(start: Matrix, end: Matrix, start_radius: float, end_radius: float, bgr: Bgr3) -> Rod:
    a, b = ((float(x), float(y), float(z)) for x, y, z in (start, end))
    return Rod(a, b, start_radius, end_radius, bgr)


PROFILES: dict[CheckerKind, tuple[tuple[float, float], ...]] = {
    CheckerKind.FLAT: ((1, 0), (1, 0.88), (0.96, 1), (0, 1)),
    CheckerKind.RIMMED: ((1, 0), (1, 0.86), (0.97, 1), (0.80, 1), (0.74, 0.86), (0, 0.86)),
    CheckerKind.RINGED: (
        *((1, 0), (1, 0.88), (0.97, 1), (0.84, 1), (0.81, 0.88), (0.75, 0.88), (0.72, 1)),
        *((0.50, 1), (0.47, 0.88), (0.41, 0.88), (0.38, 1), (0, 1)),
    ),
    CheckerKind.CONCAVE: ((1, 0), (1, 0.86), (0.95, 1), (0.90, 1), (0.75, 0.86), (0.5, 0.75), (0.25, 0.70), (0, 0.68)),
    CheckerKind.DOMED: ((1, 0), (1, 0.5), (0.95, 0.72), (0.8, 0.87), (0.55, 0.95), (0.28, 0.99), (0, 1)),
    CheckerKind.PEARL: ((1, 0.08), (1, 0.75), (0.97, 0.9), (0.91, 1), (0, 1)),
    CheckerKind.WOOD: ((1, 0), (1, 0.9), (0.97, 1), (0.7, 1), (0.67, 0.95), (0.63, 0.95), (0.6, 1), (0, 1)),
}
"""Half a cut through a checker: (share of the radius, of the thickness) from its foot to the middle of its top."""
