"""Make the net's likelihoods mean what they say: measured on scenes it was never trained on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from vision.boardnet import spots_of
from vision.training.model import BoardNet
from vision.training.shards import CHECKER, UPPER, Example, example
from vision.window import net_input

FIRST_SEED, COUNT = 900_000, 160
SAME_PX = 7.0
STEPS = 200
Doubles = npt.NDArray[np.float64]


def calibrated(net: BoardNet, seeds: range = range(FIRST_SEED, FIRST_SEED + COUNT)) -> list[tuple[float, float]]:
    """Scale and shift the logits of each kind so that of all middles told with p a share of p is there.

    Changes the net's last layer; gives (scale, shift) of each kind of thing, those of cover being 1 and 0.
    """
    found: list[list[tuple[float, bool]]] = [[] for _ in range(4)]
    net.eval()
    for seed in seeds:
        one = example(seed)
        with torch.no_grad():
            logits = net(torch.from_numpy(net_input(one.window)))[0].numpy()
        for kind in range(4):
            found[kind] += _judged(logits[kind], one, kind)
    changes = [fitted(np.asarray(pairs, dtype=np.float64)) for pairs in found] + [(1.0, 0.0)]
    last = net.heads[-1]
    assert isinstance(last, nn.Conv2d)
    assert last.bias is not None
    with torch.no_grad():
        for kind, (scale, shift) in enumerate(changes):
            last.weight[kind] *= scale
            last.bias[kind] = last.bias[kind] * scale + shift
    return changes


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


def fitted(pairs: Doubles) -> tuple[float, float]:
    """Scale and shift of a logistic regression, by Newton's method."""
    if len(pairs) < 50:
        return 1.0, 0.0
    x = np.column_stack([pairs[:, 0], np.ones(len(pairs))])
    wanted, weights = pairs[:, 1], np.array([1.0, 0.0])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (wanted - p)
        bend = (x * (p * (1 - p))[:, None]).T @ x + 1e-6 * np.eye(2)
        change = np.linalg.solve(bend, slope)
        weights = weights + np.clip(change, -1, 1)
        if np.abs(change).max() < 1e-6:
            break
    return float(weights[0]), float(weights[1])
