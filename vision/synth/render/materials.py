"""What the things of a scene are made of, as shapes that Mitsuba takes: meshes, colours, grain and gloss."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from calibration.geometry import Matrix
from rules.position import Player
from vision.frame import Bgr
from vision.synth.render import ground, sprites
from vision.synth.render.meshes import Mesh, block_mesh, box_mesh, disc_mesh, drum_mesh, rod_mesh
from vision.synth.render.raised import walls
from vision.synth.solids import Box, Disc, Drum, Item, Rod
from vision.synth.table import Bgr3, CheckerKind, Table

Part = dict[str, Any]
"""A part of a scene as Mitsuba takes it: its plugin under "type", and that plugin's settings."""
STORED = np.arange(256) / 255
LINEAR = np.where(STORED <= 0.04045, STORED / 12.92, ((STORED + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""How much light (0–1) each value of a picture means (sRGB)."""
FLAT_PX_PER_MM = 2.0
GROUND_MM = 100_000.0
"""How far the table reaches to every side."""
GROUND_PX_PER_MM = 0.7
TILE_PX = 128
GRAIN_PX = 256
FACES = 6
CLEAR = 0.18
"""How much of the light a glass holds back."""
PAINT, SKIN, GLASS = 0.5, 0.05, 0.9
"""How glossy they are."""


class Materials:
    """Makes the parts of one table's scenes; `mi` is the Mitsuba module."""

    def __init__(self, mi: Any, table: Table) -> None:
        self._mi, self._table = mi, table

    def board(self) -> dict[str, Any]:
        """Table top, playing surface, rails, bar and the walls of trays."""
        board, seed = self._table.board, self._table.seed
        half_w, half_h = board.outline_mm
        slab = block_mesh((-half_w, half_w), (-half_h, half_h), (-board.depth_mm - 1, 0.0))
        reach = (-GROUND_MM, GROUND_MM)
        top = block_mesh(reach, reach, (-board.depth_mm - 20, -board.depth_mm))
        tile = ground.table_top(board, seed)
        top = replace(top, uv=(top.xyz_mm[:, :2] * GROUND_PX_PER_MM) / len(tile))
        surface = ground.playing_surface(board, FLAT_PX_PER_MM, seed)
        found = {
            "table": self._shape(top, self._matter(self._picture(tile, "mirror"))),
            "field": self._shape(_laid(slab, surface), self._matter(self._picture(surface.picture), board.gloss)),
        }
        raised = [block_mesh(wall.x_mm, wall.y_mm, wall.z_mm) for wall in walls(board)]
        if raised:
            tops = ground.raised_surface(board, FLAT_PX_PER_MM, seed)
            matter = self._matter(self._picture(tops.picture), board.gloss)
            found["raised"] = self._shape(_laid(Mesh.joined(raised), tops), matter)
        return found

    def things(self, things: list[Item]) -> dict[str, Any]:
        """Everything that stands on the board or beside it."""
        solids = [solid for item in things for solid in item.solids]
        boxes = [one for one in solids if isinstance(one, Box)]
        drums = [one for one in solids if isinstance(one, Drum)]
        marked = [
            (solid, item.player)
            for item in things
            for solid in item.solids
            if isinstance(solid, Box) and any(solid.faces)
        ]
        plain = [(box_mesh(one), one.bgr) for one in boxes if not any(one.faces)]
        plain += [(drum_mesh(one), one.bgr) for one in drums if not one.clear]
        rods = [(rod_mesh(one), one.bgr) for one in solids if isinstance(one, Rod)]
        glass = [(drum_mesh(one), one.bgr) for one in drums if one.clear]
        return {
            **self._checkers([one for one in solids if isinstance(one, Disc)]),
            **self._marked(marked),
            **self._painted("plain", plain, PAINT),
            **self._painted("rods", rods, SKIN),
            **self._painted("glass", glass, GLASS, CLEAR),
        }

    def dull(self, rods: list[Rod]) -> dict[str, Any]:
        """Things that only cast shadows."""
        matter = {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.2}}
        return {f"shade_{number}": self._shape(rod_mesh(rod), matter) for number, rod in enumerate(rods)}

    def _checkers(self, discs: list[Disc]) -> dict[str, Any]:
        style = self._table.checkers
        found = {}
        for player in {disc.player: None for disc in discs}:
            mesh = Mesh.joined(disc_mesh(disc, style.kind) for disc in discs if disc.player is player)
            grain = self._picture(_checker_paint(self._table, player), "mirror")
            found[f"checkers_{player.value}"] = self._shape(mesh, self._matter(grain, style.gloss))
        return found

    def _marked(self, boxes: list[tuple[Box, Player | None]]) -> dict[str, Any]:
        """Dice, the cube and cards: boxes whose faces show something."""
        if not boxes:
            return {}
        atlas = np.vstack([self._faces(box, player) for box, player in boxes])
        rim = 0.5 / TILE_PX

        def laid(box: Box, row: int) -> Mesh:
            top, bottom = (row + rim) / len(boxes), (row + 1 - rim) / len(boxes)
            return box_mesh(box, lambda face: ((face + rim) / FACES, top, (face + 1 - rim) / FACES, bottom))

        mesh = Mesh.joined(laid(box, row) for row, (box, _) in enumerate(boxes))
        gloss = self._table.dice_of(Player.WHITE).gloss
        return {"marked": self._shape(mesh, self._matter(self._picture(atlas), gloss))}

    def _painted(
        self, name: str, coloured: list[tuple[Mesh, Bgr3]], gloss: float, opacity: float = 1.0
    ) -> dict[str, Any]:
        """Meshes of one colour each; they find it in a picture of one row."""
        if not coloured:
            return {}
        places = (np.arange(len(coloured)) + 0.5) / len(coloured)
        mesh = Mesh.joined(
            replace(mesh, uv=np.tile((place, 0.5), (len(mesh.uv), 1)))
            for (mesh, _), place in zip(coloured, places, strict=True)
        )
        matter = self._matter(self._picture(np.array([[bgr for _, bgr in coloured]], np.uint8)), gloss)
        return {
            name: self._shape(mesh, {"type": "mask", "opacity": opacity, "nested": matter} if opacity < 1 else matter)
        }

    def _faces(self, box: Box, player: Player | None) -> Bgr:
        """The pictures of a box's faces beside each other."""
        pip_size = self._table.dice_of(player or Player.WHITE).pip_size
        tiles = []
        for text in box.faces:
            share = _ink(text, pip_size)[..., None] / 255
            tiles.append(share * np.asarray(box.ink_bgr) + (1 - share) * np.asarray(box.bgr))
        return np.asarray(np.hstack(tiles), dtype=np.uint8)

    def _picture(self, picture: Bgr, wrap: str = "clamp") -> Part:
        bitmap = self._mi.Bitmap(LINEAR[picture[..., ::-1]])
        return {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": wrap}

    @staticmethod
    def _matter(colour: Part, gloss: float = 0.0) -> Part:
        """A body of this colour, dull or under a clear coat."""
        if gloss <= 0:
            return {"type": "diffuse", "reflectance": colour}
        roughness = max(0.04, 0.42 - 0.38 * gloss)
        return {"type": "roughplastic", "diffuse_reflectance": colour, "alpha": roughness, "nonlinear": False}

    def _shape(self, mesh: Mesh, matter: Part) -> Any:
        """The mesh in Mitsuba's space: y is turned round, and with it every triangle."""
        props = self._mi.Properties()
        props["bsdf"] = self._mi.load_dict(matter)
        count = len(mesh.xyz_mm)
        shape = self._mi.Mesh(
            "mesh", count, len(mesh.triangles), props=props, has_vertex_normals=True, has_vertex_texcoords=True
        )
        values = self._mi.traverse(shape)
        for name, rows in (
            ("vertex_positions", mesh.xyz_mm * (1, -1, 1)),
            ("vertex_normals", mesh.normals * (1, -1, 1)),
            ("vertex_texcoords", mesh.uv),
        ):
            values[name] = rows.astype(np.float32).ravel()
        values["faces"] = mesh.triangles[:, ::-1].astype(np.uint32).ravel()
        values.update()
        return shape


def _laid(mesh: Mesh, flat: ground.Flat) -> Mesh:
    """The mesh with a flat picture laid over it from straight above."""
    height, width = flat.picture.shape[:2]
    uv: Matrix = (flat.px(mesh.xyz_mm[:, :2]) + 0.5) / (width, height)
    return replace(mesh, uv=uv)


def _checker_paint(table: Table, player: Player) -> Bgr:
    """A picture that a player's checkers are cut from."""
    style = table.checkers
    if style.kind in (CheckerKind.WOOD, CheckerKind.PEARL):
        return sprites.top_paint(style, style.bgr(player), GRAIN_PX, table.seed % sprites.GRAINS)
    return np.full((1, 1, 3), style.bgr(player), np.uint8)


def _ink(text: str, pip_size: float) -> Bgr:
    """How much ink lies where on a face that shows `text`, TILE_PX square, 0–255."""
    if not text:
        return np.zeros((TILE_PX, TILE_PX), np.uint8)
    if not (text.isdigit() and len(text) == 1):
        return sprites.face_ink(text, TILE_PX)
    y, x = (np.indices((TILE_PX, TILE_PX)) - (TILE_PX - 1) / 2) / TILE_PX
    pips = [np.hypot(x - sprites.PIP_STEP * u, y - sprites.PIP_STEP * v) for u, v in sprites.PIPS[int(text)]]
    edge = (pip_size / 2 - np.min(pips, axis=0)) * TILE_PX
    return np.asarray(np.clip(edge + 0.5, 0, 1) * 255, dtype=np.uint8)
