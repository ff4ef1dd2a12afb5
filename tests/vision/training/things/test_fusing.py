"""The weights of detector and readers: fitted on things whose kind is known."""

import numpy as np
import pytest

from vision.judging import evidence
from vision.readers import CLASSES, NO_CUBE, NO_DIE
from vision.training.things.fusing import fitted, scenes
from vision.training.things.shards import CUBE, DIE


def test_the_weights_are_found_again() -> None:
    chance = np.random.default_rng(4)
    p, die, cube = chance.uniform(0.02, 0.98, (3, 6000))
    rows = evidence(p, _told(NO_DIE, die), _told(NO_CUBE, cube))
    weights = np.array([[-1.0, 0.8, 0.6, 0.0], [-1.5, 0.7, 0.0, 0.5]])
    odds = np.exp(rows @ weights.T)
    shares = np.column_stack([odds, np.ones(len(odds))]) / (1 + odds.sum(axis=1, keepdims=True))
    kinds = (chance.random((len(shares), 1)) > shares.cumsum(axis=1)).sum(axis=1)
    assert fitted(rows, kinds) == pytest.approx(weights, abs=0.15)


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
