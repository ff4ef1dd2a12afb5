"""How well the net reads a test set with its truth, such as `tests/data/physical`: points, whole boards, claims."""

from __future__ import annotations

import argparse
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, parse_corners
from calibration.orientation import Home, place_of
from vision import boardnet
from vision.belief import Belief, believe
from vision.frame import Bgr
from vision.netcheckers import colours_of, covered_places, discs_of, net_evidence
from vision.window import window_of

SURE = 0.9
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Score:
    """Sums over pictures: points, those right, claimed ones, wrong ones among these, pictures wholly right."""

    pictures: int = 0
    points: int = 0
    right: int = 0
    claimed: int = 0
    claimed_wrong: int = 0
    whole: int = 0

    def add(self, belief: Belief, truth: tuple[int, ...]) -> None:
        """Count one picture; colours may be swapped as a whole, for one picture does not say who is white."""
        swapped = tuple(-n for n in truth)
        best = max((truth, swapped), key=lambda told: sum(a == b for a, b in zip(belief.counts, told, strict=True)))
        right = [a == b for a, b in zip(belief.counts, best, strict=True)]
        sure = [p >= SURE for p in belief.confidence]
        self.pictures += 1
        self.points += len(right)
        self.right += sum(right)
        self.claimed += sum(sure)
        self.claimed_wrong += sum(s and not r for s, r in zip(sure, right, strict=True))
        self.whole += all(right)

    def __str__(self) -> str:
        return (
            f"{self.pictures} pictures: {self.right / self.points:.2%} of points, "
            f"{self.whole / self.pictures:.1%} whole; "
            f"{self.claimed / self.points:.1%} claimed, {self.claimed_wrong} of these wrong"
        )


def read(picture: Bgr, geometry: BoardGeometry) -> Belief:
    """The free belief about the checkers of one picture."""
    window = window_of(picture, geometry)
    found = boardnet.look(window)
    discs = discs_of(window, found, geometry)
    return believe(net_evidence(discs, covered_places(found, geometry), geometry, colours_of(discs)))


def counts_of(line: dict[str, Any]) -> tuple[int, ...]:
    """Signed counts as seen (top row first; positive white) from a line of truth."""
    counts = np.zeros(24, int)
    for checker in line["checkers"]:
        point, player = checker["point"], checker["player"]
        if point is not None and 1 <= point <= 24:
            white = player == "white"
            counts[place_of(point if white else 25 - point, Home(line["white_home"]))] += 1 if white else -1
    return tuple(int(n) for n in counts)


def evaluate(folder: Path) -> dict[str, Score]:
    """Scores over a folder with `truth.jsonl`: all, those without hands and things over the board, those with."""
    scores = {"all": Score(), "clear": Score(), "with hands or things": Score()}
    for text in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        picture = np.asarray(cv2.imread(str(folder / line["picture"])), dtype=np.uint8)
        left, right = line["bar"]
        belief = read(picture, BoardGeometry(parse_corners(line["corners"]), (left, right)))
        hidden = any(c["point"] not in (0, None) and c["share"] < 0.3 and c["layer"] == 0 for c in line["checkers"])
        for name in ("all", "with hands or things" if line["hands"] or hidden else "clear"):
            scores[name].add(belief, counts_of(line))
    return scores


def main() -> None:
    """Score the net that the eyes use."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    for name, score in evaluate(parser.parse_args().folder).items():
        log.info("%-22s%s", name, score)


if __name__ == "__main__":
    main()
