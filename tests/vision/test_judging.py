"""Detector and readers put together: who says what, and how much that counts."""

import numpy as np
import pytest

from vision import judging
from vision.judging import judged
from vision.readers import CLASSES, COCKED, NO_CUBE, NO_DIE
from vision.smallthings import Things

PICTURE = np.full((60, 200, 3), 90, np.uint8)


def told(nothing: int, *there: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A reader's answer: so likely something, and that shows its first number."""
    answer = np.zeros((len(there), CLASSES))
    answer[:, 0], answer[:, nothing] = there, 1 - np.asarray(there)
    return answer


def test_both_readers_and_the_detector_have_a_say(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = told(NO_DIE, 0.99, 0.05, 0.99, 0.02), told(NO_CUBE, 0.02, 0.99, 0.02, 0.02)
    monkeypatch.setattr(judging, "looked_at", lambda *_: answers)
    xy = np.array([(20.0 + 40 * n, 30) for n in range(4)])
    found = judged(PICTURE, Things(xy, np.full(4, 16.0), np.array([0.9, 0.9, 0.04, 0.9]), np.full(4, -3.0)))
    assert found.die[0] > 0.8 > 0.2 > found.cube[0]
    assert found.cube[1] > 0.8 > 0.2 > found.die[1]
    assert found.die[2] < found.die[0]
    assert found.die[3] + found.cube[3] < 0.5
    assert (found.pips[:, :COCKED].argmax(axis=1) == 0).all()
    assert (found.die + found.cube <= 1).all()


def test_what_is_likely_something_is_looked_at_in_several_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[list[float]] = []

    def read_dice(_: object, spots: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> object:
        sizes.append(spots[:, 2].tolist())
        return told(NO_DIE, *([0.9, 0.001] if len(sizes) == 1 else [0.5, 0.5]))

    monkeypatch.setattr(judging, "read_dice", read_dice)
    monkeypatch.setattr(judging, "read_cubes", lambda _, spots, sizes=(): told(NO_CUBE, *[0.001] * len(spots)))
    dice, cubes = judging.looked_at(PICTURE, Things(np.zeros((2, 2)), np.full(2, 20.0), np.ones(2), np.zeros(2)))
    assert sizes == [[20, 20], [pytest.approx(17.4), pytest.approx(23)]]
    assert 0.5 < dice[0, 0] < 0.9
    assert dice[1, 0] == pytest.approx(0.001)
    assert dice.sum(axis=1) == pytest.approx([1, 1])
    assert len(cubes) == 2


def test_no_reader_is_asked_whose_word_could_not_make_a_place_likely_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def read_dice(_: object, spots: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> object:
        asked.append(len(spots))
        return told(NO_DIE, *[0.5] * len(spots))

    monkeypatch.setattr(judging, "read_dice", read_dice)
    monkeypatch.setattr(judging, "read_cubes", lambda _, spots, sizes=(): told(NO_CUBE, *[0.001] * len(spots)))
    likely = np.array([0.9, 0.03])
    things = Things(np.zeros((2, 2)), np.full(2, 20.0), likely, np.zeros(2))
    dice, _ = judging.looked_at(PICTURE, things)
    assert asked == [1, 2]
    assert dice[1].tolist() == [0] * NO_DIE + [1]
    judging.looked_at(PICTURE, things, least=(0.0, 0.0))
    assert asked[2:] == [2, 4]
    sure = told(NO_DIE, *[1 - 1e-4] * 100), told(NO_CUBE, *[1e-4] * 100)
    odds = np.exp(judging.evidence(np.linspace(0.03, 0.97, 100), *sure) @ np.array(judging.WEIGHTS).T)
    could = odds[:, 0] / (1 + odds[:, 0]) >= judging.LEAST[0]
    asked.clear()
    judging.looked_at(
        PICTURE, Things(np.zeros((100, 2)), np.full(100, 20.0), np.linspace(0.03, 0.97, 100), np.zeros(100))
    )
    assert asked[0] >= could.sum() > 80


def test_one_look_is_enough_where_it_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def read_cubes(_: object, spots: np.ndarray[tuple[int, ...], np.dtype[np.float64]], sizes: object = ()) -> object:
        asked.append(len(spots))
        return told(NO_CUBE, *([0.999, 0.9, 0.001] if len(asked) == 1 else [0.9] * len(spots)))

    monkeypatch.setattr(judging, "read_dice", lambda _, spots: told(NO_DIE, *[0.001] * len(spots)))
    monkeypatch.setattr(judging, "read_cubes", read_cubes)
    _, cubes = judging.looked_at(PICTURE, Things(np.zeros((3, 2)), np.full(3, 20.0), np.full(3, 0.9), np.zeros(3)))
    assert asked == [3, 3]  # the second place alone, in three sizes
    assert cubes[:, 0] == pytest.approx([0.999, 0.9, 0.001], abs=1e-4)


def test_what_one_look_can_hardly_turn_into_a_die_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def read_dice(_: object, spots: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> object:
        asked.append(len(spots))
        return told(NO_DIE, *[0.03] * len(spots))

    monkeypatch.setattr(judging, "read_dice", read_dice)
    monkeypatch.setattr(judging, "read_cubes", lambda _, spots, sizes=(): told(NO_CUBE, *[0.001] * len(spots)))
    judging.looked_at(PICTURE, Things(np.zeros((2, 2)), np.full(2, 20.0), np.array([0.2, 0.9999]), np.zeros(2)))
    assert asked == [2, 2]


def test_whether_a_die_leans_is_told_by_detector_and_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = told(NO_DIE, 0.9, 0.9, 0.9)
    answer[2, COCKED], answer[2, 0] = 0.85, 0.05
    monkeypatch.setattr(judging, "looked_at", lambda *_: (answer, told(NO_CUBE, 0.02, 0.02, 0.02)))
    seen = judged(PICTURE, Things(np.zeros((3, 2)), np.full(3, 16.0), np.full(3, 0.9), np.array([-6.0, 6.0, 6.0])))
    flat, leaning, surely = seen.pips[:, COCKED]
    assert flat < 0.05
    assert flat < leaning < surely
    assert surely > 0.5
    assert seen.pips.sum(axis=1) == pytest.approx([1, 1, 1])
    assert (seen.pips[:, :COCKED].argmax(axis=1) == 0).all()


def test_nothing_found_is_nothing_judged() -> None:
    found = judged(PICTURE, Things(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0)))
    assert (found.die.shape, found.pips.shape) == ((0,), (0, CLASSES - 1))
