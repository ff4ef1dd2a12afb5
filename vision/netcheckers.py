"""From the net's checkers to likelihoods of every count on every point and on the bar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import COLUMNS, BoardGeometry
from rules.position import CHECKERS
from vision.boardnet import Found
from vision.evidence import IMPOSSIBLE, CheckerEvidence
from vision.frame import Bgr
from vision.lab import Lab, lab_of, two_colours
from vision.window import FIELD_WH_PX, HEIGHT_PX, MARGIN_PX, WIDTH_PX

Doubles = npt.NDArray[np.float64]
SURE = 1e-4
"""No disc is more certain than this leaves open."""
PATCH, AROUND, OUT, DARKER = 0.12, 8, 0.26, 3
"""Where a disc's colour is taken: half a patch, patches around the middle one, how far out (lengths in points); how
many of these are darker."""
BESIDE = 0.45
"""A disc may stand so far, in points, off the middle of its point."""
SAME = 0.25
"""Middles so close, in points, are of one disc."""
COLOUR_SPREAD = 4.0
DECEIVED = 16.0
"""No point's colour is more certain than this (log-odds): light deceives about all its discs together."""
DIAMETER = (0.06, 0.085, 0.12)
"""A checker's diameter in heights of the field: least, usual, most."""
SECOND_WITNESS, COVERED_WHOLLY = 0.5, 0.08
"""How much the single discs count beside the whole strip, for both come of the same picture; a point of which so much
is covered shows too few."""
TIP = 0.42


@dataclass(frozen=True, slots=True)
class Discs:
    """Checkers found: field-space places (n × 2), likelihoods, colours (n × 3, L*a*b*)."""

    xy: Doubles
    p: Doubles
    lab: Doubles


def discs_of(window: Bgr, found: Found, geometry: BoardGeometry) -> Discs:
    """The discs of a window with their colours; what was found both on the board and on top is one disc."""
    column_px = geometry.column_width * FIELD_WH_PX[0]
    xy, p = list(found.checkers.xy), list(found.checkers.p)
    for place, likely in zip(found.upper.xy, found.upper.p, strict=True):
        away = np.hypot(*(found.checkers.xy - place).T) if len(found.checkers.p) else np.zeros(0)
        nearest = int(away.argmin()) if len(away) else -1
        if nearest >= 0 and away[nearest] < SAME * column_px:
            p[nearest] = min(1.0, p[nearest] + likely)  # it is the one or the other
        else:
            xy.append(place)
            p.append(likely)
    at = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
    field = (at - MARGIN_PX) / FIELD_WH_PX
    return Discs(field, np.asarray(p, dtype=np.float64), _colours(window, at, column_px))


def _colours(window: Bgr, at: Doubles, column_px: float) -> Doubles:
    """The colour of each disc, n × 3 (L*a*b*): that of a darker one of patches all over it, for glare is light."""
    if not len(at):
        return np.zeros((0, 3))
    soft = cv2.blur(window, (max(1, round(2 * PATCH * column_px)),) * 2)
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    steps = np.concatenate([np.zeros((1, 2)), OUT * column_px * np.column_stack([np.cos(turn), np.sin(turn)])])
    cells = np.clip((at[:, None] + steps).round().astype(int), 0, (WIDTH_PX - 1, HEIGHT_PX - 1))
    patches = lab_of(np.asarray(soft[cells[..., 1], cells[..., 0]], dtype=np.uint8).reshape(-1, 1 + AROUND, 3))
    darker = np.argsort(patches[..., 0], axis=1)[:, DARKER]
    out: Doubles = patches[np.arange(len(at)), darker].astype(np.float64).reshape(-1, 3)
    return out


def net_evidence(
    counts: Doubles,
    covered: Doubles,
    discs: Discs,
    geometry: BoardGeometry,
    colours: tuple[Lab, Lab] | None,
    missed: Doubles,
) -> CheckerEvidence:
    """Log-likelihoods as `CheckerEvidence` has them; nothing is known without the two colours.

    `counts` (24 × 16) are those of every point's number of checkers; the discs are a second witness of it where nothing
    covers the point (`covered`, 24 shares). They also tell the colours, and what stands on the bar; `missed` (2) is the
    log-likelihood that one of white's, or of black's, was overlooked there.
    """
    points = np.full((2 * COLUMNS, 2 * CHECKERS + 1), IMPOSSIBLE)
    points[:, CHECKERS] = 0.0
    bar = np.full((2, CHECKERS + 1), IMPOSSIBLE)
    bar[:, 0] = 0.0
    if colours is None:
        return CheckerEvidence(points, bar)
    white = _share_of_white(discs.lab, colours)
    place = places_of(discs.xy, geometry)
    open_share = 1 - np.minimum(1.0, covered / COVERED_WHOLLY)
    both = counts + SECOND_WITNESS * open_share[:, None] * _told_by(_by_point(place, discs.p))
    told = both[:, 1:] - both[:, :1]
    odds = _odds_of_white(place, white, discs.p)[:, None]
    points[:, CHECKERS + 1 :] = told - np.logaddexp(0, -odds)
    points[:, :CHECKERS] = (told - np.logaddexp(0, odds))[:, ::-1]
    on_bar = place == BAR_PLACE
    if on_bar.any():
        mixed = _counts(discs.p[on_bar] * np.stack([white[on_bar], 1 - white[on_bar]]))
        bar[:] = mixed - mixed[:, :1]
    for count in range(1, CHECKERS + 1):
        bar[:, count] = np.maximum(bar[:, count], bar[:, count - 1] + missed)
    return CheckerEvidence(np.maximum(points, IMPOSSIBLE), np.maximum(bar, IMPOSSIBLE))


def _by_point(place: npt.NDArray[np.int64], p: Doubles) -> Doubles:
    """How likely the discs of each point are there, 24 rows filled up with NaN."""
    on = [p[place == number] for number in range(2 * COLUMNS)]
    rows = np.full((len(on), max(len(own) for own in on)), np.nan)
    for row, own in zip(rows, on, strict=True):
        row[: len(own)] = own
    return rows


def _odds_of_white(place: npt.NDArray[np.int64], white: Doubles, p: Doubles) -> Doubles:
    """Log-odds (24) that what stands on a point is white's, each disc being so likely there and so likely white's."""
    seen = place != NOWHERE
    mine, other = (np.log(np.clip(p * share + (1 - p) / 2, SURE, 1)) for share in (white, 1 - white))
    odds = np.bincount(place[seen], (mine - other)[seen], minlength=BAR_PLACE + 1)[: 2 * COLUMNS]
    out: Doubles = odds / (1 + np.abs(odds) / DECEIVED)
    return out


def covered_places(found: Found, geometry: BoardGeometry) -> Doubles:
    """Share (24) of each point, from its rail to its tip, that hands or things hide."""
    hidden = found.cover > 0.5
    rows, columns = hidden.shape
    shares = np.zeros(2 * COLUMNS)
    for column in range(COLUMNS):
        left, right = (MARGIN_PX + x * FIELD_WH_PX[0] for x in geometry.column_edges(column))
        xs = slice(round(left / WIDTH_PX * columns), max(1, round(right / WIDTH_PX * columns)))
        for row, (top, bottom) in enumerate(((0.0, TIP), (1 - TIP, 1.0))):
            y0, y1 = (MARGIN_PX + y * FIELD_WH_PX[1] for y in (top, bottom))
            area = hidden[round(y0 / HEIGHT_PX * rows) : round(y1 / HEIGHT_PX * rows), xs]
            shares[COLUMNS * row + column] = np.count_nonzero(area) / area.size
    return shares


def rows_of(discs: Discs, geometry: BoardGeometry) -> tuple[float, ...]:
    """How far (24) the checkers of each point reach from their rail, in heights of the field."""
    place, y = places_of(discs.xy, geometry), discs.xy[:, 1]
    on_points = (discs.p > 0.5) & (place != BAR_PLACE) & (place != NOWHERE)
    place, from_rail = place[on_points], np.minimum(y, 1 - y)[on_points]
    order = np.lexsort((from_rail, place))
    place, from_rail = place[order], from_rail[order]
    steps = np.diff(from_rail)[place[1:] == place[:-1]]
    beside = steps[(steps > DIAMETER[0]) & (steps < DIAMETER[2])]
    radius = float(np.median(beside) if len(beside) else DIAMETER[1]) / 2
    rows = [0.0] * (2 * COLUMNS)
    for number, reach in zip(place.tolist(), from_rail.tolist(), strict=True):  # the farthest comes last
        rows[number] = reach + radius
    return tuple(rows)


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


def _told_by(p: Doubles) -> Doubles:
    """Log-likelihoods of 0–15 checkers on points whose discs are there so likely; one of them may be overlooked."""
    out: Doubles = np.log(np.exp(_counts(p)) @ _overlooked())
    return out


@cache
def _overlooked() -> Doubles:
    """How likely so many discs (rows) are found of so many checkers (columns)."""
    fewer = np.arange(CHECKERS + 1) - np.arange(CHECKERS + 1)[:, None]
    likely = np.select([fewer == 0, fewer == 1, fewer == -1, fewer > 1], [1.0, 0.1, 0.02, 0.01], 0.005)
    out: Doubles = likely / likely.sum(axis=0)
    return out


def _counts(p: Doubles) -> Doubles:
    """Log-likelihoods of 0–15 discs in each row of places, where each disc is there so likely; NaN is none."""
    odds = np.zeros((len(p), CHECKERS + 1))
    odds[:, 0] = 1.0
    for there in np.nan_to_num(np.clip(p, SURE, 1 - SURE)).T[..., None]:
        odds[:, 1:] = odds[:, 1:] * (1 - there) + there * odds[:, :-1]
        odds[:, :1] *= 1 - there
    out: Doubles = np.log(np.maximum(odds, 1e-30))
    return out
