"""Write a checkpoint's averaged weights as the finder loads them: `corners` or `marks` says which net it is of."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from vision import cornernet, marknet
from vision.training.corners.model import CornerNet, MarkNet
from vision.training.onnxfile import write_onnx

NETS = {
    "corners": (CornerNet, cornernet.VIEW_WH_PX, cornernet.WEIGHTS),
    "marks": (MarkNet, marknet.VIEW_WH_PX, marknet.WEIGHTS),
}


def main() -> None:
    """Export a checkpoint."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("net", choices=tuple(NETS))
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("folder", type=Path, help="vision/models")
    given = parser.parse_args()
    make, (width, height), name = NETS[given.net]
    net = make()
    net.load_state_dict(torch.load(given.checkpoint, weights_only=True)["average"])
    write_onnx(net, torch.zeros(1, 3, height, width), given.folder / name)


if __name__ == "__main__":
    main()
