"""What happens in a match, event by event: drawn players decide it, or a match that was played already."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from rules import decisions as de
from rules import events as ev
from rules.events import Event, Win
from rules.game import apply
from rules.match import MatchState, Phase
from rules.movegen import legal_plays
from rules.position import BAR, OFF, POINTS, START, Player, Position
from rules.roll import Roll
from rules.ruleset import CLUB_DE
from rules.scoring import Result, dropped, finished, score
from vision.synth.story.play_faults import forcing_roll

SILENT = (ev.GameEnded, ev.MatchEnded, de.ScoreCorrected)
"""Events that follow by themselves: there is nothing to be seen of them."""
HIGHEST_CUBE = 8
RESIGNS, SHORT_OFFER = 1 / 6, 0.5
"""How often a hopeless game is resigned, and how often then less is offered than is lost."""


class Script(Protocol):
    """Tells what happens next."""

    wanted: frozenset[str]
    """Faults that should be given an occasion."""

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """What happens next and what follows from it by itself; nothing when the match is over."""
        ...

    def rolls_next(self) -> bool:
        """Whether the next player may throw first of all: he is not about to double or to resign."""
        ...


class Told:
    """A match that was played already."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._left = [event for event in events if not isinstance(event, ev.MatchStarted)]
        self.wanted: frozenset[str] = frozenset()

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """The next event that can be seen or heard, with all that stand around it and cannot."""
        beat: list[Event] = []
        while self._left and (isinstance(self._left[0], SILENT) or all(isinstance(one, SILENT) for one in beat)):
            beat.append(self._left.pop(0))
        return tuple(beat)

    def rolls_next(self) -> bool:
        """Whether a throw comes next."""
        return bool(self._left) and isinstance(self._left[0], ev.Rolled)


@dataclass
class Drawn:
    """Players who are no experts: they make points, avoid blots, sometimes double, and seldom give up."""

    chance: random.Random
    resignations: bool = True
    wanted: frozenset[str] = frozenset()
    _gave_up: tuple[int, bool] = (0, False)

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """What the players do."""
        if state.phase is Phase.MATCH_OVER:
            return ()
        event = self._next(state)
        result = self._result(apply(state, event), event)
        if result is None:
            return (event,)
        ended = ev.GameEnded(at_s=0, winner=result.winner, points=result.points, win=result.win)
        over = apply(apply(state, event), ended).phase is Phase.MATCH_OVER
        return (event, ended, *([ev.MatchEnded(at_s=0, winner=result.winner)] if over else []))

    def rolls_next(self) -> bool:
        """They always may: after a throw that does not count they neither double nor resign."""
        return True

    def _next(self, state: MatchState) -> Event:
        turn = state.turn
        match state.phase:
            case Phase.OPENING:
                return self._opening()
            case Phase.TO_ROLL if turn is not None:
                return self._to_roll(state, turn)
            case Phase.TO_PLAY if turn is not None and state.roll is not None:
                best = max(
                    legal_plays(state.position, turn, state.roll),
                    key=lambda one: _liking(one.after, turn) + self.chance.gauss(0, 1.5),
                )
                return ev.Played(at_s=0, player=turn, roll=state.roll, play=best.play, position=best.after)
            case Phase.CUBE_OFFERED if turn is not None:
                return self._answer(state, turn.opponent)
            case _:
                return ev.GameStarted(at_s=0, position=START)

    def _opening(self) -> Event:
        """One die each; a tie is thrown again (R8)."""
        white, black = self.chance.randint(1, 6), self.chance.randint(1, 6)
        if white == black:
            return ev.RollVoided(at_s=0, player=None, reason="opening_tie")
        player = Player.WHITE if white > black else Player.BLACK
        return ev.Rolled(at_s=0, player=player, roll=Roll(white, black))

    def _to_roll(self, state: MatchState, player: Player) -> Event:
        if state.resignation is not None:
            loser, win = state.resignation
            fair = win.factor >= _lost(state.position, loser).factor
            kind = de.ResignationAccepted if fair else de.ResignationRefused
            return kind(at_s=0, player=loser.opponent)
        if not state.thrown and self._resigns(state, player):
            lost = _lost(state.position, player)
            win = Win.SINGLE if self.chance.random() < SHORT_OFFER else lost
            return de.ResignationOffered(at_s=0, player=player, win=win)
        if not state.thrown and self._doubles(state, player):
            return ev.CubeOffered(at_s=0, player=player, value=2 * state.cube.value)
        roll = Roll(self.chance.randint(1, 6), self.chance.randint(1, 6))
        if "higher_die_playable" in self.wanted:
            roll = forcing_roll(state.position, player) or roll
        return ev.Rolled(at_s=0, player=player, roll=roll)

    def _resigns(self, state: MatchState, player: Player) -> bool:
        """Whether a hopeless game is given up: that is decided once a game."""
        game = len(state.games)
        if not self.resignations or not _hopeless(state.position, player) or self._gave_up[0] == game:
            return False
        self._gave_up = game, self.chance.random() < RESIGNS
        return self._gave_up[1]

    @property
    def _cube_wanted(self) -> bool:
        """Whether the cube should be turned as soon as it can be: not while one waits that needs it in the middle."""
        return "wrong_cube" not in self.wanted and any("cube" in kind for kind in self.wanted)

    def _doubles(self, state: MatchState, player: Player) -> bool:
        cube = state.cube
        if state.crawford or cube.owner is player.opponent or cube.value >= HIGHEST_CUBE:
            return False
        lead = state.position.pips(player.opponent) - state.position.pips(player)
        wants = lead > 0.08 * state.position.pips(player) and self.chance.random() < 0.25
        return wants or (self._cube_wanted and cube.owner is None)

    def _answer(self, state: MatchState, player: Player) -> Event:
        theirs = state.position.pips(player.opponent)
        behind = state.position.pips(player) - theirs
        if behind > 0.2 * theirs and not self._cube_wanted and self.chance.random() < 0.6:
            return ev.CubeDropped(at_s=0, player=player)
        return ev.CubeTaken(at_s=0, player=player, value=2 * state.cube.value)

    def _result(self, state: MatchState, event: Event) -> Result | None:
        """The end of the game, where this event brings it."""
        if isinstance(event, ev.Played):
            return finished(state.position, state.cube, CLUB_DE, money=False)
        if isinstance(event, ev.CubeDropped):
            return dropped(event.player, state.cube, CLUB_DE, money=False)
        if isinstance(event, de.ResignationAccepted) and state.resignation is not None:
            return score(event.player, state.resignation[1], state.cube, CLUB_DE, money=False)
        return None


def _hopeless(position: Position, player: Player) -> bool:
    """The opponent has nearly borne off and is far ahead."""
    other = player.opponent
    return position.on_board(other) <= 9 and position.pips(other) < 0.4 * position.pips(player)


def _lost(position: Position, player: Player) -> Win:
    """What a hopeless game most likely costs: a gammon if `player` has far to go before his first is off."""
    return Win.GAMMON if not position.count(player, OFF) and position.pips(player) > 80 else Win.SINGLE


def _liking(after: Position, player: Player) -> float:
    """How much a drawn player likes a position: points made, few blots, hits, no tall stacks."""
    mine, theirs = after.side(player), after.side(player.opponent)
    liking = 5.0 * theirs[BAR] + 4.0 * mine[OFF] - 0.05 * after.pips(player)
    for point in POINTS:
        if mine[point] == 1 and any(theirs[1 : 25 - point + 1][k] for k in range(25 - point)):
            liking -= 1.0 + 0.08 * (25 - point)
        elif mine[point] >= 2:
            liking += 1.5 if point <= 8 else 0.8
        liking -= 6.0 * max(0, mine[point] - 5)
    return liking
