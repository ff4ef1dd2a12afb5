"""Train a reader on cut-outs from the simulator: resumable, decided by its seed, on one core of a plain processor.

`python -m vision.training.train_reader die SHARDS CHECKPOINT --steps N` goes on from the checkpoint where there is one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.readers import CUBE_PX, DIE_PX, net_input
from vision.training.crop_shards import SHARD, Crops, Labels, read_shard, write_shard
from vision.training.reader_net import ReaderNet
from vision.training.train import rate_at

BATCH = 128
RATE_SHARE, DECAY = 1.2, 2e-3
"""The learning rate as a share of the board net's; how weights are drawn towards 0."""
KEEP = 0.998
SAVE_EVERY, TELL_EVERY = 250, 100
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


def train(
    kind: str,
    folder: Path,
    checkpoint: Path,
    *,
    steps: int,
    shards: int,
    seed: int = 1,
    begin: Path | None = None,
    stop_after: int | None = None,
) -> None:
    """Train until `steps`, saving every SAVE_EVERY; `stop_after` ends this run after so many steps of its own.

    Without a checkpoint it begins with the averaged weights of the file `begin`, or with chance.
    """
    torch.manual_seed(seed)
    net, average = ReaderNet(SIDES[kind]), ReaderNet(SIDES[kind])
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    tuner = torch.optim.AdamW(net.parameters(), weight_decay=DECAY)
    start = 0
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(kept["net"])
        average.load_state_dict(kept["average"])
        tuner.load_state_dict(kept["tuner"])
        start = kept["step"]
    else:
        if begin is not None:
            net.load_state_dict(torch.load(begin, weights_only=True)["average"])
        average.load_state_dict(net.state_dict())
    cuttings = Cuttings(folder, kind, shards, seed)
    told, right = list[float](), list[float]()
    end = steps if stop_after is None else min(steps, start + stop_after)
    for step in range(start, end):
        torch.manual_seed(seed * 1_000_003 + step)
        for group in tuner.param_groups:
            group["lr"] = RATE_SHARE * rate_at(step, steps)
        inputs, shows = cuttings.at(step)
        logits = net(inputs.contiguous(memory_format=torch.channels_last)).flatten(1)
        loss = nn.functional.cross_entropy(logits, shows)
        tuner.zero_grad()
        loss.backward()
        tuner.step()
        keep = min(KEEP, step / (step + 10))
        with torch.no_grad():
            for mean, new in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
                if mean.dtype.is_floating_point:
                    mean.lerp_(new, 1 - keep)
                else:
                    mean.copy_(new)
        told.append(loss.item())
        right.append((logits.argmax(1) == shows).float().mean().item())
        if (step + 1) % TELL_EVERY == 0:
            mean_loss, share = np.mean(told[-TELL_EVERY:]), np.mean(right[-TELL_EVERY:])
            sys.stdout.write(f"step {step + 1} of {steps}: loss {mean_loss:.3f}, right {share:.1%}\n")
            sys.stdout.flush()
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == end:
            work = checkpoint.with_suffix(".part")
            kept = {"net": net.state_dict(), "average": average.state_dict(), "tuner": tuner.state_dict()}
            torch.save({**kept, "step": step + 1}, work)
            work.replace(checkpoint)


def main() -> None:
    """Train a reader."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("kind", choices=sorted(SIDES))
    parser.add_argument("shards", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--use", type=int, default=24, help=f"how many shards of {SHARD}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="weights to begin with, such as die.pt beside this file")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    given.shards.mkdir(parents=True, exist_ok=True)
    train(
        given.kind,
        given.shards,
        given.checkpoint,
        steps=given.steps,
        shards=given.use,
        seed=given.seed,
        begin=given.begin,
    )


if __name__ == "__main__":
    main()
