"""A board that is put right by moving one checker at a time: a tap or a drag from one place to another.

Places are `p1` … `p24` (white's count), `bw` `bb` the bar of white and black, `ow` `ob` what they have borne off.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.fold import side_with
from rules.position import BAR, OFF, POINTS, Player, Position
from webui.board import (
    BAR_X,
    FIELD_BOTTOM,
    FIELD_TOP,
    MIDDLE,
    POINT_WIDTH,
    TRAY_WIDTH,
    TRAYS_X,
    point_x,
)
from webui.languages import gettext

_BARS = {Player.WHITE: "bw", Player.BLACK: "bb"}
_TRAYS = {Player.WHITE: "ow", Player.BLACK: "ob"}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that can be tapped: where its rectangle lies in the drawing, and what it is called aloud."""

    place: str
    x: int
    y: int
    width: int
    height: int
    label: str


def write(position: Position) -> str:
    """The counts as an address holds them."""
    return "_".join(".".join(map(str, side)) for side in (position.white, position.black))


def read(text: str) -> Position:
    """The position that `write` wrote. Raises ValueError for anything else."""
    white, black = (tuple(int(count) for count in side.split(".")) for side in text.split("_"))
    if max(*white, *black) > 15:
        raise ValueError("no side has more than 15 checkers")
    return Position(white, black)


def holder(position: Position, place: str) -> Player | None:
    """Whose checker lies on top at `place`; None where there is none. Raises ValueError for an unknown place."""
    return next((player for player in Player if _count(position, player, place)), None)


def moved(position: Position, origin: str, target: str) -> Position:
    """The board with one checker put from `origin` to `target`; a single opposing one there goes to its bar.

    Where nothing lies at `origin`, or two or more stand in the way, the board stays as it is. Bar and tray are the
    mover's own, whichever was meant. Raises ValueError for an unknown place.
    """
    player = holder(position, origin)
    if player is None:
        return position
    start, end = _own(player, origin), _own(player, target)
    mine, theirs = position.side(player), position.side(player.opponent)
    there = theirs[BAR - end] if 0 < end < BAR else 0
    if there > 1 or start == end:
        return position
    mine = side_with(mine, {start: -1, end: 1})
    if there:
        theirs = side_with(theirs, {BAR - end: -1, BAR: 1})
    return Position(mine, theirs) if player is Player.WHITE else Position(theirs, mine)


def spots(position: Position, names: tuple[str, str], *, home_right: bool) -> list[Spot]:
    """Everything that can be tapped, in the order of the points."""
    half = (FIELD_BOTTOM - FIELD_TOP) // 2
    found = []
    for point in POINTS:
        place, top = f"p{point}", point > 12
        x = point_x(point, home_right) - POINT_WIDTH // 2
        found.append(
            Spot(place, x, FIELD_TOP if top else MIDDLE, POINT_WIDTH, half, f"{point}: {_told(position, place, names)}")
        )
    for player, name in zip(Player, names, strict=True):
        y = MIDDLE if player is Player.WHITE else FIELD_TOP
        bar_y = FIELD_TOP if player is Player.WHITE else MIDDLE
        bar, tray = _BARS[player], _TRAYS[player]
        n_bar, n_off = position.count(player, BAR), position.count(player, OFF)
        found.append(Spot(bar, BAR_X - 32, bar_y, 64, half, gettext("Bar: %(name)s %(count)s", name=name, count=n_bar)))
        found.append(
            Spot(
                tray,
                TRAYS_X[home_right],
                y,
                TRAY_WIDTH,
                half,
                gettext("Off: %(name)s %(count)s", name=name, count=n_off),
            )
        )
    return found


def _told(position: Position, place: str, names: tuple[str, str]) -> str:
    player = holder(position, place)
    if player is None:
        return gettext("empty")
    return f"{names[0] if player is Player.WHITE else names[1]} {_count(position, player, place)}"


def _count(position: Position, player: Player, place: str) -> int:
    if place in _BARS.values():
        return position.count(player, BAR) if _BARS[player] == place else 0
    if place in _TRAYS.values():
        return position.count(player, OFF) if _TRAYS[player] == place else 0
    return position.count(player, _own(player, place))


def _own(player: Player, place: str) -> int:
    """The place in the player's own count."""
    if place in _BARS.values():
        return BAR
    if place in _TRAYS.values():
        return OFF
    if not place.startswith("p") or not (place.isascii() and place[1:].isdecimal()) or int(place[1:]) not in POINTS:
        raise ValueError(f"there is no place {place!r}")
    return int(place[1:]) if player is Player.WHITE else BAR - int(place[1:])
