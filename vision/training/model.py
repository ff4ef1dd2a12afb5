"""The net that finds what stands on a board: small enough for a Pi, with a wide view."""

from __future__ import annotations

import torch
from torch import Tensor, nn

HEADS = 5
"""Answers per cell, as logits: the middle of a checker, of one on top of others, of a die, of the cube; cover."""
RARE = -4.6
"""Where the heads begin: nearly every cell is empty."""


class BoardNet(nn.Module):
    """Window (n × 3 × 352 × 416, as `vision.window.net_input` makes it) → logits (n × HEADS × 88 × 104)."""

    def __init__(self, width: int = 20) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, width // 2, 3, 2), conv(width // 2, width, 3, 2))
        self.fine = Residual(width)
        self.middle = nn.Sequential(conv(width, 2 * width, 3, 2), Residual(2 * width), Residual(2 * width))
        self.coarse = nn.Sequential(
            conv(2 * width, 4 * width, 3, 2), Residual(4 * width), Residual(4 * width, 2), Residual(4 * width)
        )
        self.to_middle = conv(4 * width, 2 * width, 1, 1)
        self.middle_again = Residual(2 * width)
        self.to_fine = conv(2 * width, width, 1, 1)
        self.fine_again = Residual(width)
        self.heads = nn.Sequential(conv(width, width, 3, 1), nn.Conv2d(width, HEADS, 1))
        last = self.heads[-1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.constant_(last.bias, RARE)

    def forward(self, window: Tensor) -> Tensor:
        """The logits of each cell."""
        fine = self.fine(self.stem(window))
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        middle = self.middle_again(middle + twice(self.to_middle(coarse)))
        fine = self.fine_again(fine + twice(self.to_fine(middle)))
        out: Tensor = self.heads(fine)
        return out


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
