"""Which checkers stand on which point, read without a net: what the nets are measured against.

A point is read from its rail inwards as a chain of touching discs of one colour. Every chain
length of either colour gets a log-likelihood from its round edges (`round_edges`) and its
colour against the board's own; `vision.belief` turns these into a position. What a lens
cannot show (a second layer, a tray) is not guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.geometry import COLUMNS, BoardGeometry
from rules.position import CHECKERS
from vision.evidence import IMPOSSIBLE, CheckerEvidence, Evidence
from vision.frame import Bgr
from vision.lab import Floats, Lab, centres, distances, lab_of, two_colours
from vision.rectify import Rectified, rectify
from vision.training.round_edges import disc_score, edge_tensor, peaks

COLUMN_PX = 28.0
STRETCHES, STRETCH_SIGMA = (0.80, 0.87, 0.94, 1.0, 1.06, 1.13, 1.2, 1.27), 0.45
"""Field heights tried against what the corners say; far from 1 (on a log scale) is less likely."""
RADII = (0.37, 0.40, 0.43, 0.46, 0.49, 0.52)
"""Radius of a checker in widths of a point."""
EDGE_WEIGHT, EDGE_LEAST = 14.0, 0.33
PEAK_LEAST, EMPTY_MOST = 0.36, 0.2
LONGEST_CHAIN = 8
FIRST_LAYER, SECOND_LAYER_COST, EACH_ABOVE_COST = 5, 1.5, 0.7
"""A sixth checker may lie on the first ones, where a camera above cannot tell."""


@dataclass(frozen=True, slots=True)
class CheckerLook:
    """What the checkers of one table look like through one camera.

    `stretch` corrects the field's height, `radius` is in widths of a point; `white_lab` and
    `black_lab` are L*a*b* (None while only an empty board was seen), `spread` their scatter;
    `board_lab` (k × 3) the colours of the board itself; `discs` how many likely checkers it was learned from.
    """

    stretch: float
    radius: float
    white_lab: Lab | None
    black_lab: Lab | None
    spread: float
    board_lab: tuple[Lab, ...]
    discs: int


@dataclass(frozen=True, slots=True)
class _Strip:
    """One point read from its rail inwards: disc score, disc colour and mid-line colour a row."""

    score: Floats
    colour: Floats
    middle: Floats


def learn_look(bgr: Bgr, geometry: BoardGeometry, *, given: tuple[Lab, Lab] | None = None) -> CheckerLook:
    """The look of the checkers from one picture with checkers of both colours on the board.

    `given` are the two colours (white, black) in L*a*b*, when a person named them.
    """
    best: tuple[float, float, float, Rectified, Floats, Floats] | None = None
    for stretch in STRETCHES:
        upright = rectify(bgr, geometry, column_px=COLUMN_PX, stretch=stretch)
        lab = lab_of(upright.bgr)
        tensor = edge_tensor(lab)
        m = upright.margin_px - 5
        for radius in RADII:
            score = disc_score(tensor, radius * COLUMN_PX)
            field = score[m:-m, m:-m]
            top = np.sort(field[peaks(field, radius * COLUMN_PX, 0.3)])[::-1][: 2 * CHECKERS]
            fit = float((top - 0.3).sum()) * np.exp(-0.5 * (np.log(stretch) / STRETCH_SIGMA) ** 2)
            if best is None or fit > best[0]:
                best = (fit, stretch, radius, upright, lab, score)
    assert best is not None
    _, stretch, radius, upright, lab, score = best
    strips = _strips(upright, score, _softened(lab, radius), radius)
    discs, board = _samples(strips, radius)
    two = given or two_colours(discs)
    spread = _spread(discs, two) if two else 10.0
    return CheckerLook(
        stretch=stretch,
        radius=radius,
        white_lab=two[0] if two else None,
        black_lab=two[1] if two else None,
        spread=spread,
        board_lab=tuple(centres(board, 4)) if len(board) > 50 else (),
        discs=len(discs),
    )


def read_checkers(bgr: Bgr, geometry: BoardGeometry, look: CheckerLook) -> CheckerEvidence:
    """Log-likelihoods of every count of either colour on every point and on the bar."""
    points = np.full((2 * COLUMNS, 2 * CHECKERS + 1), IMPOSSIBLE)
    points[:, CHECKERS] = 0.0
    bar = np.full((2, CHECKERS + 1), IMPOSSIBLE)
    bar[:, 0] = 0.0
    if look.white_lab is None or look.black_lab is None:
        return CheckerEvidence(points, bar)
    upright = rectify(bgr, geometry, column_px=COLUMN_PX, stretch=look.stretch)
    lab = lab_of(upright.bgr)
    score = disc_score(edge_tensor(lab), look.radius * COLUMN_PX)
    soft = _softened(lab, look.radius)
    for place, strip in enumerate(_strips(upright, score, soft, look.radius)):
        for sign, evidence in zip((1, -1), _disc_evidence(strip.score, strip.colour, look), strict=True):
            for n, value in enumerate(_layered(_chains(evidence, look.radius * COLUMN_PX)), 1):
                points[place, CHECKERS + sign * n] = value
    if geometry.bar[1] - geometry.bar[0] > 0.3 * geometry.column_width:
        _read_bar(bar, upright, score, soft, look)
    return CheckerEvidence(points, bar)


def _softened(lab: Floats, radius: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.45 * radius * COLUMN_PX), dtype=np.float32)


def _strips(upright: Rectified, score: Floats, soft: Floats, radius: float) -> list[_Strip]:
    """The 24 points, top row first; row 0 lies two pixels outside the rail."""
    top, bottom = round(upright.y_px(0)), round(upright.y_px(1)) - 1
    deep = int(upright.height_px * 0.62)
    strips = []
    for rows in (np.arange(top - 2, top + deep), np.arange(bottom + 2, bottom - deep, -1)):
        for column in range(COLUMNS):
            left, right = (upright.x_px(x) for x in upright.geometry.column_edges(column))
            centre, reach = (left + right) / 2, 0.24 * (right - left)
            xs = np.arange(round(centre - reach), round(centre + reach) + 1)
            block = score[np.ix_(rows, xs)]
            at = block.argmax(axis=1)
            strips.append(_Strip(block[np.arange(len(rows)), at], soft[rows, xs[at]], soft[rows, round(centre)]))
    return strips


def _samples(strips: list[_Strip], radius: float) -> tuple[Floats, Floats]:
    """Colours of likely discs (n × 3) and of the bare board (m × 3)."""
    r = int(radius * COLUMN_PX)
    discs: list[Floats] = []
    board: list[Floats] = []
    for strip in strips:
        near = cv2.dilate(strip.score.reshape(-1, 1), np.ones((2 * r + 1, 1), np.uint8)).ravel()
        calm = cv2.dilate(strip.score.reshape(-1, 1), np.ones((2 * int(0.7 * r) + 1, 1), np.uint8)).ravel()
        discs.extend(strip.colour[(strip.score >= near) & (strip.score > PEAK_LEAST)])
        board.extend(strip.middle[calm < EMPTY_MOST])
    return np.asarray(discs, np.float32).reshape(-1, 3), np.asarray(board, np.float32).reshape(-1, 3)


def _spread(discs: Floats, two: tuple[Lab, Lab]) -> float:
    if not len(discs):
        return 10.0
    distance = distances(discs, list(two)).min(axis=1)
    return float(np.clip(1.8 * np.median(distance), 7.0, 16.0))


def _disc_evidence(score: Floats, colour: Floats, look: CheckerLook) -> tuple[Evidence, Evidence]:
    """Log-likelihood ratio of a white and of a black disc against none, for each sample."""
    assert look.white_lab is not None
    assert look.black_lab is not None
    own = (distances(colour, [look.white_lab, look.black_lab]) / look.spread) ** 2
    board = list(look.board_lab)
    bare = (distances(colour, board).min(axis=1) / look.spread) ** 2 if board else np.full(len(colour), 9.0)
    edges = EDGE_WEIGHT * (score - EDGE_LEAST)
    out = []
    for mine, other in ((own[:, 0], own[:, 1]), (own[:, 1], own[:, 0])):
        fits = np.clip((bare - mine) / 2, -3, 3) - np.clip(mine / 2 - 2, 0, 6) - 4.0 * (mine > other)
        out.append(np.asarray(edges + fits, dtype=np.float64))
    return out[0], out[1]


def _chains(evidence: Evidence, radius_px: float) -> list[float]:
    """Best log-likelihood of 1, 2, … touching discs from the rail inwards."""
    y = np.arange(len(evidence)) - 2.0
    lifted = np.maximum(np.abs(y - 1.05 * radius_px) - 0.15 * radius_px, 0)
    best = evidence - 0.5 * (lifted / (0.35 * radius_px)) ** 2
    best = np.where((y < 0.35 * radius_px) | (y > 2.4 * radius_px), IMPOSSIBLE, best)
    gaps = np.arange(round(1.56 * radius_px), round(2.8 * radius_px) + 1)
    costs = 0.5 * ((gaps / (2 * radius_px) - 1) / 0.10) ** 2
    values = [float(best.max())]
    while len(values) < LONGEST_CHAIN:
        reached = np.full(len(best), IMPOSSIBLE)
        for gap, cost in zip(gaps, costs, strict=True):
            reached[gap:] = np.maximum(reached[gap:], best[:-gap] - cost)
        best = np.maximum(reached + evidence, IMPOSSIBLE)
        values.append(float(best.max()))
    return values


def _layered(chains: list[float]) -> list[float]:
    """Log-likelihoods of 1–15 checkers: those over five may also lie in a second layer, unseen."""
    values = chains + [IMPOSSIBLE] * (CHECKERS - len(chains))
    for n in range(FIRST_LAYER, 2 * FIRST_LAYER):
        hidden = values[FIRST_LAYER - 1] - SECOND_LAYER_COST - EACH_ABOVE_COST * (n - FIRST_LAYER)
        values[n] = max(values[n], hidden)
    return values


def _read_bar(bar: Evidence, upright: Rectified, score: Floats, soft: Floats, look: CheckerLook) -> None:
    """Fill in the bar: any discs along it, well apart, the best first."""
    left, right = (upright.x_px(x) for x in upright.geometry.bar)
    centre, reach = (left + right) / 2, max(2.0, 0.3 * (right - left))
    xs = np.arange(round(centre - reach), round(centre + reach) + 1)
    rows = np.arange(round(upright.y_px(0.04)), round(upright.y_px(0.96)))
    block = score[np.ix_(rows, xs)]
    at = block.argmax(axis=1)
    column, colour = block[np.arange(len(rows)), at], soft[rows, xs[at]]
    mask = peaks(column.reshape(-1, 1), look.radius * COLUMN_PX, PEAK_LEAST).ravel()
    for values, evidence in zip(bar, _disc_evidence(column[mask], colour[mask], look), strict=True):
        ranked = np.sort(evidence - 1.5)[::-1]
        total = np.cumsum(ranked)[:CHECKERS]
        values[1 : 1 + len(total)] = total
