"""From the net's checkers to likelihoods of every count on every point and on the bar."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import COLUMNS, BoardGeometry
from rules.position import CHECKERS
from vision.boardnet import Found
from vision.checkers import IMPOSSIBLE, CheckerEvidence, Lab, two_colours
from vision.discs import lab_of
from vision.frame import Bgr
from vision.window import FIELD_WH_PX, HEIGHT_PX, MARGIN_PX, WIDTH_PX

Doubles = npt.NDArray[np.float64]
SURE = 1e-4
"""No disc is more certain than this leaves open."""
SLIP = 2e-3
"""How likely a point holds one checker more or less than all discs on it say."""
PATCH = 0.22
"""Radius, in points, of the part of a disc whose colour is taken."""
BESIDE = 0.45
"""A disc may stand so far, in points, off the middle of its point."""
SAME, BENEATH = 0.25, 0.5
"""Middles so close are of one disc; so close, the lower disc shows a rim of its own."""
FIRST_LAYER_LEAST = 4.5
SIXTH = 0.24
"""Points with six or more checkers are so much rarer in tournament games (beside those with five) than in training."""
COLOUR_SPREAD = 9.0
TIP = 0.42
COVER_LEAST, COVER_FULL, COVER_MOST = 0.08, 0.5, 0.9
"""So little of a point may be hidden without doubt; so much more makes nearly everything possible."""


@dataclass(frozen=True, slots=True)
class Discs:
    """Checkers found: field-space places (n × 2), likelihoods, colours (n × 3, L*a*b*).

    `double` is how likely each lies on another that it hides, and so stands for two.
    """

    xy: Doubles
    p: Doubles
    lab: Doubles
    double: Doubles


def discs_of(window: Bgr, found: Found, geometry: BoardGeometry) -> Discs:
    """The discs of a window with their colours; what was found both on the board and on top is one disc."""
    column_px = geometry.column_width * FIELD_WH_PX[0]
    xy, p, double = list(found.checkers.xy), list(found.checkers.p), [0.0] * len(found.checkers.p)
    for place, likely in zip(found.upper.xy, found.upper.p, strict=True):
        away = np.hypot(*(found.checkers.xy - place).T) if len(found.checkers.p) else np.zeros(0)
        nearest = int(away.argmin()) if len(away) else -1
        if nearest >= 0 and away[nearest] < SAME * column_px:
            both = found.checkers.p[nearest]
            p[nearest] = min(1.0, both + likely)  # it is the one or the other
            double[nearest] = _chance_of_two(likely, both)
        else:
            xy.append(place)
            p.append(likely)
            rim_below = nearest >= 0 and away[nearest] < BENEATH * column_px
            double.append(0.0 if rim_below else _chance_of_two(likely, 1 - likely))
    at = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
    lab = cv2.blur(lab_of(window), (max(1, round(2 * PATCH * column_px)),) * 2)
    cells = np.clip(at.round().astype(int), 0, (WIDTH_PX - 1, HEIGHT_PX - 1))
    field = (at - MARGIN_PX) / FIELD_WH_PX
    colours = lab[cells[:, 1], cells[:, 0]].astype(np.float64).reshape(-1, 3)
    return Discs(field, np.asarray(p, dtype=np.float64), colours, np.asarray(double, dtype=np.float64))


def _chance_of_two(upper: float, other: float) -> float:
    """How likely a disc lies on a hidden one, by what speaks for it and what for anything else."""
    return float(SIXTH * upper / (SIXTH * upper + other))


def net_evidence(
    discs: Discs, covered: Doubles, geometry: BoardGeometry, colours: tuple[Lab, Lab] | None
) -> CheckerEvidence:
    """Log-likelihoods as `CheckerEvidence` has them; nothing is known without the two colours.

    `covered` (24) is the share of each point that something hides: what may stand there is left open.
    """
    points = np.full((2 * COLUMNS, 2 * CHECKERS + 1), IMPOSSIBLE)
    points[:, CHECKERS] = 0.0
    bar = np.full((2, CHECKERS + 1), IMPOSSIBLE)
    bar[:, 0] = 0.0
    if colours is None:
        return CheckerEvidence(points, bar)
    white = _share_of_white(discs.lab, colours)
    place = places_of(discs.xy, geometry)
    for number in range(2 * COLUMNS):
        on = place == number
        if on.any():
            for sign, share in ((1, white[on]), (-1, 1 - white[on])):
                counts = _counts(discs.p[on], share, _doubled(discs.p[on], discs.double[on]))
                points[number, CHECKERS + sign * np.arange(1, CHECKERS + 1)] = counts[1:] - counts[0]
        points[number] = _left_open(points[number], float(covered[number]))
    on = place == BAR_PLACE
    if on.any():
        for row, share in zip(bar, (white[on], 1 - white[on]), strict=True):
            mixed = _counts(discs.p[on] * share, np.ones(int(on.sum())), np.zeros(int(on.sum())))
            row[:] = mixed - mixed[0]
    return CheckerEvidence(np.maximum(points, IMPOSSIBLE), np.maximum(bar, IMPOSSIBLE))


def covered_places(found: Found, geometry: BoardGeometry) -> Doubles:
    """Share (24) of each point, from its rail to its tip, that hands or things hide."""
    hidden = found.cover
    rows, columns = hidden.shape
    shares = np.zeros(2 * COLUMNS)
    for column in range(COLUMNS):
        left, right = (MARGIN_PX + x * FIELD_WH_PX[0] for x in geometry.column_edges(column))
        xs = slice(round(left / WIDTH_PX * columns), max(1, round(right / WIDTH_PX * columns)))
        for row, (top, bottom) in enumerate(((0.0, TIP), (1 - TIP, 1.0))):
            y0, y1 = (MARGIN_PX + y * FIELD_WH_PX[1] for y in (top, bottom))
            area = hidden[round(y0 / HEIGHT_PX * rows) : round(y1 / HEIGHT_PX * rows), xs]
            shares[COLUMNS * row + column] = float((area > 0.5).mean())
    return shares


def _left_open(row: Doubles, hidden: float) -> Doubles:
    """A point's log-likelihoods when part of it cannot be seen."""
    open_share = float(np.clip((hidden - COVER_LEAST) / COVER_FULL, 0, COVER_MOST))
    if not open_share:
        return row
    seen = np.exp(row - row.max())
    mixed = np.log((1 - open_share) * seen / seen.sum() + open_share / len(row))
    out: Doubles = mixed - mixed[CHECKERS]
    return out


def colours_of(discs: Discs) -> tuple[Lab, Lab] | None:
    """White's and black's colour: the two groups that the discs fall into; None with too few discs."""
    return two_colours(discs.lab[discs.p > 0.5].astype(np.float32))


BAR_PLACE = 2 * COLUMNS
NOWHERE = -1


def places_of(xy: Doubles, geometry: BoardGeometry) -> npt.NDArray[np.int64]:
    """The point (0–23 as seen) on which each disc stands, BAR_PLACE, or NOWHERE."""
    width = geometry.column_width
    middles = np.array([sum(geometry.column_edges(column)) / 2 for column in range(COLUMNS)])
    away = np.abs(xy[:, :1] - middles)
    column = away.argmin(axis=1)
    found = np.where(away.min(axis=1) < (0.5 + BESIDE) * width, column + COLUMNS * (xy[:, 1] > 0.5), NOWHERE)
    left, right = geometry.bar
    if right - left > 0.3 * width:
        on_bar = np.abs(xy[:, 0] - (left + right) / 2) < (right - left) / 2 - 0.02 * width
        found = np.where(on_bar, BAR_PLACE, found)
    outside = (xy[:, 1] < -0.04) | (xy[:, 1] > 1.04)
    return np.asarray(np.where(outside, NOWHERE, found), dtype=np.int64)


def _share_of_white(lab: Doubles, colours: tuple[Lab, Lab]) -> Doubles:
    """How likely each colour is white's rather than black's."""
    white, black = (np.linalg.norm(lab - np.asarray(colour), axis=1) for colour in colours)
    apart = float(np.linalg.norm(np.subtract(*colours)))
    spread = max(COLOUR_SPREAD, 0.25 * apart)
    out: Doubles = 1 / (1 + np.exp(np.clip((white**2 - black**2) / (2 * spread**2), -30, 30)))
    return out


def _doubled(p: Doubles, double: Doubles) -> Doubles:
    """The chances to stand for two; a second layer begins only where the first one is long."""
    return double if p.sum() >= FIRST_LAYER_LEAST else np.zeros_like(double)


def _counts(p: Doubles, share: Doubles, double: Doubles) -> Doubles:
    """Log-likelihoods of 0–15 checkers of one colour where these discs are, none being of the other."""
    odds = np.zeros(CHECKERS + 1)
    odds[0] = 1.0
    for there, own, twice in zip(np.clip(p, SURE, 1 - SURE), np.clip(share, SURE, 1 - SURE), double, strict=True):
        one, two = np.zeros_like(odds), np.zeros_like(odds)
        one[1:], two[2:] = odds[:-1], odds[:-2]
        odds = odds * (1 - there) + there * own * ((1 - twice) * one + twice * two)
    slipped = odds.copy()
    slipped[1:] += SLIP * odds[:-1]
    slipped[1:-1] += SLIP * odds[2:]
    out: Doubles = np.log(np.maximum(slipped, 1e-30))
    return out
