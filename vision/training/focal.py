"""How wrong a net is about where things are."""

from __future__ import annotations

import torch
from torch import Tensor, nn

FORGIVING = 4


def missed_middles(heat: Tensor, goal: Tensor, weight: Tensor) -> Tensor:
    """Focal loss of logits that forgives cells close to a middle, as in CornerNet.

    `goal` is 1 at middles and falls off around them; `weight` is how much each cell counts.
    """
    p = torch.sigmoid(heat)
    middles = (goal >= 1).float()
    hit = (1 - p) ** 2 * nn.functional.logsigmoid(heat) * middles
    missed = p**2 * nn.functional.logsigmoid(-heat) * (1 - goal) ** FORGIVING * (1 - middles)
    return -((hit + missed) * weight).sum() / middles.sum().clamp(min=1)
