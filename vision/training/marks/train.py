"""Train the mark net on pictures from the simulator: resumable, decided by its seed, on plain processors.

`python -m vision.training.marks.train SHOTS CHECKPOINT --steps N` goes on from the checkpoint where there is one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from vision.marknet import STRIDE, VIEW_WH_PX
from vision.marks import MARKS
from vision.training.corners.model import MarkNet
from vision.training.corners.shots import Shots
from vision.training.loop import Course, asked, follow
from vision.training.marks.views import View, view_of
from vision.window import net_input

BATCH = 16
COURSE = Course(steps=1800, save_every=100)
HILL_CELLS = 0.7
"""How wide the hill is that stands on a mark."""
FIELD_WEIGHT = 1.0
COLUMNS, ROWS = (n // STRIDE for n in VIEW_WH_PX)


def loss_of(logits: Tensor, marks: Tensor, asked: Tensor, field: Tensor) -> Tensor:
    """Cross entropy with a hill about each mark, and cross entropy of the field's cells.

    `marks` (n × MARKS × 2) in cells, `asked` (n × MARKS), `field` (n × rows × columns).
    """
    heat = nn.functional.log_softmax(logits[:, :MARKS].flatten(2), dim=2).unflatten(2, (ROWS, COLUMNS))
    x, y = torch.arange(COLUMNS, dtype=torch.float32), torch.arange(ROWS, dtype=torch.float32)
    across = _share(torch.exp(-((x - marks[..., :1]) ** 2) / (2 * HILL_CELLS**2)))
    down = _share(torch.exp(-((y - marks[..., 1:]) ** 2) / (2 * HILL_CELLS**2)))
    missed = -torch.einsum("nmr,nmc,nmrc->nm", down, across, heat)
    of_field = nn.functional.binary_cross_entropy_with_logits(logits[:, MARKS], field)
    return (missed * asked).sum() / asked.sum().clamp(min=1) + FIELD_WEIGHT * of_field


def _share(hill: Tensor) -> Tensor:
    return hill / hill.sum(dim=2, keepdim=True).clamp(min=1e-6)


def batch_of(views: list[View]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Inputs, marks in cells, which are asked, the field's cells."""
    inputs = np.concatenate([net_input(one.bgr) for one in views])
    marks = np.stack([(one.marks + 0.5) / STRIDE - 0.5 for one in views]).astype(np.float32)
    asked, field = np.stack([one.asked for one in views]), np.stack([one.field for one in views])
    return torch.from_numpy(inputs), torch.from_numpy(marks), torch.from_numpy(asked), torch.from_numpy(field)


def train(folder: Path, checkpoint: Path, course: Course, *, shards: int) -> None:
    """Train with the first `shards` shards of the folder."""
    shots = Shots(folder, shards)

    def lesson(net: MarkNet, step: int) -> tuple[Tensor, dict[str, Tensor]]:
        inputs, marks, asked_for, field = batch_of([view_of(*one) for one in shots.at(step, course.seed, BATCH)])
        loss = loss_of(net(inputs.contiguous(memory_format=torch.channels_last)), marks, asked_for, field)
        return loss, {"loss": loss}

    follow(course, MarkNet, lesson, checkpoint)


def main() -> None:
    """Train the mark net."""
    given, course = asked(argparse.ArgumentParser(description=main.__doc__), COURSE, use=24)
    train(given.shards, given.checkpoint, course, shards=given.use)


if __name__ == "__main__":
    main()
