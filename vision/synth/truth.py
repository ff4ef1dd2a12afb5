"""What is true of a drawn frame: where every thing lies in the picture, and whether a hand is over it."""

from __future__ import annotations

from typing import Any

from calibration.geometry import BoardGeometry, apply
from vision.synth.film import Film, FilmFrame


def frame_truth(film: Film, number: int, frame: FilmFrame) -> dict[str, Any]:
    """One line of `truth.jsonl`: corners, checkers, dice and cube with their centres in image pixels.

    `visible` is False where a hand or arm lies over the centre. `settled` frames show no hand.
    """
    table = film.table
    geometry = BoardGeometry.from_corners(table.corners, None)
    mask = None if frame.scene.hand is None else film.painter.hand_mask(frame.scene.hand)

    def seen(xy: tuple[float, float]) -> dict[str, Any]:
        x, y = (float(c) for c in apply(geometry.image_from_field, [xy])[0])
        inside = 0 <= round(x) < table.size_px[0] and 0 <= round(y) < table.size_px[1]
        visible = inside and (mask is None or not mask[round(y), round(x)])
        return {"center": [round(x, 2), round(y, 2)], "visible": bool(visible)}

    cube = frame.scene.cube
    return {
        "frame": number,
        "at_s": round(frame.at_s, 3),
        "settled": frame.scene.hand is None,
        "corners": [list(corner) for corner in table.corners],
        "checkers": [
            {"player": player.value, "point": point, **seen(xy)}
            for player, point, xy in film.painter.standing(frame.scene.position)
        ],
        "dice": [
            {"pips": d.pips, "player": d.player.value, "angle_rad": round(d.angle_rad, 4), **seen(d.xy)}
            for d in frame.scene.dice
        ],
        "cube": {"value": cube.value, "quarter": cube.quarter, **seen(cube.xy)},
        "hand": None if frame.scene.hand is None else seen(frame.scene.hand[:2])["center"],
    }
