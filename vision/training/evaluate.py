"""How well the net reads pictures with their truth, such as `tests/data/physical`: points, whole boards, claims."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from calibration.geometry import BoardGeometry
from vision.belief import Belief
from vision.checkers import CheckersSeen, read_checkers
from vision.frame import Bgr
from vision.training.cases import Case, Counts, cases_of, told_counts
from vision.window import window_of

SURE = 0.9
Reader = Callable[[Bgr, BoardGeometry], Belief]
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
    told: list[tuple[float, bool]] = field(default_factory=list)
    """Of every point, how sure the reader was and whether it was right."""

    def add(self, belief: Belief, truth: Counts) -> None:
        """Count one picture; colours may be swapped as a whole, for one picture does not say who is white."""
        right = [a == b for a, b in zip(belief.counts, told_counts(belief.counts, truth), strict=True)]
        sure = [p >= SURE for p in belief.confidence]
        self.pictures += 1
        self.points += len(right)
        self.right += sum(right)
        self.claimed += sum(sure)
        self.claimed_wrong += sum(s and not r for s, r in zip(sure, right, strict=True))
        self.whole += all(right)
        self.told += zip(belief.confidence, right, strict=True)

    def __str__(self) -> str:
        return (
            f"{self.pictures} pictures: {self.right / self.points:.2%} of points, "
            f"{self.whole / self.pictures:.1%} whole; "
            f"{self.claimed / self.points:.1%} claimed, {self.claimed_wrong} of these wrong"
        )


def read(picture: Bgr, geometry: BoardGeometry) -> CheckersSeen:
    """The free reading of the checkers of one picture."""
    return read_checkers(window_of(picture, geometry), geometry)


def by_net(picture: Bgr, geometry: BoardGeometry) -> Belief:
    """What the eyes believe of the checkers of one picture."""
    return read(picture, geometry).belief


def evaluate(cases: Iterable[Case], reader: Reader = by_net) -> dict[str, Score]:
    """Scores of a reader over pictures: all, the clear ones, the others."""
    scores = {"all": Score(), "clear": Score(), "muddled": Score()}
    for case in cases:
        belief = reader(case.picture, case.geometry)
        for name in ("all", "muddled" if case.muddled else "clear"):
            scores[name].add(belief, case.counts)
    return scores


def main() -> None:
    """Score the net that the eyes use."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("truth", type=Path, help="truth.jsonl or labels.jsonl")
    for name, score in evaluate(cases_of(parser.parse_args().truth)).items():
        log.info("%-10s%s", name, score)


if __name__ == "__main__":
    main()
