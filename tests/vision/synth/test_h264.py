"""H.264 as cameras compress with it: what it does to stills and films, and that it leaves the truth alone."""

from dataclasses import replace

import numpy as np
import pytest

from vision.frame import Bgr
from vision.synth.render.draw import Painter
from vision.synth.render.h264 import TRANSFORM, Codec, smooth_seams, step
from vision.synth.scene import Hand, Scene
from vision.synth.table import Sensor, Table
from vision.synth.truth import picture_truth

QUIET = Sensor(noise=0.0, blur_px=0.6, vignette=0.0, flicker=0.0)
TABLE = Table(sensor=QUIET).scaled(480, 300)
HAND = Scene(hands=(Hand((0.4, 0.5), near=True),))


def streamed(qp: int, **kind: float) -> Table:
    return replace(TABLE, sensor=replace(QUIET, h264=qp, **kind))  # type: ignore[arg-type]


def error(first: Bgr, second: Bgr) -> float:
    return float(np.abs(first.astype(int) - second).mean())


def seams(picture: Bgr) -> float:
    """How much more neighbours differ at the borders of 4 x 4 blocks than inside them."""
    steps = np.abs(np.diff(picture.astype(int).mean(axis=2), axis=1))
    return float(steps[:, 3::4].mean() / steps[:, 1::4].mean())


def test_the_coarser_the_more_is_lost() -> None:
    plain = Painter(TABLE).draw(Scene())
    errors = [error(Codec(qp).through(plain), plain) for qp in (10, 24, 32, 40, 48)]
    assert errors == sorted(errors)
    assert errors[0] < 2.0  # next to nothing but colour at half the size
    assert errors[-1] > 2 * errors[0]


def test_the_truth_does_not_change() -> None:
    clear, coarse = Painter(TABLE), Painter(streamed(44))
    (first, shown), (second, also_shown) = clear.seen(HAND), coarse.seen(HAND)
    assert not np.array_equal(first, second)
    assert np.array_equal(clear.ids, coarse.ids)
    assert picture_truth(TABLE, HAND, shown) == picture_truth(streamed(44), HAND, also_shown)


def test_the_same_seed_gives_the_same_film_twice() -> None:
    scenes = (Scene(), HAND, Scene())
    first, second = (
        [painter.draw(scene) for scene in scenes] for painter in (Painter(streamed(34)), Painter(streamed(34)))
    )
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_what_is_small_comes_back_with_the_next_key_frame() -> None:
    """A grey that hardly differs is not sent until a whole picture is."""
    grey = np.full((96, 96, 3), 100, np.uint8)
    faint = grey.copy()
    faint[40:56, 40:56] = 108
    codec = Codec(36, key_every=4)
    seen = [codec.through(picture)[46:50, 46:50].mean() for picture in (grey, faint, faint, faint, faint)]
    assert seen[1:4] == pytest.approx([seen[0]] * 3, abs=1)
    assert seen[4] == pytest.approx(108, abs=3)


def test_a_moving_hand_leaves_little_behind() -> None:
    painter, clear = Painter(streamed(34)), Painter(TABLE)
    moving = [replace(HAND, hands=(Hand((x, 0.5), near=True),)) for x in (0.2, 0.4, 0.6, 0.8)]
    errors = [error(painter.draw(scene), clear.draw(scene)) for scene in moving]
    assert max(errors[1:]) < 1.6 * errors[0]


def test_blocks_show_where_nothing_smooths_them() -> None:
    """Without its deblocking filter each block would end in a step; the filter takes most of that away."""
    slope = np.broadcast_to(np.linspace(60, 120, 64, dtype=np.float32)[:, None], (64, 64))
    blocks = np.ascontiguousarray(slope.reshape(16, 4, 16, 4).transpose(1, 3, 0, 2))
    blocky = np.broadcast_to(blocks.mean(axis=(0, 1)), blocks.shape).copy()

    def jump(of: np.ndarray) -> float:
        return float(np.abs(of[3, :, :-1] - of[0, :, 1:]).mean())

    before = jump(blocky)
    smooth_seams(blocky, 36)
    assert jump(blocky) < 0.6 * before


def test_a_real_edge_between_blocks_stays() -> None:
    blocks = np.zeros((4, 4, 4, 4), np.float32)
    blocks[:, :, :, 2:] = 200.0
    smooth_seams(blocks, 30)
    assert set(np.unique(blocks)) == {0.0, 200.0}


def test_colour_has_half_the_size() -> None:
    stripes = np.zeros((64, 64, 3), np.uint8)
    stripes[:, ::2], stripes[:, 1::2] = (0, 0, 255), (255, 0, 0)
    seen = Codec(12).through(stripes)[8:-8, 8:-8].astype(int)
    assert np.abs(seen[:, :-1, 2] - seen[:, 1:, 2]).mean() < 80


@pytest.mark.parametrize("size", [(322, 241), (640, 360), (17, 33)])
def test_pictures_of_any_size(size: tuple[int, int]) -> None:
    width, height = size
    picture = np.full((height, width, 3), (40, 120, 200), np.uint8)
    seen = Codec(30).through(picture)
    assert seen.shape == picture.shape
    assert error(seen, picture) < 4


def test_quantiser_and_transform_are_the_standards() -> None:
    assert np.allclose(TRANSFORM @ TRANSFORM.T, np.eye(16), atol=1e-6)
    assert [step(qp) for qp in (0, 6, 24, 51)] == pytest.approx([0.625, 1.25, 10, 226], rel=0.01)


def test_high_qp_shows_its_blocks() -> None:
    plain = Painter(replace(TABLE, sensor=replace(QUIET, noise=4.0))).draw(Scene())
    assert seams(Codec(46).through(plain)) > seams(plain)
