"""Dice on drawn boards: every number, both ways round in light and dark, turned and of several sizes."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry, apply
from rules.position import Player
from vision.dice import find_dice
from vision.observe import Observation
from vision.patterns import GRID, EdgeField, Pattern, PatternBank, square_body
from vision.synth.render.draw import Painter
from vision.synth.scene import Die, Scene
from vision.synth.table import Table

XS = (0.08, 0.20, 0.33, 0.62, 0.75, 0.90)


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
    table: Table,
    geometry: BoardGeometry,
    player: Player,
    turn_deg: int,
    size: float,
) -> None:
    dice = tuple(Die(k, (x, 0.5), math.radians(turn_deg + 7 * k), player) for k, x in enumerate(XS, 1))
    white, black = (replace(pair, size_mm=size * table.board.point_mm) for pair in table.dice)
    drawn = Painter(replace(table, dice=(white, black))).draw(Scene(dice=dice))
    found = sorted(find_dice(drawn, geometry), key=lambda die: die.field_xy)
    assert [die.pips for die in found] == [1, 2, 3, 4, 5, 6]
    assert min(die.confidence for die in found) > 0.75
    for die, x in zip(found, XS, strict=True):
        assert die.field_xy == pytest.approx((x, 0.5), abs=0.01)
        assert die.size == pytest.approx(0.88 * size, rel=0.15)  # its flat upper face, within round edges


def test_centres_are_given_in_the_picture(table: Table, geometry: BoardGeometry) -> None:
    die = Die(5, (0.7, 0.48), 0.3, Player.WHITE)
    (found,) = find_dice(Painter(table).draw(Scene(dice=(die,))), geometry)
    assert found.center_px == pytest.approx(tuple(apply(geometry.image_from_field, [die.xy])[0]), abs=2)


def test_checkers_and_points_are_no_dice(start_seen: Observation) -> None:
    assert start_seen.dice == ()


def test_a_bank_tells_its_patterns_apart_whatever_the_light() -> None:
    dice = np.random.default_rng(2)
    marks = [np.asarray(dice.random((GRID, GRID)) > 0.7, dtype=np.float64) for _ in range(3)]
    bank = PatternBank([Pattern(k, 0.0, m, square_body(0.0)) for k, m in enumerate(marks)])
    picture = np.full((3 * GRID, 3 * GRID), 40, np.float32)
    picture[GRID : 2 * GRID, GRID : 2 * GRID] = 90 - 30 * marks[1]
    centre = np.asarray([[1.5 * GRID - 0.5, 1.5 * GRID - 0.5]])
    correlation, contrast = bank.match(picture, centre, np.asarray([float(GRID)]))
    assert int(np.abs(correlation[0]).argmax()) == 1
    assert correlation[0, 1] < -0.9
    assert contrast[0, 1] > 5


def test_the_sides_of_a_square_have_edges_and_a_plain_place_has_none() -> None:
    picture = np.full((60, 60), 30, np.float32)
    picture[20:40, 20:40] = 80
    edges = EdgeField(picture)
    assert edges.sides(29.5, 29.5, 20, 0.0)[0] > 10
    assert edges.sides(10, 10, 12, 0.0)[3] == 0
