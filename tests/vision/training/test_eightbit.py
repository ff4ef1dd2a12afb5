"""Layers in 8 bits: those that are named and no others, and the net answers nearly as before."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from vision.nets import session  # noqa: E402
from vision.training.eightbit import put_in_8_bits  # noqa: E402
from vision.training.layers import conv  # noqa: E402
from vision.training.onnxfile import write_onnx  # noqa: E402


def test_only_the_named_layers_count_in_8_bits_and_the_answers_stay_close(tmp_path: Path) -> None:
    torch.manual_seed(3)
    net = torch.nn.Sequential(conv(3, 16, 3, 1), conv(16, 16, 3, 2), torch.nn.Conv2d(16, 4, 1))
    file = tmp_path / "net.onnx"
    write_onnx(net, torch.zeros(1, 3, 24, 24), file)
    shown = np.random.default_rng(5).standard_normal((8, 1, 3, 24, 24), dtype=np.float32)
    (before,) = session(file.read_bytes()).run(None, {"in": shown[-1]})
    put_in_8_bits(file, shown[:7], ("/1/",))
    (after,) = session(file.read_bytes()).run(None, {"in": shown[-1]})
    assert 0 < np.abs(after - before).mean() < 0.05 * before.std()
    convolutions = [node for node in onnx.load(file).graph.node if node.op_type == "Conv"]
    assert [node.input[1].endswith("DequantizeLinear_Output") for node in convolutions] == [False, True, False]
