"""Every trait that real photos were seen to have can be drawn: each has a parameter that makes it."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from rules.position import BAR, Player, Position
from vision.frame import Bgr
from vision.synth.chance.variety import framing, random_scene, random_table
from vision.synth.render.draw import Painter
from vision.synth.scene import CubeAt, Die, Hand, Loose, Prop, Scene, Thing
from vision.synth.solids import Item, Role
from vision.synth.table import Board, CheckerKind, Lamp, Light, Person, Sensor, Surface, Table

QUIET = Sensor(noise=0.0, blur_px=0.3, vignette=0.0)
TABLE = Table(sensor=QUIET)
PLACE = (0.7, 0.5)
BLACK, WHITE = (24, 22, 22), (236, 238, 240)
Seen = tuple[Bgr, list[tuple[Item, float]]]


def seen(table: Table, scene: Scene = Scene()) -> Seen:  # noqa: B008
    return Painter(table).seen(scene)


def around(table: Table, picture: Bgr, xy: tuple[float, float], half_px: int = 12, z_mm: float = 9.0) -> Bgr:
    """The picture round a place in field space at a height."""
    ((x, y),) = table.camera.project([(*table.board.mm(xy), z_mm)])
    return picture[round(y) - half_px : round(y) + half_px + 1, round(x) - half_px : round(x) + half_px + 1]


def changed(table: Table, before: Scene, after: Scene, xy: tuple[float, float]) -> float:
    """Mean difference of grey levels around a place."""
    first, second = (around(table, seen(table, scene)[0], xy).astype(float) for scene in (before, after))
    return float(np.abs(first - second).mean())


def centre(item: Item, table: Table) -> tuple[float, float]:
    ((x, y),) = table.camera.project([item.centre_mm])
    return float(x), float(y)


def of(shown: list[tuple[Item, float]], role: Role) -> list[tuple[Item, float]]:
    return [(item, share) for item, share in shown if item.role is role]


@pytest.mark.parametrize(
    ("colour", "player"), [(BLACK, Player.BLACK), (WHITE, Player.WHITE), ((150, 80, 30), Player.BLACK)]
)
def test_checkers_in_the_colour_of_their_points(colour: tuple[int, int, int], player: Player) -> None:
    style = replace(TABLE.checkers, **{f"{player.value}_bgr": colour})
    table = replace(TABLE, checkers=style, board=replace(TABLE.board, points_bgr=(colour, colour)))
    picture, shown = seen(table)
    for item, _ in of(shown, Role.CHECKER):
        if item.player is player:
            x, y = centre(item, table)
            top = picture[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4].mean(axis=(0, 1))
            tip = around(table, picture, (0.04, 0.06)).mean(axis=(0, 1)) * 0 + np.asarray(colour)
            assert np.abs(top - tip * top.mean() / tip.mean()).max() < 30


def test_checkers_in_the_colour_of_the_bar() -> None:
    side = [0] * 26
    side[BAR] = 3
    position = Position(tuple(side), (0,) * 26)
    table = replace(TABLE, board=replace(TABLE.board, bar_bgr=TABLE.checkers.white_bgr))
    clear, hidden = (seen(one, Scene(position))[0] for one in (TABLE, table))
    spot = (0.5, 0.36)
    assert around(TABLE, clear, spot, 30, 19).std() > 1.3 * around(table, hidden, spot, 30, 19).std()


def test_grey_beside_white_pearl() -> None:
    style = replace(TABLE.checkers, kind=CheckerKind.PEARL, white_bgr=(228, 230, 232), black_bgr=(150, 152, 154))
    picture, shown = seen(replace(TABLE, checkers=style))
    levels = {player: [] for player in Player}  # type: ignore[var-annotated]
    for item, _ in of(shown, Role.CHECKER):
        x, y = centre(item, TABLE)
        top = picture[round(y) - 8 : round(y) + 9, round(x) - 8 : round(x) + 9]
        levels[item.player].append((top.mean(), top.std()))
    assert 20 < np.mean([m for m, _ in levels[Player.WHITE]]) - np.mean([m for m, _ in levels[Player.BLACK]]) < 110
    assert max(s for _, s in levels[Player.BLACK]) > 3


def test_brown_on_brown_wood() -> None:
    brown = (60, 96, 150)
    board = replace(TABLE.board, surface=Surface.WOOD, field_bgr=brown, points_bgr=(brown, (48, 78, 124)))
    style = replace(TABLE.checkers, kind=CheckerKind.WOOD, white_bgr=(96, 140, 190), black_bgr=brown)
    picture, _ = seen(replace(TABLE, board=board, checkers=style))
    b, g, r = picture[60:540, 200:760].reshape(-1, 3).mean(axis=0)
    assert b < g < r
    assert picture[60:540, 200:760].std() < 45


def test_glare_turns_dark_red_white() -> None:
    style = replace(TABLE.checkers, black_bgr=(40, 30, 140), gloss=1.0, kind=CheckerKind.FLAT)
    lamp = Lamp((-214.0, -458.0, 940.0), strength=1.0)
    table = replace(TABLE, checkers=style, light=Light(lamps=(lamp,), ambient=0.4))
    picture, shown = seen(table)
    tops = []
    for item, _ in of(shown, Role.CHECKER):
        if item.player is Player.BLACK:
            x, y = centre(item, table)
            tops.append(picture[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4].mean(axis=(0, 1)))
    saturation = [(top.max() - top.min()) / top.max() for top in tops]
    assert min(saturation) < 0.5 < 0.7 < max(saturation)


def test_a_lamps_dot_on_every_checker() -> None:
    lamp = Light(lamps=(Lamp((0.0, -1600.0, 1500.0), strength=0.8),), ambient=0.5)
    domed = replace(TABLE.checkers, kind=CheckerKind.DOMED, black_bgr=BLACK)
    (dull, _), (shiny, shown) = (
        seen(replace(TABLE, light=lamp, checkers=replace(domed, gloss=gloss))) for gloss in (0.0, 1.0)
    )
    brighter = shiny.astype(int) - dull
    for item, _ in of(shown, Role.CHECKER):
        x, y = centre(item, TABLE)
        area = brighter[round(y) - 19 : round(y) + 20, round(x) - 12 : round(x) + 13].max(axis=2)
        if item.player is Player.BLACK:
            assert area.max() > 25
            assert np.median(area) < 10


def test_shadow_bands_along_the_bar_and_of_the_arm() -> None:
    high = replace(TABLE.board, bar_height_mm=40.0)
    lamp = Light(lamps=(Lamp((-700.0, 0.0, 700.0), 0.8),), ambient=0.3)
    beside = (0.58, 0.5)
    flat, band = (seen(replace(TABLE, board=board, light=lamp))[0] for board in (TABLE.board, high))
    assert around(TABLE, band, beside, 4, 0).mean() < 0.8 * around(TABLE, flat, beside, 4, 0).mean()
    arm = replace(TABLE.light, arm=((0.3, -0.2), (0.3, 1.2), 40.0))
    shaded = seen(replace(TABLE, light=arm))[0]
    lit = seen(TABLE)[0]
    assert around(TABLE, shaded, (0.3, 0.5), 4, 0).mean() < 0.8 * around(TABLE, lit, (0.3, 0.5), 4, 0).mean()
    assert around(TABLE, shaded, (0.8, 0.5), 4, 0).mean() == pytest.approx(
        around(TABLE, lit, (0.8, 0.5), 4, 0).mean(), 0.02
    )


SENSOR_TRAITS: dict[str, tuple[Sensor, Callable[[Bgr, Bgr], bool]]] = {
    "vignette": (replace(QUIET, vignette=0.5), lambda plain, it: it[:40, :40].mean() < 0.7 * plain[:40, :40].mean()),
    "colour cast": (
        replace(QUIET, balance_bgr=(0.8, 1.0, 1.2)),
        lambda plain, it: it[..., 2].mean() / it[..., 0].mean() > 1.3 * plain[..., 2].mean() / plain[..., 0].mean(),
    ),
    "darkness": (replace(QUIET, exposure=0.25), lambda plain, it: it.mean() < 0.3 * plain.mean()),
    "noise": (replace(QUIET, noise=25.0), lambda plain, it: np.abs(it.astype(int) - plain).mean() > 10),
    "blur": (replace(QUIET, blur_px=3.0), lambda plain, it: edges(it) < 0.6 * edges(plain)),
    "motion": (replace(QUIET, motion_px=12.0), lambda plain, it: edges(it) < 0.8 * edges(plain)),
    "compression": (replace(QUIET, jpeg=20), lambda plain, it: 1 < np.abs(it.astype(int) - plain).mean() < 12),
    "a stream's compression": (
        replace(QUIET, h264=36),
        lambda plain, it: 1 < np.abs(it.astype(int) - plain).mean() < 12 and edges(it) < 0.95 * edges(plain),
    ),
    "dust": (replace(QUIET, dust=8), lambda plain, it: (plain.astype(int) - it).max() > 25),
    "rolling bands": (
        replace(QUIET, banding=0.1),
        lambda plain, it: bool(np.ptp(it.mean(axis=(1, 2)) / plain.mean(axis=(1, 2))) > 0.1),
    ),
}


def edges(picture: Bgr) -> float:
    return float(np.abs(np.diff(picture.astype(int), axis=1)).mean())


@pytest.mark.parametrize("trait", SENSOR_TRAITS)
def test_what_lens_and_sensor_do(trait: str) -> None:
    sensor, differs = SENSOR_TRAITS[trait]
    assert differs(seen(TABLE)[0], seen(replace(TABLE, sensor=sensor))[0])


def test_flicker_and_drift_come_with_time() -> None:
    painter = Painter(replace(TABLE, sensor=replace(QUIET, flicker=0.1)))
    assert len({round(float(painter.draw(Scene()).mean())) for _ in range(6)}) > 2
    painter = Painter(replace(TABLE, sensor=replace(QUIET, drift_px_per_s=(2.0, 0.0))))
    assert np.abs(painter.draw(Scene(), 0.0).astype(int) - painter.draw(Scene(), 3.0)).mean() > 3


@pytest.mark.parametrize("skin", [(172, 196, 232), (34, 44, 70)])
def test_hands_of_every_tone_and_dark_sleeves_like_checkers(skin: tuple[int, int, int]) -> None:
    person = Person(skin_bgr=skin, sleeve_bgr=TABLE.checkers.black_bgr, sleeve=0.95)
    table = replace(TABLE, people=(person,) * 3)
    over = Scene(hands=(Hand((0.6, 0.3), near=True),))
    picture, shown = seen(table, over)
    assert changed(table, Scene(), over, (0.6, 0.45)) > 8
    sleeve = picture[-12:-4].reshape(-1, 3).astype(float)
    dark = np.asarray(TABLE.checkers.black_bgr)
    like = np.abs(sleeve / sleeve.sum(axis=1, keepdims=True) - dark / dark.sum()).max(axis=1) < 0.06
    assert like.sum() > 100
    assert len(of(shown, Role.HAND)) == 1


@pytest.mark.parametrize("apart", [1.02, 3.0])
def test_small_dice_also_touching(apart: float) -> None:
    camera = TABLE.camera.scaled(1280, 800)
    table = replace(TABLE, camera=camera, dice=(replace(TABLE.dice[0], size_mm=11.0),) * 2)
    dx = apart * 11.0 / table.board.width_mm
    dice = tuple(Die(pips, (0.7 + k * dx, 0.5), 0.0, Player.WHITE) for k, pips in enumerate((3, 5)))
    _, shown = seen(table, Scene(dice=dice))
    (first, share), (second, _) = of(shown, Role.DIE)
    assert share > 0.9
    wide = (centre(second, table)[0] - centre(first, table)[0]) / apart
    assert 12 < wide < 24


def test_dice_that_show_two_faces() -> None:
    board = TABLE.board
    low = replace(TABLE, camera=framing(board, (960, 600), fill=0.95, distance_mm=900, oblique_rad=math.radians(50)))
    flat, cocked = Scene(dice=(Die(3, PLACE, 0.3, Player.WHITE),)), Scene(dice=(Die(3, PLACE, 0.3, Player.WHITE, 0.7),))
    assert changed(TABLE, flat, cocked, PLACE) > 8
    assert [item.state for item, _ in of(seen(TABLE, cocked)[1], Role.DIE)] == ["cocked"]
    (die,) = (item for item, _ in of(seen(low, flat)[1], Role.DIE))
    _, outward = die.solids[0].sides()  # type: ignore[union-attr]
    assert ((outward @ low.camera.toward(die.centre_mm)) > 0.2).sum() >= 2


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_dice_the_colour_of_the_checkers_beside_stacks(colour: tuple[int, int, int]) -> None:
    pair = replace(TABLE.dice[0], body_bgr=colour)
    style = replace(TABLE.checkers, white_bgr=colour, black_bgr=colour)
    table = replace(TABLE, dice=(pair, pair), checkers=style)
    _, shown = seen(table, Scene(dice=(Die(4, (0.125, 0.2), 0.0, Player.WHITE),)))
    assert of(shown, Role.DIE)[0][1] > 0.6


@pytest.mark.parametrize(("prop", "least"), [(Prop.CUP, 0.1), (Prop.CASE, 0.9)])
def test_dice_in_cups_and_on_cases(prop: Prop, least: float) -> None:
    beside = (1.27, 0.5) if prop is Prop.CUP else (0.7, 0.5)
    scene = Scene(things=(Thing(prop, beside),), dice=(Die(2, beside, 0.4, Player.WHITE),))
    wide = replace(TABLE, camera=framing(TABLE.board, (960, 600), fill=0.7, distance_mm=1500))
    (die, share) = of(seen(wide, scene)[1], Role.DIE)[0]
    assert die.state == "off_board"
    assert share > least
    assert (die.centre_mm[2] > 30) is (prop is Prop.CASE)


def test_numeral_dice() -> None:
    pair = replace(TABLE.dice[0], numerals=True)
    scene = Scene(dice=(Die(5, PLACE, 0.0, Player.WHITE),))
    pips, numeral = (around(t, seen(t, scene)[0], PLACE, 6) for t in (TABLE, replace(TABLE, dice=(pair, pair))))
    assert np.abs(pips.astype(int) - numeral).mean() > 10


@pytest.mark.parametrize("prop", list(Prop))
def test_props_lie_over_the_tray_and_beside_the_board(prop: Prop) -> None:
    wide = replace(TABLE, camera=framing(TABLE.board, (960, 600), fill=0.7, distance_mm=1500))
    for xy in ((1.1, 0.25), (-0.3, 0.5)):
        scene = Scene(things=(Thing(prop, xy, 0.3),))
        item, _ = of(seen(wide, scene)[1], Role.PROP)[0]
        ((x, y),) = wide.camera.project([item.centre_mm])
        empty, full = (seen(wide, s)[0].astype(int) for s in (Scene(), scene))
        area = np.abs(full - empty)[max(0, round(y) - 60) : round(y) + 60, max(0, round(x) - 60) : round(x) + 60]
        assert area.max() > 30


def test_a_hand_that_holds_a_checker_and_a_loose_one_in_mid_field() -> None:
    held = Scene(hands=(Hand((0.3, 0.5), near=True, z_mm=40.0),), loose=(Loose(Player.BLACK, (0.3, 0.5), 36.0),))
    item = next(item for item, _ in of(seen(TABLE, held)[1], Role.CHECKER) if item.point is None)
    assert item.centre_mm[2] > 40
    loose = Scene(loose=(Loose(Player.WHITE, (0.62, 0.5)),))
    assert changed(TABLE, Scene(), loose, (0.62, 0.5)) > 30


CUBES = {
    "in the tray": CubeAt(2, (-0.0927, 0.9)),
    "on the bar": CubeAt(4, (0.5, 0.5)),
    "on the table's edge": CubeAt(8, (-0.3, 0.5)),
    "offered": CubeAt(16, (0.25, 0.5)),
    "turned by 45 degrees": CubeAt(32, (0.5, 0.5), 0, math.pi / 4),
    "turned by 90 degrees": CubeAt(64, (0.5, 0.5), 1),
}


@pytest.mark.parametrize("where", CUBES)
@pytest.mark.parametrize("logo", [True, False])
def test_cubes_anywhere_also_with_a_logo(where: str, logo: bool) -> None:
    cube = replace(CUBES[where], value=64) if logo else CUBES[where]
    wide = replace(TABLE, camera=framing(TABLE.board, (960, 600), fill=0.7, distance_mm=1500))
    plain = replace(wide, cube=replace(wide.cube, logo=False))
    marked = replace(wide, cube=replace(wide.cube, logo=True))
    picture, shown = seen(marked if logo else plain, Scene(cube=cube))
    (item, share) = of(shown, Role.CUBE)[0]
    assert share > 0.8
    assert item.shows == cube.value
    x, y = centre(item, wide)
    face = picture[round(y) - 8 : round(y) + 9, round(x) - 8 : round(x) + 9]
    assert np.ptp(face.max(axis=2)) > 60
    if logo:
        assert not np.array_equal(picture, seen(plain, Scene(cube=cube))[0])


BOARDS: dict[str, Board] = {
    "without a bar": replace(Board(), bar_mm=0.0),
    "with a thin bar": replace(Board(), bar_mm=10.0),
    "with a very wide bar": replace(Board(), bar_mm=110.0),
    "without trays": replace(Board(), tray_mm=0.0),
}


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS.keys())
def test_boards_of_every_cut(board: Board) -> None:
    table = replace(TABLE, board=board, camera=framing(board, (960, 600), fill=0.95, distance_mm=1000))
    left, right = table.bar
    assert (right - left) * board.width_mm == pytest.approx(board.bar_mm)
    _, shown = seen(table)
    assert all(share > 0.9 for _, share in of(shown, Role.CHECKER))


def test_boards_turned_and_cut_at_the_edge() -> None:
    board = TABLE.board
    turned = framing(board, (600, 960), fill=0.95, distance_mm=1000, roll_rad=math.pi / 2)
    (ax, ay), (bx, by), _, _ = replace(TABLE, camera=turned).corners
    assert abs(ax - bx) < 0.2 * abs(ay - by)
    cut = replace(TABLE, camera=framing(board, (960, 600), fill=1.25, distance_mm=1000))
    _, shown = seen(cut)
    assert any(share == 0 for _, share in of(shown, Role.CHECKER)) or cut.corners[0][1] < 0


def test_high_walls_hide_half_a_stack() -> None:
    board = replace(TABLE.board, rail_height_mm=45.0)
    low = framing(board, (960, 600), fill=0.9, distance_mm=1000, oblique_rad=math.radians(50))
    _, shown = seen(replace(TABLE, board=board, camera=low))
    shares = [share for item, share in of(shown, Role.CHECKER) if item.point == 6 and item.player is Player.WHITE]
    assert len(shares) == 5
    assert min(shares) < 0.5 < max(shares)


def test_bar_checkers_anywhere_and_over_the_points() -> None:
    side = [0] * 26
    side[BAR] = 2
    position = Position(tuple(side), (0,) * 26)
    places = set()
    for start in (0.1, 0.25, 0.45):
        style = replace(TABLE.checkers, bar_from=start)
        items = [item for item, _ in of(seen(replace(TABLE, checkers=style), Scene(position))[1], Role.CHECKER)]
        places.add(round(items[0].centre_mm[1]))
    assert len(places) == 3
    thin = replace(TABLE, board=replace(TABLE.board, bar_mm=10.0))
    disc = next(item for item, _ in of(seen(thin, Scene(position))[1], Role.CHECKER)).solids[0]
    assert disc.radius_mm > thin.board.bar_mm / 2  # type: ignore[union-attr]


def test_chance_brings_all_of_it() -> None:
    """Mirrored starts, every surface, shape and kind, hands, props, cocked dice: within four hundred seeds."""
    tables = [random_table(seed, (320, 240)) for seed in range(400)]
    scenes = [random_scene(table, table.seed) for table in tables]
    assert len({table.home for table in tables}) == 4
    assert {table.board.surface for table in tables} == set(Surface)
    assert {table.checkers.kind for table in tables} == set(CheckerKind)
    assert any(table.board.bar_mm == 0 for table in tables)
    assert any(table.board.bar_mm > 90 for table in tables)
    assert any(table.board.rail_height_mm > 35 for table in tables)
    assert any(table.dice[0].numerals for table in tables)
    assert any(table.cube.logo for table in tables)
    assert 0.08 < np.mean([table.sensor.h264 > 0 for table in tables]) < 0.25
    assert {thing.prop for scene in scenes for thing in scene.things} == set(Prop)
    assert any(die.tilt_rad for scene in scenes for die in scene.dice)
    assert any(hand.pointing for scene in scenes for hand in scene.hands)
    assert any(one.z_mm for scene in scenes for one in scene.loose)
