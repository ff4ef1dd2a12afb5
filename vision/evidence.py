"""What one picture tells of the checkers, as likelihoods."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Evidence = npt.NDArray[np.float64]
IMPOSSIBLE = -60.0
"""The log-likelihood of what a picture rules out."""


@dataclass(frozen=True, slots=True)
class CheckerEvidence:
    """Log-likelihoods of one picture, as seen.

    `points` is 24 × 31: the top row's columns 0–11, then the bottom row's; index 15 + n is n
    white, 15 − n n black checkers, relative to the empty point. `bar` is 2 × 16: white, black.
    """

    points: Evidence
    bar: Evidence
