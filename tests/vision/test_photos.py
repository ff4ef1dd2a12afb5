"""Real photos, where the shared data lie beside the checkout: floors for what docs/board-net.md claims."""

from pathlib import Path

import pytest

from vision.training.cases import Case, cases_of
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
