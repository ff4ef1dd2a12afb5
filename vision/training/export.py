"""Write a checkpoint's averaged weights as the ONNX file that the eyes load."""

from __future__ import annotations

import argparse
import logging
import warnings
from pathlib import Path

import torch

from vision.training.calibrate import calibrated
from vision.training.model import BoardNet
from vision.window import HEIGHT_PX, WIDTH_PX

log = logging.getLogger(__name__)


def export(checkpoint: Path, target: Path) -> None:
    """The net of a checkpoint, with its averaged weights and calibrated, as ONNX."""
    net = BoardNet()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["average"])
    changes = calibrated(net)
    log.info("scale and shift of the logits: %s", ", ".join(f"{a:.2f} {b:+.2f}" for a, b in changes))
    write_onnx(net.eval(), target)


def write_onnx(net: BoardNet, target: Path) -> None:
    """A net as an ONNX file that takes one window; by the older exporter, whose graphs cv2.dnn can read."""
    window = torch.zeros(1, 3, HEIGHT_PX, WIDTH_PX)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(net, (window,), target, input_names=["window"], output_names=["logits"], dynamo=False)


def main() -> None:
    """Export a checkpoint."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    export(given.checkpoint, given.target)


if __name__ == "__main__":
    main()
