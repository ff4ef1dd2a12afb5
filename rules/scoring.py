"""What a won game counts: the one place where a score is computed (R34, R37, R39)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.cube import Cube
from rules.events import Win
from rules.position import BAR, OFF, Player, Position
from rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Result:
    """Who won a game, how, and the points it scores, already multiplied."""

    winner: Player
    win: Win
    points: int


def win_on_board(position: Position, winner: Player, ruleset: Ruleset) -> Win:
    """How `winner` wins when his last checker comes off: single, gammon or backgammon (R34).

    A backgammon needs a loser's checker on the bar or in the winner's home, and, unless the ruleset
    says otherwise, that the loser has borne off none.
    """
    loser = winner.opponent
    far = position.count(loser, BAR) + sum(position.count(loser, point) for point in range(19, 25))
    none_off = position.count(loser, OFF) == 0
    if far and (none_off or not ruleset.backgammon_needs_none_off):
        return Win.BACKGAMMON
    return Win.GAMMON if none_off else Win.SINGLE


def score(winner: Player, win: Win, cube: Cube, ruleset: Ruleset, *, money: bool) -> Result:
    """The result of a game won as `win` with the cube as it stands.

    `cube.value` is the value before a pending offer, so a drop scores that (R37, R70). In money play
    with Jacoby a gammon counts single while nobody has taken the cube.
    """
    if money and ruleset.jacoby and cube.owner is None:
        win = Win.SINGLE
    return Result(winner, win, win.factor * cube.value)


def finished(position: Position, cube: Cube, ruleset: Ruleset, *, money: bool) -> Result | None:
    """The result once one side has no checker left on the board, None before."""
    for player in Player:
        if position.on_board(player) == 0 and position.total(player):
            return score(player, win_on_board(position, player, ruleset), cube, ruleset, money=money)
    return None


def dropped(player: Player, cube: Cube, ruleset: Ruleset, *, money: bool) -> Result:
    """The result when `player` refuses the cube: the value before the offer, single (R37)."""
    return score(player.opponent, Win.SINGLE, cube, ruleset, money=money)
