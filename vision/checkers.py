"""The checkers of one picture, read by the nets: from the window to what is believed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from rules.position import CHECKERS
from vision import boardnet
from vision.bar import overlooked
from vision.belief import Belief, believe
from vision.boardnet import Found
from vision.evidence import CheckerEvidence
from vision.frame import Bgr
from vision.lab import Lab
from vision.netcheckers import Discs, colours_of, covered_places, discs_of, net_evidence


@dataclass(frozen=True, slots=True)
class CheckersSeen:
    """What the nets saw in a window, and what follows from it.

    `covered` (24) is the share of each point that hands or things hide; `colours` are white's and black's, None with
    too few checkers.
    """

    window: Bgr
    found: Found
    discs: Discs
    covered: npt.NDArray[np.float64]
    colours: tuple[Lab, Lab] | None
    evidence: CheckerEvidence
    belief: Belief


def read_checkers(
    window: Bgr, geometry: BoardGeometry, *, checkers: int = CHECKERS, colours: tuple[Lab, Lab] | None = None
) -> CheckersSeen:
    """The free reading of a window (as `vision.window` cuts it); without `colours` its own discs tell them."""
    found = boardnet.look(window, geometry.bar)
    discs, covered = discs_of(window, found, geometry), covered_places(found, geometry)
    colours = colours or colours_of(discs)
    missed = overlooked(window, geometry, colours) if colours else np.zeros(2)
    evidence = net_evidence(found.counts, covered, discs, geometry, colours, missed)
    return CheckersSeen(window, found, discs, covered, colours, evidence, believe(evidence, checkers))
