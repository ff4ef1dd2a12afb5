"""A board that is pushed is followed, once it is sure that it was."""

from collections.abc import Iterator

import numpy as np
import pytest

from calibration.geometry import BoardGeometry, Corners, parse_corners
from device.boardwatch import EVERY_S, BoardWatch, Ring, really_moved, ring_of
from device.sitting import Sitting
from rules.events import Event, GameStarted, MatchStarted, Noted, Role
from rules.game import apply
from rules.match import MatchState
from rules.referee import Referee
from vision.board import FoundBoard
from vision.frame import Bgr, Frame
from vision.observe import Eyes
from vision.settle import Settler
from vision.synth.render.draw import Painter, viewed
from vision.synth.scene import Hand, Scene
from vision.synth.table import Table

GIVEN: Corners = ((100.0, 50.0), (740.0, 50.0), (740.0, 450.0), (100.0, 450.0))
REACHING = Scene(hands=(Hand((0.3, 0.5), near=True),))
BLANK = np.zeros((500, 800, 3), np.uint8)


def shifted(by: float) -> Corners:
    a, b, c, d = ((x + by, y) for x, y in GIVEN)
    return a, b, c, d


class Finds:
    """Answers one find after the other: how far to the right of GIVEN, and how sure."""

    def __init__(self, *finds: tuple[float, float] | None) -> None:
        self._left: Iterator[tuple[float, float] | None] = iter(finds)
        self.asked = 0

    def __call__(self, _bgr: Bgr, _last: BoardGeometry) -> FoundBoard | None:
        self.asked += 1
        find = next(self._left)
        return None if find is None else FoundBoard(BoardGeometry(shifted(find[0])), find[1])


def borne_out(_ring: Ring, _bgr: Bgr, _before: BoardGeometry, _now: BoardGeometry) -> bool:
    return True


def looked(watch: BoardWatch, count: int, begin_s: float = 0.0, apart_s: float = EVERY_S) -> list[float]:
    """How far the board went, each time a verdict was given."""
    verdicts = (watch.look(Frame(BLANK, begin_s + apart_s * k, str(k))) for k in range(count))
    return [drift.by_px for drift in verdicts if drift is not None]


def test_corners_by_hand_go_along_with_the_board() -> None:
    watch = BoardWatch(BoardGeometry(GIVEN, (0.46, 0.54)), Finds(*[(4, 0.9)] * 3, *[(44, 0.9)] * 3), borne_out)
    assert looked(watch, 6) == [pytest.approx(40)]
    assert watch.geometry.corners[0] == pytest.approx((140, 50))
    assert watch.geometry.bar == (0.46, 0.54)


def test_a_first_sign_of_movement_is_looked_into_at_once() -> None:
    finds = Finds(*[(0, 0.9)] * 4, *[(60, 0.9)] * 2, (60, 0.9))
    watch = BoardWatch(BoardGeometry(GIVEN), finds, borne_out)
    looked(watch, 4)
    assert not watch.doubtful
    looked(watch, 1, 4 * EVERY_S)
    assert watch.doubtful
    assert looked(watch, 2, 4 * EVERY_S + 0.1, 0.1) == [pytest.approx(60)]
    assert not watch.doubtful


def test_a_quiet_board_is_looked_at_now_and_then_only() -> None:
    finds = Finds(*[(0, 0.9)] * 20)
    looked(BoardWatch(BoardGeometry(GIVEN), finds, borne_out), 41, apart_s=EVERY_S / 10)
    assert finds.asked == 5


def test_what_is_not_sure_moves_nothing() -> None:
    watch = BoardWatch(BoardGeometry(GIVEN), Finds(*[(0, 0.9)] * 3, (80, 0.3), None, (80, 0.4), (0, 0.9)), borne_out)
    assert looked(watch, 7) == []
    assert watch.geometry.corners == GIVEN


def test_a_table_file_of_another_place_is_noticed() -> None:
    unsure = BoardWatch(BoardGeometry(GIVEN), Finds(*[(90, 0.9)] * 3), borne_out)
    assert looked(unsure, 3) == []
    assert unsure.geometry.corners == GIVEN
    watch = BoardWatch(BoardGeometry(GIVEN), Finds(*[(90, 0.97)] * 3), borne_out)
    assert looked(watch, 3) == [pytest.approx(90)]
    assert watch.geometry.corners == pytest.approx(np.asarray(shifted(90)))


def test_corners_that_begin_elsewhere_are_the_same_board() -> None:
    turned = BoardGeometry((*GIVEN[2:], *GIVEN[:2]))
    watch = BoardWatch(turned, Finds(*[(0, 0.9)] * 3, *[(50, 0.9)] * 3), borne_out)
    assert looked(watch, 6) == [pytest.approx(50)]
    assert watch.geometry.corners[0] == pytest.approx((790, 450))


def test_finds_that_wander_with_what_lies_on_the_board_move_nothing() -> None:
    table, painter = Table(), Painter(Table(), 1)
    geometry = BoardGeometry(table.corners, table.bar)
    ring = ring_of(painter.draw(Scene()), geometry)
    wandered = BoardGeometry(parse_corners([(x + 9.0, y - 6.0) for x, y in table.corners]), table.bar)
    for scene in (Scene(), Scene(light=0.8), REACHING):
        assert not really_moved(ring, painter.draw(scene), geometry, wandered)
    pushed = Scene(bump=(15.0, -10.0, 0.0))
    there = BoardGeometry(viewed(table, pushed, 0.0).corners, table.bar)
    assert really_moved(ring, painter.draw(pushed), geometry, there)


def test_a_drawn_board_is_pushed_and_the_game_goes_on() -> None:
    table = Table()
    painter = Painter(table, 1)
    before, after = Scene(), Scene(bump=(25.0, 10.0, 0.03))
    geometry = BoardGeometry(table.corners, table.bar)
    begin = MatchStarted(
        at_s=0.0, length=5, white="A", black="B", profile="club-de", role=Role.RECORDER, consent=False, checkers=15
    )
    events: list[Event] = []
    sitting = Sitting(
        Settler(Eyes(geometry, home=table.home), stills=False),
        Referee(apply(MatchState(), begin)),
        lambda new, _frame: events.extend(new),
        watch=BoardWatch(geometry),
    )
    for k in range(13):
        sitting.take(Frame(painter.draw(before), 0.8 * k, "before"))
    for k in range(9):
        sitting.take(Frame(painter.draw(after), 10.4 + 0.8 * k, "after"))
    noted = [event for event in events if isinstance(event, Noted)]
    assert [event.key for event in noted] == ["board_moved"]
    assert sum(isinstance(event, GameStarted) for event in events) == 1
    truth = np.asarray(viewed(table, after, 0.0).corners)
    width = np.linalg.norm(truth[1] - truth[0])
    now = np.asarray(sitting.settler.eyes.geometry.corners)
    assert np.linalg.norm(now - truth, axis=1).max() < 0.015 * width
    assert sitting.settler.observation is not None
    counts = sitting.settler.observation.belief.counts
    assert sorted(abs(n) for n in counts if n) == [2, 2, 3, 3, 5, 5, 5, 5]
