"""The figures of the model card, as tables: beside other readers, how far claims hold, what spoils a picture."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, parse_corners
from vision.frame import Bgr
from vision.training.baselines import classical, hough
from vision.training.cases import Case, cases_of
from vision.training.evaluate import Score, by_net, evaluate

STEPS = (0.0, 0.5, 0.7, 0.9, 0.95, 0.99, 0.999, 1.0)
log = logging.getLogger(__name__)
Spoil = Callable[[Case, np.random.Generator], Case]


def _repainted(
    change: Callable[[Bgr, np.random.Generator], np.ndarray[tuple[int, ...], np.dtype[np.floating]]],
) -> Spoil:
    return lambda case, chance: replace(case, picture=np.clip(change(case.picture, chance), 0, 255).astype(np.uint8))


def _corners_off(share: float) -> Spoil:
    def spoil(case: Case, chance: np.random.Generator) -> Case:
        width = case.geometry.sides_px[0]
        off = np.asarray(case.geometry.corners) + chance.normal(0, share * width / 2**0.5, (4, 2))
        return replace(case, geometry=BoardGeometry(parse_corners(off.tolist()), case.geometry.bar))

    return spoil


def _as_wide_as(px: float) -> Spoil:
    """The picture so small that the field is `px` pixels wide."""

    def spoil(case: Case, _: np.random.Generator) -> Case:
        scale = px / case.geometry.sides_px[0]
        if scale >= 1:
            return case
        small = cv2.resize(case.picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        corners = (np.asarray(case.geometry.corners) + 0.5) * scale - 0.5
        geometry = BoardGeometry(parse_corners(corners.tolist()), case.geometry.bar)
        return replace(case, picture=np.asarray(small, dtype=np.uint8), geometry=geometry)

    return spoil


def _jpeg(quality: int) -> Spoil:
    def spoil(case: Case, _: np.random.Generator) -> Case:
        kept = cv2.imencode(".jpg", case.picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return replace(case, picture=np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR), dtype=np.uint8))

    return spoil


SPOILT: dict[str, Spoil] = {
    "as it is": lambda case, _: case,
    "corners off by 1 % of the width": _corners_off(0.01),
    "corners off by 2.5 %": _corners_off(0.025),
    "field 240 px wide": _as_wide_as(240),
    "field 180 px wide": _as_wide_as(180),
    "brightness × 0.5": _repainted(lambda bgr, _: bgr * 0.5),
    "brightness × 0.2": _repainted(lambda bgr, _: bgr * 0.2),
    "brightness × 1.6": _repainted(lambda bgr, _: bgr * 1.6),
    "noise σ 12": _repainted(lambda bgr, chance: bgr + chance.normal(0, 12, bgr.shape)),
    "noise σ 25": _repainted(lambda bgr, chance: bgr + chance.normal(0, 25, bgr.shape)),
    "blur σ 2 px": _repainted(lambda bgr, _: cv2.GaussianBlur(bgr, (0, 0), 2).astype(np.float64)),
    "JPEG quality 10": _jpeg(10),
}


def row(name: str, score: Score) -> str:
    """One line of a table."""
    return (
        f"| {name} | {score.right / score.points:.1%} | {score.whole} of {score.pictures} | "
        f"{score.claimed / score.points:.0%} | {score.claimed_wrong} |"
    )


def reliability(score: Score) -> Iterator[str]:
    """Lines of a table: how many points were told with a confidence from … to, and how many of these were right."""
    sure, right = (np.array(values, dtype=float) for values in zip(*score.told, strict=True))
    for low, high in pairwise(STEPS):
        inside = (sure >= low) & ((sure < high) | (high == 1))
        if inside.any():
            yield f"| {low:.1%}–{high:.1%} | {inside.sum()} | {sure[inside].mean():.2%} | {right[inside].mean():.2%} |"


def spoilt(cases: list[Case], spoil: Spoil) -> Iterator[Case]:
    """The pictures, spoilt, the same way every time."""
    chance = np.random.default_rng(7)
    return (spoil(case, chance) for case in cases)


def main() -> None:
    """Print the tables for a file of truth or labels."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("truth", type=Path, help="truth.jsonl or labels.jsonl")
    cases = list(cases_of(parser.parse_args().truth))
    clear = [case for case in cases if not case.muddled]
    for name, reader in (("net", by_net), ("classical", classical), ("Hough", hough)):
        for kind, score in evaluate(cases, reader).items():
            log.info("%s", row(f"{kind}, {name}", score))
            if name == "net" and kind == "all":
                log.info("%s", "\n".join(reliability(score)))
    for name, spoil in SPOILT.items():
        log.info("%s", row(name, evaluate(spoilt(clear, spoil))["all"]))


if __name__ == "__main__":
    main()
