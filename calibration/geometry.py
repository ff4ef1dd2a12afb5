"""Where the field of 24 points lies in a picture.

Conventions used everywhere: pixel (0, 0) is the centre of the top-left pixel; corners run
top-left, top-right, bottom-right, bottom-left **as seen**; a transform is named
`target_from_source`. *Field space* has x from 0 (left edge) to 1 (right edge) and y from 0
(top rail) to 1 (bottom rail). *Columns* count 0–11 from the left, the bar left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from calibration.errors import GeometryError

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
Matrix = npt.NDArray[np.float64]

COLUMNS = 12
TYPICAL_BAR = (6 / 13, 7 / 13)
SMALLEST_FIELD_PX = 60.0
OUTSIDE_TOLERANCE = 0.05
FARTHEST_PX = 100_000.0
"""No picture is so large; numbers beyond it are a mistake and would overflow."""
LONGEST_SIDE = 4.0
"""A field is at most so many times as long one way as the other, however obliquely it is seen."""


def parse_corners(value: Sequence[Sequence[float]], name: str = "corners") -> Corners:
    """Four (x, y) pairs as given by a person or a file.

    Raises GeometryError, naming `name`, unless there are exactly four finite pairs that form a
    convex quadrilateral in the order top-left, top-right, bottom-right, bottom-left.
    """
    try:
        points = np.asarray([[float(c) for c in p] for p in value], dtype=np.float64)
    except (TypeError, ValueError):
        raise GeometryError(f"{name}: expected four [x, y] pairs, got {value!r}") from None
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise GeometryError(f"{name}: expected four [x, y] pairs, got {len(points)}: {value!r}")
    if np.abs(points).max() > FARTHEST_PX:
        raise GeometryError(f"{name}: {_show(points)} lie outside every picture")
    turns = [_cross(points[k], points[(k + 1) % 4], points[(k + 2) % 4]) for k in range(4)]
    if min(turns) <= 0:
        raise GeometryError(
            f"{name}: {_show(points)} do not go round the board; "
            "give them top-left, top-right, bottom-right, bottom-left"
        )
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def four(xy: Matrix) -> Corners:
    """Four places (4 × 2) as corners, unchecked."""
    a, b, c, d = ((float(x), float(y)) for x, y in xy)
    return a, b, c, d


def _cross(a: Matrix, b: Matrix, c: Matrix) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))


def _show(points: Matrix) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


@dataclass(frozen=True, slots=True)
class BoardGeometry:
    """The field in one camera's picture.

    `corners` in image pixels; `bar` is the bar's left and right edge in field space, equal to each
    other on a board without a bar column.
    """

    corners: Corners
    bar: tuple[float, float] = TYPICAL_BAR

    @classmethod
    def from_corners(
        cls, corners: Sequence[Sequence[float]], bar: Sequence[Sequence[float]] | None, *, bar_known: bool = True
    ) -> BoardGeometry:
        """Geometry from four corners and the bar's four corners.

        `bar` None means a board without a bar column; with `bar_known` False it is taken as
        unknown and a typical one is assumed. Raises GeometryError.
        """
        field = parse_corners(corners)
        if bar is None:
            return cls(field, (0.5, 0.5) if bar_known else TYPICAL_BAR)
        quad = np.asarray(parse_corners(bar, "bar"))
        xs = apply(homography(field, UNIT), quad)[:, 0]
        left, right = float(xs[[0, 3]].mean()), float(xs[[1, 2]].mean())
        if not 0.3 < left <= right < 0.7 or right - left > 0.25:
            raise GeometryError(
                f"bar: it does not lie in the middle of the field (from {left:.0%} to {right:.0%} of its width)"
            )
        return cls(field, (left, right))

    def check_inside(self, width_px: int, height_px: int) -> None:
        """Raise GeometryError when the field leaves a picture of this size or is too small to read."""
        slack = OUTSIDE_TOLERANCE * max(width_px, height_px)
        for x, y in self.corners:
            if not (-slack <= x <= width_px - 1 + slack and -slack <= y <= height_px - 1 + slack):
                raise GeometryError(f"corners: {x:g},{y:g} lies outside the picture of {width_px}×{height_px}")
        if max(self.sides_px) > LONGEST_SIDE * min(self.sides_px) or self._uprightness < 1 / LONGEST_SIDE:
            raise GeometryError(f"corners: {_show(np.asarray(self.corners))} form a strip, not a board")
        if min(self.sides_px) < SMALLEST_FIELD_PX:
            raise GeometryError(
                f"corners: the field is only {min(self.sides_px):.0f} pixels wide or high; "
                f"{SMALLEST_FIELD_PX:.0f} are needed"
            )

    @property
    def sides_px(self) -> tuple[float, float]:
        """Mean width and height of the field in image pixels."""
        a, b, c, d = self.corners
        return (math.dist(a, b) + math.dist(c, d)) / 2, (math.dist(a, d) + math.dist(b, c)) / 2

    @property
    def _uprightness(self) -> float:
        """Area of the field as a share of the upright rectangle with the same sides."""
        x, y = np.asarray(self.corners).T
        area = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
        width, height = self.sides_px
        return area / (width * height)

    @property
    def column_width(self) -> float:
        """Mean width of a point in field space."""
        return (1 - (self.bar[1] - self.bar[0])) / COLUMNS

    @property
    def column_px(self) -> float:
        """Mean width of a point in image pixels."""
        return self.column_width * self.sides_px[0]

    def column_edges(self, column: int) -> tuple[float, float]:
        """Left and right edge in field space of `column` 0–11."""
        left, right = (0.0, self.bar[0]) if column < 6 else (self.bar[1], 1.0)
        step = (right - left) / 6
        k = column % 6
        return left + k * step, left + (k + 1) * step

    @property
    def field_from_image(self) -> Matrix:
        """3×3 homography from image pixels to field space."""
        return homography(self.corners, UNIT)

    @property
    def image_from_field(self) -> Matrix:
        """3×3 homography from field space to image pixels."""
        return homography(UNIT, self.corners)


UNIT: Corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def homography(source: Corners, target: Corners) -> Matrix:
    """The 3×3 projective map that takes four `source` points to four `target` points (target_from_source)."""
    return _solved(tuple(map(tuple, source)), tuple(map(tuple, target))).copy()


@lru_cache(maxsize=64)
def _solved(source: tuple[tuple[float, ...], ...], target: tuple[tuple[float, ...], ...]) -> Matrix:
    """A fixed camera asks for the same few maps with every picture."""
    rows, right = [], []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    h = np.linalg.solve(np.asarray(rows, dtype=np.float64), np.asarray(right, dtype=np.float64))
    return np.append(h, 1.0).reshape(3, 3)


def inverse(transform: Matrix) -> Matrix:
    """The homography that undoes `transform`."""
    out: Matrix = np.asarray(np.linalg.inv(transform), dtype=np.float64)
    return out


def apply(transform: Matrix, xy: npt.ArrayLike) -> Matrix:
    """Map points (n × 2) by a 3×3 homography."""
    points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
    mapped = np.hstack([points, np.ones((len(points), 1))]) @ transform.T
    out: Matrix = mapped[:, :2] / mapped[:, 2:]
    return out
