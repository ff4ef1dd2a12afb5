"""What can go wrong at the drawn table, each on request: plays that break a rule, throws that do not count."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.faults import Fault
from rules.movegen import legal_plays
from rules.position import BAR, OFF, POINTS, Player, Position
from rules.roll import Roll
from rules.ruling import Ruling, Verdict, judge
from vision.errors import VisionError

PLAY_FAULTS = tuple(str(fault.name).lower() for fault in Fault if fault is not Fault.CHECKER_COUNT)
"""Each is the only fault of the play that shows it; a checker that is lost lies where no camera looks."""
DICE_FAULTS = ("wrong_half", "two_halves", "off_board", "on_checker")
MOST_TRIES = 120


class FaultError(VisionError, ValueError):
    """A fault that the drawn table cannot show."""


def check_faults(names: tuple[str, ...]) -> tuple[str, ...]:
    """`names` again. Raises FaultError, naming the first that is not known."""
    for name in names:
        if name not in PLAY_FAULTS + DICE_FAULTS:
            raise FaultError(f"{name}: no fault that can be drawn; there are {', '.join(PLAY_FAULTS + DICE_FAULTS)}")
    return names


def faulty_play(
    before: Position, player: Player, roll: Roll, wanted: str, chance: random.Random
) -> tuple[Position, Ruling] | None:
    """A position after `roll` whose only fault is `wanted`, and the ruling on it; None where none was found."""
    candidates = list(_near_misses(before, player, roll, wanted))
    chance.shuffle(candidates)
    for after in candidates[:MOST_TRIES]:
        ruling = judge(before, player, roll, after)
        if ruling.verdict is Verdict.ILLEGAL and ruling.faults.keys() == (wanted,):
            return after, ruling
    return None


def _near_misses(before: Position, player: Player, roll: Roll, wanted: str) -> Iterator[Position]:
    """Positions that a careless hand could leave: one checker wrong after a legal play, or after none."""
    legal = [one.after for one in legal_plays(before, player, roll)]
    yield before
    for start in (before, *legal):
        for origin in (*POINTS, BAR, OFF):
            for target in (*POINTS, OFF):
                moved = _displaced(start, player, origin, target)
                if moved is not None:
                    yield moved
        if wanted == "opponent_moved":
            yield from _nudged(start, player.opponent)
        if wanted == "hit_not_on_bar":
            yield from _left_standing(start, player.opponent)


def _displaced(position: Position, side: Player, origin: int, target: int) -> Position | None:
    """One checker of `side` put elsewhere, hitting a blot; None where there is none or two or more block."""
    mine, theirs = list(position.side(side)), list(position.side(side.opponent))
    if origin == target or not mine[origin]:
        return None
    if target != OFF:
        if theirs[BAR - target] > 1:
            return None
        theirs[BAR] += theirs[BAR - target]
        theirs[BAR - target] = 0
    mine[origin] -= 1
    mine[target] += 1
    return _position(side, mine, theirs)


def _nudged(position: Position, side: Player) -> Iterator[Position]:
    for point in POINTS:
        for target in (point - 1, point + 1):
            free = 1 <= target <= 24 and not position.count(side.opponent, BAR - target)
            moved = _displaced(position, side, point, target) if free else None
            if moved is not None:
                yield moved


def _left_standing(position: Position, side: Player) -> Iterator[Position]:
    """A hit checker of `side` beside the point where it was hit instead of on the bar."""
    for point in POINTS:
        if position.count(side, BAR) and not position.count(side.opponent, BAR - point):
            moved = _displaced(position, side, BAR, point)
            if moved is not None:
                yield moved


def _position(side: Player, mine: list[int], theirs: list[int]) -> Position:
    white, black = (mine, theirs) if side is Player.WHITE else (theirs, mine)
    return Position(tuple(white), tuple(black))
