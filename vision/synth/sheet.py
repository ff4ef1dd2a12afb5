"""Many random scenes on one sheet, to be looked at by a person."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Bgr
from vision.synth.chance.variety import random_scene, random_table
from vision.synth.render.draw import Painter

CELL_PX = (640, 480)
COLUMNS = 4


def contact_sheet(seed: int, count: int = 24) -> Bgr:
    """`count` scenes, those of `seed` and the seeds after it, drawn at CELL_PX and laid out in rows of COLUMNS."""
    cells = [still(number) for number in range(seed, seed + count)]
    cells += [np.zeros_like(cells[0])] * (-count % COLUMNS)
    rows = [np.hstack(cells[k : k + COLUMNS]) for k in range(0, len(cells), COLUMNS)]
    sheet = np.vstack(rows)
    return np.asarray(cv2.resize(sheet, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def still(seed: int) -> Bgr:
    """The picture of one seed's table and scene."""
    table = random_table(seed, CELL_PX)
    return Painter(table, seed).draw(random_scene(table, seed))
