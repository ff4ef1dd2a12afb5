"""`schiri calibrate`: find the board, learn it from checkers whose places are known, say how well that fits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from calibration.errors import CalibrationError, GeometryError
from calibration.fit import POINT_MM, Fit, fit_camera
from calibration.geometry import BoardGeometry, apply
from calibration.orientation import Home, white_point
from calibration.profile import BgrColour, Calibration, CameraPose, TableProfile
from device.boardfinding import LEAST, placed
from device.calibration_words import colour_words, fit_words, light_words
from device.cameras.choose import open_source, parse_source
from device.cameras.files import PICTURES, PictureFiles, read_frame
from device.errors import DeviceError, naming
from rules.position import CHECKERS, START, Player
from vision.board import FoundBoard, find_board, refined
from vision.errors import VisionError
from vision.frame import Frame, FrameSource
from vision.standing import Still, backgrounds, read_still

MOST_PICTURES, EVERY_S = 20, 0.5
MOST_OFF_SHARE, MOST_OFF_POINTS = 0.015, 0.35
"""A fit is bad when corners lie off by more of the field's width, or checkers by more of a point."""
HIGH_POINTS = (8.5, 13.5)
"""How high a field can be, in widths of a point."""
LOOKS_THE_SAME = 36.0
"""Levels of blue, green and red together by which a point differs from a checker that it looks like."""
COVERED = 0.06


class RefusalError(DeviceError):
    """A picture that a table cannot be learned from; `right` of its checkers were as they should be."""

    def __init__(self, text: str, right: int = 0) -> None:
        super().__init__(text)
        self.right = right


@dataclass(frozen=True, slots=True)
class Learned:
    """The table file's contents, the report, line by line, and what was read of the picture."""

    table: TableProfile
    report: tuple[str, ...]
    still: Still


def source_of(text: str, data_dir: Path) -> FrameSource:
    """The source that `text` names: what `watch` takes, or one picture."""
    path = Path(text)
    if path.suffix.lower() in PICTURES and path.is_file():
        return PictureFiles([path])
    return open_source(parse_source(text), data_dir)


def learn(source: FrameSource, table: TableProfile, empty: Path | None) -> Learned:
    """The table from the first picture of a source that shows it well. Raises DeviceError, saying why none does."""
    best: RefusalError | None = None
    try:
        for frame in _some(source.frames()):
            try:
                return learn_from(frame, table, empty)
            except RefusalError as refusal:
                if best is None or refusal.right > best.right:
                    best = RefusalError(f"{frame.name}: {refusal}", refusal.right)
    finally:
        source.close()
    raise best or DeviceError("there is no picture to learn from")


def _some(frames: Iterable[Frame]) -> Iterator[Frame]:
    next_s, given = -math.inf, 0
    for frame in frames:
        if frame.at_s >= next_s:
            next_s, given = frame.at_s + EVERY_S, given + 1
            yield frame
        if given >= MOST_PICTURES:
            return


def learn_from(frame: Frame, table: TableProfile, empty: Path | None = None) -> Learned:
    """The table from one picture. Raises RefusalError."""
    height, width = frame.bgr.shape[:2]
    try:
        geometry, report = _located(frame, table)
    except GeometryError as error:
        raise RefusalError(str(error)) from None
    still = read_still(frame.bgr, geometry, table.checkers)
    table, told = _checked(still, placed(table, geometry))
    report += told
    geometry = table.geometry() or geometry
    try:
        fit = fit_camera(geometry, still.standing, (width, height))
    except CalibrationError as error:
        raise RefusalError(str(error)) from None
    _judged(fit, geometry)
    report += fit_words(fit, len(still.standing))
    assert still.bgr is not None
    assert still.lab is not None
    background, told = (None, []) if empty is None else _background(empty, geometry, still)
    report += [*colour_words(still), *told, light_words(still)]
    calibration = Calibration(
        version=1,
        size_px=(width, height),
        point_mm=POINT_MM,
        field_mm=_rounded(fit.field_mm),
        bar_mm=round(fit.bar_mm, 1),
        checker_mm=_rounded(fit.checker_mm),
        camera=CameraPose.of(fit.camera),
        background_bgr=background,
    )
    learned = {"white_bgr": still.bgr[0], "black_bgr": still.bgr[1], "calibration": calibration}
    return Learned(table.model_copy(update=learned), tuple(report), still)


def _rounded(pair: tuple[float, float]) -> tuple[float, float]:
    return round(pair[0], 1), round(pair[1], 1)


def _located(frame: Frame, table: TableProfile) -> tuple[BoardGeometry, list[str]]:
    """Where the board lies, by the table file or as found, and how that is told."""
    known = table.geometry()
    height, width = frame.bgr.shape[:2]
    if known is not None:
        known.check_inside(width, height)
        return (known if table.bar_known else _with_bar(frame, known)), ["corners as given"]
    found = find_board(frame.bgr)
    if found is None or found.confidence < LEAST:
        sure = "" if found is None else f" (confidence {found.confidence:.2f})"
        raise RefusalError(f"the board was not surely found{sure}; name its corners with --corners")
    found.geometry.check_inside(width, height)
    return found.geometry, [f"board found (confidence {found.confidence:.2f})"]


def _with_bar(frame: Frame, known: BoardGeometry) -> BoardGeometry:
    """The bar as it is found between corners that were given."""
    found: FoundBoard | None = refined(frame.bgr, known)
    if found is None or found.confidence < LEAST:
        return known
    middles = apply(found.geometry.image_from_field, [(edge, 0.5) for edge in found.geometry.bar])
    left, right = (float(x) for x in apply(known.field_from_image, middles)[:, 0])
    return BoardGeometry(known.corners, (left, right)) if 0.3 < left <= right < 0.7 else known


def _checked(still: Still, table: TableProfile) -> tuple[TableProfile, list[str]]:
    """The table with white's home as the start position tells it. Raises RefusalError when another one stands there."""
    counts, each = still.belief.counts, table.checkers
    if still.covered > COVERED:
        raise RefusalError(f"something hides {still.covered:.0%} of the board; clear it", 1)
    if still.lab is None:
        raise RefusalError("too few checkers to tell two colours; set up the start position")
    if table.start == "seen" or each != CHECKERS:
        seen = [
            sum(max(0, sign * n) for n in counts) + bar for sign, bar in zip((1, -1), still.belief.bar, strict=True)
        ]
        if seen != [each, each]:
            raise RefusalError(f"{seen[0]} light and {seen[1]} dark checkers are seen, not {each} each", sum(seen))
        return table, [f"{sum(seen)} of {2 * each} checkers are on the board"]
    homes = {home: _start_seen(home) for home in Home}
    fits = {home: _agreeing(counts, wanted) for home, wanted in homes.items()}
    home = max(homes, key=lambda one: (fits[one], one == table.white_home))
    if fits[home] < 2 * CHECKERS or any(still.belief.bar):
        raise RefusalError(_differs(counts, homes[home], fits[home]), fits[home])
    if "white_home" in table.model_fields_set and home != table.white_home:
        raise RefusalError(
            f'the start position lies as for "white_home": "{home}", the table file says "{table.white_home}"',
            fits[home],
        )
    where = home.replace("-", " ")
    told = f"{fits[home]} of {2 * CHECKERS} checkers stand as in the start position, white's home {where}"
    return table.model_copy(update={"white_home": home}), [told]


def _start_seen(home: Home) -> list[int]:
    """The start position as 24 signed counts, as seen."""
    counts = []
    for place in range(24):
        point = white_point(place, home)
        counts.append(START.count(Player.WHITE, point) - START.count(Player.BLACK, 25 - point))
    return counts


def _agreeing(seen: Iterable[int], wanted: Iterable[int]) -> int:
    return sum(min(abs(a), abs(b)) for a, b in zip(seen, wanted, strict=True) if a * b > 0)


def _differs(seen: tuple[int, ...], wanted: list[int], right: int) -> str:
    place = next((k for k in range(24) if seen[k] != wanted[k]), None)
    text = f"this is not the start position: {right} of {2 * CHECKERS} checkers stand right"
    if place is None:
        return f"{text}, but there are more on the bar"
    row = "top" if place < 12 else "bottom"
    return (
        f"{text}; {row} row, point {place % 12 + 1} from the left: {_named(wanted[place])} expected, "
        f'{_named(seen[place])} seen (a table file with "start": "seen" takes any position)'
    )


def _named(count: int) -> str:
    return "none" if not count else f"{abs(count)} {'light' if count > 0 else 'dark'}"


def _judged(fit: Fit, geometry: BoardGeometry) -> None:
    """Raise RefusalError for a camera and a board that explain the picture badly."""
    high = fit.field_mm[1] / POINT_MM
    if not HIGH_POINTS[0] <= high <= HIGH_POINTS[1]:
        raise RefusalError(f"the field would be {high:.1f} points high; are these the corners of the 24 points?", 30)
    corners, checkers = fit.corners_px / geometry.sides_px[0], fit.checkers_px / geometry.column_px
    if corners > MOST_OFF_SHARE or checkers > MOST_OFF_POINTS:
        raise RefusalError(
            f"no camera sees a board like this: corners are off by {fit.corners_px:.1f} pixels, checkers by "
            f"{fit.checkers_px:.1f}; check the corners, and push the checkers to the rail",
            30,
        )


def _background(path: Path, geometry: BoardGeometry, still: Still) -> tuple[list[BgrColour], list[str]]:
    """The points' own colours from a picture of the empty board, and which of them look like a checker."""
    frame = read_frame(path)
    with naming(path):
        try:
            geometry.check_inside(frame.bgr.shape[1], frame.bgr.shape[0])
            seen = read_still(frame.bgr, geometry)
        except (CalibrationError, VisionError) as error:
            raise DeviceError(str(error)) from None
        there = sum(abs(n) for n in seen.belief.counts) + sum(seen.belief.bar)
        if there or len(seen.standing) > 1:
            raise DeviceError(f"this is no empty board: {max(there, len(seen.standing))} checkers are seen")
    colours = backgrounds(frame.bgr, geometry)
    assert still.bgr is not None
    alike = [
        f"{sum(_alike(colour, own) for colour in colours)} points look like {name} checkers"
        for name, own in zip(("white", "black"), still.bgr, strict=True)
        if any(_alike(colour, own) for colour in colours)
    ]
    return colours, ["empty board: " + ("; ".join(alike) if alike else "all points differ from the checkers")]


def _alike(a: BgrColour, b: BgrColour) -> bool:
    return math.dist(a, b) < LOOKS_THE_SAME
