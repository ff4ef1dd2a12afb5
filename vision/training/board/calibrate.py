"""Make the net's likelihoods mean what they say: measured on scenes it was never trained on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from vision.boardnet import spots_of
from vision.strips import across_weights
from vision.training.board.model import Reader
from vision.training.board.shards import CHECKER, UPPER, Example, example
from vision.training.logits import fitted
from vision.window import net_input

FIRST_SEED, COUNT = 900_000, 160
SAME_PX = 7.0
SCALES = [0.3 + 0.02 * k for k in range(70)]
RAREST = 2e-3
"""Counts rarer in training than this pass for as rare as this."""


def calibrated(
    net: Reader, seeds: range = range(FIRST_SEED, FIRST_SEED + COUNT)
) -> tuple[list[tuple[float, float]], float]:
    """Make of all middles told with p a share of p be there, and of the counts' logits likelihoods.

    Changes the last layers. Gives the (scale, shift) of each kind of thing's logits, those of cover being 1 and 0,
    and the scale of the counts'.
    """
    found: list[list[tuple[float, bool]]] = [[] for _ in range(4)]
    told, truth = [], []
    net.eval()
    for seed in seeds:
        one = example(seed)
        with torch.no_grad():
            cells, counts = net(
                torch.from_numpy(net_input(one.window)), torch.from_numpy(across_weights(one.bar))[None]
            )
        for kind in range(4):
            found[kind] += _judged(cells[0, kind].numpy(), one, kind)
        told.append(counts)
        truth.append(torch.from_numpy(one.counts))
    changes = [fitted(np.asarray(pairs, dtype=np.float64)) for pairs in found] + [(1.0, 0.0)]
    last, last_of_counts = net.board.heads[-1], net.points.head[-1]
    assert isinstance(last, nn.Conv2d)
    assert isinstance(last_of_counts, nn.Linear)
    assert last.bias is not None
    counts, wanted = torch.cat(told), torch.cat(truth)
    scale = min(SCALES, key=lambda s: float(nn.functional.cross_entropy(s * counts, wanted)))
    frequency = torch.bincount(wanted, minlength=counts.shape[1]) / len(wanted)
    with torch.no_grad():
        for kind, (times, shift) in enumerate(changes):
            last.weight[kind] *= times
            last.bias[kind] = last.bias[kind] * times + shift
        last_of_counts.weight.mul_(scale)
        last_of_counts.bias.mul_(scale).sub_(torch.log(frequency.clamp(min=RAREST)))
    return changes, scale


def _judged(logits: npt.NDArray[np.float32], one: Example, kind: int) -> list[tuple[float, bool]]:
    """(logit, whether it is there) of every middle that was told; what only may be there is left out."""
    kinds = (CHECKER, UPPER) if kind in (CHECKER, UPPER) else (kind,)
    there = one.things[np.isin(one.things[:, 0], kinds)]
    spots = spots_of((1 / (1 + np.exp(-logits))).astype(np.float32))
    judged = []
    for (x, y), p in zip(spots.xy, spots.p, strict=True):
        near = there[np.hypot(there[:, 1] - x, there[:, 2] - y) < SAME_PX]
        own = near[near[:, 0] == kind]
        if len(own) and not own[:, 3].any():
            continue
        judged.append((float(np.log(p / (1 - p))), bool(len(own))))
    return judged
