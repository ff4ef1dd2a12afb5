"""The weights of detector and readers: fitted on things whose kind is known."""

import numpy as np
import pytest

from vision.judging import evidence
from vision.readers import CLASSES, NO_CUBE, NO_DIE
from vision.training.things.crop import CUBE, DIE
from vision.training.things.fusing import COCKED_SHARE, busy, fitted, lean_fitted, scenes


def test_the_weights_are_found_again() -> None:
    chance = np.random.default_rng(4)
    p, die, cube = chance.uniform(0.02, 0.98, (3, 6000))
    rows = evidence(p, _told(NO_DIE, die), _told(NO_CUBE, cube))
    weights = np.array([[-1.0, 0.8, 0.6, 0.0], [-1.5, 0.7, 0.0, 0.5]])
    odds = np.exp(rows @ weights.T)
    shares = np.column_stack([odds, np.ones(len(odds))]) / (1 + odds.sum(axis=1, keepdims=True))
    kinds = (chance.random((len(shares), 1)) > shares.cumsum(axis=1)).sum(axis=1)
    assert fitted(rows, kinds) == pytest.approx(weights, abs=0.15)


def test_the_weights_of_leaning_are_found_again_at_the_share_of_games() -> None:
    chance = np.random.default_rng(5)
    leans = chance.random(20000) < 0.3
    detector = np.where(leans, 1.0, -1.0) + chance.normal(0, 1, 20000)
    reader = np.where(leans, 0.5, -0.5) + chance.normal(0, 1, 20000)
    rows = np.column_stack([np.ones(20000), detector, reader])
    usual = np.log(COCKED_SHARE / (1 - COCKED_SHARE))
    assert lean_fitted(rows, leans) == pytest.approx([usual, 2, 1], abs=0.15)


def test_boards_full_of_dice_have_some_that_lean() -> None:
    things = np.concatenate([there for _, _, there in busy(4)])
    assert 0 < things[things[:, 0] == DIE, 5].mean() < 0.5


def test_scenes_are_boards_and_loose_dice_with_what_lies_there() -> None:
    seen = list(scenes(boards=4, loose=2))
    assert len(seen) == 6
    things = np.concatenate([there for _, _, there in seen])
    assert set(things[:, 0].astype(int)) == {DIE, CUBE}


def _told(
    nothing: int, there: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    answer = np.zeros((len(there), CLASSES))
    answer[:, 0], answer[:, nothing] = there, 1 - there
    return answer
