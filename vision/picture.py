"""A picture file's bytes turned into pixels, whatever a phone or a scanner put into them.

Pillow decodes: unlike OpenCV it says when a file is cut short, turns by EXIF, and knows
CMYK, palettes and transparency.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib

import numpy as np
from PIL import Image, UnidentifiedImageError

from vision.errors import PictureError
from vision.frame import Bgr

SMALLEST_PX = 32
MOST_MEGAPIXELS = 80
DAMAGE: tuple[type[Exception], ...] = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    LookupError,
    ArithmeticError,
    TypeError,
    AttributeError,
    struct.error,
    zlib.error,
)
"""Whatever Pillow stumbles over in a file whose bytes are not what they should be."""
ORIENTATION = 0x0112
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
FORMATS = ("JPEG", "PNG", "BMP", "TIFF", "WEBP", "GIF", "PPM")


def decode(data: bytes) -> Bgr:
    """The pixels, upright as the EXIF note says: height × width × 3, BGR, uint8.

    Raises PictureError, which says what is wrong: empty, no picture, cut short, too large or too small.
    """
    if not data:
        raise PictureError("the file is empty")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a phone's broken EXIF note is nothing to tell a player about
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                width, height = image.size
                if width * height > MOST_MEGAPIXELS * 1_000_000:
                    raise PictureError(f"{width}×{height} pixels are too many; {MOST_MEGAPIXELS} megapixels at most")
                if min(width, height) < SMALLEST_PX:
                    raise PictureError(f"{width}×{height} pixels are too few; {SMALLEST_PX} each way at least")
                image.load()
                return _bgr(_upright(image))
    except UnidentifiedImageError:
        raise PictureError("this is no picture (JPEG, PNG, WebP, TIFF, BMP and GIF can be read)") from None
    except Image.DecompressionBombError:
        raise PictureError(f"too many pixels; {MOST_MEGAPIXELS} megapixels at most") from None
    except DAMAGE as error:
        if isinstance(error, PictureError):
            raise
        raise PictureError(f"the picture is damaged or cut short ({error})") from None


def _upright(image: Image.Image) -> Image.Image:
    """The picture turned as its EXIF note says; a note that cannot be read says nothing."""
    try:
        turn = TURNS.get(image.getexif().get(ORIENTATION, 1))
    except DAMAGE:
        return image
    return image if turn is None else image.transpose(turn)


def _bgr(image: Image.Image) -> Bgr:
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        return _from_deep(np.asarray(image, dtype=np.float64))
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        over = image.convert("RGBA")
        ground = Image.new("RGBA", over.size, (255, 255, 255, 255))
        image = Image.alpha_composite(ground, over)
    rgb = np.asarray(image.convert("RGB"), dtype=np.uint8)
    return np.ascontiguousarray(rgb[..., ::-1])


def _from_deep(grey: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Bgr:
    """8-bit BGR from deeper greys: 16-bit scale, or a smaller one (8-bit, 0–1) that holds all of the picture."""
    known = np.nan_to_num(grey, nan=0.0, posinf=65535.0, neginf=0.0)
    brightest = known.max(initial=0)
    scale = next((top for top in (1.0, 255.0) if brightest <= top), 65535.0)
    eight = np.clip(known * (255.0 / scale), 0, 255).astype(np.uint8)
    return np.repeat(eight[..., None], 3, axis=2)
