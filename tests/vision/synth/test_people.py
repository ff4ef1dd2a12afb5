"""People at the drawn table: where their hands are, and what becomes of what they carry."""

from dataclasses import replace
from itertools import pairwise

import pytest

from rules.play import parse_play
from rules.position import START, Player
from rules.transcript import moved
from vision.synth.film import Film, FilmFrame, sampled
from vision.synth.layout import items
from vision.synth.people.arm import OUTSIDE_Z_MM, Leg
from vision.synth.people.carrying import place
from vision.synth.people.deeds import enact
from vision.synth.people.dice_roll import Roll
from vision.synth.scene import CubeAt, Die, Scene
from vision.synth.solids import Role
from vision.synth.story.plan import Plan
from vision.synth.story.shot import Act, Deed
from vision.synth.table import Person, Table

WHITE, BLACK = Player.WHITE, Player.BLACK
DICE = (Die(6, (0.7, 0.5), 0.2, WHITE), Die(1, (0.8, 0.5), 0.9, WHITE))


def shown(table: Table, deed: Deed, before: Scene, later: Scene, by: int = 0, fps: float = 25.0) -> list[Scene]:
    return list(sampled(enact(table, before, [Act(deed, by, later, (0.3, 0.7))], 1), fps))


def all_there(scene: Scene) -> bool:
    loose = [sum(one.player is player for one in scene.loose) for player in Player]
    return [scene.position.total(player) + n for player, n in zip(Player, loose, strict=True)] == [15, 15]


@pytest.mark.parametrize("deed", [Deed.MOVE, Deed.SLIDE, Deed.HESITATE])
def test_a_checker_is_carried_above_the_board_to_where_it_then_stands(table: Table, deed: Deed) -> None:
    before = Scene()
    later = replace(before, position=moved(START, WHITE, parse_play("13/8")))
    scenes = shown(table, deed, before, later)
    carried = [scene.loose[0] for scene in scenes if scene.loose]
    assert len(carried) >= 5
    assert all(all_there(scene) for scene in scenes)
    assert all(one.z_mm >= -1e-6 for one in carried)
    highest = max(one.z_mm for one in carried)
    assert (highest < 25) if deed is Deed.SLIDE else (highest > 35)
    start, end = place(table, before, WHITE, 13), place(table, later, WHITE, 8)
    assert carried[0].xy == pytest.approx(start[:2], abs=0.06)
    assert carried[-1].xy == pytest.approx(end[:2], abs=0.06)
    assert [scene.position for scene in scenes if not scene.loose][-1] == later.position
    for scene in scenes:
        if scene.loose:
            assert scene.hands[0].xy == scene.loose[0].xy


def test_the_last_stretch_ends_exactly_there(table: Table) -> None:
    before, later = Scene(), Scene(position=moved(START, WHITE, parse_play("24/18")))
    legs = enact(table, before, [Act(Deed.MOVE, 0, later)], 3)
    carrying = [leg for leg in legs if leg.at(1.0).loose]
    loose = carrying[-1].at(1.0).loose[0]
    x, y, z = place(table, later, WHITE, 18)
    assert (*loose.xy, loose.z_mm) == pytest.approx((x, y, z))


def test_the_hit_checker_is_taken_to_the_bar_first(table: Table) -> None:
    before = Scene(position=moved(START, BLACK, parse_play("6/5")))
    later = replace(before, position=moved(before.position, WHITE, parse_play("24/20*")))
    scenes = shown(table, Deed.HIT, before, later)
    order = [scene.loose[0].player for scene in scenes if scene.loose]
    assert order == sorted(order)  # black before white
    assert set(order) == {WHITE, BLACK}
    assert all(all_there(scene) for scene in scenes)


def test_a_hovering_hand_changes_nothing_and_goes(table: Table) -> None:
    scenes = shown(table, Deed.HOVER, Scene(), Scene())
    assert all(replace(scene, hands=()) == Scene() for scene in scenes)
    reach = [scene.hands[0].xy[1] for scene in scenes]
    assert reach[0] > 1.0
    assert reach[-1] > 1.0
    assert min(reach) < 0.75


def test_dice_roll_and_come_to_rest_as_they_lie(table: Table) -> None:
    scenes = shown(table, Deed.THROW, Scene(), Scene(dice=DICE))
    rolling = [scene.dice for scene in scenes if scene.dice]
    assert all(len(dice) == 2 for dice in rolling)
    assert len({dice[0].angle_rad for dice in rolling}) > 5
    assert max(dice[0].z_mm for dice in rolling) > 15
    assert len({dice[0].pips for dice in rolling}) > 1
    assert not scenes[-1].hands
    assert Roll(DICE, (0.5, 0.5, 70.0), 1).at(1.0) == DICE
    last = rolling[-1]
    assert [die.pips for die in last] == [die.pips for die in DICE]
    assert last[0].xy == pytest.approx(DICE[0].xy, abs=0.02)


def test_dice_are_taken_up_one_after_the_other(table: Table) -> None:
    scenes = shown(table, Deed.LIFT_DICE, Scene(dice=DICE), Scene())
    counts = [len(scene.dice) for scene in scenes]
    assert counts == sorted(counts, reverse=True)
    assert set(counts) == {0, 1, 2}


@pytest.mark.parametrize("deed", [Deed.TURN_CUBE, Deed.TAKE_CUBE])
def test_the_cube_is_turned_in_the_air(table: Table, deed: Deed) -> None:
    before, later = Scene(), Scene(cube=CubeAt(2, (0.3, 0.45)))
    cubes = [scene.cube for scene in shown(table, deed, before, later)]
    assert {cube.value for cube in cubes} == {64, 2}
    assert max(cube.z_mm for cube in cubes) > 30
    assert max(abs(cube.angle_rad) for cube in cubes) > 0.5
    assert cubes[-1] == later.cube


def test_a_pushed_cube_stays_on_the_board_and_keeps_its_face(table: Table) -> None:
    before, later = Scene(cube=CubeAt(2, (0.3, 0.45))), Scene(cube=CubeAt(2, (0.3, 0.1)))
    cubes = [scene.cube for scene in shown(table, Deed.PUSH_CUBE, before, later)]
    assert {(cube.value, cube.angle_rad) for cube in cubes} == {(2, 0.0)}
    assert max(abs(cube.z_mm) for cube in cubes) < 1e-6


def test_who_is_left_handed_or_sits_far_is_seen(table: Table) -> None:
    right, left = replace(table.people[0], right_handed=True), replace(table.people[1], right_handed=False)
    seated = replace(table, people=(right, left, Person()))
    for by, near, is_right in ((0, True, True), (1, False, False)):
        hands = [scene.hands[0] for scene in shown(seated, Deed.HOVER, Scene(), Scene(), by) if scene.hands]
        assert {(hand.near, hand.right, hand.person) for hand in hands} == {(near, is_right, by)}


def test_a_quick_person_takes_less_time(table: Table) -> None:
    later = Scene(position=moved(START, WHITE, parse_play("13/8")))

    def seconds(pace: float) -> float:
        people = (replace(table.people[0], pace=pace), *table.people[1:])
        return sum(leg.seconds for leg in enact(replace(table, people=people), Scene(), [Act(Deed.MOVE, 0, later)], 1))

    assert seconds(2.0) == pytest.approx(seconds(1.0) / 2)
    assert 1.0 < seconds(1.0) < 4.0


def test_the_score_is_written_on_the_card_beside_the_board(table: Table) -> None:
    scenes = shown(table, Deed.WRITE_SCORE, Scene(), Scene())
    left_mm = min(table.board.mm(scene.hands[0].xy)[0] for scene in scenes)
    assert left_mm < -table.board.outline_mm[0]


def test_a_spectator_points_and_a_head_leans_in(table: Table) -> None:
    pointing = [hand for scene in shown(table, Deed.POINT, Scene(), Scene(), by=2) for hand in scene.hands]
    assert all(hand.pointing and hand.person == 2 for hand in pointing)
    assert min(abs(hand.xy[1] - 0.7) for hand in pointing) < 0.05
    heads = [scene.head for scene in shown(table, Deed.LEAN_IN, Scene(), Scene(), by=2)]
    assert all(heads)
    assert any(0 < head[1] < 1 for head in heads if head)


@pytest.fixture(scope="module")
def frames() -> list[FilmFrame]:
    return list(Film(Plan(3, length=1), fps=6).frames())


def test_all_evening_there_are_fifteen_checkers_a_side(frames: list[FilmFrame]) -> None:
    assert all(all_there(frame.scene) for frame in frames)
    assert all(one.z_mm >= -1e-6 for frame in frames for one in frame.scene.loose)
    assert not any(frame.scene.loose or frame.scene.hands for frame in frames if frame.settled)


def test_nothing_jumps(frames: list[FilmFrame]) -> None:
    """What two settled frames of different shots differ by was carried: hands were seen in between."""
    still = [k for k, frame in enumerate(frames) if frame.settled]
    for first, second in pairwise(still):
        if frames[first].scene != frames[second].scene:
            assert any(frame.scene.hands for frame in frames[first:second])


def test_hands_come_from_outside(table: Table) -> None:
    legs: list[Leg] = enact(table, Scene(), [Act(Deed.HOVER, 1, Scene(), (0.5, 0.5))], 1)
    first, last = legs[0].at(0.0).hands[0], legs[-1].at(1.0).hands[0]
    assert first.xy[1] < -0.2
    assert last.xy[1] < -0.2
    assert (first.z_mm, last.z_mm) == (OUTSIDE_Z_MM, OUTSIDE_Z_MM)
    assert [one for one in items(table, legs[0].at(0.0)) if one.role is Role.HAND]
