"""Between games: the checkers are set up, rightly or not."""

from __future__ import annotations

from rules import events as ev
from rules.decisions import SetupCorrected
from rules.irregularities import irregularity, window_open
from rules.position import BAR, START, Player, Position
from rules.reading import Reading
from rules.referee.desk import Desk, clearly_not, shows
from rules.referee.dice import beside, told
from rules.referee.habits import TALL, learned
from rules.weighing import TELL_APART

MISPLACED = 2
"""So many checkers may stand wrongly for a set-up to be a wrong one and not another position."""


def set_up(desk: Desk, reading: Reading) -> None:
    """The checkers stand for a new game; with a few on the wrong points only once dice are thrown for it (R29).

    Dice also say that it stands there where the picture alone does not.
    """
    start = desk.referee.setup.start
    desk.keep(strays=beside(reading))
    clear = reading.margin >= TELL_APART and not reading.problems
    thrown = bool(told(desk.referee, reading))
    whole = all(reading.position.on_board(side) == desk.match.checkers for side in Player)
    left_lying = desk.match.game is not None and reading.position == desk.match.position
    if start is None:
        start = reading.position if whole and reading.margin > 1 else None
    stands = start is not None and (shows(reading, start) or (thrown and _undercounted(reading.position, start)))
    if start is not None and (stands or (thrown and not clearly_not(reading, start) and not clear)):
        _start(desk, start, reading)
    elif start is None or not clear or left_lying:
        return
    elif whole and thrown and _off_by(reading.position, start) <= MISPLACED:
        _start(desk, reading.position, reading)
        desk.ask("wrong_setup", None, "the checkers do not stand as they should", reading)
    elif start == START and reading.position in _TURNED:
        desk.ask("board_changed", None, "the checkers are set up the other way round", reading)


def _start(desk: Desk, position: Position, reading: Reading) -> None:
    desk.emit(ev.GameStarted, reading, position=position)
    desk.forget()
    desk.keep(dead=(), asked=frozenset(), habits=learned(reading, position))


def _undercounted(told: Position, start: Position) -> bool:
    """It is the start but for the last of some tall stacks, which lie on the others or reach as far as can be seen."""
    both = [zip(told.side(side)[1:], start.side(side)[1:], strict=True) for side in Player]
    return all(here == there or (there >= TALL and here == there - 1) for counts in both for here, there in counts)


def _off_by(position: Position, start: Position) -> int:
    """How many checkers stand where they should not."""
    return sum(
        max(0, there - right)
        for side in Player
        for there, right in zip(position.side(side), start.side(side), strict=True)
    )


def set_right(desk: Desk, reading: Reading) -> None:
    """A wrong set-up is put right while that is still allowed; the plays made so far stand (R29)."""
    game, start, position = desk.match.game, desk.referee.setup.start, desk.match.position
    if game is None or start is None or game.start == start:
        return
    until = irregularity("wrong_setup", desk.referee.ruleset).until
    right = _moved_over(position, game.start, start)
    if (
        right is not None
        and window_open(until, desk.match)
        and shows(reading, right)
        and clearly_not(reading, position)
    ):
        desk.emit(SetupCorrected, reading, position=right)
        desk.keep(guesses=(), open_play=None)


def _moved_over(position: Position, wrong: Position, start: Position) -> Position | None:
    """`position` with what was wrong at the start put right; None where those checkers have moved on."""
    sides = [
        tuple(now - was + right for now, was, right in zip(position.side(p), wrong.side(p), start.side(p), strict=True))
        for p in Player
    ]
    return Position(*sides) if min(map(min, sides)) >= 0 else None


def _turned(mirrored: bool, swapped: bool) -> Position:
    """How the start position is read on a board that is mirrored, or from the other seat."""
    sides = []
    for player in Player:
        side = list(START.side(player))
        if swapped:
            side[1:BAR] = side[BAR - 1 : 0 : -1]
        if mirrored:
            side[1:13], side[13:BAR] = side[12:0:-1], side[BAR - 1 : 12 : -1]
        sides.append(tuple(side))
    return Position(*sides)


_TURNED = frozenset({_turned(mirrored=True, swapped=False), _turned(False, True), _turned(True, True)})
"""The start position as the camera sees it when the board was turned or mirrored between games (T18)."""
