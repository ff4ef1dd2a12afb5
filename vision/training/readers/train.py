"""Train a reader on cut-outs from the simulator: resumable, decided by its seed, on one core of a plain processor.

`python -m vision.training.readers.train die SHARDS CHECKPOINT --steps N` goes on from the checkpoint if there is one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.readers import CUBE_PX, DIE_PX, net_input
from vision.training.loop import Course, asked, follow
from vision.training.readers.model import ReaderNet
from vision.training.readers.shards import Crops, Labels, read_shard, write_shard

BATCH = 128
COURSE = Course(steps=6000, rate=3e-3, decay=2e-3, clip=None, save_every=250, tell_every=100)
SIDES = {"die": DIE_PX, "cube": CUBE_PX}
MIRRORED = ("die",)
"""Kinds whose mirror image shows the same."""


class Cuttings:
    """The batches of each step, from `shards` shards that are made where they are missing, in an order by chance."""

    def __init__(self, folder: Path, kind: str, shards: int, seed: int) -> None:
        read = [read_shard(write_shard(folder, kind, number)) for number in range(shards)]
        self._crops: Crops = np.concatenate([crops for crops, _ in read])
        self._shows: Labels = np.concatenate([shows for _, shows in read])
        self._seed, self._mirrored = seed, kind in MIRRORED

    def at(self, step: int) -> tuple[Tensor, Tensor]:
        """Inputs and classes of a step."""
        each = len(self._crops) // BATCH
        order = np.random.default_rng((self._seed, step // each)).permutation(len(self._crops))
        chosen = order[step % each * BATCH : (step % each + 1) * BATCH]
        random = np.random.default_rng((self._seed, step, 1))
        crops = np.stack([self._disturbed(self._crops[k], random) for k in chosen])
        return torch.from_numpy(net_input(crops)), torch.from_numpy(self._shows[chosen])

    def _disturbed(self, crop: npt.NDArray[np.uint8], random: np.random.Generator) -> npt.NDArray[np.uint8]:
        """Turned, mirrored if that may be, its channels swapped and scaled."""
        crop = np.rot90(crop, int(random.integers(4)))
        if self._mirrored and random.random() < 0.5:
            crop = crop[:, ::-1]
        if random.random() < 0.5:
            crop = crop[..., random.permutation(3)]
        if random.random() < 0.1:
            crop = np.repeat(crop.mean(axis=-1, keepdims=True), 3, axis=-1)
        level = random.uniform(0.8, 1.2, 3) if random.random() < 0.5 else 1.0
        return np.clip(crop * level, 0, 255).astype(np.uint8)


def train(kind: str, folder: Path, checkpoint: Path, course: Course, *, shards: int) -> None:
    """Train the reader of a kind with `shards` shards of the folder, made where they are missing."""
    cuttings = Cuttings(folder, kind, shards, course.seed)

    def lesson(net: ReaderNet, step: int) -> tuple[Tensor, dict[str, Tensor]]:
        torch.manual_seed(course.seed * 1_000_003 + step)
        inputs, shows = cuttings.at(step)
        logits = net(inputs.contiguous(memory_format=torch.channels_last)).flatten(1)
        loss = nn.functional.cross_entropy(logits, shows)
        return loss, {"loss": loss, "right": (logits.argmax(1) == shows).float().mean()}

    follow(course, lambda: ReaderNet(SIDES[kind]), lesson, checkpoint)


def main() -> None:
    """Train a reader."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("kind", choices=sorted(SIDES))
    given, course = asked(parser, COURSE, use=24)
    given.shards.mkdir(parents=True, exist_ok=True)
    train(given.kind, given.shards, given.checkpoint, course, shards=given.use)


if __name__ == "__main__":
    main()
