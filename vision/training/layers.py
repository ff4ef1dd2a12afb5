"""What the nets are made of."""

from __future__ import annotations

import torch
from torch import Tensor, nn

RARE = -4.6
"""Where the heads begin: nearly every cell is empty."""


class Residual(nn.Module):
    """Two convolutions beside a straight line."""

    def __init__(self, width: int, spacing: int = 1) -> None:
        super().__init__()
        self.first = conv(width, width, 3, 1, spacing)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        """The same shape again."""
        return torch.relu(x + self.second(self.first(x)))


def conv(inside: int, outside: int, size: int, stride: int, spacing: int = 1) -> nn.Sequential:
    """A convolution that keeps the edge, with its norm and bend."""
    reach = spacing * (size // 2)
    convolution = nn.Conv2d(inside, outside, size, stride, reach, spacing, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


def twice(x: Tensor) -> Tensor:
    """Each cell four times."""
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")
