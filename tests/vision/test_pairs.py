"""Dice of two colours are two pairs, whatever pips they show; dice of one colour are none."""

import numpy as np
import pytest

from vision.dice import DieSeen
from vision.frame import Bgr
from vision.pairs import paired

BODIES = {"cream": (205, 225, 235), "red": (40, 36, 170), "pink": (70, 60, 190)}


def table_with(*colours: str) -> tuple[Bgr, tuple[DieSeen, ...]]:
    picture = np.full((60, 40 * len(colours), 3), 90, np.uint8)
    found = []
    for n, name in enumerate(colours):
        x = 20 + 40 * n
        picture[20:40, x - 10 : x + 10] = BODIES[name]
        picture[28:32, x - 2 : x + 2] = 255 - np.array(BODIES[name])
        found.append(DieSeen(1, (x - 0.5, 29.5), (0.5, 0.5), 0.4, 0.9))
    return picture, tuple(found)


@pytest.mark.parametrize(
    ("colours", "pairs"),
    [
        (("red", "cream"), ["b", "a"]),
        (("cream", "red", "pink", "cream"), ["a", "b", "b", "a"]),
        (("red", "pink"), [None, None]),
        (("red", "red", "red", "red"), [None] * 4),
        (("red",), [None]),
        ((), []),
    ],
)
def test_pairs_by_colour(colours: tuple[str, ...], pairs: list[str | None]) -> None:
    if not colours:
        assert paired(np.zeros((4, 4, 3), np.uint8), (), 50.0) == ()
        return
    picture, dice = table_with(*colours)
    assert [die.pair for die in paired(picture, dice, 50.0)] == pairs
