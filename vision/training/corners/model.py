"""The nets that find a board: they must see the whole view at once, so they go down to a 32nd and back."""

from __future__ import annotations

import itertools

from torch import Tensor, nn

from vision.cornernet import PLACES
from vision.marks import MARKS
from vision.training.layers import Residual, conv, twice

WIDTHS = (20, 40, 64, 96)
LAYERS = PLACES + 2
MARK_FEATURES = 96


class HillNet(nn.Module):
    """View (n × 3 × height × width, as `vision.window.net_input` makes it) → logits (n × layers × a fourth of each).

    `head` is how many features of a cell the answers are made of.
    """

    def __init__(self, layers: int, head: int) -> None:
        super().__init__()
        first = WIDTHS[0]
        self.stem = nn.Sequential(conv(3, first // 2, 3, 2), conv(first // 2, first, 3, 2), Residual(first))
        self.down = nn.ModuleList(
            nn.Sequential(conv(wide, deep, 3, 2), Residual(deep), Residual(deep))
            for wide, deep in itertools.pairwise(WIDTHS)
        )
        self.across = nn.ModuleList(conv(deep, wide, 1, 1) for wide, deep in itertools.pairwise(WIDTHS))
        self.up = nn.ModuleList(Residual(wide) for wide in WIDTHS[:-1])
        self.heads = nn.Sequential(conv(first, head, 3, 1), nn.Conv2d(head, layers, 1))

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


class CornerNet(HillNet):
    """For views of `vision.cornernet`."""

    def __init__(self) -> None:
        super().__init__(LAYERS, 2 * WIDTHS[0])


class MarkNet(HillNet):
    """For views of `vision.marknet`."""

    def __init__(self) -> None:
        super().__init__(MARKS + 1, MARK_FEATURES)
