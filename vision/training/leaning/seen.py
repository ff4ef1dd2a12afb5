"""Does a die lean? A small net that looks at it from straight above and knows from where the camera looked.

A flat die seen from aside shows one of its sides, a cocked one does too: which side may be seen, and how much of it,
follows from where the camera stands (`standpoint`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry, Matrix, apply, inverse
from vision.frame import Bgr
from vision.readers import net_input as evened
from vision.smallthings import ROWS, Doubles, Floats
from vision.training.leaning.standpoint import standpoint
from vision.warp import magnified, shrunk

CROP_PX, EDGE_PX = 48, 18.0
"""Side of a cut-out, and of a die's edge in it: the die, its sides, and what it leans on."""


def reliefs_at(geometry: BoardGeometry, size_px: tuple[int, int], xy_px: npt.ArrayLike) -> Doubles:
    """How far (n × 2: right, near) what stands up is seen displaced on the field, as shares of its height."""
    columns = 1 / geometry.column_width
    x, y, z = standpoint(geometry, size_px)
    field = apply(geometry.field_from_image, xy_px)
    place = (field - 0.5) * (columns, ROWS)
    out: Doubles = (place - (x, y)) / z
    return out


def cut_out(bgr: Bgr, image_from_upright: Matrix, at: tuple[float, float], edge: float) -> Bgr:
    """The square around a place of the upright view where an edge is `edge` long, CROP_PX × CROP_PX × 3."""
    scale, middle = edge / EDGE_PX, (CROP_PX - 1) / 2
    upright_from_crop = np.array(
        [[scale, 0, at[0] - scale * middle], [0, scale, at[1] - scale * middle], [0, 0, 1.0]], dtype=np.float64
    )
    image_from_crop = image_from_upright @ upright_from_crop
    finer = magnified(image_from_crop, (middle, middle))
    return shrunk(bgr, inverse(image_from_crop), (CROP_PX, CROP_PX), finer)


def net_input(crops: npt.NDArray[np.uint8], reliefs: Doubles | Floats) -> Floats:
    """Cut-outs (n × CROP_PX × CROP_PX × 3) and reliefs (n × 2) as the net takes them, n × 5 × CROP_PX × CROP_PX."""
    planes = np.empty((len(crops), 5, CROP_PX, CROP_PX), np.float32)
    planes[:, :3] = evened(crops)
    planes[:, 3:] = np.asarray(reliefs, np.float32)[:, :, None, None]
    return planes
