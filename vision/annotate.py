"""Draw on a picture what was seen in it."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.geometry import COLUMNS, BoardGeometry, apply
from vision.errors import PictureError
from vision.frame import Bgr
from vision.observe import Observation

FRAME = (80, 220, 80)
WHITE = (255, 255, 255)
BLACK = (30, 30, 30)
UNSURE = (40, 170, 255)
SURE = 0.9
COUNT_AT_Y = (0.04, 0.96)
ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


def annotate(seen: Observation, geometry: BoardGeometry) -> Bgr:
    """A copy of the picture with the field, every point's count, dice and cube drawn in.

    A count in an orange ring is less than 90 % sure.
    """
    picture = seen.frame.bgr.copy()
    scale = max(0.45, seen.column_px / 62)
    _field(picture, geometry)
    image_from_field = geometry.image_from_field
    for place, (count, sure) in enumerate(zip(seen.belief.counts, seen.belief.confidence, strict=True)):
        left, right = geometry.column_edges(place % COLUMNS)
        at = ((left + right) / 2, COUNT_AT_Y[place >= COLUMNS])
        if count or sure < SURE:
            _count(picture, apply(image_from_field, [at])[0], count, sure, scale)
    for white, (count, sure) in enumerate(zip(seen.belief.bar, seen.belief.bar_confidence, strict=True)):
        if count:
            at = (sum(geometry.bar) / 2, (0.5, 0.56)[white])
            _count(picture, apply(image_from_field, [at])[0], count if white == 0 else -count, sure, scale)
    for die in seen.dice:
        _label(picture, die.center_px, str(die.pips or "?"), die.size * seen.column_px, die.confidence, scale)
    if seen.cube is not None:
        text = f"x{seen.cube.value or '?'}"
        _label(picture, seen.cube.center_px, text, 0.8 * seen.column_px, seen.cube.confidence, scale)
    return picture


def jpeg(picture: Bgr, quality: int = 85) -> bytes:
    """The picture as a JPEG file's bytes."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def encoded(picture: Bgr, ending: str) -> bytes:
    """The picture as the bytes of a file with that ending, one of `ENDINGS`. Raises PictureError for another one."""
    if ending.lower() not in ENDINGS:
        raise PictureError(f"pictures are written as {', '.join(ENDINGS)}, not as {ending or 'a file without ending'}")
    return jpeg(picture) if ending.lower() in (".jpg", ".jpeg") else cv2.imencode(ending, picture)[1].tobytes()


def _field(picture: Bgr, geometry: BoardGeometry) -> None:
    image_from_field = geometry.image_from_field
    corners = np.asarray(geometry.corners).round().astype(np.int32)
    cv2.polylines(picture, [corners], True, FRAME, 2, cv2.LINE_AA)
    left, right = geometry.bar
    for x in {left, right}:
        line = apply(image_from_field, [(x, 0.0), (x, 1.0)]).round().astype(int)
        cv2.line(picture, tuple(line[0].tolist()), tuple(line[1].tolist()), FRAME, 1, cv2.LINE_AA)


def _count(
    picture: Bgr, xy: np.ndarray[tuple[int, ...], np.dtype[np.float64]], count: int, sure: float, scale: float
) -> None:
    centre = (round(float(xy[0])), round(float(xy[1])))
    radius = round(13 * scale)
    fill, ink = (WHITE, BLACK) if count >= 0 else (BLACK, WHITE)
    cv2.circle(picture, centre, radius, fill, -1, cv2.LINE_AA)
    cv2.circle(picture, centre, radius, FRAME if sure >= SURE else UNSURE, max(1, round(2 * scale)), cv2.LINE_AA)
    _text(picture, centre, str(abs(count)), ink, 0.55 * scale)


def _label(picture: Bgr, center: tuple[float, float], text: str, size_px: float, sure: float, scale: float) -> None:
    colour = FRAME if sure >= SURE else UNSURE
    half = 0.75 * size_px
    x, y = center
    corner, opposite = (round(x - half), round(y - half)), (round(x + half), round(y + half))
    cv2.rectangle(picture, corner, opposite, colour, max(1, round(2 * scale)), cv2.LINE_AA)
    tag = (round(x), round(y - half - 11 * scale))
    cv2.circle(picture, tag, round(11 * scale), colour, -1, cv2.LINE_AA)
    _text(picture, tag, text, BLACK, 0.5 * scale)


def _text(picture: Bgr, centre: tuple[int, int], text: str, colour: tuple[int, int, int], scale: float) -> None:
    thickness = max(1, round(1.6 * scale))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thickness)
    origin = (centre[0] - width // 2, centre[1] + height // 2)
    cv2.putText(picture, text, origin, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thickness, cv2.LINE_AA)
