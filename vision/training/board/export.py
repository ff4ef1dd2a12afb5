"""Write a checkpoint's averaged weights as the ONNX files that the eyes load."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import torch

from calibration.geometry import COLUMNS
from vision.boardnet import BOARD, POINTS
from vision.strips import ACROSS, LONG
from vision.training.board.calibrate import calibrated
from vision.training.board.model import FEATURES, Reader
from vision.training.onnxfile import write_onnx
from vision.window import HEIGHT_PX, WIDTH_PX

log = logging.getLogger(__name__)


def export(checkpoint: Path, folder: Path) -> None:
    """The nets of a checkpoint, with their averaged weights and calibrated, as ONNX."""
    net = Reader()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["average"])
    changes, scale = calibrated(net)
    log.info("scale and shift of the logits: %s", ", ".join(f"{a:.2f} {b:+.2f}" for a, b in changes))
    log.info("scale of the counts' logits: %.2f", scale)
    write(net, folder)


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
