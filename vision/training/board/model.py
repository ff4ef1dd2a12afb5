"""The nets that find what stands on a board and count it: small enough for a Pi, with a wide view."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from calibration.geometry import COLUMNS
from rules.position import CHECKERS
from vision.strips import ACROSS, LONG
from vision.training.layers import RARE, Residual, conv, twice

HEADS, FEATURES = 5, 20
"""Answers per cell, as logits: the middle of a checker, of one on top of others, of a die, of the cube; cover.
After them come features, from which the checkers of a point are counted."""


class BoardNet(nn.Module):
    """Window (n × 3 × 352 × 416, as `vision.window.net_input` makes it) → n × (HEADS + FEATURES) × 88 × 104."""

    def __init__(self, width: int = FEATURES) -> None:
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
        """The logits and features of each cell."""
        fine = self.fine(self.stem(window))
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        middle = self.middle_again(middle + twice(self.to_middle(coarse)))
        fine = self.fine_again(fine + twice(self.to_fine(middle)))
        return torch.cat([self.heads(fine), fine], dim=1)


class PointNet(nn.Module):
    """Strips of features (n × FEATURES × LONG × ACROSS) → logits of 0–15 checkers on their points (n × 16)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(FEATURES, 24, 3, 2), conv(24, 48, 3, 2), Residual(48))
        cells = LONG // 4 * (ACROSS // 4)
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(48 * cells, 96), nn.ReLU(inplace=True), nn.Linear(96, CHECKERS + 1)
        )

    def forward(self, strips: Tensor) -> Tensor:
        """The logits of every count."""
        out: Tensor = self.head(self.body(strips))
        return out


class Reader(nn.Module):
    """Both nets, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.board, self.points = BoardNet(), PointNet()

    def forward(self, window: Tensor, across: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of each cell (n × HEADS × rows × columns) and of each point's count (24·n × 16).

        `across` are the `strips.across_weights` of every picture (n × 144 × columns).
        """
        answer = self.board(window)
        return answer[:, :HEADS], self.points(strips_in(answer[:, HEADS:], across))


def strips_in(features: Tensor, across: Tensor) -> Tensor:
    """What `strips.strips_of` cuts, of many pictures at once."""
    pictures, channels, rows, _ = features.shape
    cut = (features @ across[:, None].transpose(2, 3)).reshape(pictures, channels, rows, COLUMNS, ACROSS)
    both = torch.cat([cut[:, :, :LONG], cut.flip(2)[:, :, :LONG]], dim=3)
    return both.permute(0, 3, 1, 2, 4).reshape(pictures * 2 * COLUMNS, channels, LONG, ACROSS)
