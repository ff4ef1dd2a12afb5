"""The eyes' words for the referee: places become white's points, centres become halves and states."""

from dataclasses import replace

import pytest

from calibration.errors import GeometryError
from calibration.geometry import BoardGeometry
from calibration.orientation import Home, white_point
from rules.position import BAR, OFF, START, Player, Position
from rules.reading import CubePlace, DieState, Half
from vision import observe
from vision.belief import Belief
from vision.cube import CubeSeen
from vision.dice import DieSeen
from vision.frame import Frame
from vision.observe import UNKNOWN_COLOURS, Eyes, Observation
from vision.synth.render.draw import Painter
from vision.synth.scene import Scene
from vision.synth.table import Table


def belief(counts: dict[int, int], bar: tuple[int, int] = (0, 0)) -> Belief:
    places = tuple(counts.get(k, 0) for k in range(24))
    return Belief(places, bar, (1.0,) * 24, (1.0, 1.0), 9.0)


@pytest.mark.parametrize("home", list(Home))
def test_every_place_becomes_its_point(geometry: BoardGeometry, home: Home) -> None:
    eyes = Eyes(geometry, home=home)
    for place in range(24):
        position = eyes.position(belief({place: 3, (place + 5) % 24: -2}))
        assert position.count(Player.WHITE, white_point(place, home)) == 3
        assert position.count(Player.BLACK, 25 - white_point((place + 5) % 24, home)) == 2


def test_what_is_not_seen_is_borne_off(geometry: BoardGeometry) -> None:
    position = Eyes(geometry, checkers=12).position(belief({0: 3, 20: -4}, bar=(1, 2)))
    assert (position.white[OFF], position.white[BAR]) == (8, 1)
    assert (position.black[OFF], position.black[BAR]) == (6, 2)


def test_a_reading_holds_the_evidence_under_the_points_own_number(
    geometry: BoardGeometry, start_seen: Observation
) -> None:
    for home in Home:
        reading = Eyes(geometry, home=home).reading(start_seen)
        for place in (0, 7, 12, 23):
            row = start_seen.evidence.points[place]
            assert reading.points[white_point(place, home) - 1].log_likelihood == tuple(row)
    assert Eyes(geometry).reading(start_seen).position == START


def test_the_start_reads_as_likely_as_anything(geometry: BoardGeometry, start_seen: Observation) -> None:
    reading = Eyes(geometry).reading(start_seen)
    assert reading.cube is not None
    assert (reading.cube.value, reading.cube.where, reading.cube.offered) == (64, CubePlace.OUTSIDE, False)
    moved = replace(START, white=(*START.white[:5], 1, 4, *START.white[7:]))
    assert reading.log_likelihood(START) > reading.log_likelihood(moved) + 2


@pytest.mark.parametrize(
    ("xy", "state", "half"),
    [
        ((0.2, 0.5), DieState.FLAT, Half.LEFT),
        ((0.8, 0.5), DieState.FLAT, Half.RIGHT),
        ((0.5, 0.5), DieState.OFF_BOARD, Half.RIGHT),
        ((-0.05, 0.5), DieState.OFF_BOARD, Half.LEFT),
        ((0.8, 1.04), DieState.OFF_BOARD, Half.RIGHT),
        ((0.04, 0.15), DieState.ON_CHECKER, Half.LEFT),
        ((0.04, 0.55), DieState.FLAT, Half.LEFT),
    ],
)
def test_how_a_die_lies(
    start_eyes: Eyes, start_seen: Observation, xy: tuple[float, float], state: DieState, half: Half
) -> None:
    eyes, seen = start_eyes, start_seen
    die = eyes.die_reading(DieSeen(4, (1.0, 2.0), xy, 0.38, 0.9), seen)
    assert (die.pips, die.state, die.half, die.xy) == (4, state, half, xy)


def test_a_die_against_the_bar_lies_on_the_field(start_eyes: Eyes, start_seen: Observation) -> None:
    """Seen from aside the middle of its upper face may lie a little over the edge."""
    edge = 0.38 * start_eyes.geometry.column_width
    _, right = start_eyes.geometry.bar
    for beyond, state in ((0.1, DieState.FLAT), (0.4, DieState.OFF_BOARD)):
        seen = DieSeen(4, (1.0, 2.0), (right - beyond * edge, 0.5), 0.38, 0.9)
        assert start_eyes.die_reading(seen, start_seen).state is state


def test_named_colours_say_who_is_white(geometry: BoardGeometry, start_frame: Frame, table: Table) -> None:
    swapped = Eyes(geometry, colours=(table.checkers.black_bgr, table.checkers.white_bgr)).observe(start_frame)
    right = Eyes(geometry, colours=(table.checkers.white_bgr, table.checkers.black_bgr)).observe(start_frame)
    assert right.belief.counts == tuple(-n for n in swapped.belief.counts)
    assert right.belief.counts[0] == 5


def test_too_few_checkers_to_tell_the_colours(geometry: BoardGeometry, table: Table) -> None:
    lonely = Position((0,) * 6 + (2,) + (0,) * 19, (0,) * 26)
    eyes = Eyes(geometry)
    seen = eyes.observe(Frame(Painter(table).draw(Scene(lonely)), 0.0, "lonely"))
    assert seen.problems == (UNKNOWN_COLOURS,)
    assert max(seen.belief.confidence) < 0.9
    assert seen.belief.margin == 0


def test_a_look_that_made_sense_is_kept(start_eyes: Eyes, table: Table, start_seen: Observation) -> None:
    style = table.checkers
    swapped = replace(table, checkers=replace(style, white_bgr=style.black_bgr, black_bgr=style.white_bgr))
    told = start_eyes.observe(Frame(Painter(swapped).draw(Scene()), 0.0, "swapped"))
    assert told.belief.counts == tuple(-n for n in start_seen.belief.counts)


def test_a_cube_without_a_number_does_not_hinder_reading_the_checkers(
    geometry: BoardGeometry, start_frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    logo = CubeSeen(None, (70.0, 300.0), CubePlace.OUTSIDE, False, 0.8, "a logo")
    monkeypatch.setattr(observe, "find_cube", lambda *_: logo)
    eyes = Eyes(geometry)
    seen = eyes.observe(start_frame)
    assert (seen.cube, seen.problems) == (logo, ())
    cube = eyes.reading(seen).cube
    assert cube is not None
    assert (cube.value, cube.where) == (None, CubePlace.OUTSIDE)


def test_a_board_outside_the_picture_is_refused(geometry: BoardGeometry, start_frame: Frame) -> None:
    with pytest.raises(GeometryError, match="outside the picture of 480×300"):
        Eyes(geometry).observe(Frame(start_frame.bgr[:300, :480], 0.0, "part"))


def test_fewer_checkers_than_the_picture_shows_is_an_answer_not_a_crash(
    geometry: BoardGeometry, start_frame: Frame
) -> None:
    seen = Eyes(geometry, checkers=3).observe(start_frame)
    assert sum(n for n in seen.belief.counts if n > 0) <= 3


def test_an_empty_board_is_no_doubtful_one(geometry: BoardGeometry, table: Table, nothing: Position) -> None:
    seen = Eyes(geometry).observe(Frame(Painter(table).draw(Scene(nothing)), 0.0, "empty"))
    assert seen.problems == ()
    assert seen.belief.counts == (0,) * 24
    assert min(seen.belief.confidence) > 0.9
