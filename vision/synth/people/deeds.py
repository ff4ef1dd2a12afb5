"""People at the table: from what is done to how it looks, as stretches of scenes between two still ones."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from rules.position import Player
from vision.synth.people.arm import Arm, Leg
from vision.synth.people.carrying import Carry, Xyz, carries, having, place, without
from vision.synth.people.dice_roll import Roll, rolling
from vision.synth.scene import Loose, Prop, Scene, Thing
from vision.synth.story.shot import Act, Deed, Xy
from vision.synth.table import Table

CARD_MM = 50.0
"""How far beside the board the middle of the score card lies."""
ARC_MM, HOVER_MM = 48.0, 42.0
HANDFUL = 3
GRASP_S, DROP_S, HESITATE_S, HOVER_S, LEAN_S, POINT_S = 0.12, 0.08, 0.8, 0.45, 1.2, 1.0
RAIL_X, GRIP_MM = 0.31, 70.0
CUP_Z_MM, SHAKE, SHAKE_S = 135.0, 0.03, 0.13
"""How high a hand shakes a cup, how far to and fro (in fields), and how long that takes each time."""


def enact(table: Table, before: Scene, acts: Sequence[Act], seed: int) -> list[Leg]:
    """All stretches from `before` to the scene after the last of `acts`; `seed` decides how quick and how straight."""
    chance = random.Random(seed)
    legs: list[Leg] = []
    arm: Arm | None = None
    scene = before
    for act in acts:
        if arm is not None and arm.by != act.by and arm.place is not None:
            legs.append(arm.away(scene))
        if arm is None or arm.by != act.by:
            near = act.by == 0 or (act.by > 1 and chance.random() < 0.5)
            arm = Arm(table, act.by, near=near, chance=chance)
            resting = [hand for hand in scene.hands if hand.person == act.by]
            if resting:
                arm.near, arm.place = resting[0].near, (*resting[0].xy, resting[0].z_mm)
        free = replace(scene, hands=())
        legs += _DEEDS[act.deed](arm, free, act, chance)
        scene = act.after
    if arm is not None and arm.place is not None and not scene.hands:
        legs.append(arm.away(scene))
    return legs


def card_xy(table: Table) -> Xy:
    """Where the score card lies."""
    return 0.5 - (table.board.outline_mm[0] + CARD_MM) / table.board.width_mm, 0.62


def _mover(arm: Arm) -> Player | None:
    """Whose checkers an arm moves."""
    if arm.by > 1:
        return None
    return Player.WHITE if (arm.by == 0) == arm.table.home.at_bottom else Player.BLACK


def _move(arm: Arm, before: Scene, act: Act, _chance: random.Random) -> Iterator[Leg]:
    scene = before
    for carry in carries(before, act.after, _mover(arm)):
        there = having(without(scene, carry.player, carry.origin), carry.player, carry.target)
        yield from _carried(arm, scene, there, [carry], act.deed)
        scene = there


def _set_up(arm: Arm, before: Scene, act: Act, _chance: random.Random) -> Iterator[Leg]:
    scene, todo = before, carries(before, act.after, _mover(arm))
    while todo:
        handful, todo = todo[:HANDFUL], todo[HANDFUL:]
        there = scene
        for carry in handful:
            there = having(without(there, carry.player, carry.origin), carry.player, carry.target)
        yield from _carried(arm, scene, there, handful, act.deed)
        scene = there


def _carried(arm: Arm, scene: Scene, there: Scene, handful: list[Carry], deed: Deed) -> Iterator[Leg]:
    """Checkers are taken, carried to the spot of the first of them, and dropped."""
    table = arm.table
    thickness = table.checkers.thickness_mm
    first = handful[0]
    x0, y0, z0 = place(table, scene, first.player, first.origin)
    x1, y1, z1 = place(table, there, first.player, first.target)
    lifted = scene
    for carry in handful:
        lifted = without(lifted, carry.player, carry.origin)

    def holding(now: Scene, here: Xyz, _share: float) -> Scene:
        x, y, z = here
        base = z - thickness - table.board.height_at(*table.board.mm((x, y)))
        held = tuple(Loose(one.player, (x, y), base - k * thickness) for k, one in enumerate(handful))
        return replace(now, loose=(*now.loose, *held))

    yield arm.way((x0, y0, z0 + thickness), scene)
    yield arm.stay(scene, GRASP_S)
    target = (x1, y1, z1 + len(handful) * thickness)
    if deed is Deed.HESITATE:
        high = ((x0 + x1) / 2, (y0 + y1) / 2, max(z0, z1) + ARC_MM)
        yield arm.way(high, lifted, carrying=holding)
        yield arm.stay(lifted, HESITATE_S, carrying=holding)
        yield arm.way(target, lifted, carrying=holding)
    else:
        yield arm.way(target, lifted, carrying=holding, arc_mm=0.0 if deed is Deed.SLIDE else ARC_MM)
    yield arm.stay(there, DROP_S)


def _hover(arm: Arm, before: Scene, act: Act, chance: random.Random) -> Iterator[Leg]:
    x, y = act.at or (0.5, 0.5)
    yield arm.way((x, y, HOVER_MM), before)
    yield arm.stay(before, HOVER_S)
    yield arm.way((x + chance.uniform(-0.06, 0.06), y + chance.uniform(-0.05, 0.05), HOVER_MM + 20), before)


def _lift_dice(arm: Arm, before: Scene, act: Act, _chance: random.Random) -> Iterator[Leg]:
    scene = before
    for die in before.dice:
        if die in act.after.dice:
            continue
        size = arm.table.dice_of(die.player).size_mm
        ground = arm.table.board.height_at(*arm.table.board.mm(die.xy))
        yield arm.way((*die.xy, ground + die.z_mm + size), scene)
        yield arm.stay(scene, DROP_S)
        scene = replace(scene, dice=tuple(one for one in scene.dice if one != die))
    yield arm.away(scene)


def _throw(arm: Arm, before: Scene, act: Act, chance: random.Random) -> Iterator[Leg]:
    """The hand shakes, lets the dice go, and draws back while they roll; or it stops them before they lie still."""
    new = tuple(die for die in act.after.dice if die not in before.dice)
    x, y = (sum(die.xy[k] for die in new) / len(new) for k in (0, 1))
    toward = 1.0 if arm.near else -1.0
    x += 0.12 * toward * (-1 if arm.hand((x, y, 0)).right else 1)
    start = (x, y + 0.2 * toward, 75.0)
    yield arm.way(start, before)
    roll = Roll(new, start, chance.randrange(1 << 30))
    if act.deed is Deed.TOUCH_DICE:
        yield arm.way((*new[0].xy, 20.0), before, carrying=roll.part(0.0, 0.75))
        yield arm.stay(before, 0.25, carrying=roll.part(0.75, 1.0))
    else:
        yield _in(arm.way((x, y + 0.3 * toward, 95.0), before, carrying=roll.part(0.0, 0.6)), arm.seconds(0.5))
        yield _in(arm.away(before), 0.0)
        yield rolling(before, roll.part(0.6, 1.0), arm.seconds(0.35))


def _cup_in_hand(arm: Arm, scene: Scene, here: Xyz) -> Scene:
    x, y, z = here
    up = max(1.0, z - GRIP_MM - arm.table.board.height_at(*arm.table.board.mm((x, y))))
    return replace(scene, things=(*scene.things, Thing(Prop.CUP, (x, y), z_mm=up)))


def _shaken(arm: Arm, before: Scene, at: Xy, times: int, chance: random.Random) -> Iterator[Leg]:
    """The hand comes with a cup and moves it to and fro."""

    def holding(now: Scene, here: Xyz, _share: float) -> Scene:
        return _cup_in_hand(arm, now, here)

    x, y = at
    yield arm.way((x, y, CUP_Z_MM), before, carrying=holding)
    for k in range(times):
        aside = SHAKE * (1 if k % 2 else -1)
        there = (x + aside, y + chance.uniform(-SHAKE, SHAKE), CUP_Z_MM + chance.uniform(-15, 15))
        yield _in(arm.way(there, before, carrying=holding), SHAKE_S)


def _shake_cup(arm: Arm, before: Scene, act: Act, chance: random.Random) -> Iterator[Leg]:
    yield from _shaken(arm, before, act.at or (0.5, 0.5), 7, chance)
    yield arm.way(
        arm.outside(arm.place or (0.5, 0.5, 0.0)), before, carrying=lambda now, here, _: _cup_in_hand(arm, now, here)
    )
    arm.place = None


def _pour(arm: Arm, before: Scene, act: Act, chance: random.Random) -> Iterator[Leg]:
    """Out of a cup the dice roll; it is taken away while they do."""
    new = tuple(die for die in act.after.dice if die not in before.dice)
    x, y = (sum(die.xy[k] for die in new) / len(new) for k in (0, 1))
    toward = 1.0 if arm.near else -1.0
    start = (x, y + 0.22 * toward)
    yield from _shaken(arm, before, start, 2, chance)
    roll = Roll(new, (*start, CUP_Z_MM - GRIP_MM), chance.randrange(1 << 30))
    poured = roll.part(0.0, 0.6)

    def pouring(now: Scene, here: Xyz, share: float) -> Scene:
        return _cup_in_hand(arm, poured(now, here, share), here)

    yield _in(arm.way(arm.outside((*start, CUP_Z_MM)), before, carrying=pouring), arm.seconds(0.5))
    arm.place = None
    yield rolling(before, roll.part(0.6, 1.0), arm.seconds(0.35))


def _in(leg: Leg, seconds: float) -> Leg:
    return replace(leg, seconds=seconds)


def _knock_die(arm: Arm, before: Scene, act: Act, chance: random.Random) -> Iterator[Leg]:
    """A sleeve turns a die over on its way."""
    new = tuple(die for die in act.after.dice if die not in before.dice)
    old = next(die for die in before.dice if die not in act.after.dice)
    still = replace(before, dice=tuple(die for die in before.dice if die != old))
    yield arm.way((*old.xy, 18.0), before)
    roll = Roll(new, (*old.xy, 4.0), chance.randrange(1 << 30), hop_mm=8.0)
    yield _in(arm.way((*new[0].xy, 30.0), still, carrying=roll.part(0.0, 1.0)), arm.seconds(0.4))


def _cube(arm: Arm, before: Scene, act: Act, chance: random.Random) -> Iterator[Leg]:
    """The cube is taken, turned if another number is to be up, and put or pushed where it then lies."""
    old, new = before.cube, act.after.cube
    board, size = arm.table.board, arm.table.cube.size_mm
    ground = [board.height_at(*board.mm(cube.xy)) for cube in (old, new)]
    turns = old.value != new.value or old.quarter != new.quarter
    spin = chance.choice((-1, 1)) * math.pi / 2

    def holding(now: Scene, here: Xyz, share: float) -> Scene:
        x, y, z = here
        up = z - size - board.height_at(*board.mm((x, y)))
        shown = new if share > 0.5 else old
        turn = spin * (share if share < 0.5 else share - 1) if turns else 0.0
        return replace(now, cube=replace(shown, xy=(x, y), z_mm=up, angle_rad=shown.angle_rad + turn))

    yield arm.way((*old.xy, ground[0] + size), before)
    yield arm.stay(before, GRASP_S)
    arc = 0.0 if act.deed is Deed.PUSH_CUBE else ARC_MM
    yield arm.way((*new.xy, ground[1] + size), before, carrying=holding, arc_mm=arc)
    yield arm.stay(replace(before, cube=new), DROP_S)


def _write_score(arm: Arm, before: Scene, _act: Act, chance: random.Random) -> Iterator[Leg]:
    x, y = card_xy(arm.table)
    for _ in range(3):
        yield arm.way((x + chance.uniform(-0.02, 0.02), y + chance.uniform(-0.03, 0.03), 6.0), before)
        yield arm.stay(before, 0.15)


def _point(arm: Arm, before: Scene, act: Act, chance: random.Random) -> Iterator[Leg]:
    x, y = act.at or (0.5, 0.5)
    yield arm.way((x, y, 30.0), before, pointing=True)
    for _ in range(2):
        yield arm.stay(before, POINT_S / 2, pointing=True)
        yield arm.way((x + chance.uniform(-0.02, 0.02), y + chance.uniform(-0.02, 0.02), 22.0), before, pointing=True)
    yield arm.away(before, pointing=True)


def _lean_in(arm: Arm, before: Scene, act: Act, _chance: random.Random) -> Iterator[Leg]:
    x, y = act.at or (0.5, 0.5)
    edge = 1.35 if arm.near else -0.35

    def head(start: float, end: float) -> Callable[[float], Scene]:
        return lambda share: replace(before, head=(x, start + share * (end - start)))

    yield Leg(arm.seconds(0.8), head(edge, y))
    yield Leg(arm.seconds(LEAN_S), head(y, y))
    yield Leg(arm.seconds(0.8), head(y, edge))


def _push_board(arm: Arm, before: Scene, act: Act, _chance: random.Random) -> Iterator[Leg]:
    old, new = before.bump, act.after.bump

    def pushed(now: Scene, _here: Xyz, share: float) -> Scene:
        right, near, turn = (a + share * (b - a) for a, b in zip(old, new, strict=True))
        return replace(now, bump=(right, near, turn))

    rail = (RAIL_X, 1.0 if arm.near else 0.0, arm.table.board.rail_height_mm)
    yield arm.way(rail, before)
    yield arm.stay(before, 0.25, carrying=pushed)


def _thing(arm: Arm, before: Scene, act: Act, _chance: random.Random) -> Iterator[Leg]:
    """A thing is put on the table, or taken from it."""
    putting = act.deed is Deed.PUT_THING
    fewer, more = (before, act.after) if putting else (act.after, before)
    thing = next(one for one in more.things if one not in fewer.things)
    low = arm.table.board.height_at(*arm.table.board.mm(thing.xy))

    def holding(now: Scene, here: Xyz, _share: float) -> Scene:
        x, y, z = here
        up = max(0.0, z - GRIP_MM - arm.table.board.height_at(*arm.table.board.mm((x, y))))
        return replace(now, things=(*now.things, replace(thing, xy=(x, y), z_mm=up)))

    there = (*thing.xy, low + thing.z_mm + GRIP_MM)
    if putting:
        yield arm.way(there, fewer, carrying=holding)
        yield arm.stay(more, DROP_S)
    else:
        yield arm.way(there, more)
        yield arm.stay(more, GRASP_S)
        yield arm.way(arm.outside(there), fewer, carrying=holding)


def _rest_hand(arm: Arm, before: Scene, act: Act, _chance: random.Random) -> Iterator[Leg]:
    hand = act.after.hands[0]
    yield arm.way((*hand.xy, hand.z_mm), before)


def _withdraw(arm: Arm, before: Scene, _act: Act, _chance: random.Random) -> Iterator[Leg]:
    yield arm.away(before)


_DEEDS: dict[Deed, Callable[[Arm, Scene, Act, random.Random], Iterable[Leg]]] = {
    **dict.fromkeys((Deed.MOVE, Deed.SLIDE, Deed.HESITATE, Deed.HIT, Deed.PUT_BACK), _move),
    Deed.HOVER: _hover,
    Deed.SET_UP: _set_up,
    Deed.LIFT_DICE: _lift_dice,
    **dict.fromkeys((Deed.THROW, Deed.TOUCH_DICE), _throw),
    Deed.SHAKE_CUP: _shake_cup,
    Deed.POUR: _pour,
    Deed.KNOCK_DIE: _knock_die,
    **dict.fromkeys((Deed.TURN_CUBE, Deed.TAKE_CUBE, Deed.PUSH_CUBE), _cube),
    Deed.WRITE_SCORE: _write_score,
    Deed.POINT: _point,
    Deed.LEAN_IN: _lean_in,
    Deed.PUSH_BOARD: _push_board,
    **dict.fromkeys((Deed.PUT_THING, Deed.TAKE_THING), _thing),
    Deed.REST_HAND: _rest_hand,
    Deed.WITHDRAW: _withdraw,
}
