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
from vision.looks import Look, levelled
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
    window: Bgr,
    geometry: BoardGeometry,
    *,
    checkers: int = CHECKERS,
    colours: tuple[Lab, Lab] | None = None,
    look: Look | None = None,
) -> CheckersSeen:
    """The free reading of a window (as `vision.window` cuts it).

    The checkers' colours are those of `look`, else `colours`, else what its own discs tell.
    """
    found = boardnet.look(window, geometry.bar)
    discs, covered = discs_of(window, found, geometry), covered_places(found, geometry)
    colours = look.colours if look else colours or colours_of(discs)
    missed = overlooked(window, geometry, colours) if colours else np.zeros(2)
    even = levelled(discs, look) if look else discs
    evidence = net_evidence(found.counts, covered, even, geometry, colours, missed)
    return CheckersSeen(window, found, discs, covered, colours, evidence, believe(evidence, checkers))
