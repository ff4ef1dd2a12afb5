"""One step of the referee under way: events are collected, and each is applied at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules import events as ev
from rules.decisions import Asked, PlayStands
from rules.game import apply
from rules.match import MatchState, Phase
from rules.position import Player, Position
from rules.reading import DieReading, Reading
from rules.referee.memory import Referee
from rules.ruleset import WindowCloses
from rules.ruling import Verdict
from rules.scoring import Result
from rules.weighing import CLEARLY_NOT, TRUST_IN_PLAYERS


class Desk:
    """The referee's memory while a step is under way, and the events so far."""

    def __init__(self, referee: Referee, now_s: float) -> None:
        self.referee = referee
        self.events: list[ev.Event] = []
        self.now_s = now_s

    @property
    def match(self) -> MatchState:
        """The match after the events so far."""
        return self.referee.match

    def emit(self, kind: type[ev.Event], reading: Reading | None = None, **fields: Any) -> None:
        """An event happened; `reading` shows it."""
        evidence = reading.evidence if reading is not None else ()
        self.take(kind(at_s=self.now_s, evidence=evidence, **fields))

    def take(self, event: ev.Event) -> None:
        """Apply an event. Raises EventError where it cannot follow."""
        self.keep(match=apply(self.match, event))
        self.events.append(event)

    def keep(self, **changes: Any) -> None:
        """Remember `changes`."""
        self.referee = replace(self.referee, **changes)

    def ask(self, key: str, player: Player | None, text: str, reading: Reading) -> None:
        """Something is open that people must answer (a key of `rules.irregularities`); asked once a turn."""
        if key not in self.referee.asked:
            self.keep(asked=self.referee.asked | {key})
            self.emit(Asked, reading, key=key, player=player, text=text)

    def void(self, dice: tuple[DieReading, ...], player: Player | None, reason: str, reading: Reading) -> None:
        """A throw does not count; `dice` of it still lie there."""
        if self.referee.ruleset.window_closes is WindowCloses.NEXT_THROW:
            self.close_window()
        self.emit(ev.RollVoided, reading, player=player, reason=reason)
        self.keep(dice=(), dead=dice, early=(), alone=None, held=False)

    def close_window(self) -> None:
        """The play before is final, whatever it was (R18)."""
        play = self.referee.open_play
        if play is not None and play.verdict is Verdict.ILLEGAL:
            self.emit(PlayStands, player=play.player)
        self.keep(open_play=None)

    def forget(self) -> None:
        """What was thought of the board no longer holds: others said what it is, or it is set up anew."""
        self.keep(open_play=None, guesses=(), dice=(), early=(), alone=None, held=False, ended=None)

    def score(self, result: Result | None) -> None:
        """The game is over with that result, None while it is not."""
        if result is None:
            return
        self.emit(ev.GameEnded, winner=result.winner, points=result.points, win=result.win)
        self.forget()
        if self.match.phase is Phase.MATCH_OVER:
            self.emit(ev.MatchEnded, winner=result.winner)


def shows(reading: Reading, position: Position) -> bool:
    """The picture is as well explained by `position` as by anything that is likely."""
    return _short_by(reading, position) <= TRUST_IN_PLAYERS


def clearly_not(reading: Reading, position: Position) -> bool:
    """The picture is clear, and speaks against `position`."""
    return not reading.problems and _short_by(reading, position) >= CLEARLY_NOT


def _short_by(reading: Reading, position: Position) -> float:
    return reading.log_likelihood(reading.position) - reading.log_likelihood(position)
