"""Every fault is in the pixels: where something is wrong, the picture is another one than it was before."""

from dataclasses import replace

import numpy as np
import pytest

from rules.position import START
from vision.frame import Bgr
from vision.synth.film import Film, FilmFrame
from vision.synth.layout import items
from vision.synth.render.draw import Painter, viewed
from vision.synth.scene import Scene
from vision.synth.solids import Item, Role
from vision.synth.story.faults import FAULTS
from vision.synth.story.plan import Plan, Wanted
from vision.synth.table import Table

SEED = 6
HALF_PX = 5
LEAST = 8.0
"""Mean grey levels by which a place changes when something else lies there."""
EVERYWHERE = ("blackout", "bump", "head_over_board")
NOTHING_NEW = ("cube_forgotten",)
"""What is wrong here is that something stays where it was."""


@pytest.fixture(scope="module")
def small() -> Table:
    return Table().scaled(720, 450)


@pytest.fixture(scope="module")
def moments(small: Table) -> dict[str, tuple[FilmFrame, FilmFrame]]:
    """Kind → the last frame before it, and one in which it is seen: the first still one, else the middle one."""
    found: dict[str, tuple[FilmFrame, list[FilmFrame]]] = {}
    last: FilmFrame | None = None
    for frame in Film(Plan(SEED, length=1, faults=tuple(Wanted(kind) for kind in FAULTS)), small, fps=4).frames():
        last = last or replace(frame, scene=replace(frame.scene, position=START))
        if frame.situation is not None:
            found.setdefault(frame.situation.kind, (last, []))[1].append(frame)
        last = frame
    return {kind: (before, _clearest(during)) for kind, (before, during) in found.items()}


def _clearest(frames: list[FilmFrame]) -> FilmFrame:
    still = [frame for frame in frames if frame.settled or frame.scene.light == 0]
    return still[0] if still else frames[len(frames) // 2]


def drawn(table: Table, scene: Scene) -> Bgr:
    return Painter(table, 1).draw(scene)


def change(table: Table, item: Item, scene: Scene, first: Bgr, second: Bgr) -> float:
    """Mean grey levels by which two pictures differ around a thing."""
    x, y = (round(float(v)) for v in viewed(table, scene, 0.0).camera.project([item.centre_mm])[0])
    area = np.s_[max(y - HALF_PX, 0) : y + HALF_PX + 1, max(x - HALF_PX, 0) : x + HALF_PX + 1]
    return float(np.abs(first[area].astype(float) - second[area]).mean())


@pytest.mark.parametrize("kind", [kind for kind in FAULTS if kind not in EVERYWHERE + NOTHING_NEW])
def test_what_is_wrong_is_seen_where_it_lies(
    kind: str, small: Table, moments: dict[str, tuple[FilmFrame, FilmFrame]]
) -> None:
    before, during = (frame.scene for frame in moments[kind])
    pictures = drawn(small, before), drawn(small, during)
    were = items(small, before)
    new = [item for item in items(small, during) if item not in were]
    gone = [item for item in were if item not in items(small, during)]
    assert new or gone
    changes = [change(small, item, during, *pictures) for item in (*new, *gone)]
    assert max(changes) > 2 * LEAST
    assert sum(value > LEAST for value in changes) >= 0.6 * len(changes)


def test_in_a_blackout_all_is_dark(small: Table, moments: dict[str, tuple[FilmFrame, FilmFrame]]) -> None:
    before, during = (drawn(small, frame.scene) for frame in moments["blackout"])
    assert before.mean() > 60
    assert during.mean() < 12


def test_a_bump_moves_the_whole_board(small: Table, moments: dict[str, tuple[FilmFrame, FilmFrame]]) -> None:
    before, during = (frame.scene for frame in moments["bump"])
    moved = np.subtract(viewed(small, during, 0.0).corners, viewed(small, before, 0.0).corners)
    assert np.hypot(*moved.T).min() > 2
    assert np.abs(drawn(small, before).astype(float) - drawn(small, during)).mean() > LEAST


def test_a_head_darkens_what_is_under_it(small: Table, moments: dict[str, tuple[FilmFrame, FilmFrame]]) -> None:
    scene = moments["head_over_board"][1].scene
    assert scene.head is not None
    x_mm, y_mm = small.board.mm(scene.head)
    x, y = (round(float(v)) for v in small.camera.project([(x_mm, y_mm, 0)])[0])
    area = np.s_[y - 20 : y + 20, x - 20 : x + 20]
    shaded, lit = drawn(small, scene)[area].mean(), drawn(small, replace(scene, head=None))[area].mean()
    assert shaded < 0.8 * lit


def test_a_cocked_die_is_drawn_leaning(small: Table, moments: dict[str, tuple[FilmFrame, FilmFrame]]) -> None:
    scene = moments["cocked"][1].scene
    level = replace(scene, dice=tuple(replace(die, tilt_rad=0.0) for die in scene.dice))
    cocked = [item for item in items(small, scene) if item.state == "cocked"]
    assert len(cocked) == 1
    assert change(small, cocked[0], scene, drawn(small, scene), drawn(small, level)) > LEAST


def test_a_lost_checker_lies_off_the_board_and_in_the_picture(
    small: Table, moments: dict[str, tuple[FilmFrame, FilmFrame]]
) -> None:
    scene = moments["lost_checker"][1].scene
    lost = next(item for item in items(small, scene) if item.role is Role.CHECKER and item.point is None)
    x, y, z = lost.centre_mm
    assert abs(x) > small.board.outline_mm[0] or abs(y) > small.board.outline_mm[1]
    assert z < small.checkers.thickness_mm
    u, v = small.camera.project([lost.centre_mm])[0]
    assert 0 < u < small.size_px[0]
    assert 0 < v < small.size_px[1]
