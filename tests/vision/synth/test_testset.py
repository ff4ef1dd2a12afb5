"""A set of test pictures can be made, and gone on with where it broke off."""

import json

import numpy as np
import pytest

from vision.picture import decode
from vision.synth import testset


@pytest.fixture
def drawn(monkeypatch):
    """The numbers asked of a renderer that needs no Mitsuba."""
    asked = []

    def render(table, scene, seed, *, samples):
        asked.append(seed)
        return np.random.default_rng(seed).integers(0, 255, (*table.size_px[::-1], 3), np.uint8)

    monkeypatch.setattr(testset, "render", render)
    return asked


def test_every_picture_has_its_truth_and_is_small(drawn, tmp_path):
    testset.make(tmp_path, range(3, 6))
    told = [json.loads(line) for line in (tmp_path / testset.TRUTH).read_text().splitlines()]
    assert [line["seed"] for line in told] == [3, 4, 5]
    for line in told:
        data = (tmp_path / line["picture"]).read_bytes()
        assert [*decode(data).shape[1::-1]] == line["size"]
        assert len(line["checkers"]) in (30, 31)


def test_what_is_there_is_not_made_again(drawn, tmp_path):
    testset.make(tmp_path, range(2))
    testset.make(tmp_path, range(4))
    assert drawn == [0, 1, 2, 3]
    assert len((tmp_path / testset.TRUTH).read_text().splitlines()) == 4
