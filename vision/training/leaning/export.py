"""Write the averaged weights as an ONNX file, its likelihoods made to mean what they say, and tell how good it is.

`python -m vision.training.leaning.export CHECKPOINT leaning.onnx --weights weights.pt`
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.training.leaning.examples import JUDGING_SEED, examples
from vision.training.leaning.seen import CROP_PX, net_input
from vision.training.leaning.train import PLANES, leaning_net
from vision.training.logits import fitted
from vision.training.onnxfile import write_onnx

SEEDS = 60
"""So many seeds, which nothing was trained on, calibrate and judge the net."""
log = logging.getLogger(__name__)


def export(checkpoint: Path, target: Path, weights: Path | None = None) -> None:
    """The net of a checkpoint as ONNX; its weights in half precision beside, where a place for them is told."""
    net = leaning_net()
    kept = torch.load(checkpoint, weights_only=True)["average"]
    net.load_state_dict(kept)
    net.eval()
    shown = [one for seed in range(JUDGING_SEED, JUDGING_SEED + SEEDS) for one in examples(seed)]
    given = net_input(np.stack([one.crop for one in shown]), np.array([one.relief for one in shown]))
    with torch.no_grad():
        logits = torch.cat([net(part).flatten() for part in torch.from_numpy(given).split(256)]).double().numpy()
    leans = np.array([one.leans for one in shown])
    scale, shift = fitted(np.column_stack([logits, leans]))
    log.info("%d dice, %d lean; scale %.2f, shift %+.2f", len(leans), int(leans.sum()), scale, shift)
    for share in (0.002, 0.005, 0.01, 0.05):
        least = np.quantile(logits[~leans], 1 - share)
        known = (logits[leans] > least).mean()
        log.info("%.1f%% of those that lean, with %.1f%% of the others", 100 * known, 100 * share)
    last = net.told
    assert isinstance(last, nn.Conv2d)
    assert last.bias is not None
    with torch.no_grad():
        last.weight *= scale
        last.bias.mul_(scale).add_(shift)
    write_onnx(net, torch.zeros(1, PLANES, CROP_PX, CROP_PX), target, {0: "n"})
    if weights is not None:
        halves = {name: value.half() if value.dtype.is_floating_point else value for name, value in kept.items()}
        torch.save({"average": halves}, weights)


def main() -> None:
    """Export the net that tells leaning dice."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--weights", type=Path, help="where to keep the weights in half precision")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    export(given.checkpoint, given.target, given.weights)


if __name__ == "__main__":
    main()
