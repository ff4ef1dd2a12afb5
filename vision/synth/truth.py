"""What is true of a drawn picture: where every thing lies in it, and how much of it can be seen."""

from __future__ import annotations

from typing import Any

from vision.synth.scene import Scene
from vision.synth.solids import Item, Role
from vision.synth.table import Table

SEEN = 0.4
"""Of a thing that counts as visible at least this share can be seen."""


def picture_truth(table: Table, scene: Scene, shown: list[tuple[Item, float]]) -> dict[str, Any]:
    """Corners, bar, checkers, dice, cube, hands and props, with their centres in image pixels.

    `table` is the one the camera saw (`draw.viewed`), `shown` its things with the share of each that can be seen
    (`Painter.seen`). A checker's centre is the middle of its upper face, a die's and the cube's the middle of the
    body; `share` runs from 0 (hidden, or out of the picture) to 1.
    """
    told: dict[str, list[dict[str, Any]]] = {role.value: [] for role in Role}
    centres = table.camera.project([item.centre_mm for item, _ in shown]) if shown else ()
    for (item, share), (x, y) in zip(shown, centres, strict=True):
        told[item.role.value].append(
            {
                **_kind(item),
                "center": [round(float(x), 2), round(float(y), 2)],
                "share": round(share, 3),
                "visible": share >= SEEN,
            }
        )
    left, right = table.bar
    return {
        "size": list(table.size_px),
        "corners": [[round(v, 2) for v in corner] for corner in table.corners],
        "bar": [round(left, 4), round(right, 4)],
        "white_home": table.home.value,
        "light": round(scene.light, 3),
        "checkers": told["checker"],
        "dice": told["die"],
        "cube": told["cube"][0] if told["cube"] else None,
        "hands": told["hand"],
        "things": told["prop"],
    }


def _kind(item: Item) -> dict[str, Any]:
    match item.role:
        case Role.CHECKER:
            player = item.player.value if item.player else None
            return {"player": player, "point": item.point, "layer": item.layer}
        case Role.DIE:
            player = item.player.value if item.player else None
            return {"pips": item.shows, "player": player, "angle_rad": round(item.angle_rad, 4), "state": item.state}
        case Role.CUBE:
            return {"value": item.shows, "angle_rad": round(item.angle_rad, 4)}
        case Role.PROP:
            return {"kind": item.state, "angle_rad": round(item.angle_rad, 4)}
        case Role.HAND:
            return {}
