"""The fast renderer: what is told of a picture lies where it is drawn, and the seed decides everything."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.position import Player, Position
from vision.frame import Bgr
from vision.synth.chance.variety import framing, random_scene, random_table
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Die, Hand, Loose, Prop, Scene, Thing
from vision.synth.solids import Role
from vision.synth.table import Board, Checkers, Light, Sensor, Table
from vision.synth.truth import picture_truth

NOTHING = Position((0,) * 26, (0,) * 26)
PERFECT = Sensor(noise=0.0, blur_px=0.0, vignette=0.0)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
DARK = Board(
    surface="print",  # type: ignore[arg-type]
    point_width=0.01,
    field_bgr=BLACK,
    points_bgr=(BLACK, BLACK),
    rail_bgr=BLACK,
    bar_bgr=BLACK,
    tray_bgr=BLACK,
    ground_bgr=BLACK,
    floor_bgr=BLACK,
)
EVEN = Light(lamps=(), ambient=1.0)
VIEWS = {
    "overhead": {"oblique_rad": 0.0},
    "oblique": {"oblique_rad": math.radians(55)},
    "from the side": {"oblique_rad": 0.5, "from_rad": 1.0, "roll_rad": 0.2},
    "through a bent lens": {"oblique_rad": 0.3, "bend": (-0.22, 0.0)},
}


def dark_table(view: str, size_px: tuple[int, int] = (960, 720)) -> Table:
    camera = framing(DARK, size_px, fill=0.9, distance_mm=1000, **VIEWS[view])  # type: ignore[arg-type]
    white = Checkers(white_bgr=WHITE, black_bgr=WHITE, kind="flat", gloss=0.0)  # type: ignore[arg-type]
    return Table(board=DARK, light=EVEN, sensor=PERFECT, camera=camera, checkers=white)


def bright_middle(picture: Bgr, near: tuple[float, float], reach: int) -> tuple[float, float]:
    """The middle of mass of what is bright around a place, in pixels."""
    x, y = round(near[0]), round(near[1])
    left, top = max(0, x - reach), max(0, y - reach)
    area = picture[top : y + reach + 1, left : x + reach + 1].astype(float).mean(axis=2)
    area[area < 12] = 0
    ys, xs = np.indices(area.shape)
    return left + float((xs * area).sum() / area.sum()), top + float((ys * area).sum() / area.sum())


@pytest.mark.parametrize("view", VIEWS)
def test_a_checker_is_drawn_where_the_truth_says(view: str) -> None:
    thin = replace(dark_table(view).checkers, thickness_mm=0.4)
    table = replace(dark_table(view), checkers=thin)
    for xy in ((0.1, 0.12), (0.9, 0.2), (0.3, 0.6), (0.75, 0.9)):
        scene = Scene(NOTHING, cube=CubeAt(64, (9.0, 9.0)), loose=(Loose(Player.WHITE, xy),))
        picture, shown = Painter(table).seen(scene)
        told = picture_truth(table, scene, shown)["checkers"][0]
        # the middle of a circle's picture is not the picture of its middle: compare with that of its rim
        (disc,) = next(item.solids for item, _ in shown if item.role is Role.CHECKER)
        rim = table.camera.project(disc.ring(disc.thickness_mm, disc.radius_mm, 200))  # type: ignore[union-attr]
        moments = cv2.moments(rim.astype(np.float32)[:, None])
        middle = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
        assert bright_middle(picture, middle, 60) == pytest.approx(middle, abs=0.5)
        assert told["center"] == pytest.approx(middle, abs=1.5)
        assert told["visible"]
        assert told["share"] > 0.95


@pytest.mark.parametrize("view", VIEWS)
def test_the_corners_are_the_fields(view: str) -> None:
    """A black field on a white board: each corner lies where both edges of the black end."""
    board = replace(DARK, rail_bgr=WHITE, tray_bgr=WHITE, bar_mm=0.0, rail_height_mm=0.0, tray_mm=0.0)
    table = replace(dark_table(view), board=board)
    picture, _ = Painter(table).seen(Scene(NOTHING, cube=CubeAt(64, (9.0, 9.0))))
    dark = (255 - picture.max(axis=2)).astype(np.float32)
    half = np.array([board.width_mm, board.height_mm]) / 2
    for inward in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        for axis in (0, 1):  # walk across each edge, 40 mm from its corner
            along = -np.asarray(inward) * half
            along[axis] += inward[axis] * 40
            steps = np.zeros((321, 2))
            steps[:, 1 - axis] = np.linspace(-8, 8, 321) * inward[1 - axis]
            line = table.camera.project(np.hstack([along + steps, np.zeros((321, 1))])).astype(np.float32)
            values = cv2.remap(dark, line[None, :, 0], line[None, :, 1], cv2.INTER_LINEAR)[0]
            crossing = line[int(np.argmax(values > 128))]
            assert np.linalg.norm(crossing - table.camera.project([(*along, 0.0)])[0]) < 0.5


def test_the_same_seed_draws_the_same_picture() -> None:
    scene = Scene(dice=(Die(4, (0.7, 0.5), 0.3, Player.BLACK),))

    def drawn(seed: int) -> Bgr:
        return Painter(Table(), seed).draw(scene)

    assert drawn(1).shape == (600, 960, 3)
    assert np.array_equal(drawn(1), drawn(1))
    assert not np.array_equal(drawn(1), drawn(2))


def test_a_table_and_a_scene_follow_from_their_seed() -> None:
    for seed in range(3):
        table = random_table(seed)
        assert table == random_table(seed)
        assert random_scene(table, seed) == random_scene(table, seed)
        assert table != random_table(seed + 100)
        assert np.array_equal(
            Painter(table, seed).draw(random_scene(table, seed)), Painter(table, seed).draw(random_scene(table, seed))
        )


def test_what_lies_still_is_drawn_the_same_after_a_hand_went_over_it() -> None:
    painter = Painter(replace(Table(), sensor=PERFECT))
    before = painter.draw(Scene())
    over = painter.draw(Scene(hands=(Hand((0.5, 0.5), near=True),)))
    assert not np.array_equal(before, over)
    assert np.array_equal(before, painter.draw(Scene()))


@pytest.mark.parametrize("seed", range(40))
def test_random_tables_are_told_whole(seed: int) -> None:
    table = random_table(seed, (640, 480))
    scene = random_scene(table, seed)
    picture, shown = Painter(table, seed).seen(scene)
    told = picture_truth(table, scene, shown)
    assert picture.shape == (480, 640, 3)
    assert len(told["checkers"]) == 30 + len(scene.loose)
    assert [die["pips"] for die in told["dice"]] == [die.pips for die in scene.dice]
    assert told["cube"]["value"] == scene.cube.value
    assert all(0 <= checker["share"] <= 1 for checker in told["checkers"])
    assert picture.std() > 10


def test_a_hand_hides_what_lies_under_it() -> None:
    table = Table()
    scene = Scene(hands=(Hand((0.04, 0.75), near=True),))
    told = picture_truth(table, scene, Painter(table).seen(scene)[1])
    hidden = [checker for checker in told["checkers"] if not checker["visible"]]
    assert 0 < len(hidden) < 8
    assert {(checker["player"], checker["point"]) for checker in hidden} <= {("black", 13), ("white", 12)}
    assert len(told["hands"]) == 1


def test_a_wall_hides_what_is_behind_it() -> None:
    board = replace(Board(), rail_height_mm=45.0)
    low = framing(board, (960, 600), fill=0.9, distance_mm=1100, oblique_rad=math.radians(55))
    table = replace(Table(), board=board, camera=low)
    shown = Painter(table).seen(Scene())[1]
    near = [share for item, share in shown if item.role is Role.CHECKER and item.centre_mm[1] > 205]
    far = [share for item, share in shown if item.role is Role.CHECKER and item.centre_mm[1] < -205]
    assert max(near) < 0.5
    assert min(far) > 0.7


def test_the_case_below_the_playing_surface_hides_nothing_of_it() -> None:
    camera = framing(Board(), (960, 600), fill=0.9, distance_mm=1100, oblique_rad=math.radians(40))
    flat, deep = (
        Painter(replace(Table(), board=replace(Board(), depth_mm=depth), camera=camera, sensor=PERFECT))
        .draw(Scene())
        .astype(int)
        for depth in (2.0, 40.0)
    )
    field = np.zeros(flat.shape[:2], np.uint8)
    cv2.fillConvexPoly(field, np.round(np.asarray(replace(Table(), camera=camera).corners)).astype(np.int32), 1)
    off = np.abs(flat - deep).max(axis=2)
    assert off[field > 0].max() < 25
    assert off[field == 0].max() > 40, "outside the case the table lies lower"


def test_a_cup_over_the_board_hides_checkers() -> None:
    table = Table()
    scene = Scene(things=(Thing(Prop.CUP, (0.04, 0.16)),))
    told = picture_truth(table, scene, Painter(table).seen(scene)[1])
    assert sum(not checker["visible"] for checker in told["checkers"]) >= 1
    assert told["things"][0]["kind"] == "cup"


def test_a_dark_room_is_dark() -> None:
    bright, dark = (Painter(Table()).draw(Scene(light=light)).mean() for light in (1.0, 0.0))
    assert bright > 60
    assert dark < 4


def test_a_pushed_board_moves_in_the_picture_and_in_the_truth() -> None:
    table = Table()
    scene = Scene(bump=(12.0, -5.0, 0.01))
    pushed = table.bumped(scene.bump)
    (x, y), (px, py) = table.corners[0], pushed.corners[0]
    assert 5 < math.hypot(px - x, py - y) < 40
    here, there = Painter(table).draw(Scene()), Painter(table).draw(scene)
    assert np.abs(here.astype(int) - there).mean() > 3
    expected = table.board.width_mm / 2, table.board.height_mm / 2
    c, s = math.cos(0.01), math.sin(0.01)
    moved = (-c * expected[0] + s * expected[1] + 12.0, -s * expected[0] - c * expected[1] - 5.0)
    assert pushed.corners[0] == pytest.approx(table.camera.project([(*moved, 0.0)])[0], abs=0.05)
