"""Picture files of every make become upright BGR pixels, or one sentence that says what is wrong."""

import io
import random
import struct
import zlib
from contextlib import suppress

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.errors import PictureError
from vision.frame import Bgr
from vision.picture import MOST_MEGAPIXELS, decode

WIDTH, HEIGHT = 64, 48
RED, GREEN, BLUE, GREY = (230, 20, 20), (20, 200, 30), (20, 30, 220), (128, 128, 128)


@pytest.fixture(scope="module")
def quarters() -> Image.Image:
    """Red top left, green top right, blue bottom left, grey bottom right (RGB)."""
    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:24, :32], pixels[:24, 32:], pixels[24:, :32], pixels[24:, 32:] = RED, GREEN, BLUE, GREY
    return Image.fromarray(pixels)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def quarter_colours(bgr: Bgr) -> list[tuple[int, ...]]:
    """RGB in the middle of the four quarters: top left, top right, bottom left, bottom right."""
    height, width = bgr.shape[:2]
    spots = [(height // 4, width // 4), (height // 4, 3 * width // 4)]
    spots += [(3 * height // 4, x) for _, x in spots]
    return [tuple(int(c) for c in bgr[spot][::-1]) for spot in spots]


def close(a: list[tuple[int, ...]], b: list[tuple[int, ...]], least: int = 12) -> bool:
    return bool(np.abs(np.subtract(a, b)).max() <= least)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {"quality": 95, "subsampling": 0}),
        ("JPEG", {"quality": 95, "subsampling": 0, "progressive": True}),
        ("PNG", {}),
        ("WEBP", {"lossless": True}),
        ("TIFF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("BMP", {}),
        ("PPM", {}),
        ("MPO", {"quality": 95, "subsampling": 0}),
    ],
)
def test_every_format_gives_the_same_bgr(quarters: Image.Image, kind: str, options: dict[str, object]) -> None:
    bgr = decode(saved(quarters, kind, **options))
    assert (bgr.shape, bgr.dtype, bgr.flags.c_contiguous) == ((HEIGHT, WIDTH, 3), np.uint8, True)
    assert close(quarter_colours(bgr), [RED, GREEN, BLUE, GREY])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP"])
@pytest.mark.parametrize(
    ("orientation", "seen"),
    [
        (1, [RED, GREEN, BLUE, GREY]),
        (2, [GREEN, RED, GREY, BLUE]),
        (3, [GREY, BLUE, GREEN, RED]),
        (4, [BLUE, GREY, RED, GREEN]),
        (5, [RED, BLUE, GREEN, GREY]),
        (6, [BLUE, RED, GREY, GREEN]),
        (7, [GREY, GREEN, BLUE, RED]),
        (8, [GREEN, GREY, RED, BLUE]),
    ],
)
def test_a_photo_is_turned_as_its_exif_note_says(
    quarters: Image.Image, kind: str, orientation: int, seen: list[tuple[int, ...]]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    bgr = decode(saved(quarters, kind, exif=exif, **({} if kind in ("PNG", "TIFF") else {"quality": 95})))
    assert bgr.shape[:2] == ((HEIGHT, WIDTH) if orientation < 5 else (WIDTH, HEIGHT))
    assert close(quarter_colours(bgr), seen, 25)


def test_a_cmyk_jpeg_keeps_its_colours(quarters: Image.Image) -> None:
    bgr = decode(saved(quarters.convert("CMYK"), "JPEG", quality=95, subsampling=0))
    assert close(quarter_colours(bgr), [RED, GREEN, BLUE, GREY])


@pytest.mark.parametrize("mode", ["L", "1", "LA", "P", "RGBA"])
def test_other_ways_to_keep_colours(quarters: Image.Image, mode: str) -> None:
    bgr = decode(saved(quarters.convert(mode), "PNG"))
    want = quarters.convert(mode).convert("RGB")
    assert np.array_equal(bgr[..., ::-1], np.asarray(want))


def test_sixteen_bits_of_grey_keep_their_brightness() -> None:
    grey = np.full((HEIGHT, WIDTH), 40_000, np.uint16)
    grey[:, :32] = 10_000
    bgr = decode(saved(Image.fromarray(grey), "PNG"))
    assert (int(bgr[5, 5, 0]), int(bgr[5, 60, 2])) == (10_000 * 255 // 65535, 40_000 * 255 // 65535)


def test_sixteen_bits_of_colour_keep_their_brightness() -> None:
    deep = np.zeros((HEIGHT, WIDTH, 3), np.uint16)
    deep[:] = (0x2000, 0x8000, 0xE000)
    there, data = cv2.imencode(".png", deep)
    assert there
    assert decode(data.tobytes())[10, 10].tolist() == pytest.approx([0x20, 0x80, 0xE0], abs=1)


@pytest.mark.parametrize(("top", "level"), [(1.0, 0.5), (255.0, 127.5), (65535.0, 32767.0)])
def test_greys_with_fractions_fill_the_range_they_use(top: float, level: float) -> None:
    grey = np.full((HEIGHT, WIDTH), level, np.float32)
    grey[0, 0], grey[1, 1], grey[2, 2], grey[3, 3] = top, np.nan, np.inf if top > 255 else top, -np.inf
    bgr = decode(saved(Image.fromarray(grey), "TIFF"))
    assert (int(bgr[20, 20, 1]), bgr[0, 0].tolist(), bgr[1, 1].tolist()) == (127, [255] * 3, [0] * 3)


def test_what_is_transparent_lies_on_white(quarters: Image.Image) -> None:
    palette = quarters.convert("P", palette=Image.Palette.ADAPTIVE, colors=4)
    red = palette.getpixel((5, 5))
    bgr = decode(saved(palette, "PNG", transparency=red))
    assert close(quarter_colours(bgr), [(255, 255, 255), GREEN, BLUE, GREY])


def test_of_a_moving_gif_the_first_picture_counts(quarters: Image.Image) -> None:
    film = [quarters, Image.new("RGB", quarters.size, (255, 255, 255))]
    bgr = decode(saved(film[0], "GIF", save_all=True, append_images=film[1:]))
    assert close(quarter_colours(bgr), [RED, GREEN, BLUE, GREY], 40)


def png_header(width: int, height: int) -> bytes:
    """A PNG that says it is so large and holds next to nothing."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"0" * 99)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"", "the file is empty", id="empty"),
        pytest.param(b"Dear referee, the photo is in the other mail.", "no picture", id="text"),
        pytest.param(bytes(5000), "no picture", id="zeros"),
        pytest.param(b"\xff\xd8\xff", "no picture", id="three bytes of a JPEG"),
        pytest.param(png_header(1, 1), "1×1 pixels are too few", id="one pixel"),
        pytest.param(png_header(2000, 31), "2000×31 pixels are too few", id="a line"),
        pytest.param(png_header(10_000, 10_000), f"{MOST_MEGAPIXELS} megapixels at most", id="100 megapixels"),
        pytest.param(png_header(100_000, 100_000), f"{MOST_MEGAPIXELS} megapixels at most", id="a bomb"),
        pytest.param(png_header(300, 300), "damaged or cut short", id="all but nothing in it"),
    ],
)
def test_what_is_no_picture_to_be_read(data: bytes, words: str) -> None:
    with pytest.raises(PictureError, match=words):
        decode(data)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP", "BMP"])
@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_a_file_that_is_cut_short_is_refused_not_half_read(kind: str, share: float) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (100, 120, 3), dtype=np.uint8)
    data = saved(Image.fromarray(noise), kind)
    with pytest.raises(PictureError):
        decode(data[: int(len(data) * share)])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP", "GIF", "BMP"])
def test_damaged_bytes_give_a_picture_or_a_sentence(quarters: Image.Image, kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F], exif[0x011A] = 6, "Maker", 72
    data = saved(quarters, kind, **({"exif": exif} if kind not in ("GIF", "BMP") else {}))
    dice = random.Random(kind)
    for _ in range(300):
        hurt = bytearray(data)
        for _ in range(dice.choice([1, 2, 20])):
            hurt[dice.randrange(min(len(hurt), 200))] = dice.choice([0, 255, dice.randrange(256)])
        with suppress(PictureError):
            assert decode(bytes(hurt)).dtype == np.uint8


def test_one_odd_entry_in_the_exif_note_spoils_nothing(quarters: Image.Image) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x011A] = 6, 72
    data = bytearray(saved(quarters, "JPEG", exif=exif))
    at = data.index(b"\x01\x1a")
    data[at + 2 : at + 4] = b"\x00\x02"  # the resolution is text now
    assert decode(bytes(data)).shape == (WIDTH, HEIGHT, 3)
