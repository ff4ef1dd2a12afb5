"""Nets as the ONNX files that `vision.nets` runs."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch import Tensor, nn


def write_onnx(net: nn.Module, example: Tensor, target: Path, free: dict[int, str] | None = None) -> None:
    """Write a net that takes one input like `example`; the dimensions in `free` may be of any size."""
    net.eval()
    axes = {"in": free, "out": free} if free else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (example,), target, input_names=["in"], output_names=["out"], dynamic_axes=axes, dynamo=False
        )
