"""Real photos, where the shared data lie beside the checkout: floors for what docs/board-net.md and board-finding.md
claim.
"""

from pathlib import Path

import numpy as np
import pytest

from vision.board import find_board
from vision.training.cases import Case, cases_of
from vision.training.corners.evaluate import corner_error
from vision.training.evaluate import evaluate

LABELS = "data/photos/labels.jsonl"
EVERY = 6
"""Of the pictures of one fixed camera, which differ little, one in so many."""
FIXED_CAMERA = "minta"


@pytest.fixture(scope="module")
def photos(shared_dir: Path) -> list[Case]:
    cases = list(cases_of(shared_dir / LABELS))
    fixed = [case for case in cases if FIXED_CAMERA in case.name]
    return [case for case in cases if FIXED_CAMERA not in case.name] + fixed[::EVERY]


def test_photos_are_read_as_well_as_the_model_card_says(photos: list[Case]) -> None:
    scores = evaluate(photos)
    assert scores["clear"].right / scores["clear"].points > 0.99
    assert scores["clear"].claimed / scores["clear"].points > 0.88
    assert scores["muddled"].right / scores["muddled"].points > 0.95
    assert scores["all"].claimed_wrong <= 2


def test_boards_are_found_as_well_as_the_model_card_says(photos: list[Case]) -> None:
    offs = []
    for case in photos:
        found = find_board(case.picture)
        assert found is not None, case.name
        offs.append(corner_error(np.asarray(found.geometry.corners), np.asarray(case.geometry.corners)))
    assert np.mean(np.asarray(offs) < 0.02) >= 0.6
    assert np.mean(np.asarray(offs) < 0.03) >= 0.8
