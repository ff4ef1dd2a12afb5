"""What people say and press, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules import decisions as de
from rules import events as ev
from rules.commands import Command, Decided, RecordingEnded, TurnEnded
from rules.fold import side_with
from rules.match import Phase
from rules.position import BAR, OFF, POINTS, Player, Position
from rules.referee import turns
from rules.referee.desk import Desk
from rules.ruleset import TurnEnds
from rules.ruling import Verdict
from rules.scoring import dropped, score

_ABOUT_THE_BOARD = (
    ev.GameStarted,
    ev.Played,
    ev.PlayFlagged,
    ev.PlayCorrected,
    ev.Recovered,
    de.CheckerFound,
    de.SetupCorrected,
    de.Undone,
)
"""Decisions after which the board is what they say, whatever was thought of it."""


def obey(desk: Desk, command: Command) -> None:
    """Do what was said. Raises EventError where it cannot be done now."""
    match command:
        case RecordingEnded():
            turns.end_recording(desk)
        case TurnEnded(player):
            pressed = desk.referee.ruleset.turn_ends in (TurnEnds.DONE, TurnEnds.CLOCK_PRESSED)
            if pressed and desk.match.phase is Phase.TO_PLAY and desk.match.turn in (None, player):
                desk.keep(ended=True)
        case Decided(event):
            _decided(desk, event)


def _believe(desk: Desk, player: Player) -> None:
    """A checker of `player` was found off the board: if the play before was undecided, that is how the board was.

    Where no guess lacks one, it lacks the one that is seen worst.
    """
    position, waiting = desk.match.position, desk.match.phase is Phase.TO_ROLL
    fewer = [one.position for one in desk.referee.guesses if one.position.on_board(player) < position.on_board(player)]
    play, seen = desk.referee.open_play, desk.referee.seen
    if not fewer and play is not None and play.verdict is Verdict.UNDECIDED and seen is not None:
        fewer = sorted(_one_fewer(position, player), key=seen.log_likelihood, reverse=True)
    if waiting and fewer:
        desk.emit(ev.Recovered, position=fewer[0], turn=desk.match.turn, reason="a checker was found off the board")


def _one_fewer(position: Position, player: Player) -> Iterator[Position]:
    """The position without one checker of `player`, from each place where one stands."""
    for place in (*POINTS, BAR):
        if position.count(player, place):
            side = side_with(position.side(player), {place: -1, OFF: 1})
            yield Position(side, position.black) if player is Player.WHITE else Position(position.white, side)


def _decided(desk: Desk, event: ev.Event) -> None:
    if isinstance(event, de.CheckerFound):
        _believe(desk, event.player)
    before = desk.match
    desk.take(replace(event, at_s=desk.now_s))
    if isinstance(event, _ABOUT_THE_BOARD):
        desk.forget()
    money, ruleset = before.length == 0, desk.referee.ruleset
    match event:
        case ev.Rolled():
            desk.keep(dice=desk.referee.early, early=(), dead=())
        case ev.RollVoided():
            dice = desk.referee.seen.dice if desk.referee.seen else ()
            desk.keep(dice=(), dead=dice, early=())
        case de.PlayStands():
            desk.keep(open_play=None)
        case ev.Played() | ev.PlayCorrected():
            turns.finish(desk)
        case ev.CubeDropped(player=player):
            desk.score(dropped(player, before.cube, ruleset, money=money))
        case de.ResignationAccepted(player=player) if before.resignation is not None:
            desk.score(
                score(player, before.resignation[1], replace(before.cube, offered_by=None), ruleset, money=money)
            )
        case de.MatchConceded(player=player):
            desk.emit(ev.MatchEnded, winner=player.opponent)
        case de.PenaltyGiven() | de.ScoreCorrected() if desk.match.phase is Phase.MATCH_OVER:
            white, black = desk.match.score
            desk.emit(ev.MatchEnded, winner=Player.WHITE if white > black else Player.BLACK)
