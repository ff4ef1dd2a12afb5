"""The flat ground through the camera, without light: floor, table top, playing surface."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.geometry import Matrix
from vision.frame import Bgr
from vision.synth.render import ground
from vision.synth.render.canvas import insets, sixteenths
from vision.synth.render.sight import Sight, stretched
from vision.synth.table import Bgr3, Board, Table

BENT = 8
"""Long straight edges are drawn in so many pieces, as the lens bends them."""


def bare_ground(table: Table, sight: Sight) -> Bgr:
    """The picture of an empty table and a board without rails and bar: height × width × 3.

    Colours are drawn at full size, the grain is looked up at half of it.
    """
    width, height = table.size_px
    board, camera = table.board, table.camera
    picture = ground.plain(width, height, board.ground_bgr)
    _cut_at_the_edge(picture, board, camera, board.floor_bgr, 1)
    for outlines, colours in ground.markings(board):
        pieces = BENT if outlines.shape[1] == 4 else 2 if outlines.shape[1] == 3 else 1
        places = _in_pieces(outlines, pieces)
        flat = np.concatenate([places, np.zeros((*places.shape[:2], 1))], axis=-1)
        pixels = camera.project(flat.reshape(-1, 3)).reshape(places.shape)
        for outline, bgr in zip(sixteenths(insets(pixels)), colours, strict=True):
            cv2.fillConvexPoly(picture, outline, bgr, cv2.LINE_AA, 4)
    grain = cv2.resize(_grain(table, sight), (2 * -(-width // 2), 2 * -(-height // 2)))[:height, :width]
    cv2.multiply(picture, cv2.merge([grain] * 3), dst=picture, scale=1 / ground.EVEN)
    return picture


def _grain(table: Table, sight: Sight) -> Bgr:
    """What the grain of table and board multiplies their colours by, at half the size, as parts of ground.EVEN."""
    width, height = (-(-n // 2) for n in table.size_px)
    board, camera = table.board, table.camera
    beside = sight.on_plane(-board.depth_mm)[::2, ::2] * ground.TABLE_PX_PER_MM
    whole = (0, 0, width, height)
    grain = _looked_up(ground.mirrored(board.ground, table.seed + 2), beside + ground.TILE_PX, whole)
    _cut_at_the_edge(grain, board, camera, ground.EVEN, 2)
    x, y = board.outline_mm
    rim = camera.project([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)]) / 2
    left, top = (int(v) for v in np.clip(rim.min(axis=0), 0, (width, height)))
    right, bottom = (int(v) for v in np.clip(rim.max(axis=0) + 1, 0, (width, height)))
    if left < right and top < bottom:
        on_board = (sight.on_field()[::2, ::2] + (x, y)) * flat_px_per_mm(table)
        window = (left, top, right - left, bottom - top)
        laid = _looked_up(ground.mirrored(board.surface, table.seed), on_board, window)
        mask = np.zeros(laid.shape, np.uint8)
        cv2.fillConvexPoly(mask, sixteenths(rim - (left, top)), 255, cv2.LINE_8, 4)
        cv2.copyTo(laid, mask, grain[top:bottom, left:right])
    return grain


def _cut_at_the_edge(picture: Bgr, board: Board, camera: Camera, bgr: Bgr3 | int, smaller: int) -> None:
    """Where the table ends the floor begins, in a picture so many times smaller than the camera's."""
    x, y = board.ground_mm[0] / 2, board.ground_mm[1] / 2
    edge = camera.project([(sx * x, sy * y, -board.depth_mm) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    height, width = picture.shape[:2]
    frame = np.array([(-9, -9), (width + 9, -9), (width + 9, height + 9), (-9, height + 9)], dtype=np.float64)
    cv2.fillPoly(picture, [sixteenths(frame), sixteenths(edge / smaller)], bgr, cv2.LINE_8, 4)


def _looked_up(flat: Bgr, source_px: Matrix, window: tuple[int, int, int, int]) -> Bgr:
    """A window of a picture, `source_px` says of the places of a Sight's grid where they lie in a flat one."""
    coarse = np.clip(source_px, -2 * len(flat), 3 * len(flat)).astype(np.float32)
    fine = np.ascontiguousarray(stretched(coarse, *window))
    found = cv2.remap(flat, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(found, dtype=np.uint8)


def _in_pieces(outlines: Matrix, pieces: int) -> Matrix:
    """Outlines (m × n × 2) with their sides cut into so many pieces (m × n·pieces × 2)."""
    share = (np.arange(pieces) / pieces)[:, None]
    following = np.roll(outlines, -1, axis=1)
    out: Matrix = outlines[:, :, None] * (1 - share) + following[:, :, None] * share
    return out.reshape(len(outlines), -1, 2)


def flat_px_per_mm(table: Table) -> float:
    """How finely the grain is laid for this camera."""
    return max(0.5, min(3.0, table.camera.focal_px / float(np.linalg.norm(table.camera.position_mm))))
