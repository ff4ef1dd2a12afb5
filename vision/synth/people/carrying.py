"""Which checkers have to be carried to make one scene of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.position import BAR, Player, Position
from vision.synth.layout import items
from vision.synth.scene import Loose, Scene
from vision.synth.solids import Disc, Role
from vision.synth.table import Table

Spot = int | Loose
"""A point in its owner's count (25 the bar, 0 off), or a checker that stands on none."""
Xyz = tuple[float, float, float]
"""A place in field space, and millimetres above the playing surface."""


@dataclass(frozen=True, slots=True)
class Carry:
    """A checker of `player` that goes from one spot to another."""

    player: Player
    origin: Spot
    target: Spot


def carries(before: Scene, after: Scene, mover: Player | None) -> list[Carry]:
    """What must be carried, the checkers that `mover` hits first; spots that have no counterpart are left out."""
    found = []
    order: Sequence[Player] = tuple(Player) if mover is None else (mover.opponent, mover)
    for player in order:
        gone = _more(before, after, player)
        come = _more(after, before, player)
        found += [Carry(player, origin, target) for origin, target in zip(gone, come, strict=False)]
    return found


def _more(scene: Scene, than: Scene, player: Player) -> list[Spot]:
    """The spots where `scene` has more checkers of `player`, highest points first."""
    here, there = scene.position.side(player), than.position.side(player)
    spots: list[Spot] = [point for point in range(BAR, -1, -1) for _ in range(here[point] - there[point])]
    return spots + [one for one in scene.loose if one.player is player and one not in than.loose]


def without(scene: Scene, player: Player, spot: Spot) -> Scene:
    """The scene with one checker less there."""
    if isinstance(spot, Loose):
        return replace(scene, loose=tuple(one for one in scene.loose if one != spot))
    return replace(scene, position=_changed(scene.position, player, spot, -1))


def having(scene: Scene, player: Player, spot: Spot) -> Scene:
    """The scene with one checker more there."""
    if isinstance(spot, Loose):
        return replace(scene, loose=(*scene.loose, spot))
    return replace(scene, position=_changed(scene.position, player, spot, 1))


def _changed(position: Position, player: Player, point: int, by: int) -> Position:
    side = list(position.side(player))
    side[point] += by
    return replace(position, **{player.value: tuple(side)})


def place(table: Table, scene: Scene, player: Player, spot: Spot) -> Xyz:
    """Where the last checker on a spot stands: the middle of its lower face."""
    if isinstance(spot, Loose):
        x, y = table.board.mm(spot.xy)
        return (*spot.xy, table.board.height_at(x, y) + spot.z_mm)
    checkers = [one for one in items(table, scene) if one.role is Role.CHECKER]
    disc = [one for one in checkers if (one.player, one.point) == (player, spot)][-1].solids[0]
    assert isinstance(disc, Disc)
    x, y, z = disc.base_mm
    return x / table.board.width_mm + 0.5, y / table.board.height_mm + 0.5, z
