"""The net that finds small things: most of its work at an eighth of the picture, its answer at a fourth."""

from __future__ import annotations

from torch import Tensor, nn

from vision.training.layers import RARE, Residual, conv

ANSWERS = 4
"""Per cell: the middle of a die and of a cube (logits), the edge there (in doublings of smallthings.DIE_PX), and
whether a die there leans (logit)."""


class SmallNet(nn.Module):
    """Views (n × 3 × height × width, as `vision.smallthings.net_input` makes them) → n × ANSWERS × quarter sizes."""

    def __init__(self, fine: int = 16, width: int = 32, wide: int = 40) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 8, 3, 2), conv(8, fine, 3, 2), conv(fine, width, 3, 2))
        self.near = Residual(width)
        self.far = nn.Sequential(conv(width, wide, 3, 2), Residual(wide, 2), Residual(wide, 3), conv(wide, width, 1, 1))
        self.heads = nn.Sequential(conv(width, width, 3, 1), nn.Conv2d(width, 4 * ANSWERS, 1), nn.PixelShuffle(2))
        last = self.heads[1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.zeros_(last.bias)
        nn.init.constant_(last.bias[:8], RARE)

    def forward(self, view: Tensor) -> Tensor:
        """The answer of each cell."""
        near = self.near(self.stem(view))
        far = nn.functional.interpolate(self.far(near), scale_factor=2.0, mode="nearest")
        out: Tensor = self.heads(near + far)
        return out
