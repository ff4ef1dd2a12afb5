"""Write a reader's averaged weights as the ONNX file that the eyes load, its likelihoods made to mean what they say."""

from __future__ import annotations

import argparse
import logging
import warnings
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.readers import net_input
from vision.training.crop_shards import CALIBRATION_SEED, examples
from vision.training.reader_net import ReaderNet, soften
from vision.training.train_reader import SIDES

COUNT = 6000
SURE = 0.9
TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(3.0), 60))
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
    temperature = fitted(logits, told)
    soften(net, temperature)
    p = torch.softmax(logits / temperature, 1)
    sure, right = p.max(1).values >= SURE, p.argmax(1) == told
    log.info("temperature %.3f; right %.2f%% of %d", temperature, 100 * right.float().mean(), len(told))
    log.info("claimed %.1f%%, %d of %d wrong", 100 * sure.float().mean(), (sure & ~right).sum(), sure.sum())
    write_onnx(net, SIDES[kind], target)
    if weights is not None:
        halves = {name: value.half() if value.dtype.is_floating_point else value for name, value in kept.items()}
        torch.save({"average": halves}, weights)


def fitted(logits: Tensor, told: Tensor) -> float:
    """The temperature under which the true classes are likeliest."""
    losses = [nn.functional.cross_entropy(logits / t, told).item() for t in TEMPERATURES]
    return float(TEMPERATURES[int(np.argmin(losses))])


def write_onnx(net: ReaderNet, px: int, target: Path) -> None:
    """A net as an ONNX file that takes any number of cut-outs; by the older exporter, which cv2.dnn can read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            net,
            (torch.zeros(1, 3, px, px),),
            target,
            input_names=["crops"],
            output_names=["logits"],
            dynamic_axes={"crops": {0: "n"}, "logits": {0: "n"}},
            dynamo=False,
        )


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
