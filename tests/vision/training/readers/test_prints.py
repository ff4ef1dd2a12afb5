"""Captions and clocks beside the board, drawn so that the readers learn that they are no cube."""

import random

import numpy as np
import pytest

from vision.readers import CUBE_PX, NO_CUBE
from vision.training.readers import prints
from vision.training.readers.crops import _bare


@pytest.mark.parametrize("made", [prints.line, prints.display])
def test_print_crosses_the_middle_and_leaves_the_rest(made) -> None:  # type: ignore[no-untyped-def]
    changed = []
    for seed in range(40):
        ground = np.full((80, 80, 3), 120, np.uint8)
        made(random.Random(seed), ground, 20.0)
        changed.append((ground != 120).any(axis=2))
    often = np.mean(changed, axis=0)
    assert often[30:50, 30:50].mean() > 2 * often[[0, 0, -1, -1], [0, -1, 0, -1]].mean()
    assert all(one.any() for one in changed)


def test_the_ten_digits_of_a_display_differ() -> None:
    shown = [prints._digits(digit, 0.5, 0.12, 0.1) for digit in prints.NUMBERS]
    for k, one in enumerate(shown):
        for other in shown[:k]:
            assert np.abs(one - other).mean() > 0.005


def test_what_is_neither_die_nor_cube_is_told_so() -> None:
    for seed in range(12):
        example = _bare(random.Random(seed), 1_000_000 + seed, CUBE_PX, NO_CUBE)
        assert example.shows == NO_CUBE
        assert example.crop.shape == (CUBE_PX, CUBE_PX, 3)
