"""Write a checkpoint's averaged weights as the ONNX files that the eyes load."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import torch

from calibration.geometry import COLUMNS
from vision.boardnet import BOARD, HEADS, POINTS
from vision.nets import session
from vision.strips import ACROSS, LONG, strips_of
from vision.training.board.calibrate import calibrated
from vision.training.board.model import FEATURES, Reader
from vision.training.board.shards import example
from vision.training.eightbit import put_in_8_bits
from vision.training.onnxfile import write_onnx
from vision.window import HEIGHT_PX, WIDTH_PX, net_input

SHOWN = range(910_000, 910_040)
DEEP_OF_BOARD = ("/middle", "/coarse", "/to_middle")
DEEP_OF_POINTS = ("/body", "/head/head.0", "/head/head.1", "/head/head.2")
log = logging.getLogger(__name__)


def export(checkpoint: Path, folder: Path) -> None:
    """The nets of a checkpoint, with their averaged weights and calibrated, as ONNX."""
    net = Reader()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["average"])
    changes, scale = calibrated(net)
    log.info("scale and shift of the logits: %s", ", ".join(f"{a:.2f} {b:+.2f}" for a, b in changes))
    log.info("scale of the counts' logits: %.2f", scale)
    write(net, folder)
    put_deep_in_8_bits(folder)


def put_deep_in_8_bits(folder: Path) -> None:
    """Let the deeper layers of both files count in 8 bits, having shown them some drawn windows.

    The layers at the full number of cells, and the last of all, stay: what the counts hang on is told in them.
    """
    shown = [example(seed) for seed in SHOWN]
    windows = [net_input(one.window) for one in shown]
    board = session((folder / BOARD).read_bytes())
    answers = [board.run(None, {"in": window})[0][0] for window in windows]
    strips = [strips_of(answer[HEADS:], one.bar) for answer, one in zip(answers, shown, strict=True)]
    put_in_8_bits(folder / BOARD, windows, DEEP_OF_BOARD)
    put_in_8_bits(folder / POINTS, strips, DEEP_OF_POINTS)


def write(net: Reader, folder: Path) -> None:
    """Two ONNX files: one takes a window, one its 24 strips."""
    write_onnx(net.board, torch.zeros(1, 3, HEIGHT_PX, WIDTH_PX), folder / BOARD)
    write_onnx(net.points, torch.zeros(2 * COLUMNS, FEATURES, LONG, ACROSS), folder / POINTS)


def main() -> None:
    """Export a checkpoint."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    export(given.checkpoint, given.folder)


if __name__ == "__main__":
    main()
