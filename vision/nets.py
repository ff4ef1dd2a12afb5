"""The trained nets, as they lie in `models/`, run by onnxruntime in one thread."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt
import onnxruntime

Floats = npt.NDArray[np.float32]


def answer(name: str, given: Floats) -> Floats:
    """What the net of that file answers to one input."""
    net = _net(name)
    (told,) = net.run(None, {net.get_inputs()[0].name: given})
    return np.asarray(told, dtype=np.float32)


@cache
def _net(name: str) -> onnxruntime.InferenceSession:
    return session((files("vision") / "models" / name).read_bytes())


def session(net: bytes) -> onnxruntime.InferenceSession:
    """A net ready to run: more threads than one would only take the cameras' and the page's."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(net, options, providers=["CPUExecutionProvider"])
