"""Whose checkers look how is learned from a known position, also where a window lights one half."""

import numpy as np
import pytest

from calibration.geometry import COLUMNS, BoardGeometry
from calibration.orientation import Home, white_point
from rules.position import BAR, START, Player, Position
from vision.frame import Frame
from vision.looks import Look, known_look, levelled
from vision.netcheckers import Discs
from vision.observe import Eyes

GEOMETRY = BoardGeometry(((10.0, 10.0), (140.0, 10.0), (140.0, 100.0), (10.0, 100.0)))
WHITE, BLACK = (70.0, 2.0, 8.0), (48.0, 2.0, 8.0)
STEP = 0.08


def counts_of(position: Position, home: Home = Home.BOTTOM_RIGHT) -> list[int]:
    """24 signed counts as seen."""
    points = [white_point(place, home) for place in range(2 * COLUMNS)]
    return [position.count(Player.WHITE, k) - position.count(Player.BLACK, BAR - k) for k in points]


def standing(counts: list[int], lit: float = 0.0, white: tuple[float, ...] = WHITE) -> Discs:
    """Discs that stand so, the right half `lit` lighter than the left one."""
    xy, lab = [], []
    for place, count in enumerate(counts):
        x = sum(GEOMETRY.column_edges(place % COLUMNS)) / 2
        for k in range(abs(count)):
            y = STEP * (k + 0.5)
            xy.append((x, y if place < COLUMNS else 1 - y))
            lab.append(np.add(white if count > 0 else BLACK, (lit * (x - 0.5), 0, 0)))
    return Discs(np.array(xy), np.full(len(xy), 0.95), np.array(lab))


def told_apart(discs: Discs, look: Look, counts: list[int]) -> bool:
    """Every disc is nearer to its own colour in the look's light."""
    white = np.concatenate([[count > 0] * abs(count) for count in counts])
    away = [np.linalg.norm(levelled(discs, look).lab - np.asarray(colour), axis=1) for colour in look.colours]
    return bool(((away[0] < away[1]) == white).all())


@pytest.mark.parametrize("lit", [0.0, 30.0, -40.0])
def test_both_colours_are_told_apart_in_any_light(lit: float) -> None:
    counts = counts_of(START)
    discs = standing(counts, lit)
    look = known_look(discs, GEOMETRY, counts)
    assert look is not None
    assert told_apart(discs, look, counts)


def test_an_even_light_leaves_the_colours_as_they_are() -> None:
    counts = counts_of(START)
    look = known_look(standing(counts), GEOMETRY, counts)
    assert look is not None
    assert np.allclose(look.colours, (WHITE, BLACK), atol=0.5)
    assert np.allclose(look.slope, 0, atol=0.5)


def test_who_has_the_darker_checkers_does_not_matter() -> None:
    counts = counts_of(START)
    look = known_look(standing(counts, white=(20.0, 0.0, 0.0)), GEOMETRY, counts)
    assert look is not None
    assert look.colours[0][0] < look.colours[1][0]


def test_another_position_teaches_nothing() -> None:
    counts = counts_of(START)
    assert known_look(standing(counts), GEOMETRY, [*counts[6:], *counts[:6]]) is None


def test_colours_that_belong_to_the_other_side_teach_nothing() -> None:
    """As many checkers stand everywhere, but not whose they are said to be."""
    counts = counts_of(START)
    wrong = [-count if place % 2 else count for place, count in enumerate(counts)]
    assert known_look(standing(counts), GEOMETRY, wrong) is None


def test_too_few_checkers_of_a_side_teach_nothing() -> None:
    counts = [0] * 24
    counts[0], counts[13] = 5, -2
    assert known_look(standing(counts), GEOMETRY, counts) is None


def test_eyes_that_saw_nothing_learn_nothing() -> None:
    eyes = Eyes(GEOMETRY)
    seen = eyes.observe(Frame(np.zeros((110, 150, 3), np.uint8), 0.0, "dark"))
    assert not eyes.learn(START, seen)
