"""The net that finds a board's corners: it must see the whole view at once, so it goes down to a 32nd and back."""

from __future__ import annotations

import itertools

from torch import Tensor, nn

from vision.cornernet import PLACES
from vision.training.layers import Residual, conv, twice

WIDTHS = (20, 40, 64, 96)
LAYERS = PLACES + 2


class CornerNet(nn.Module):
    """View (n × 3 × 192 × 256, as `vision.window.net_input` makes it) → logits (n × LAYERS × 48 × 64)."""

    def __init__(self) -> None:
        super().__init__()
        first = WIDTHS[0]
        self.stem = nn.Sequential(conv(3, first // 2, 3, 2), conv(first // 2, first, 3, 2), Residual(first))
        self.down = nn.ModuleList(
            nn.Sequential(conv(wide, deep, 3, 2), Residual(deep), Residual(deep))
            for wide, deep in itertools.pairwise(WIDTHS)
        )
        self.across = nn.ModuleList(conv(deep, wide, 1, 1) for wide, deep in itertools.pairwise(WIDTHS))
        self.up = nn.ModuleList(Residual(wide) for wide in WIDTHS[:-1])
        self.heads = nn.Sequential(conv(first, 2 * first, 3, 1), nn.Conv2d(2 * first, LAYERS, 1))

    def forward(self, view: Tensor) -> Tensor:
        """The logits of each cell."""
        levels = [self.stem(view)]
        for down in self.down:
            levels.append(down(levels[-1]))
        x = levels.pop()
        for across, up in zip(reversed(self.across), reversed(self.up), strict=True):
            x = up(levels.pop() + twice(across(x)))
        out: Tensor = self.heads(x)
        return out
