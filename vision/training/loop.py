"""How every net is trained: step by step, resumable, decided by its seed, on plain processors."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import torch
from torch import Tensor, nn

RATE, WARM_UP = 2.5e-3, 200
KEEP = 0.998
"""Share of the averaged weights that each step keeps."""
Net = TypeVar("Net", bound=nn.Module)
Lesson = Callable[[Net, int], tuple[Tensor, Mapping[str, Tensor]]]
"""What a net learns from in a step: the loss to make smaller, and the numbers to tell of it, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How a net is trained.

    Until `steps`, with `rate` the highest learning rate, weights drawn towards 0 by `decay`, gradients no longer than
    `clip`. Without a checkpoint it begins with the averaged weights of the file `begin`, or with chance; `stop_after`
    ends a run after so many steps of its own.
    """

    steps: int
    rate: float = RATE
    decay: float = 1e-4
    clip: float | None = 5.0
    save_every: int = 200
    tell_every: int = 50
    seed: int = 1
    begin: Path | None = None
    stop_after: int | None = None


def rate_at(step: int, steps: int, highest: float = RATE) -> float:
    """Learning rate: up in WARM_UP steps, then down along half a cosine."""
    if step < WARM_UP:
        return highest * (step + 1) / WARM_UP
    share = (step - WARM_UP) / max(1, steps - WARM_UP)
    return highest * (0.5 * (1 + float(np.cos(np.pi * min(1.0, share)))) + 0.002)


def follow(course: Course, net_of: Callable[[], Net], lesson: Lesson[Net], checkpoint: Path) -> None:
    """Train a net, from the checkpoint on where there is one, and save it there: whole or not at all.

    A run that was stopped gives what an unbroken one gives, if each lesson follows from its step alone.
    """
    torch.manual_seed(course.seed)
    net, average = net_of(), net_of()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    tuner = torch.optim.AdamW(net.parameters(), weight_decay=course.decay)
    start = _begun(course, net, average, tuner, checkpoint)
    told = list[dict[str, float]]()
    end = course.steps if course.stop_after is None else min(course.steps, start + course.stop_after)
    for step in range(start, end):
        for group in tuner.param_groups:
            group["lr"] = rate_at(step, course.steps, course.rate)
        loss, numbers = lesson(net, step)
        tuner.zero_grad()
        loss.backward()
        if course.clip is not None:
            nn.utils.clip_grad_norm_(net.parameters(), course.clip)
        tuner.step()
        _averaged(average, net, min(KEEP, step / (step + 10)))
        told.append({name: number.item() for name, number in numbers.items()})
        if (step + 1) % course.tell_every == 0:
            _tell(step + 1, course.steps, told[-course.tell_every :])
        if (step + 1) % course.save_every == 0 or step + 1 == end:
            work = checkpoint.with_suffix(".part")
            kept = {"net": net.state_dict(), "average": average.state_dict(), "tuner": tuner.state_dict()}
            torch.save({**kept, "step": step + 1}, work)
            work.replace(checkpoint)


def _begun(course: Course, net: nn.Module, average: nn.Module, tuner: torch.optim.Optimizer, checkpoint: Path) -> int:
    """The step to go on with, once all weights are as they were before it."""
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(kept["net"])
        average.load_state_dict(kept["average"])
        tuner.load_state_dict(kept["tuner"])
        return int(kept["step"])
    if course.begin is not None:
        net.load_state_dict(torch.load(course.begin, weights_only=True)["average"])
    average.load_state_dict(net.state_dict())
    return 0


def _averaged(average: nn.Module, net: nn.Module, keep: float) -> None:
    with torch.no_grad():
        for mean, new in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(new, 1 - keep)
            else:
                mean.copy_(new)


def _tell(step: int, steps: int, told: list[dict[str, float]]) -> None:
    means = (f"{name} {np.mean([one[name] for one in told]):.3f}" for name in told[0])
    sys.stdout.write(f"step {step} of {steps}: {', '.join(means)}\n")
    sys.stdout.flush()


def asked(
    parser: argparse.ArgumentParser, course: Course, *, use: int, by: int = 1
) -> tuple[argparse.Namespace, Course]:
    """What the command line says: `shards`, `checkpoint`, how many shards to `use`; and the course as it asks for it.

    Adds to the parser what all trainings take; `use` is what it says of shards if nothing else, a multiple of `by`.
    """
    parser.add_argument("shards", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=course.steps)
    parser.add_argument(
        "--use", type=int, default=use, help="how many shards" if by == 1 else f"how many shards, a multiple of {by}"
    )
    parser.add_argument("--rate", type=float, default=course.rate, help="the highest learning rate")
    parser.add_argument("--seed", type=int, default=course.seed)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="weights to begin with, such as the .pt beside the training's code")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    cv2.setNumThreads(1)
    return given, replace(course, steps=given.steps, rate=given.rate, seed=given.seed, begin=given.begin)
