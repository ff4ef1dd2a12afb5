"""Train the corner net on pictures from the simulator: resumable, decided by its seed, on plain processors.

`python -m vision.training.corners.train SHOTS CHECKPOINT --steps N` goes on from the checkpoint where there is one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from vision.cornernet import PLACES, STRIDE, VIEW_WH_PX
from vision.training.corners.model import CornerNet
from vision.training.corners.shots import Shots
from vision.training.corners.views import View, view_of
from vision.training.loop import Course, asked, follow
from vision.window import net_input

BATCH = 16
COURSE = Course(steps=6000, save_every=100)
HILL_CELLS = 0.9
"""How wide the hill is that marks a place."""
MASK_WEIGHT, PLACE_WEIGHT = 1.0, 0.3
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


def train(folder: Path, checkpoint: Path, course: Course, *, shards: int) -> None:
    """Train with the first `shards` shards of the folder."""
    shots = Shots(folder, shards)

    def lesson(net: CornerNet, step: int) -> tuple[Tensor, dict[str, Tensor]]:
        inputs, places, asked_for, masks = batch_of([view_of(*one) for one in shots.at(step, course.seed, BATCH)])
        loss = loss_of(net(inputs.contiguous(memory_format=torch.channels_last)), places, asked_for, masks)
        return loss, {"loss": loss}

    follow(course, CornerNet, lesson, checkpoint)


def main() -> None:
    """Train the corner net."""
    given, course = asked(argparse.ArgumentParser(description=main.__doc__), COURSE, use=32)
    train(given.shards, given.checkpoint, course, shards=given.use)


if __name__ == "__main__":
    main()
