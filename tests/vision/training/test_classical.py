"""Which checkers stand where, on drawn boards, and how far a claim to be sure can be trusted."""

from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.orientation import Home
from rules.position import BAR, CHECKERS, START, Position, side_of
from vision.belief import believe
from vision.evidence import IMPOSSIBLE, CheckerEvidence
from vision.frame import Frame
from vision.lab import lab_of
from vision.observe import Eyes, Observation
from vision.synth.render.draw import Painter
from vision.synth.scene import Scene
from vision.synth.story.plan import Evening, Plan
from vision.synth.table import Board, Table
from vision.training.classical import learn_look, read_checkers
from vision.training.round_edges import disc_score, edge_tensor, peaks

HIT = Position(
    side_of({BAR: 1, 24: 1, 13: 4, 8: 3, 6: 4, 4: 2}),
    side_of({BAR: 2, 13: 3, 8: 4, 6: 4, 3: 2}),
)
TWELVE = Position(side_of({24: 2, 13: 4, 8: 3, 6: 3}), side_of({24: 2, 13: 4, 8: 3, 6: 3}))
GeometryOf = Callable[[Table], BoardGeometry]
CountsOf = Callable[[Position, Table], tuple[int, ...]]


@pytest.mark.parametrize(
    ("table", "position", "checkers"),
    [
        pytest.param(Table(), HIT, 15, id="three on the bar"),
        pytest.param(Table(home=Home.TOP_RIGHT), HIT, 15, id="white at the far side"),
        pytest.param(Table(home=Home.TOP_LEFT), START, 15, id="mirrored"),
        pytest.param(Table(board=Board(bar_mm=0.0), home=Home.BOTTOM_LEFT), TWELVE, 12, id="no bar, twelve checkers"),
    ],
)
def test_a_drawn_position_is_read_right(
    geometry_of: GeometryOf, table: Table, position: Position, checkers: int
) -> None:
    eyes = Eyes(geometry_of(table), home=table.home, checkers=checkers)
    seen = eyes.observe(Frame(Painter(table).draw(Scene(position)), 3.5, "drawn"))
    reading = eyes.reading(seen)
    assert (reading.position, reading.problems, reading.at_s) == (position, (), 3.5)
    assert min(seen.belief.confidence) > 0.7
    assert reading.margin > 0


def test_the_start_is_read_and_sure(start_seen: Observation, table: Table, counts_of: CountsOf) -> None:
    assert start_seen.belief.counts == counts_of(START, table)
    assert start_seen.belief.bar == (0, 0)
    assert np.mean(np.asarray(start_seen.belief.confidence) >= 0.9) > 0.7


def test_of_what_is_claimed_as_sure_hardly_anything_is_wrong(
    table: Table, geometry: BoardGeometry, start_frame: Frame, counts_of: CountsOf
) -> None:
    painter, look = Painter(table, seed=4), learn_look(start_frame.bgr, geometry)
    sure, right, points = 0, 0, 0
    for shot in islice(Evening(Plan(3)).shots(), 5, 260, 16):
        belief = believe(read_checkers(painter.draw(shot.scene), geometry, look))
        truth = counts_of(shot.scene.position, table)
        claims = [n == want for n, p, want in zip(belief.counts, belief.confidence, truth, strict=True) if p >= 0.9]
        sure, right, points = sure + len(claims), right + sum(claims), points + 24
        assert belief.bar == (shot.scene.position.white[BAR], shot.scene.position.black[BAR])
    assert right / sure >= 0.99
    assert sure / points >= 0.8


def test_an_empty_board_is_empty(geometry: BoardGeometry, table: Table, nothing: Position) -> None:
    seen = Eyes(geometry).observe(Frame(Painter(table).draw(Scene(nothing)), 0.0, "empty"))
    assert set(seen.belief.counts) == {0}
    assert (seen.belief.bar, seen.dice) == ((0, 0), ())


def evidence_for(white: dict[int, int], black: dict[int, int]) -> CheckerEvidence:
    """Strong evidence for these counts on these places."""
    points = np.full((24, 31), -20.0)
    points[:, CHECKERS] = 0.0
    bar = np.full((2, 16), -20.0)
    bar[:, 0] = 0.0
    for place, n in white.items():
        points[place, CHECKERS + n] = 10.0
    for place, n in black.items():
        points[place, CHECKERS - n] = 10.0
    return CheckerEvidence(points, bar)


def test_believing_never_counts_more_checkers_than_there_are() -> None:
    belief = believe(evidence_for({0: 5, 3: 5, 7: 4}, {12: 5, 13: 5, 14: 5, 15: 2}), 12)
    assert sum(n for n in belief.counts if n > 0) <= 12
    assert -sum(n for n in belief.counts if n < 0) <= 12


def test_totals_hold_for_any_evidence() -> None:
    dice = np.random.default_rng(8)
    for checkers in (1, 4, 15):
        belief = believe(CheckerEvidence(dice.normal(0, 8, (24, 31)), dice.normal(0, 8, (2, 16))), checkers)
        assert sum(n for n in belief.counts if n > 0) + belief.bar[0] <= checkers
        assert -sum(n for n in belief.counts if n < 0) + belief.bar[1] <= checkers
        assert all(0 < p <= 1 for p in (*belief.confidence, *belief.bar_confidence))
        assert belief.margin >= 0


def test_a_point_that_could_be_either_is_not_sure() -> None:
    evidence = evidence_for({0: 5, 3: 5, 7: 3}, {12: 5})
    evidence.points[20, CHECKERS + 2] = 0.2
    evidence.points[20, CHECKERS] = 0.0
    belief = believe(evidence)
    assert belief.confidence[20] < 0.9
    assert belief.confidence[0] > 0.95
    assert belief.margin < 5


def test_the_number_of_checkers_decides_where_the_picture_cannot() -> None:
    evidence = evidence_for({0: 5, 3: 5, 7: 3}, {12: 5, 13: 5, 14: 5})
    evidence.points[20, CHECKERS + 2] = evidence.points[20, CHECKERS + 1] = 0.0
    assert believe(evidence).counts[20] == 2
    assert believe(evidence, 14).counts[20] in (0, 1)


def test_without_known_colours_nothing_is_read(geometry: BoardGeometry, table: Table, nothing: Position) -> None:
    picture = Painter(table).draw(Scene(nothing))
    look = learn_look(picture, geometry)
    evidence = read_checkers(picture, geometry, look)
    assert look.white_lab is None
    assert set(np.unique(evidence.points)) == {IMPOSSIBLE, 0.0}


def test_the_lighter_checkers_are_white(geometry: BoardGeometry, start_frame: Frame) -> None:
    look = learn_look(start_frame.bgr, geometry)
    assert look.white_lab is not None
    assert look.black_lab is not None
    assert look.white_lab[0] > 80 > 40 > look.black_lab[0]


def test_a_round_edge_scores_at_its_centre_and_radius() -> None:
    yy, xx = np.mgrid[:80, :80]
    picture = np.where(np.hypot(xx - 40, yy - 36)[..., None] < 12, 220, 60).astype(np.uint8).repeat(3, axis=2)
    tensor = edge_tensor(lab_of(picture))
    score = disc_score(tensor, 12)
    found = np.argwhere(peaks(score, 12, 0.5))
    assert found.tolist() == [[36, 40]]
    assert score[36, 40] > 0.7 > disc_score(tensor, 18)[36, 40] + 0.3
