"""Train the net that tells leaning dice: resumable, decided by its seed, on one core of a plain processor.

`python -m vision.training.leaning.train SHARDS CHECKPOINT --steps N` goes on from the checkpoint if there is one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from vision.training.leaning.examples import read_shards, write_shard
from vision.training.leaning.seen import CROP_PX, net_input
from vision.training.loop import Course, asked, follow
from vision.training.readers.model import ReaderNet

BATCH = 128
PLANES = 5
READER = Path(__file__).parents[1] / "readers" / "die.pt"
"""The reader of dice, which knows already what dice look like."""
COURSE = Course(steps=5000, rate=2e-3, decay=2e-3, clip=5.0, save_every=250, tell_every=100)


def leaning_net() -> ReaderNet:
    """What `vision.training.leaning.seen.net_input` makes (n × 5 × CROP_PX × CROP_PX) → logits (n × 1 × 1 × 1)."""
    return ReaderNet(CROP_PX, planes=PLANES, classes=1)


def taught() -> ReaderNet:
    """The net before its first lesson: it sees as the reader of dice does, and knows nothing of reliefs."""
    net = leaning_net()
    known = torch.load(READER, weights_only=True)["average"]
    body = {name: value.float() for name, value in known.items() if name.startswith("body.")}
    first = "body.0.0.weight"
    body[first] = nn.functional.pad(body[first], (0, 0, 0, 0, 0, PLANES - body[first].shape[1]))
    net.load_state_dict(body, strict=False)
    return net


class Dice:
    """The batches of each step, from `shards` shards that are made where they are missing, in an order by chance."""

    def __init__(self, folder: Path, shards: int, seed: int) -> None:
        self._crops, self._reliefs, self._leans = read_shards([write_shard(folder, n) for n in range(shards)])
        self._seed = seed

    def at(self, step: int) -> tuple[Tensor, Tensor]:
        """Inputs and truths of a step; each die mirrored and laid on its side by chance, its channels disturbed."""
        each = len(self._crops) // BATCH
        order = np.random.default_rng((self._seed, step // each)).permutation(len(self._crops))
        chosen = order[step % each * BATCH : (step % each + 1) * BATCH]
        random = np.random.default_rng((self._seed, step, 1))
        crops, reliefs = self._crops[chosen].copy(), self._reliefs[chosen].copy()
        for k in range(len(crops)):
            for axis in (0, 1):
                if random.random() < 0.5:
                    crops[k] = np.flip(crops[k], 1 - axis)
                    reliefs[k, axis] *= -1
            if random.random() < 0.5:
                crops[k], reliefs[k] = crops[k].transpose(1, 0, 2), reliefs[k, ::-1]
            if random.random() < 0.5:
                crops[k] = crops[k][..., random.permutation(3)]
            if random.random() < 0.1:
                crops[k] = crops[k].mean(axis=-1, keepdims=True).astype(np.uint8)
        return torch.from_numpy(net_input(crops, reliefs)), torch.from_numpy(self._leans[chosen])


def train(folder: Path, checkpoint: Path, course: Course, *, shards: int) -> None:
    """Train with `shards` shards of the folder, made where they are missing."""
    dice = Dice(folder, shards, course.seed)

    def lesson(net: ReaderNet, step: int) -> tuple[Tensor, dict[str, Tensor]]:
        torch.manual_seed(course.seed * 1_000_003 + step)
        inputs, leans = dice.at(step)
        logits = net(inputs.contiguous(memory_format=torch.channels_last)).flatten()
        loss = nn.functional.binary_cross_entropy_with_logits(logits, leans)
        return loss, {"loss": loss, "right": ((logits > 0) == (leans > 0.5)).float().mean()}

    follow(course, taught, lesson, checkpoint)


def main() -> None:
    """Train the net that tells leaning dice."""
    given, course = asked(argparse.ArgumentParser(description=main.__doc__), COURSE, use=24)
    given.shards.mkdir(parents=True, exist_ok=True)
    train(given.shards, given.checkpoint, course, shards=given.use)


if __name__ == "__main__":
    main()
