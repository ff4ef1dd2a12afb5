"""Pictures with their truth: test sets that were drawn (`truth.jsonl`), photos labelled by hand (`labels.jsonl`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, parse_corners
from calibration.orientation import Home, place_of
from vision.frame import Bgr

Counts = tuple[int, ...]
"""24 signed counts as seen, top row first."""
HIDDEN = 0.3
"""A checker of which less is seen is hidden."""


@dataclass(frozen=True, slots=True)
class Case:
    """One picture to read: what is known of its board, and what stands there (positive for one of the two sides).

    `muddled` when hands or things hide some of it, or the person who labelled it was not sure.
    """

    name: str
    picture: Bgr
    geometry: BoardGeometry
    counts: Counts
    muddled: bool


def cases_of(truth: Path) -> Iterator[Case]:
    """The pictures that a file of truth or labels speaks of, in its order."""
    for text in truth.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        yield _labelled(line, truth.parent) if "points" in line else _drawn(line, truth.parent)


def told_counts(counts: Counts, truth: Counts) -> Counts:
    """The truth with the sides named as the reading names them: a photo does not say who is white."""
    swapped = tuple(-n for n in truth)
    return max((truth, swapped), key=lambda told: sum(a == b for a, b in zip(counts, told, strict=True)))


def _drawn(line: dict[str, Any], folder: Path) -> Case:
    left, right = line["bar"]
    hidden = any(c["point"] not in (0, None) and c["share"] < HIDDEN and c["layer"] == 0 for c in line["checkers"])
    geometry = BoardGeometry(parse_corners(line["corners"]), (left, right))
    return Case(line["picture"], _picture(folder / line["picture"]), geometry, _standing(line), line["hands"] or hidden)


def _labelled(line: dict[str, Any], folder: Path) -> Case:
    texts = [text for row in ("top", "bottom") for text in line["points"][row]]
    counts = tuple((1 if text[0] == "L" else -1) * int(text[1:]) if text else 0 for text in texts)
    muddled = line["occluded"] or line["confidence"] != "high"
    geometry = BoardGeometry.from_corners(line["corners"], line.get("bar"))
    return Case(line["image"], _picture(folder / line["image"]), geometry, counts, muddled)


def _standing(line: dict[str, Any]) -> Counts:
    counts = np.zeros(24, int)
    for checker in line["checkers"]:
        point, player = checker["point"], checker["player"]
        if point is not None and 1 <= point <= 24:
            white = player == "white"
            counts[place_of(point if white else 25 - point, Home(line["white_home"]))] += 1 if white else -1
    return tuple(int(n) for n in counts)


def _picture(path: Path) -> Bgr:
    return np.asarray(cv2.imread(str(path)), dtype=np.uint8)
