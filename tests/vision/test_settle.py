"""When a board has settled: motion, arms, sameness, and dice that a picture missed."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.errors import GeometryError
from calibration.geometry import BoardGeometry
from rules.position import START, Player
from rules.reading import Reading
from rules.referee import DIE_SURE
from vision.dice import DieSeen
from vision.frame import Bgr, Frame
from vision.hands import ADOPT_AFTER_S, ArmGate
from vision.observe import Eyes, Observation
from vision.rectify import Rectified, rectify
from vision.settle import COLUMN_PX, QUIET_S, Seeing, Settler, keep_dice
from vision.synth.render.draw import Painter
from vision.synth.scene import Die, Hand, Scene
from vision.synth.table import Table

DICE = (Die(6, (0.7, 0.5), 0.2, Player.WHITE), Die(2, (0.85, 0.5), 1.0, Player.WHITE))


@pytest.fixture(scope="module")
def still(table: Table) -> Bgr:
    return Painter(table, seed=1).draw(Scene())


@pytest.fixture(scope="module")
def rolled(table: Table) -> Bgr:
    return Painter(table, seed=1).draw(Scene(dice=DICE))


@pytest.fixture(scope="module")
def reaching(table: Table) -> Bgr:
    return Painter(table, seed=1).draw(Scene(hands=(Hand((0.5, 0.5), near=True),)))


@pytest.fixture
def settler(start_eyes: Eyes, start_seen: Observation) -> Settler:
    return Settler(start_eyes, stills=False)


def feed(settler: Settler, pictures: Sequence[Bgr], from_s: float = 0.0) -> tuple[list[Reading], list[Seeing]]:
    """Feed pictures a quiet while apart; all readings, and how the eyes were doing after each."""
    readings: list[Reading] = []
    seeing = []
    for k, bgr in enumerate(pictures):
        readings += settler.feed(Frame(bgr, from_s + k * (QUIET_S + 0.1), str(k)))
        seeing.append(settler.seeing)
    return readings, seeing


def test_a_stream_settles_after_two_quiet_pictures_and_tells_it_once(settler: Settler, still: Bgr) -> None:
    readings, seeing = feed(settler, [still] * 5)
    assert [r.position for r in readings] == [START]
    assert seeing == [Seeing.MOTION, Seeing.SETTLED, Seeing.SETTLED, Seeing.UNCHANGED, Seeing.UNCHANGED]


def test_dice_that_come_are_a_new_reading(settler: Settler, still: Bgr, rolled: Bgr) -> None:
    readings, seeing = feed(settler, [still] * 3 + [rolled] * 3)
    assert [sorted(d.pips or 0 for d in r.dice) for r in readings] == [[], [2, 6]]
    assert seeing[3] is Seeing.MOTION


def test_while_the_board_moves_nothing_is_read(settler: Settler, still: Bgr, rolled: Bgr) -> None:
    readings, seeing = feed(settler, [still, rolled] * 3)
    assert (readings, set(seeing)) == ([], {Seeing.MOTION})
    assert settler.observation is None


def test_an_arm_over_a_rail_holds_everything_up(settler: Settler, still: Bgr, reaching: Bgr) -> None:
    readings, seeing = feed(settler, [still] + [reaching] * 4)
    assert (readings, seeing[1:]) == ([], [Seeing.HANDS] * 4)


def test_pictures_that_follow_too_fast_do_not_settle(settler: Settler, still: Bgr) -> None:
    readings = [r for k in range(3) for r in settler.feed(Frame(still, k * QUIET_S / 4, "fast"))]
    assert (readings, settler.seeing) == ([], Seeing.MOTION)


def test_a_still_photo_counts_as_settled(start_eyes: Eyes, rolled: Bgr) -> None:
    settler = Settler(start_eyes, stills=True)
    readings = [r for k in range(2) for r in settler.feed(Frame(rolled, float(k), "photo"))]
    assert [(r.at_s, r.position) for r in readings] == [(0.0, START), (1.0, START)]


def test_a_stream_of_another_size_is_refused(settler: Settler, still: Bgr) -> None:
    with pytest.raises(GeometryError, match="outside the picture"):
        list(settler.feed(Frame(still[:200, :300], 0.0, "small")))


def small(picture: Bgr, geometry: BoardGeometry) -> Rectified:
    return rectify(picture, geometry, column_px=COLUMN_PX)


def test_noise_is_no_motion_and_a_die_in_it_is(settler: Settler, still: Bgr, rolled: Bgr) -> None:
    rng = np.random.default_rng(3)

    def noisy(picture: Bgr) -> Bgr:
        return np.clip(picture + rng.normal(0, 12, picture.shape), 0, 255).astype(np.uint8)

    pictures = [noisy(still) for _ in range(8)] + [noisy(rolled) for _ in range(8)]
    readings = [r for k, bgr in enumerate(pictures) for r in settler.feed(Frame(bgr, 0.2 * k, str(k)))]
    assert [len(one.dice) for one in readings] == [0, 2]


@pytest.mark.parametrize("near", [True, False])
def test_the_gate_sees_arms_from_both_sides_and_forgets_what_stays(
    geometry: BoardGeometry, table: Table, still: Bgr, near: bool
) -> None:
    reaching = Painter(table, seed=2).draw(Scene(hands=(Hand((0.3, 0.5), near=near),)))
    bare, arm = (small(picture, geometry) for picture in (still, reaching))
    gate = ArmGate()
    assert not gate.crossed(bare, 0.0)
    assert gate.crossed(arm, 1.0)
    assert not gate.crossed(bare, 2.0)
    assert gate.crossed(arm, 3.0)
    assert gate.crossed(arm, 3.0 + ADOPT_AFTER_S - 0.1)
    assert not gate.crossed(arm, 3.0 + ADOPT_AFTER_S)
    assert gate.crossed(bare, 4.0 + ADOPT_AFTER_S)


def test_a_gate_that_first_saw_an_arm_finds_out(geometry: BoardGeometry, table: Table, still: Bgr) -> None:
    """Arms come and go, each elsewhere: what most pictures show is the bare rail."""
    painter = Painter(table, seed=2)
    arms = [small(painter.draw(Scene(hands=(Hand((x, 0.5), near=True),))), geometry) for x in (0.2, 0.4, 0.6, 0.8)]
    bare, gate = small(still, geometry), ArmGate()
    gate.crossed(arms[0], 0.0)
    assert gate.crossed(bare, 1.0)
    for k in range(12):
        gate.crossed(arms[k % 4] if k % 3 == 0 else bare, 2.0 + 2 * k)
    assert not gate.crossed(bare, 30.0)
    assert gate.crossed(arms[0], 31.0)


def test_the_gate_lets_the_light_change_slowly(geometry: BoardGeometry, still: Bgr) -> None:
    gate = ArmGate()
    dimmer = (small((still * level).astype(np.uint8), geometry) for level in np.linspace(1.0, 0.6, 120))
    assert not any(gate.crossed(upright, float(k)) for k, upright in enumerate(dimmer))


def test_a_light_that_wanders_over_the_rails_is_no_arm(geometry: BoardGeometry, table: Table, still: Bgr) -> None:
    """It goes on wandering while an arm is there, and the arm is seen all the same."""
    reaching = Painter(table, seed=2).draw(Scene(hands=(Hand((0.3, 0.5), near=True),)))
    across = np.linspace(-1, 1, still.shape[1])
    gate, told = ArmGate(), []
    for k in range(80):
        light = 1 - 0.5 * np.exp(-((across - (k / 40 - 1)) ** 2) / 0.2)
        picture = reaching if 30 <= k < 45 else still
        lit = (picture * light[None, :, None]).astype(np.uint8)
        told.append(gate.crossed(small(lit, geometry), 0.5 * k))
    assert told == [30 <= k < 45 for k in range(80)]


def test_checkers_at_the_end_of_the_bar_are_no_arm(geometry: BoardGeometry, table: Table, still: Bgr) -> None:
    upright = small(still, geometry)
    bar, gate = [round(upright.x_px(x)) for x in geometry.bar], ArmGate()
    assert not gate.crossed(upright, 0.0)
    stacked = upright.bgr.copy()
    stacked[-upright.margin_px :, bar[0] : bar[1]] = (30, 30, 200)
    assert not gate.crossed(replace(upright, bgr=stacked), 1.0)
    stacked[-upright.margin_px :, bar[0] - 9 : bar[1] + 9] = (30, 30, 200)
    assert gate.crossed(replace(upright, bgr=stacked), 2.0)


def seen_with(start: Observation, bgr: Bgr, *dice: DieSeen) -> Observation:
    return replace(start, frame=Frame(bgr, 0.0, "x"), dice=dice)


DIE = DieSeen(5, (500.0, 300.0), (0.5, 0.5), 0.38, 0.9)


def test_a_die_missed_where_nothing_changed_is_kept(start_seen: Observation, still: Bgr) -> None:
    kept = keep_dice(seen_with(start_seen, still, DIE), seen_with(start_seen, still))
    (die,) = kept.dice
    assert replace(die, confidence=DIE.confidence) == DIE
    assert DIE_SURE < die.confidence < DIE.confidence


def test_a_die_that_is_never_seen_again_does_not_stay_for_ever(start_seen: Observation, still: Bgr) -> None:
    seen = seen_with(start_seen, still, DIE)
    for _ in range(10):
        seen = keep_dice(seen, seen_with(start_seen, still))
    assert all(die.confidence < DIE_SURE for die in seen.dice)


def test_a_die_that_was_lifted_is_gone(start_seen: Observation, still: Bgr) -> None:
    changed = still.copy()
    changed[280:320, 480:520] //= 2
    assert keep_dice(seen_with(start_seen, still, DIE), seen_with(start_seen, changed)).dice == ()


def test_a_die_seen_twice_is_one(start_seen: Observation, still: Bgr) -> None:
    again = replace(DIE, center_px=(501.0, 300.5), confidence=0.8)
    assert keep_dice(seen_with(start_seen, still, DIE), seen_with(start_seen, still, again)).dice == (again,)


@pytest.mark.parametrize("size", [(290, 500), (310, 505), (200, 200)])
def test_photos_of_other_sizes_keep_no_dice(start_seen: Observation, still: Bgr, size: tuple[int, int]) -> None:
    smaller = still[: size[0], : size[1]]
    assert keep_dice(seen_with(start_seen, still, DIE), seen_with(start_seen, smaller)).dice == ()
