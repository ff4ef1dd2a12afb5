"""Every miss of a test set as a picture: what the net looked at and found, what is true, what was read."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import cv2
import numpy as np

from calibration.geometry import COLUMNS
from vision.belief import Belief
from vision.checkers import CheckersSeen
from vision.frame import Bgr
from vision.training.cases import Case, cases_of, told_counts
from vision.training.evaluate import SURE, read
from vision.window import FIELD_WH_PX, HEIGHT_PX, MARGIN_PX

ENLARGED = 2.5
STRIP_PX = 34
PAPER, INK, DISC, WRONG, SURELY_WRONG = (250, 250, 250), (40, 40, 40), (0, 220, 0), (0, 120, 255), (0, 0, 230)
log = logging.getLogger(__name__)


def page_of(case: Case, seen: CheckersSeen) -> Bgr:
    """The window, enlarged, with the discs found (their likelihood in percent), and above and below it the misses.

    A miss reads "true>read": orange, or red where it was claimed. Cover is shown darker.
    """
    height, width = (round(ENLARGED * size) for size in seen.window.shape[:2])
    cover = cv2.resize(seen.found.cover, (width, height))[..., None]
    large = cv2.resize(seen.window, (width, height), interpolation=cv2.INTER_CUBIC)
    page = np.asarray(large * (1 - 0.5 * cover), dtype=np.uint8)
    for (x, y), p in zip(seen.discs.xy, seen.discs.p, strict=True):
        at = ((np.array([x, y]) * FIELD_WH_PX + MARGIN_PX) * ENLARGED).round().astype(int)
        cv2.circle(page, at.tolist(), 9, DISC, 2, cv2.LINE_AA)
        _write(page, (at[0] + 9, at[1] - 6), f"{p:.0%}", DISC)
    page = cv2.copyMakeBorder(page, STRIP_PX, STRIP_PX, 0, 0, cv2.BORDER_CONSTANT, value=PAPER)  # type: ignore[assignment]
    _misses(page, case, seen.belief)
    _write(page, (6, 13), case.name, INK)
    return page


def _misses(page: Bgr, case: Case, belief: Belief) -> None:
    truth = told_counts(belief.counts, case.counts)
    for place, (true, told, sure) in enumerate(zip(truth, belief.counts, belief.confidence, strict=True)):
        if true == told:
            continue
        x = MARGIN_PX + sum(case.geometry.column_edges(place % COLUMNS)) / 2 * FIELD_WH_PX[0]
        y = STRIP_PX - 6 if place < COLUMNS else ENLARGED * HEIGHT_PX + STRIP_PX + 18
        colour = SURELY_WRONG if sure >= SURE else WRONG
        _write(page, (ENLARGED * x - 34, y), f"{_side(true)}>{_side(told)} {sure:.0%}", colour)


def _side(count: int) -> str:
    return f"{'w' if count > 0 else 'b'}{abs(count)}" if count else "0"


def _write(page: Bgr, at: tuple[float, float], text: str, colour: tuple[int, int, int]) -> None:
    cv2.putText(page, text, (round(at[0]), round(at[1])), cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour, 1, cv2.LINE_AA)


def main() -> None:
    """Draw a page for every picture that was not read wholly right."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("truth", type=Path, help="truth.jsonl or labels.jsonl")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the folder for the pages")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for case in cases_of(given.truth):
        seen = read(case.picture, case.geometry)
        if seen.belief.counts == told_counts(seen.belief.counts, case.counts):
            continue
        path = given.out / f"{Path(case.name).stem}.png"
        cv2.imwrite(str(path), page_of(case, seen))
        log.info("%s", path)


if __name__ == "__main__":
    main()
