"""Dice on drawn boards and anywhere else: every number, turned, of several sizes, light and dark."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry, apply
from rules.position import Player, Position
from vision.dice import Die as DieAt
from vision.dice import DieSeen, dice_of, find_dice, loose_dice
from vision.frame import Bgr
from vision.judging import Judged, judged
from vision.observe import Observation
from vision.readers import COCKED
from vision.smallthings import Things, board_view, look
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Die, Scene
from vision.synth.table import Table

XS = (0.08, 0.20, 0.33, 0.62, 0.75, 0.90)


def seen_on(picture: Bgr, geometry: BoardGeometry) -> tuple[DieSeen, ...]:
    return find_dice(geometry, judged(picture, look(board_view(picture, geometry))))


@pytest.mark.parametrize(
    ("player", "turn_deg", "size"),
    [
        (Player.WHITE, 0, 0.38),
        (Player.WHITE, 45, 0.33),
        (Player.WHITE, 67, 0.48),
        (Player.BLACK, 0, 0.33),
        (Player.BLACK, 22, 0.38),
        (Player.BLACK, 80, 0.48),
    ],
)
def test_every_number_is_read(
    table: Table, geometry: BoardGeometry, player: Player, turn_deg: int, size: float
) -> None:
    thrown = tuple(Die(k, (x, 0.5), math.radians(turn_deg + 7 * k), player) for k, x in enumerate(XS, 1))
    white, black = (replace(pair, size_mm=size * table.board.point_mm) for pair in table.dice)
    drawn = Painter(replace(table, dice=(white, black))).draw(Scene(dice=thrown))
    found = sorted(seen_on(drawn, geometry), key=lambda die: die.field_xy)
    assert [die.pips for die in found] == [1, 2, 3, 4, 5, 6]
    assert not any(die.cocked for die in found)
    assert min(die.confidence for die in found) > 0.5
    for die, x in zip(found, XS, strict=True):
        assert die.field_xy == pytest.approx((x, 0.5), abs=0.02)
        assert die.size == pytest.approx(size, rel=0.2)


def test_centres_are_given_in_the_picture(table: Table, geometry: BoardGeometry) -> None:
    die = Die(5, (0.7, 0.48), 0.3, Player.WHITE)
    (found,) = seen_on(Painter(table).draw(Scene(dice=(die,))), geometry)
    assert found.center_px == pytest.approx(tuple(apply(geometry.image_from_field, [die.xy])[0]), abs=5)


def test_checkers_and_points_are_no_dice(start_seen: Observation) -> None:
    assert start_seen.dice == ()


def test_loose_dice_are_found_with_and_without_their_size(table: Table, nothing: Position) -> None:
    thrown = tuple(Die(k, (x, 0.5), 0.4 * k, Player.BLACK) for k, x in zip((2, 5, 6), (0.2, 0.4, 0.75), strict=True))
    picture = Painter(table).draw(Scene(nothing, dice=thrown, cube=CubeAt(64, (9.0, 9.0))))
    wide = table.dice_of(Player.BLACK).size_mm / table.board.point_mm * 42
    for size_px in (wide, 1.3 * wide, None):
        found = [die for die in loose_dice(picture, size_px) if die.confidence > 0.5]
        assert [die.pips for die in sorted(found, key=lambda die: die.center_px)] == [2, 5, 6]


def told(*rows: tuple[float, dict[int, float]]) -> tuple[DieAt, ...]:
    """What is told of things that are so likely dice, and show each number or COCKED so likely."""
    pips = np.zeros((len(rows), COCKED + 1))
    for n, (_, row) in enumerate(rows):
        for shown, p in row.items():
            pips[n, shown] = p
    there = np.array([p for p, _ in rows])
    xy = np.array([(10.0 + 20 * n, 10) for n in range(len(rows))])
    return dice_of(
        Judged(Things(xy, np.full(len(rows), 16.0), there, np.zeros(len(rows))), there, 1 - there, pips, pips)
    )


def test_the_confidence_is_that_of_all_that_is_said() -> None:
    (die,) = told((0.9, {3: 0.8, 5: 0.2}))
    assert (die.pips, die.cocked, die.center_px, die.side_px) == (4, False, (10, 10), 16)
    assert die.confidence == pytest.approx(0.72)


def test_what_is_hardly_a_die_is_not_told_and_the_surest_comes_first() -> None:
    assert [die.pips for die in told((0.3, {0: 1.0}), (0.6, {1: 1.0}), (0.9, {4: 1.0}))] == [5, 2]


def test_another_face_of_a_die_is_no_second_die() -> None:
    pips = np.eye(7)[[3, 0, 4]]
    there = np.array([0.9, 0.6, 0.8])
    things = Things(np.array([(10.0, 10), (10, 20), (27, 10)]), np.full(3, 16.0), there, np.zeros(3))
    assert [die.pips for die in dice_of(Judged(things, there, 1 - there, pips, pips))] == [4, 5]


def test_a_leaning_die_is_cocked_and_one_without_a_likely_number_has_none() -> None:
    leaning, doubtful = told((1.0, {COCKED: 0.8, 2: 0.15, 4: 0.05}), (1.0, dict.fromkeys(range(6), 1 / 6)))
    assert (leaning.pips, leaning.cocked, leaning.confidence) == (3, True, pytest.approx(0.8))
    assert (doubtful.pips, doubtful.cocked) == (None, False)
    assert doubtful.confidence < 0.2
