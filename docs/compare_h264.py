"""How near the simulator's H.264 comes to a real encoder: `pip install av`, then `python docs/compare_h264.py`.

Prints the figures of simulator.md: x264 and `vision.synth.render.h264` on the same drawn pictures at the same QP.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import av
import cv2
import numpy as np

from vision.frame import Bgr
from vision.synth.chance.variety import random_scene, random_table
from vision.synth.film import Film
from vision.synth.render.draw import Painter
from vision.synth.render.h264 import Codec
from vision.synth.story.plan import Plan
from vision.synth.table import Table

FIRST_SEED, STILLS, FRAMES, SKIPPED = 1_000_500, 24, 50, 60
QPS = (24, 30, 34, 38, 42)
OCTAVES = ((0.0, 0.0625), (0.0625, 0.125), (0.125, 0.25), (0.25, 0.5))


def stills() -> list[Bgr]:
    """Pictures of tables by chance, not compressed."""
    found = []
    for seed in range(FIRST_SEED, FIRST_SEED + STILLS):
        table = random_table(seed, (640, 480))
        table = replace(table, sensor=replace(table.sensor, jpeg=0, h264=0))
        found.append(Painter(table, seed).draw(random_scene(table, seed)))
    return found


def film() -> list[Bgr]:
    """Frames of one film, with hands and dice."""
    table = Table().scaled(640, 480)
    painter = Painter(table, 1)
    frames = islice(Film(Plan(seed=1), table, fps=10.0).frames(), SKIPPED, SKIPPED + FRAMES)
    return [painter.draw(frame.scene, frame.at_s, frame.shutter) for frame in frames]


def real(pictures: list[Bgr], qp: int, key_every: int) -> tuple[list[Bgr], int]:
    """The pictures after x264 at a constant QP, and the size of its stream in bytes."""
    encoder = av.CodecContext.create("libx264", "w")
    encoder.height, encoder.width = pictures[0].shape[:2]
    encoder.pix_fmt, encoder.time_base, encoder.framerate = "yuv420p", Fraction(1, 25), Fraction(25)
    settings = f"qp={qp}:keyint={key_every}:min-keyint={key_every}:scenecut=0:bframes=0:threads=1"
    encoder.options = {"preset": "veryfast", "tune": "zerolatency", "x264-params": settings}
    decoder = av.CodecContext.create("h264", "r")
    packets = []
    for number, picture in enumerate(pictures):
        frame = av.VideoFrame.from_ndarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), format="yuv420p")
        frame.pts, frame.time_base = number, Fraction(1, 25)
        packets += encoder.encode(frame)
    packets += encoder.encode(None)
    frames = [frame for packet in [*packets, None] for frame in decoder.decode(packet)]
    decoded = [cv2.cvtColor(frame.to_ndarray(format="yuv420p"), cv2.COLOR_YUV2BGR_I420) for frame in frames]
    return decoded, sum(packet.size for packet in packets)


def _grey(picture: Bgr) -> np.ndarray:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float64)


def luma_db(first: Bgr, second: Bgr) -> float:
    """PSNR of the grey picture."""
    return float(10 * np.log10(255**2 / ((_grey(first) - _grey(second)) ** 2).mean()))


def chroma_db(first: Bgr, second: Bgr) -> float:
    """PSNR of both colour planes."""
    a, b = (cv2.cvtColor(one, cv2.COLOR_BGR2YUV)[..., 1:].astype(np.float64) for one in (first, second))
    return float(10 * np.log10(255**2 / ((a - b) ** 2).mean()))


def seams(picture: Bgr, every: int) -> float:
    """How much stronger neighbours differ at every so many columns and rows than in the middle between them."""
    on, off = 0.0, 0.0
    for grey in (_grey(picture), _grey(picture).T):
        steps = np.abs(np.diff(grey, axis=1))
        on, off = on + steps[:, every - 1 :: every].mean(), off + steps[:, every // 2 - 1 :: every].mean()
    return on / off


def octaves(before: Bgr, after: Bgr) -> list[float]:
    """What became of the picture's power, octave by octave from coarse to fine, in dB."""
    height, width = before.shape[:2]
    window = np.outer(np.hanning(height), np.hanning(width))
    first, second = (np.abs(np.fft.fftshift(np.fft.fft2(_grey(one) * window))) ** 2 for one in (before, after))
    y, x = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j]
    radius = np.hypot(x, y)
    rings = [(radius >= low) & (radius < high) for low, high in OCTAVES]
    return [float(10 * np.log10(second[ring].sum() / first[ring].sum())) for ring in rings]


def row(name: str, pictures: list[Bgr], coded: list[Bgr]) -> str:
    """A line of figures about what became of pictures."""

    def mean(of: Callable[[Bgr, Bgr], float | list[float]]) -> str:
        values = np.mean([of(a, b) for a, b in zip(pictures, coded, strict=True)], axis=0)
        return " ".join(f"{value:6.2f}" for value in np.atleast_1d(values))

    at_4, at_16 = mean(lambda _, after: seams(after, 4)), mean(lambda _, after: seams(after, 16))
    return f"{name:<14}luma {mean(luma_db)}  chroma {mean(chroma_db)}  seams {at_4} {at_16}  octaves {mean(octaves)}\n"


def main() -> None:
    """Print all figures."""
    cv2.setNumThreads(1)
    for kind, pictures, key_every in (("still", stills(), 1), ("film", film(), FRAMES)):
        for qp in QPS:
            theirs, size = real(pictures, qp, key_every)
            codecs = [Codec(qp, key_every)] * len(pictures) if key_every > 1 else [Codec(qp, 1) for _ in pictures]
            start = time.process_time()
            ours = [codec.through(picture) for codec, picture in zip(codecs, pictures, strict=True)]
            cost_ms = 1000 * (time.process_time() - start) / len(pictures)
            sys.stdout.write(f"{kind} QP {qp}: {size / len(pictures) / 1000:.1f} kB a picture; ours {cost_ms:.1f} ms\n")
            sys.stdout.write(row("  x264", pictures, theirs) + row("  ours", pictures, ours))


if __name__ == "__main__":
    main()
