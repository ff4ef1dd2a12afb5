"""Readers of dice and cubes on drawn tables: what is there is read, and nothing is read where nothing is."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from rules.position import Player
from vision import readers
from vision.frame import Bgr
from vision.readers import CLASSES, NO_CUBE, NO_DIE, VALUES, read_cubes, read_dice
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Die, Scene
from vision.synth.solids import Box, Role
from vision.synth.table import Table

Spots = list[tuple[float, float, float]]


def _drawn(table: Table, scene: Scene, role: Role) -> tuple[Bgr, Spots, list[int]]:
    """A picture, the spots of a role's upper faces in it, and what they show."""
    picture, shown = Painter(table).seen(scene)
    spots, told = Spots(), []
    for item, _ in shown:
        box = item.solids[0]
        if item.role is role and isinstance(box, Box):
            face = table.camera.project(box.sides()[0][4])
            x, y = face.mean(axis=0)
            spots.append((x, y, float(np.linalg.norm(face - np.roll(face, 1, axis=0), axis=1).mean())))
            told.append(item.shows or 0)
    return picture, spots, told


@pytest.fixture(scope="module")
def dice(table: Table) -> tuple[Bgr, Spots, list[int]]:
    """Every number of both pairs at several turns."""
    places = [(0.04 + 0.08 * k, 0.42 + 0.16 * (k % 2)) for k in range(12)]
    thrown = tuple(
        Die(k % 6 + 1, xy, math.radians(11 + 53 * k), Player.WHITE if k < 6 else Player.BLACK)
        for k, xy in enumerate(places)
    )
    return _drawn(table, Scene(dice=thrown), Role.DIE)


def test_drawn_dice_are_read_and_claimed(dice: tuple[Bgr, Spots, list[int]]) -> None:
    picture, spots, told = dice
    seen = read_dice(picture, spots)
    assert seen.shape == (12, CLASSES)
    assert seen.sum(axis=1) == pytest.approx(1)
    assert (seen.argmax(axis=1) + 1).tolist() == told
    assert np.median(seen.max(axis=1)) > 0.9


@pytest.mark.parametrize(("share", "off"), [(0.85, 0.0), (1.2, 0.0), (1.0, 0.12)])
def test_spots_may_be_a_little_off(dice: tuple[Bgr, Spots, list[int]], share: float, off: float) -> None:
    picture, spots, told = dice
    moved = [(x + off * side, y - off * side, share * side) for x, y, side in spots]
    assert (read_dice(picture, moved).argmax(axis=1) + 1).tolist() == told


def test_an_enlarged_picture_reads_the_same(dice: tuple[Bgr, Spots, list[int]]) -> None:
    picture, spots, told = dice
    large = picture.repeat(5, axis=0).repeat(5, axis=1)
    seen = read_dice(large, [(5 * x + 2, 5 * y + 2, 5 * side) for x, y, side in spots])
    assert (seen.argmax(axis=1) + 1).tolist() == told


def test_every_number_of_the_cube_is_read(table: Table) -> None:
    for k, value in enumerate(VALUES):
        cube = CubeAt(value, (0.3, 0.5), k % 4, 0.3 * k)
        picture, spots, told = _drawn(table, Scene(cube=cube), Role.CUBE)
        seen = read_cubes(picture, spots)
        assert [VALUES[k] for k in seen[:, : len(VALUES)].argmax(axis=1)] == told
        assert seen[0, : len(VALUES)].max() > 0.5


def test_dice_are_no_cubes_and_a_cube_is_no_die(table: Table, dice: tuple[Bgr, Spots, list[int]]) -> None:
    picture, spots, _ = dice
    assert (read_cubes(picture, spots).argmax(axis=1) == NO_CUBE).mean() > 0.8
    picture, spots, _ = _drawn(table, Scene(cube=CubeAt(64, (0.3, 0.5))), Role.CUBE)
    assert read_dice(picture, spots)[0, :6].max() < 0.5


def test_checkers_and_points_are_nothing(table: Table) -> None:
    scene = Scene(cube=CubeAt(64, (0.5, 9.0)))
    picture, shown = Painter(table).seen(scene)
    middles = table.camera.project([item.centre_mm for item, _ in shown if item.role is Role.CHECKER])
    assert len(middles) == 30
    spots = [(float(x), float(y), side) for x, y in middles for side in (16.0, 30.0)]
    assert read_dice(picture, spots)[:, :6].max() < 0.9
    assert read_dice(picture, spots)[:, NO_DIE].mean() > 0.8
    assert read_cubes(picture, spots)[:, NO_CUBE].mean() > 0.8


def test_a_blank_picture_shows_nothing_for_sure() -> None:
    blank = np.full((60, 80, 3), 128, np.uint8)
    assert read_dice(blank, [(40, 30, 15)])[0, :6].max() < 0.5
    assert read_cubes(blank, [(40, 30, 20)])[0, : len(VALUES)].max() < 0.5


@pytest.mark.parametrize("read", [read_dice, read_cubes])
def test_no_spots_and_spots_at_the_border(read: Callable[..., readers.Doubles]) -> None:
    picture = np.random.default_rng(3).integers(0, 255, (50, 70, 3), dtype=np.uint8)
    assert read(picture, []).shape == (0, CLASSES)
    assert read(picture, np.zeros((0, 3))).shape == (0, CLASSES)
    seen = read(picture, [(0, 0, 20), (69, 49, 400), (-30, 90, 12), (35, 25, 0.5)])
    assert np.isfinite(seen).all()
    assert seen.sum(axis=1) == pytest.approx(1)
