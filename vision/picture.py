"""A picture file's bytes turned into pixels, whatever a phone or a scanner put into them.

Pillow decodes: unlike OpenCV it says when a file is cut short, turns by EXIF, and knows
CMYK, palettes and transparency.
"""

from __future__ import annotations

import io
import warnings

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from vision.errors import PictureError
from vision.frame import Bgr

SMALLEST_PX = 32
MOST_MEGAPIXELS = 80
FORMATS = ("JPEG", "PNG", "BMP", "TIFF", "WEBP", "GIF", "PPM")


def decode(data: bytes) -> Bgr:
    """The pixels, upright as the EXIF note says: height × width × 3, BGR, uint8.

    Raises PictureError, which says what is wrong: empty, no picture, cut short, too large or too small.
    """
    if not data:
        raise PictureError("the file is empty")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                width, height = image.size
                if width * height > MOST_MEGAPIXELS * 1_000_000:
                    raise PictureError(f"{width}×{height} pixels are too many; {MOST_MEGAPIXELS} megapixels at most")
                if min(width, height) < SMALLEST_PX:
                    raise PictureError(f"{width}×{height} pixels are too few; {SMALLEST_PX} each way at least")
                image.load()
                return _bgr(ImageOps.exif_transpose(image))
    except UnidentifiedImageError:
        raise PictureError("this is no picture (JPEG, PNG, WebP, TIFF, BMP and GIF can be read)") from None
    except Image.DecompressionBombError:
        raise PictureError(f"too many pixels; {MOST_MEGAPIXELS} megapixels at most") from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        if isinstance(error, PictureError):
            raise
        raise PictureError(f"the picture is damaged or cut short ({error})") from None


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
    """8-bit BGR from deeper greys: 16-bit scale, or the picture's own range where it is smaller."""
    scale = 65535.0 if grey.max(initial=0) > 255 else 255.0
    eight = np.clip(grey * (255.0 / scale), 0, 255).astype(np.uint8)
    return np.repeat(eight[..., None], 3, axis=2)
