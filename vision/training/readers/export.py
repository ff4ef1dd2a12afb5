"""Write a reader's averaged weights as the ONNX file that the eyes load, its likelihoods made to mean what they say."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.readers import CLASSES, COCKED, net_input
from vision.training.onnxfile import write_onnx
from vision.training.readers.model import ReaderNet, adjust
from vision.training.readers.shards import CALIBRATION_SEED, examples
from vision.training.readers.train import SIDES

COUNT = 2500
SURE = 0.9
TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(3.0), 60))
SHARES = {"die": (1.0,) * COCKED + (0.2, 1.0), "cube": (1.0,) * CLASSES}
"""How often each class comes, as a multiple of how often it is drawn: cocked dice are rarer than they are drawn."""
log = logging.getLogger(__name__)


def export(kind: str, checkpoint: Path, target: Path, weights: Path | None = None) -> None:
    """The net of a checkpoint as ONNX; its weights in half precision beside, where a place for them is told."""
    net = ReaderNet(SIDES[kind])
    kept = torch.load(checkpoint, weights_only=True)["average"]
    net.load_state_dict(kept)
    net.eval()
    crops, shows = examples(kind, range(CALIBRATION_SEED, CALIBRATION_SEED + COUNT))
    with torch.no_grad():
        logits = torch.cat([net(torch.from_numpy(net_input(part))).flatten(1) for part in np.array_split(crops, 40)])
    told = torch.from_numpy(shows)
    shares = torch.tensor(SHARES[kind])
    logits, weight = logits + torch.log(shares), shares[told]
    temperature = fitted(logits, told, weight)
    adjust(net, temperature, SHARES[kind])
    p = torch.softmax(logits / temperature, 1)
    sure, right = p.max(1).values >= SURE, p.argmax(1) == told
    shown = (weight * sure).sum() / weight.sum()
    wrong = (weight * (sure & ~right)).sum() / (weight * sure).sum()
    log.info("temperature %.3f; right %.2f%%", temperature, 100 * (weight * right).sum() / weight.sum())
    log.info("claimed %.1f%%, wrong among these %.2f%%", 100 * shown, 100 * wrong)
    log.info("by what was told: claimed %s", torch.bincount(p.argmax(1)[sure], minlength=CLASSES).tolist())
    log.info("               of these wrong %s", torch.bincount(p.argmax(1)[sure & ~right], minlength=CLASSES).tolist())
    write_onnx(net, torch.zeros(1, 3, SIDES[kind], SIDES[kind]), target, {0: "n"})
    if weights is not None:
        halves = {name: value.half() if value.dtype.is_floating_point else value for name, value in kept.items()}
        torch.save({"average": halves}, weights)


def fitted(logits: Tensor, told: Tensor, weight: Tensor) -> float:
    """The temperature under which the true classes are likeliest; `weight` is how much each example counts."""
    losses = [
        float((weight * nn.functional.cross_entropy(logits / t, told, reduction="none")).sum()) for t in TEMPERATURES
    ]
    return float(TEMPERATURES[int(np.argmin(losses))])


def main() -> None:
    """Export a reader's checkpoint."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("kind", choices=sorted(SIDES))
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--weights", type=Path, help="where to keep the weights in half precision")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    export(given.kind, given.checkpoint, given.target, given.weights)


if __name__ == "__main__":
    main()
