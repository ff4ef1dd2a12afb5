"""Matches and clips filmed in memory, straight into the eyes and the referee that `schiri watch` uses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from time import process_time

import numpy as np

from device.boardwatch import BoardWatch
from device.cameras.sim import table_profile
from device.matchfile import MatchFile
from device.sitting import Sitting, eyes_of, setup_of
from rules.commands import Decided, TurnEnded
from rules.events import Event, Played, PlayFlagged
from rules.game import apply
from rules.match import MatchState, Phase
from rules.position import CHECKERS
from rules.reading import Reading
from rules.referee import Referee
from vision.frame import Bgr, Frame
from vision.lab import lab_of
from vision.observe import Eyes
from vision.settle import Seeing, Settler
from vision.synth.chance.variety import random_table
from vision.synth.film import Film, FilmFrame
from vision.synth.render.draw import Painter
from vision.synth.story.faults import FAULTS
from vision.synth.story.plan import Plan, Wanted
from vision.synth.story.shot import Done
from vision.synth.table import Table

FPS = 10.0
SIZES_PX = ((960, 540), (1280, 720))
MOST_OBLIQUE_RAD, MOST_TURNED_RAD = math.radians(25), math.radians(12)
SMALLEST_POINT_PX, SMALLEST_DIE_PX, NARROWEST_BAR = 38.0, 14.0, 0.7
"""The bar's width in diameters of a checker."""
SHORTEST_FIELD = 10.4
"""Its height in diameters of a checker: two points of five each that face each other do not touch."""
DARKEST, NOISIEST, COARSEST_H264, COARSEST_JPEG = 0.6, 6.0, 34, 50
LIKE = 22.0
"""Colours nearer than this (in L*a*b*) are too much alike for a club to play with."""
TURNS_BEFORE, TURNS_AFTER = 3, 3
LENGTH_OF_CLIPS = 5
LATEST_TURN = 40
"""A planned fault comes no later than this throw of its match, unless it cannot happen before."""
MOVES_SEEN = 7
"""Of the frames in which something moves one in so many is filmed."""
STILLS_SKIPPED = (1, 2)
"""Frames of a scene that lies still in which the settler only waits for time to pass."""
LONGEST_SKIP_S = 1.0
"""Once a scene that lies still was read, one picture a second is enough: nothing but time passes."""


def club_table(seed: int) -> Table:
    """The first of a row of random tables that a club would play at under a fixed camera."""
    tables = (random_table(seed * 1000 + k, SIZES_PX[(seed + k) % len(SIZES_PX)]) for k in count())
    return next(table for table in tables if fit_for_a_club(table))


def fit_for_a_club(table: Table) -> bool:
    """Seen from fairly overhead, as a whole, large, bright and calm enough, in colours that people can tell apart."""
    return _well_seen(table) and _well_lit(table) and _colours_differ(table)


def _well_seen(table: Table) -> bool:
    camera, board = table.camera, table.board
    (tl, tr, _, _), (width, height) = table.corners, table.size_px
    turned = abs(math.atan2(tr[1] - tl[1], tr[0] - tl[0]))
    x, y = board.outline_mm
    rim = camera.project([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)])
    point_px = math.dist(tl, tr) * board.point_mm / board.width_mm
    return (
        math.acos(min(1.0, -camera.axes[2][2])) <= MOST_OBLIQUE_RAD
        and turned <= MOST_TURNED_RAD
        and bool((rim >= 0).all() and (rim < (width, height)).all())
        and board.height_mm >= SHORTEST_FIELD * table.checkers.diameter_mm
        and board.bar_mm >= NARROWEST_BAR * table.checkers.diameter_mm
        and point_px >= SMALLEST_POINT_PX
        and min(pair.size_mm for pair in table.dice) * point_px / board.point_mm >= SMALLEST_DIE_PX
    )


def _well_lit(table: Table) -> bool:
    sensor = table.sensor
    return (
        sensor.exposure >= DARKEST
        and sensor.noise <= NOISIEST
        and sensor.h264 <= COARSEST_H264
        and (not sensor.jpeg or sensor.jpeg >= COARSEST_JPEG)
        and not sensor.motion_px
        and not sensor.banding
    )


def _colours_differ(table: Table) -> bool:
    board, checkers = table.board, table.checkers
    under = (board.field_bgr, board.bar_bgr, *board.points_bgr)
    both = (checkers.white_bgr, checkers.black_bgr)
    dice = (pair for pair in table.dice if not pair.numerals)
    pairs = [both, *((mine, one) for mine in both for one in under), *((d.body_bgr, board.field_bgr) for d in dice)]
    labs = lab_of(np.array([[one for pair in pairs for one in pair]], dtype=np.uint8))[0].reshape(-1, 2, 3)
    apart = np.linalg.norm(labs[:, 0] - labs[:, 1], axis=1)
    return bool((apart >= LIKE).all()) and not any(pair.numerals for pair in table.dice)


@dataclass(frozen=True, slots=True)
class Still:
    """A scene that lay still: the last frame looked at, and the reading it gave (None: none at all)."""

    frame: FilmFrame
    reading: Reading | None
    seeing: Seeing
    covers: bool
    """The reading can be compared: nothing hides the board, no checker lies beside its point."""

    @property
    def right(self) -> bool:
        """Checkers and dice were read as they are."""
        if self.reading is None:
            return False
        dice = sorted(die.pips for die in self.frame.scene.dice)
        seen = sorted(die.pips or 0 for die in self.reading.dice)
        return self.reading.position == self.frame.scene.position and seen == dice


@dataclass(slots=True)
class Filmed:
    """What happened before the camera (`true`), and what the referee made of it (`read`).

    `situation` is the first and the last second of a planned fault; `begin` the match at the first frame.
    """

    begin: MatchState
    true: list[Event] = field(default_factory=list)
    read: list[Event] = field(default_factory=list)
    stills: list[Still] = field(default_factory=list)
    situation: tuple[float, float] | None = None
    frames: int = 0
    draw_s: float = 0.0
    look_s: float = 0.0


Watcher = Callable[[Still, Bgr, Settler], object]
"""Is shown every scene that lay still, its picture, and the eyes; for those who keep pictures."""


class Listening(Settler):
    """The settler, with the newest reading kept for comparison."""

    def __init__(self, eyes: Eyes) -> None:
        super().__init__(eyes, stills=False)
        self.reading: Reading | None = None

    def feed(self, frame: Frame) -> Iterator[Reading]:
        """As a Settler."""
        for reading in super().feed(frame):
            self.reading = reading
            yield reading


@dataclass(frozen=True, slots=True)
class Take:
    """What of a film is shown: from `first_shot` on, where the match stands at `begin`.

    It ends `turns` plays after its planned fault of `kind`, or after `turns` plays where there is none; with None at
    the film's end.
    """

    begin: MatchState
    first_shot: int = 0
    kind: str | None = None
    turns: int | None = None
    every_frame: bool = False


def film_match(
    seed: int, length: int, *, every_frame: bool = False, turns: int | None = None, watcher: Watcher | None = None
) -> Filmed:
    """A match without irregularities: all of it, or its first `turns`."""
    film = Film(Plan(seed, length), club_table(seed), fps=FPS)
    return _shown(film, Take(_started(length), turns=turns, every_frame=every_frame), watcher)


def film_clip(
    kind: str, seed: int, *, turns: int = TURNS_AFTER, before: int = TURNS_BEFORE, watcher: Watcher | None = None
) -> Filmed:
    """Some turns `before` a planned fault, the fault, and some after it; the referee begins with the true match."""
    own = seed * len(FAULTS) + FAULTS.index(kind)
    table = club_table(own)
    for k in count():
        plan = Plan(own * 1000 + k, LENGTH_OF_CLIPS, (Wanted(kind, 1 + own * 7 % LATEST_TURN),), resignations=False)
        first = _first_shot(Film(plan, table, fps=FPS), before)
        if first is not None:
            shot, begin = first
            return _shown(Film(plan, table, fps=FPS), Take(begin, shot, kind, turns), watcher)
    raise AssertionError("count() has no end")


def _started(length: int) -> MatchState:
    return apply(MatchState(), MatchFile(length=length).started(0.0, CHECKERS))


def _first_shot(film: Film, turns: int) -> tuple[int, MatchState] | None:
    """The shot so many `turns` before the fault, and the match after it; None where the fault never happens."""
    state = _started(film.plan.length)
    starts = [(0, state)]
    for number, shot in enumerate(film.evening.shots()):
        if shot.situation is not None:
            return starts[max(0, len(starts) - 1 - turns)]
        for event in shot.events:
            state = apply(state, event)
        if shot.events and isinstance(shot.events[-1], Played) and state.phase is Phase.TO_ROLL:
            starts.append((number, state))
    return None


def _shown(film: Film, take: Take, watcher: Watcher | None) -> Filmed:
    """The film shown to eyes and referee."""
    screening = Screening(film, take, watcher)
    for frame in film.frames(take.first_shot):
        if not screening.goes_on(frame):
            break
        screening.show(frame)
    return screening.end()


class Screening:
    """One film before eyes and referee, with what is known of it so far."""

    def __init__(self, film: Film, take: Take, watcher: Watcher | None) -> None:
        profile = table_profile(film.table)
        self._take, self._watcher = take, watcher
        self._filmed = filmed = Filmed(take.begin)
        self._settler = Listening(eyes_of(profile))
        self._watch = BoardWatch(self._settler.eyes.geometry)
        referee = Referee(take.begin, setup_of(profile))
        self._sitting = Sitting(self._settler, referee, lambda new, _frame: filmed.read.extend(new), watch=self._watch)
        self._painter = Painter(film.table, film.plan.seed)
        self._last: tuple[FilmFrame, Bgr] | None = None
        self._number = 0
        """Of the frame, in what moves or lies still in this shot."""
        self._turns = 0

    def goes_on(self, frame: FilmFrame) -> bool:
        """Ends the scene before, where `frame` begins another; False when the take is over."""
        last = self._last
        if last is None or frame.shot == last[0].shot:
            return True
        self._keep(*last)
        self._last = None
        return self._take.turns is None or self._turns < self._take.turns

    def show(self, frame: FilmFrame) -> None:
        """Takes down what is true of the frame, and shows it unless nothing could come of it."""
        last, filmed = self._last, self._filmed
        if last is None or frame.settled != last[0].settled:
            self._number, self._settler.reading = 0, None
        if self._take.every_frame or frame.said or not self._skipped(frame):
            self._last = frame, self._look(frame)
        self._number += 1
        if self._take.first_shot == 0 or frame.shot > self._take.first_shot:
            filmed.true += frame.events
        kind = self._take.kind
        if frame.situation is not None and frame.situation.kind == kind:
            filmed.situation = (filmed.situation or (frame.at_s, 0.0))[0], frame.at_s
        elif kind is None or filmed.situation is not None:
            self._turns += sum(isinstance(event, Played | PlayFlagged) for event in frame.events)

    def end(self) -> Filmed:
        """The film is over."""
        if self._last is not None:
            self._keep(*self._last)
        if self._take.turns is None:
            self._sitting.end()
        return self._filmed

    def _skipped(self, frame: FilmFrame) -> bool:
        if self._last is None:
            return False
        if not frame.settled:
            return self._number % MOVES_SEEN > 0
        read = self._settler.reading is not None and not self._watch.doubtful
        waits = read and frame.at_s - self._last[0].at_s < LONGEST_SKIP_S
        return self._number in STILLS_SKIPPED or waits

    def _look(self, frame: FilmFrame) -> Bgr:
        begun = process_time()
        picture = self._painter.draw(frame.scene, frame.at_s, frame.shutter)
        drawn = process_time()
        self._sitting.take(Frame(picture, frame.at_s, f"frame {round(frame.at_s * FPS)}"))
        for said in frame.said:
            tell(self._sitting, said)
        self._filmed.draw_s += drawn - begun
        self._filmed.look_s += process_time() - drawn
        self._filmed.frames += 1
        return picture

    def _keep(self, frame: FilmFrame, picture: Bgr) -> None:
        """The scene that lay still has passed."""
        scene, settler = frame.scene, self._settler
        clear = frame.settled and frame.situation is None and scene.light == 1
        beside = scene.loose or scene.head or any(scene.bump)
        still = Still(frame, settler.reading, settler.seeing, clear and not beside)
        self._filmed.stills.append(still)
        if self._watcher is not None:
            self._watcher(still, picture, settler)
        settler.reading = None


def tell(sitting: Sitting, said: Event) -> None:
    """Somebody at the table says or presses `said`: a resignation, a drop, DONE, a confirmation, a ruling."""
    sitting.tell(TurnEnded(said.player) if isinstance(said, Done) else Decided(said))
