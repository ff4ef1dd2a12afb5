"""What lens and sensor do to a picture: uneven gain, blur, noise, compression."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Bgr
from vision.synth.render.h264 import Codec
from vision.synth.table import Sensor

Floats = npt.NDArray[np.float32]
NOISE_UNIT, NO_NOISE = 32, 128
"""Sigma and middle of the kept noise, so that it fits whole numbers."""
SPARE_PX = 96


def gain(sensor: Sensor, size_px: tuple[int, int], shape: tuple[int, int], random: np.random.Generator) -> Floats:
    """What the sensor multiplies its picture by, on a coarse grid of `shape` (rows, columns) × 3.

    Exposure and white balance, the fall-off to the corners, dust on the glass, the bands of a rolling shutter.
    """
    field = _uneven(sensor.vignette, sensor.dust, size_px[0] / size_px[1], shape)
    if sensor.banding:
        bands = np.sin(9 * np.linspace(-1, 1, shape[0]) + random.uniform(0, 2 * math.pi))
        field = field * (1 + sensor.banding * bands).astype(np.float32)[:, None]
    level = sensor.exposure * (1 + sensor.flicker * random.normal())
    return field[..., None] * (level * np.asarray(sensor.balance_bgr)).astype(np.float32)


@lru_cache(maxsize=2)
def _uneven(vignette: float, dust: int, aspect: float, shape: tuple[int, int]) -> Floats:
    """The fall-off to the corners and the spots of dust, on a grid of `shape`."""
    rows, columns = shape
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    field = 1 - vignette * 0.5 * (x * x + y * y)
    for k in range(dust):
        place = np.random.default_rng(k).uniform(-0.95, 0.95, 2)
        field *= 1 - 0.3 * np.exp(-(((x - place[0]) * aspect) ** 2 + (y - place[1]) ** 2) / 0.0006)
    return np.asarray(field, dtype=np.float32)


def developed(picture: Bgr, sensor: Sensor, random: np.random.Generator, codec: Codec | None = None) -> Bgr:
    """The picture as the camera hands it over: smeared, blurred, noisy, compressed; `codec` is that of its stream."""
    if sensor.motion_px > 1:
        picture = np.asarray(cv2.filter2D(picture, -1, _smear(sensor.motion_px, sensor.motion_rad)), dtype=np.uint8)
    if sensor.blur_px > 0.2:
        wide = 2 * max(1, round(2.3 * sensor.blur_px)) + 1
        picture = np.asarray(cv2.GaussianBlur(picture, (wide, wide), sensor.blur_px), dtype=np.uint8)
    if sensor.noise:
        picture = _noisy(picture, sensor.noise, random)
    if sensor.h264:
        picture = (codec or codec_of(sensor)).through(picture)
    elif sensor.jpeg:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return picture


def codec_of(sensor: Sensor) -> Codec:
    """The encoder of a stream that begins."""
    return Codec(sensor.h264, sensor.key_every)


def _noisy(picture: Bgr, sigma: float, random: np.random.Generator) -> Bgr:
    """With noise from a store that is cut at random: drawing it anew for each picture costs more than all else."""
    height, width = picture.shape[:2]
    store = _noise(height, width)
    top, left = (int(n) for n in random.integers(0, SPARE_PX, 2))
    cut = store[top : top + height, left : left + width]
    by = sigma / NOISE_UNIT * (1 if random.random() < 0.5 else -1)
    return np.asarray(cv2.addWeighted(picture, 1.0, cut, by, -NO_NOISE * by), dtype=np.uint8)


@lru_cache(maxsize=3)
def _noise(height: int, width: int) -> Bgr:
    """Noise of NOISE_UNIT about NO_NOISE, larger than a picture; neighbours share some, as after demosaicing."""
    shape = (height + SPARE_PX, width + SPARE_PX, 3)
    white = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    soft = cv2.GaussianBlur(white, (0, 0), 0.6)
    return np.asarray(np.clip(NO_NOISE + soft * (NOISE_UNIT / soft.std()), 0, 255), dtype=np.uint8)


def _smear(length_px: float, angle_rad: float) -> Floats:
    """The kernel of a straight movement."""
    half = math.ceil(length_px / 2)
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    dx, dy = length_px / 2 * math.cos(angle_rad), length_px / 2 * math.sin(angle_rad)
    start, end = (round((half - dx) * 16), round((half - dy) * 16)), (round((half + dx) * 16), round((half + dy) * 16))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)
