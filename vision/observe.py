"""What one picture shows, as likelihoods: the eyes of one table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from calibration.geometry import COLUMNS, BoardGeometry
from calibration.orientation import Home, white_point
from rules.position import BAR, CHECKERS, Player, Position, side_of
from rules.reading import CubePlace, CubeReading, DieReading, DieState, Half, PlaceEvidence, Reading
from vision import smallthings
from vision.belief import Belief
from vision.checkers import read_checkers
from vision.cube import CubeSeen, find_cube
from vision.dice import DieSeen, find_dice
from vision.evidence import CheckerEvidence
from vision.frame import Frame
from vision.judging import judged
from vision.lab import Lab, lab_of
from vision.looks import Look, known_look
from vision.netcheckers import Discs, rows_of
from vision.pairs import face_lab, paired
from vision.window import window_of

FLAT_LIKELIHOOD = (0.0,) * (2 * CHECKERS + 1)
UNKNOWN_COLOURS = "too few checkers to tell the two colours apart; name them in the table file (white_bgr, black_bgr)"
UNKNOWN_CONFIDENCE = 0.5
THERE = 0.5
"""A disc as likely as this is a checker; fainter ones do not make an empty board doubtful."""
COVERED = 0.25
"""Of a covered point so much is hidden."""
EDGE_OVER = 0.2
"""A die whose middle is seen no more than so many of its edges beyond the field's lies on it, seen from aside."""
DIE_LEAST = 0.3
"""Dice less sure than this are not reported."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One picture read: evidence and free belief about the checkers, dice, cube, and milliseconds spent a stage.

    `column_px` is how wide a point is in the picture; `covered` which of the 24 points as seen hands or things hide;
    `rows` (24) how far the checkers of each point reach from their rail, as a share of the field's height. `problems`
    are what hinders reading the checkers; why the cube has no number is the cube's own.
    """

    frame: Frame
    column_px: float
    evidence: CheckerEvidence
    belief: Belief
    dice: tuple[DieSeen, ...]
    cube: CubeSeen | None
    covered: tuple[bool, ...] = (False,) * (2 * COLUMNS)
    rows: tuple[float, ...] = (0.0,) * (2 * COLUMNS)
    hands: bool = False
    problems: tuple[str, ...] = ()
    ms: tuple[tuple[str, float], ...] = ()
    discs: Discs | None = None


class Eyes:
    """Reads pictures of one table from one place.

    The checkers' colours are learned anew from every picture until somebody who knows that the
    board was understood says `keep_look`, or better, what stood there (`learn`). `colours` are white's and black's BGR,
    when a person named them.
    """

    def __init__(
        self,
        geometry: BoardGeometry,
        *,
        home: Home = Home.BOTTOM_RIGHT,
        checkers: int = CHECKERS,
        colours: tuple[tuple[int, int, int], tuple[int, int, int]] | None = None,
    ) -> None:
        self.geometry = geometry
        self.home = home
        self.checkers = checkers
        self._given = (_lab(colours[0]), _lab(colours[1])) if colours else None
        self._colours: tuple[Lab, Lab] | None = None
        self._kept = False
        self._look: Look | None = None

    def keep_look(self) -> None:
        """Go on with the colours learned last: the position read with them made sense."""
        self._kept = self._colours is not None

    def learn(self, position: Position, seen: Observation) -> bool:
        """Learn whose checkers look how in which light from a picture of `position`; False where it shows another."""
        places = (white_point(place, self.home) for place in range(2 * COLUMNS))
        counts = [position.count(Player.WHITE, point) - position.count(Player.BLACK, BAR - point) for point in places]
        look = None if seen.discs is None else known_look(seen.discs, self.geometry, counts)
        self._look = look or self._look
        return look is not None

    def observe(self, frame: Frame) -> Observation:
        """Read one picture. Raises GeometryError when the board does not lie inside it."""
        height, width = frame.bgr.shape[:2]
        self.geometry.check_inside(width, height)
        started = perf_counter()
        window = window_of(frame.bgr, self.geometry)
        warped = perf_counter()
        known = self._colours if self._kept else self._given
        seen = read_checkers(window, self.geometry, checkers=self.checkers, colours=known, look=self._look)
        self._colours, discs, belief = seen.colours, seen.discs, seen.belief
        problems = []
        if seen.colours is None and ((discs.p > THERE).any() or seen.found.counts.argmax(axis=1).any()):
            problems.append(UNKNOWN_COLOURS)
            belief = replace(belief, confidence=(UNKNOWN_CONFIDENCE,) * len(belief.confidence), margin=0.0)
        read = perf_counter()
        small = judged(frame.bgr, smallthings.look(smallthings.board_view(frame.bgr, self.geometry)))
        dice = paired(frame.bgr, _told(find_dice(self.geometry, small)), self.geometry.column_px)
        rolled = perf_counter()
        cube = find_cube(frame.bgr, self.geometry, small)
        done = perf_counter()
        stages = (
            ("rectify", warped - started),
            ("checkers", read - warped),
            ("dice", rolled - read),
            ("cube", done - rolled),
        )
        ms = (*stages, ("total", done - started))
        return Observation(
            frame=frame,
            column_px=self.geometry.column_px,
            evidence=seen.evidence,
            belief=belief,
            dice=dice,
            cube=cube,
            covered=tuple((seen.covered > COVERED).tolist()),
            rows=rows_of(discs, self.geometry),
            problems=tuple(problems),
            ms=tuple((k, 1000 * v) for k, v in ms),
            discs=discs,
        )

    def reading(self, seen: Observation) -> Reading:
        """The observation in the referee's words: white's points, halves, places."""
        points: list[PlaceEvidence] = [PlaceEvidence(FLAT_LIKELIHOOD)] * (2 * COLUMNS)
        for place, row in enumerate(seen.evidence.points):
            points[white_point(place, self.home) - 1] = PlaceEvidence(tuple(float(v) for v in row))
        return Reading(
            at_s=seen.frame.at_s,
            position=self.position(seen.belief),
            points=tuple(points),
            bar_white=tuple(float(v) for v in seen.evidence.bar[0]),
            bar_black=tuple(float(v) for v in seen.evidence.bar[1]),
            margin=seen.belief.margin,
            dice=tuple(self.die_reading(die, seen) for die in seen.dice),
            cube=_cube_reading(seen.cube),
            hands=seen.hands,
            problems=seen.problems,
        )

    def position(self, belief: Belief) -> Position:
        """The free best position; checkers not seen are borne off."""
        white: dict[int, int] = {BAR: belief.bar[0]}
        black: dict[int, int] = {BAR: belief.bar[1]}
        for place, n in enumerate(belief.counts):
            point = white_point(place, self.home)
            if n > 0:
                white[point] = n
            elif n < 0:
                black[25 - point] = -n
        return Position(side_of(white, self.checkers), side_of(black, self.checkers))

    def die_reading(self, die: DieSeen, seen: Observation) -> DieReading:
        """A die with how it lies: on the field, on a checker, or off the field of 24 points (bar included)."""
        x, y = die.field_xy
        left, right = self.geometry.bar
        half = Half.LEFT if x < (left + right) / 2 else Half.RIGHT
        state = DieState.COCKED if die.cocked else DieState.FLAT
        over = EDGE_OVER * die.size * self.geometry.column_width
        if not (-over <= x <= 1 + over and -over <= y <= 1 + over) or (left + over < x < right - over):
            state = DieState.OFF_BOARD
        elif state is DieState.FLAT and self._on_checker(x, y, seen.rows):
            state = DieState.ON_CHECKER
        lab = face_lab(seen.frame.bgr, die, seen.column_px)
        colour = (float(lab[0]), float(lab[1]), float(lab[2]))
        return DieReading(die.pips, state, half, die.field_xy, die.confidence, die.pair, colour)

    def _on_checker(self, x: float, y: float, rows: tuple[float, ...]) -> bool:
        """The die's centre lies over the row of checkers that stands on its point."""
        for column in range(COLUMNS):
            left, right = self.geometry.column_edges(column)
            if abs(x - (left + right) / 2) < 0.35 * (right - left):
                return y < rows[column] or 1 - y < rows[COLUMNS + column]
        return False


def _told(dice: tuple[DieSeen, ...]) -> tuple[DieSeen, ...]:
    return tuple(die for die in dice if die.confidence >= DIE_LEAST)


def _cube_reading(cube: CubeSeen | None) -> CubeReading | None:
    if cube is None:
        return None
    return CubeReading(cube.value, CubePlace(cube.where), cube.offered, cube.confidence)


def _lab(bgr: tuple[int, int, int]) -> Lab:
    lab = lab_of(np.asarray([[bgr]], dtype=np.uint8))[0, 0]
    return float(lab[0]), float(lab[1]), float(lab[2])
