"""Write the detector's averaged weights as the ONNX file that the eyes load, calibrated on scenes of its own."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from vision.smallthings import STEP, net_input, things_of
from vision.training.logits import fitted
from vision.training.onnxfile import write_onnx
from vision.training.things.fusing import scenes
from vision.training.things.model import SmallNet
from vision.window import level_of

ANY_SIZE = {2: "height", 3: "width"}
BOARDS, LOOSE = 150, 40
SAME = 0.45
"""A middle that is told lies at most so many edges from the true one."""
Floats = npt.NDArray[np.float32]
log = logging.getLogger(__name__)


def export(checkpoint: Path, target: Path) -> None:
    """The net of a checkpoint, with its averaged weights and calibrated, as ONNX."""
    net = SmallNet()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["average"])
    calibrate(net.eval())
    write_onnx(net, torch.zeros(1, 3, 2 * STEP, 3 * STEP), target, ANY_SIZE)


def calibrate(net: SmallNet) -> None:
    """Scale and shift the logits so that of all middles told with p a share of p is there."""
    found: list[list[tuple[float, bool]]] = [[], []]
    for _, view, things in scenes(BOARDS, LOOSE):
        with torch.no_grad():
            answer = net(torch.from_numpy(net_input(view.bgr, *level_of(view.bgr))))[0].numpy()
        for kind in range(2):
            found[kind] += _judged(answer[kind], answer[2], things, kind)
    last = net.heads[1]
    assert isinstance(last, nn.Conv2d)
    assert last.bias is not None
    for kind, pairs in enumerate(found):
        scale, shift = fitted(np.asarray(pairs, dtype=np.float64))
        log.info("kind %d: %d middles, scale %.2f, shift %+.2f", kind, len(pairs), scale, shift)
        with torch.no_grad():  # the four cells of a kind lie next to each other
            last.weight[4 * kind : 4 * kind + 4] *= scale
            last.bias[4 * kind : 4 * kind + 4] = last.bias[4 * kind : 4 * kind + 4] * scale + shift


def _judged(logits: Floats, sides: Floats, things: Floats, kind: int) -> list[tuple[float, bool]]:
    """(logit, whether it is there) of every middle that was told; what only may be there is left out."""
    told = things_of(logits, sides, np.zeros_like(sides))
    own = things[things[:, 0] == kind]
    judged = []
    for (x, y), p in zip(told.xy, told.p, strict=True):
        away = np.hypot(own[:, 1] - x, own[:, 2] - y) / np.maximum(own[:, 3], 1)
        near = own[away < SAME]
        if len(near) and not near[:, 4].any():
            continue
        judged.append((float(np.log(p / (1 - p))), bool(len(near))))
    return judged


def main() -> None:
    """Export a checkpoint."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    export(given.checkpoint, given.target)


if __name__ == "__main__":
    main()
