"""The nets that read a cut-out: what a die shows, what a cube shows."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from vision.readers import CLASSES
from vision.training.layers import Residual, conv


class ReaderNet(nn.Module):
    """Cut-outs (n × planes × px × px, as `vision.readers.net_input` makes them) → logits (n × classes × 1 × 1)."""

    def __init__(self, px: int, width: int = 16, planes: int = 3, classes: int = CLASSES) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(planes, width, 3, 1),
            conv(width, 2 * width, 3, 2),
            Residual(2 * width),
            conv(2 * width, 4 * width, 3, 2),
            Residual(4 * width),
            conv(4 * width, 4 * width, 3, 2),
            nn.Dropout2d(0.1),
        )
        self.told = nn.Conv2d(4 * width, classes, px // 8)

    def forward(self, crops: Tensor) -> Tensor:
        """The logits of each cut-out."""
        out: Tensor = self.told(self.body(crops))
        return out


def adjust(net: ReaderNet, temperature: float, shares: Sequence[float]) -> None:
    """Divide the logits by a temperature, after each class was made so many times as frequent as it was drawn."""
    assert net.told.bias is not None
    with torch.no_grad():
        net.told.bias += torch.log(torch.tensor(shares))
        net.told.weight /= temperature
        net.told.bias /= temperature
