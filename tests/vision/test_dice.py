"""Dice on drawn boards and anywhere else: every number, turned, of several sizes, light and dark."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry, apply
from rules.position import Player, Position
from vision import dice
from vision.dice import dice_at, find_dice, loose_dice
from vision.frame import Bgr
from vision.observe import Observation
from vision.readers import CLASSES, COCKED, NO_DIE
from vision.smallthings import Things, board_view, look
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Die, Scene
from vision.synth.table import Table

XS = (0.08, 0.20, 0.33, 0.62, 0.75, 0.90)
PICTURE = np.full((80, 80, 3), 90, np.uint8)


def seen_on(picture: Bgr, geometry: BoardGeometry) -> tuple[dice.DieSeen, ...]:
    return find_dice(picture, geometry, look(board_view(picture, geometry)).dice)


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


def told(monkeypatch: pytest.MonkeyPatch, *rows: dict[int, float], seen: float = 1.0) -> tuple[dice.Die, ...]:
    """What is made of detections that the reader judges like this (class → likelihood)."""
    likely = np.zeros((len(rows), CLASSES))
    for n, row in enumerate(rows):
        for shown, p in row.items():
            likely[n, shown] = p
    monkeypatch.setattr(dice, "read_dice", lambda *_: likely)
    xy = np.array([(10.0 + 20 * n, 10) for n in range(len(rows))])
    return dice_at(PICTURE, Things(xy, np.full(len(rows), 16.0), np.full(len(rows), seen)))


def test_the_confidence_is_that_of_all_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    (die,) = told(monkeypatch, {3: 0.8, 5: 0.15, NO_DIE: 0.05}, seen=0.9)
    assert (die.pips, die.cocked) == (4, False)
    assert die.confidence == pytest.approx(0.72)


def test_what_the_reader_takes_for_nothing_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(monkeypatch, {0: 0.3, NO_DIE: 0.7}, {1: 0.95, NO_DIE: 0.05})
    assert [die.pips for die in found] == [2]
    assert told(monkeypatch, {1: 1.0}, seen=0.4) == ()


def test_a_leaning_die_is_cocked_and_one_without_a_likely_number_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    leaning, doubtful = told(monkeypatch, {COCKED: 0.8, 2: 0.15, 4: 0.05}, dict.fromkeys(range(6), 1 / 6))
    assert (leaning.pips, leaning.cocked, leaning.confidence) == (3, True, pytest.approx(0.8))
    assert (doubtful.pips, doubtful.cocked) == (None, False)
    assert doubtful.confidence < 0.2
