"""The slow renderer draws things where the camera's model says that they are, and writes no mirror writing."""

import sys
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from rules.position import Player, Position
from vision.errors import SourceError
from vision.synth.layout import items
from vision.synth.render import physical
from vision.synth.scene import CubeAt, Die, Loose, Scene
from vision.synth.solids import Role
from vision.synth.table import Board, Checkers, Dice, Doubler, Lamp, Light, Sensor, Table

BLACK = (0, 0, 0)
LEAST_PX = 30
NOBODY = Position((0,) * 26, (0,) * 26)
PERFECT = Sensor(flicker=0, blur_px=0, noise=0, vignette=0)
BENT = Camera.looking(
    (320, 240), 300.0, distance_mm=900.0, oblique_rad=0.4, from_rad=0.3, roll_rad=0.1, bend=(-0.2, 0.05)
)
DARK_BOARD = Board(
    rail_height_mm=0.0,
    bar_height_mm=0.0,
    field_bgr=BLACK,
    points_bgr=(BLACK, BLACK),
    rail_bgr=BLACK,
    bar_bgr=BLACK,
    tray_bgr=BLACK,
    ground_bgr=BLACK,
)
DARK = Table(
    board=DARK_BOARD,
    checkers=Checkers(diameter_mm=26.0, thickness_mm=0.5, white_bgr=(255, 255, 255), gloss=0.0),
    cube=Doubler(body_bgr=BLACK, ink_bgr=BLACK),
    dice=(Dice(size_mm=30.0, body_bgr=BLACK, pip_bgr=(255, 255, 255), pip_size=0.2, gloss=0.0),) * 2,
    light=Light(lamps=(), ambient=1.0),
    camera=BENT,
    sensor=PERFECT,
)


@pytest.fixture(autouse=True)
def _with_mitsuba():
    pytest.importorskip("mitsuba", exc_type=ImportError)


def _blobs(picture):
    """Centres (x, y) of the bright spots of a dark picture."""
    light = (picture[..., 1] / 255.0) ** 2.2
    light[light < 0.02] = 0
    count, labels = cv2.connectedComponents((light > 0).astype(np.uint8))
    y, x = np.indices(light.shape)
    return [
        np.array([np.average(axis[labels == k], weights=light[labels == k]) for axis in (x, y)])
        for k in range(1, count)
        if (labels == k).sum() > LEAST_PX
    ]


def test_checkers_lie_where_the_camera_says():
    spots = ((0.06, 0.07), (0.94, 0.06), (0.95, 0.94), (0.05, 0.93), (0.3, 0.5), (0.7, 0.45))
    scene = Scene(position=NOBODY, cube=CubeAt(64, (0.5, 5.0)), loose=tuple(Loose(Player.WHITE, xy) for xy in spots))
    seen = _blobs(physical.render(DARK, scene, 1, samples=64))
    told = [DARK.camera.project(item.centre_mm)[0] for item in items(DARK, scene) if item.role is Role.CHECKER]
    assert len(seen) == len(told)
    assert max(min(np.linalg.norm(one - place) for one in seen) for place in told) < 0.2


def test_a_pushed_board_takes_its_checkers_along():
    scene = Scene(position=NOBODY, cube=CubeAt(64, (0.5, 5.0)), loose=(Loose(Player.WHITE, (0.2, 0.3)),))
    pushed = replace(scene, bump=(20.0, 12.0, 0.05))
    before, after = (_blobs(physical.render(DARK, one, 1, samples=64)) for one in (scene, pushed))
    place = [item.centre_mm for item in items(DARK, scene) if item.role is Role.CHECKER]
    moved = DARK.bumped(pushed.bump).camera.project(place)[0] - DARK.camera.project(place)[0]
    assert after[0] - before[0] == pytest.approx(moved, abs=0.3)


def test_pips_are_not_mirrored():
    close = Camera.looking((160, 160), 900.0, distance_mm=300.0)
    table = replace(DARK, camera=close)
    scene = Scene(position=NOBODY, cube=CubeAt(64, (0.5, 5.0)), dice=(Die(2, (0.5, 0.5), 0.0, Player.WHITE),))
    seen = sorted(_blobs(physical.render(table, scene, 1, samples=16)), key=lambda xy: xy[0])
    assert len(seen) == 2
    assert seen[0][1] < seen[1][1] - 20  # the left pip is the farther one, as on Box.face


def test_light_is_as_bright_as_the_fast_renderer_takes_it():
    lamps = (Lamp((-250.0, -350.0, 1300.0), 0.7), Lamp((500.0, 200.0, 1000.0), 0.4))
    board = replace(DARK_BOARD, field_bgr=(120, 120, 120), points_bgr=((120, 120, 120),) * 2)
    table = replace(DARK, board=board, light=Light(lamps=lamps, ambient=0.3))
    scene = Scene(position=NOBODY, cube=CubeAt(64, (0.5, 5.0)))
    x, y = table.camera.project([(-60.0, 0.0, 0.0)])[0].round().astype(int)
    whole, dim = (
        physical.render(table, replace(scene, light=light), 1, samples=64)[y - 4 : y + 5, x - 4 : x + 5].mean()
        for light in (1.0, 0.5)
    )
    assert whole == pytest.approx(120, abs=8)
    assert dim == pytest.approx(whole / 2, abs=6)


def test_the_same_seed_gives_the_same_picture():
    scene = Scene()
    first, second = (physical.render(DARK, scene, 5, samples=1) for _ in range(2))
    assert np.array_equal(first, second)


def test_without_mitsuba_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    physical.mitsuba.cache_clear()
    with pytest.raises(SourceError, match="pip install"):
        physical.render(DARK, Scene(), 1, samples=1)
