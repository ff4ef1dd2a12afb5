"""Train the corner net on pictures from the simulator: resumable, decided by its seed, on plain processors.

`python -m vision.training.corner_train SHOTS CHECKPOINT --steps N` goes on from the checkpoint where there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.cornernet import PLACES, STRIDE, VIEW_WH_PX
from vision.training.corner_model import CornerNet
from vision.training.corner_shots import Shots
from vision.training.corner_views import View, view_of
from vision.training.train import BATCH, DECAY, KEEP, RATE, rate_at
from vision.window import net_input

HILL_CELLS = 0.9
"""How wide the hill is that marks a place."""
MASK_WEIGHT, PLACE_WEIGHT = 1.0, 0.3
SAVE_EVERY, TELL_EVERY = 100, 50
COLUMNS, ROWS = (n // STRIDE for n in VIEW_WH_PX)


def loss_of(logits: Tensor, places: Tensor, asked: Tensor, masks: Tensor) -> Tensor:
    """Cross entropy with a hill about each place, how far the mean lies from it, and cross entropy of the masks.

    `places` (n × PLACES × 2) in cells, `asked` (n × PLACES), `masks` (n × 2 × rows × columns).
    """
    heat = nn.functional.log_softmax(logits[:, :PLACES].flatten(2), dim=2)
    x, y = torch.arange(COLUMNS, dtype=torch.float32), torch.arange(ROWS, dtype=torch.float32)
    across = torch.exp(-((x - places[..., :1]) ** 2) / (2 * HILL_CELLS**2))
    down = torch.exp(-((y - places[..., 1:]) ** 2) / (2 * HILL_CELLS**2))
    hill = (down[..., :, None] * across[..., None, :]).flatten(2)
    hill = hill / hill.sum(dim=2, keepdim=True).clamp(min=1e-6)
    missed = -(hill * heat).sum(dim=2)
    p = heat.exp().unflatten(2, (ROWS, COLUMNS))
    mean = torch.stack([(p.sum(dim=2) * x).sum(dim=2), (p.sum(dim=3) * y).sum(dim=2)], dim=2)
    off = nn.functional.smooth_l1_loss(mean, places, reduction="none").sum(dim=2).clamp(max=20)
    of_places = ((missed + PLACE_WEIGHT * off) * asked).sum() / asked.sum().clamp(min=1)
    of_masks = nn.functional.binary_cross_entropy_with_logits(logits[:, PLACES:], masks)
    return of_places + MASK_WEIGHT * of_masks


def batch_of(views: list[View]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Inputs, places in cells, which are asked, masks."""
    inputs = np.concatenate([net_input(one.bgr) for one in views])
    places = np.stack([(one.places + 0.5) / STRIDE - 0.5 for one in views]).astype(np.float32)
    asked, masks = np.stack([one.asked for one in views]), np.stack([one.masks for one in views])
    return torch.from_numpy(inputs), torch.from_numpy(places), torch.from_numpy(asked), torch.from_numpy(masks)


def views_at(shots: Shots, step: int, seed: int) -> list[View]:
    """The views of a step."""
    chance = random.Random(f"{seed} {step}")
    each = len(shots) // BATCH
    order = list(range(len(shots)))
    random.Random(f"{seed} round {step // each}").shuffle(order)
    within = step % each * BATCH
    return [view_of(shots[k], shots[chance.randrange(len(shots))], chance) for k in order[within : within + BATCH]]


def train(
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
    net, average = CornerNet(), CornerNet()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    tuner = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
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
    shots, lost = Shots(folder, shards), list[float]()
    end = steps if stop_after is None else min(steps, start + stop_after)
    for step in range(start, end):
        for group in tuner.param_groups:
            group["lr"] = rate_at(step, steps)
        inputs, places, asked, masks = batch_of(views_at(shots, step, seed))
        loss = loss_of(net(inputs.contiguous(memory_format=torch.channels_last)), places, asked, masks)
        tuner.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        tuner.step()
        keep = min(KEEP, step / (step + 10))
        with torch.no_grad():
            for mean, new in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
                if mean.dtype.is_floating_point:
                    mean.lerp_(new, 1 - keep)
                else:
                    mean.copy_(new)
        lost.append(loss.item())
        if (step + 1) % TELL_EVERY == 0:
            sys.stdout.write(f"step {step + 1} of {steps}: loss {np.mean(lost[-TELL_EVERY:]):.3f}\n")
            sys.stdout.flush()
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == end:
            work = checkpoint.with_suffix(".part")
            kept = {"net": net.state_dict(), "average": average.state_dict(), "tuner": tuner.state_dict()}
            torch.save({**kept, "step": step + 1}, work)
            work.replace(checkpoint)


def main() -> None:
    """Train the corner net."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("shots", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--use", type=int, default=32, help="how many shards")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="weights to begin with, such as corners.pt beside this file")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    train(given.shots, given.checkpoint, steps=given.steps, shards=given.use, seed=given.seed, begin=given.begin)


if __name__ == "__main__":
    main()
