"""The evening as frames: unsettled while somebody acts, settled where everything lies still."""

from itertools import islice

import numpy as np
import pytest

from vision.synth.chance.variety import random_table
from vision.synth.film import Film, FilmFrame, sampled
from vision.synth.people.arm import Leg
from vision.synth.render.draw import Painter
from vision.synth.scene import Scene
from vision.synth.story.plan import Plan, Wanted


@pytest.fixture(scope="module")
def frames() -> list[FilmFrame]:
    return list(islice(Film(Plan(5), fps=5).frames(), 400))


def test_a_film_shows_hands_between_still_scenes(frames: list[FilmFrame]) -> None:
    assert [f.at_s for f in frames] == pytest.approx([k / 5 for k in range(len(frames))])
    assert [f.shot for f in frames] == sorted(f.shot for f in frames)
    for shot in range(1, frames[-1].shot):
        of_shot = [f for f in frames if f.shot == shot]
        settled = [f.settled for f in of_shot]
        assert settled == sorted(settled)
        assert sum(settled) >= 2
        assert not any(f.scene.hands for f in of_shot if f.settled)


def test_what_happens_is_told_with_the_first_still_frame(frames: list[FilmFrame]) -> None:
    told = [k for k, f in enumerate(frames) if f.events or f.said]
    assert len(told) > 8
    for k in told[1:]:
        assert frames[k].settled
        assert not frames[k - 1].settled
        assert {event.at_s for event in (*frames[k].events, *frames[k].said)} == {round(frames[k].at_s, 3)}


@pytest.mark.parametrize("fps", [1, 2, 12.5])
def test_the_same_match_at_any_pace(fps: float, frames: list[FilmFrame]) -> None:
    slow = [f for f in islice(Film(Plan(5), fps=fps).frames(), 200) if f.events]
    same = [f for f in frames if f.events]
    notes = [f.note for f in slow]
    shared = min(len(notes), len(same))
    assert shared >= 3
    assert notes[:shared] == [f.note for f in same][:shared]
    assert [f.scene for f in slow][:shared] == [f.scene for f in same][:shared]


def test_a_film_goes_on_from_any_shot(frames: list[FilmFrame]) -> None:
    later = list(islice(Film(Plan(5), fps=5).frames(first_shot=3), 10))
    assert later[0].shot == 3
    assert later[0].settled
    assert later[0].at_s == 0
    assert later[0].scene == next(f.scene for f in frames if f.shot == 3 and f.settled)


def test_the_plan_decides_every_frame(frames: list[FilmFrame]) -> None:
    assert list(islice(Film(Plan(5), fps=5).frames(), 400)) == frames
    assert [f.scene for f in islice(Film(Plan(6), fps=5).frames(), 400)] != [f.scene for f in frames]


def test_the_same_seed_draws_the_same_film(frames: list[FilmFrame]) -> None:
    table = Film(Plan(5)).table
    pictures = [[Painter(table, 5).draw(frame.scene, frame.at_s) for frame in frames[30:33]] for _ in range(2)]
    assert all(np.array_equal(a, b) for a, b in zip(*pictures, strict=True))


def test_the_dark_and_a_hand_that_stays_are_not_settled() -> None:
    plan = Plan(2, length=1, faults=(Wanted("blackout"), Wanted("hand_left_on_board")))
    frames = [f for f in Film(plan, fps=3).frames() if f.situation is not None]
    assert {f.situation.kind for f in frames if f.situation} == {"blackout", "hand_left_on_board"}
    assert not any(f.settled for f in frames)


def test_stretches_are_sampled_in_the_middle_of_frames() -> None:
    dark = [Leg(0.4, lambda share: Scene(light=share)), Leg(0.6, lambda share: Scene(light=1 + share))]
    assert [scene.light for scene in sampled(dark, 5)] == pytest.approx([0.25, 0.75, 1 + 1 / 6, 1.5, 1 + 5 / 6])
    assert len(list(sampled(dark, 0.1))) == 2


@pytest.mark.parametrize("seed", [3, 14, 21])
def test_any_table_will_do(seed: int) -> None:
    """Without a bar, with a wide one, mirrored, seen from the side: the same faults are filmed there."""
    wanted = tuple(
        Wanted(kind) for kind in ("lost_checker", "off_board", "on_checker", "cocked", "between_points", "bump")
    )
    film = Film(Plan(2, length=1, faults=wanted), random_table(seed), fps=1)
    kinds = {frame.situation.kind for frame in islice(film.frames(), 400) if frame.situation is not None}
    assert kinds == {one.kind for one in wanted}
