"""What moves by itself while the shutter is open is smeared along its way; what lies still is not, nor is the truth."""

import math
from dataclasses import replace
from itertools import islice

import numpy as np

from rules.position import Player
from vision.frame import Bgr
from vision.synth.film import Film
from vision.synth.layout import items
from vision.synth.render.draw import Painter
from vision.synth.render.smear import LONGEST_PX, ways
from vision.synth.scene import Die, Hand, Loose, Scene
from vision.synth.story.plan import Plan
from vision.synth.table import Sensor, Table

TABLE = Table(sensor=Sensor(noise=0.0, blur_px=0.3, vignette=0.0, flicker=0.0))


def hand_at(x: float) -> Scene:
    return Scene(hands=(Hand((x, 0.5), near=True),))


def die_at(x: float) -> Scene:
    return Scene(dice=(Die(5, (x, 0.5), 0.4, Player.WHITE, z_mm=20.0),))


def steps(picture: Bgr, axis: int) -> float:
    return float(np.abs(np.diff(picture.astype(int), axis=axis)).mean())


def around(table: Table, picture: Bgr, xy: tuple[float, float], half_px: int) -> Bgr:
    ((x, y),) = table.camera.project([(*table.board.mm(xy), 20.0)]).round().astype(int)
    return picture[y - half_px : y + half_px + 1, x - half_px : x + half_px + 1]


def test_a_die_that_flies_is_smeared_along_its_way_only() -> None:
    sharp, smeared = (Painter(TABLE).draw(die_at(0.7), 0.0, how) for how in (None, (die_at(0.685), die_at(0.715))))
    near, far = (around(TABLE, picture, (0.7, 0.5), 20) for picture in (sharp, smeared))
    along, across = (steps(far, axis) / steps(near, axis) for axis in (1, 0))
    assert along < 0.7 * across
    rest = np.abs(sharp.astype(int) - smeared).max(axis=2)
    ys, xs = np.nonzero(rest)
    assert np.ptp(xs) < 60
    assert np.ptp(ys) < 40


def test_a_moving_hand_is_smeared_and_the_truth_is_not() -> None:
    still, moving = Painter(TABLE), Painter(TABLE)
    sharp, shown = still.seen(hand_at(0.5))
    smeared, also_shown = moving.seen(hand_at(0.5), 0.0, (hand_at(0.48), hand_at(0.52)))
    assert steps(around(TABLE, smeared, (0.5, 0.5), 60), 1) < 0.9 * steps(around(TABLE, sharp, (0.5, 0.5), 60), 1)
    assert np.array_equal(still.ids, moving.ids)
    assert shown == also_shown
    assert np.array_equal(sharp[:, :200], smeared[:, :200])


def test_the_light_of_a_thing_is_spread_not_lost() -> None:
    bright = replace(TABLE, dice=(replace(TABLE.dice[0], pip_bgr=(238, 240, 242)),) * 2)
    sharp, smeared = (Painter(bright).draw(die_at(0.7), 0.0, how) for how in (None, (die_at(0.68), die_at(0.72))))
    bare = Painter(bright).draw(Scene())
    extra = [
        around(bright, picture, (0.7, 0.5), 50).astype(float).sum() - around(bright, bare, (0.7, 0.5), 50).sum()
        for picture in (sharp, smeared)
    ]
    assert math.isclose(extra[0], extra[1], rel_tol=0.15)


def test_what_hardly_moves_stays_sharp() -> None:
    still = (hand_at(0.5), hand_at(0.5005))
    first, second = (Painter(TABLE).draw(hand_at(0.5), 0.0, how) for how in (None, still))
    assert np.array_equal(first, second)


def test_ways_are_told_of_the_same_things_only() -> None:
    held = replace(hand_at(0.5), loose=(Loose(Player.WHITE, (0.5, 0.5), 30.0),))
    assert ways(TABLE, items(TABLE, hand_at(0.5)), items(TABLE, held)) == {}
    (way,) = ways(TABLE, items(TABLE, hand_at(0.1)), items(TABLE, hand_at(0.9))).values()
    assert math.isclose(math.hypot(*way), LONGEST_PX)


def test_a_film_opens_its_shutter_while_something_moves() -> None:
    table = replace(TABLE, sensor=replace(TABLE.sensor, shutter_s=0.04))
    frames = list(islice(Film(Plan(5), table, fps=5).frames(), 200))
    assert all(frame.shutter is None for frame in frames if frame.settled)
    moving = [frame for frame in frames if frame.shutter is not None and frame.scene.hands]
    far = [
        abs(frame.shutter[0].hands[0].xy[1] - frame.shutter[1].hands[0].xy[1])  # type: ignore[index]
        for frame in moving
        if frame.shutter[0].hands and frame.shutter[1].hands  # type: ignore[index]
    ]
    assert max(far) * table.board.height_mm > 20
    quick = Film(Plan(5), replace(TABLE, sensor=replace(TABLE.sensor, shutter_s=0.0)), fps=5)
    assert all(frame.shutter is None for frame in islice(quick.frames(), 60))
