"""Make logits mean likelihoods: how they are to be scaled and shifted."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

STEPS = 200
Doubles = npt.NDArray[np.float64]


def fitted(pairs: Doubles) -> tuple[float, float]:
    """Scale and shift of the logistic regression of pairs (n × 2: logit, 1 where it was right), by Newton's method."""
    if len(pairs) < 50:
        return 1.0, 0.0
    x = np.column_stack([pairs[:, 0], np.ones(len(pairs))])
    wanted, weights = pairs[:, 1], np.array([1.0, 0.0])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (wanted - p)
        bend = (x * (p * (1 - p))[:, None]).T @ x + 1e-6 * np.eye(2)
        change = np.linalg.solve(bend, slope)
        weights = weights + np.clip(change, -1, 1)
        if np.abs(change).max() < 1e-6:
            break
    return float(weights[0]), float(weights[1])
