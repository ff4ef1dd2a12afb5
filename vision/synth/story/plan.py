"""An evening at the drawn table: a match, shot by shot, with all that people do there and what goes wrong.

A seed decides everything that the plan leaves open, so the same plan always gives the same evening.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules import decisions as de
from rules import events as ev
from rules.events import Event
from rules.match import Phase
from rules.play import Move, Play
from rules.position import Player, Position
from rules.roll import Roll
from rules.transcript import moved
from vision.synth.story.faults import TROUBLES, check_faults
from vision.synth.story.script import SILENT, Drawn, Script, Told
from vision.synth.story.shot import Deed, Done, Shot
from vision.synth.story.stage import Stage
from vision.synth.story.trouble import Case, Moment
from vision.synth.table import Table

AT_ONCE, LIFTS_AT_ONCE, HOVERS, TRIES, PUSHES = 0.55, 0.2, 0.15, 0.08, 0.4
"""How often all moves are made before the hand is drawn back, the dice lifted with it, and so on."""
TRIED_A_TURN = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """A fault to be filmed, not before the throw of that number (from 1), then as soon as it can happen."""

    kind: str
    turn: int = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be filmed: a match of `length` points, or the one that `told` tells.

    `resignations` lets players give up now and then, which only those learn who hear it; with `done` they press
    DONE after each turn.
    """

    seed: int = 0
    length: int = 5
    faults: tuple[Wanted, ...] = ()
    told: tuple[Event, ...] | None = None
    resignations: bool = True
    done: bool = True


class Evening:
    """The shots of a plan at a table. Raises FaultError for a fault that is not known or has no room."""

    def __init__(self, plan: Plan, table: Table | None = None) -> None:
        check_faults((one.kind for one in plan.faults), told=plan.told is not None)
        self.wanted = list(plan.faults)
        """The faults that have not happened yet."""
        self._plan = plan
        self._chance = random.Random(plan.seed)
        self._stage = Stage(table or Table(), random.Random(plan.seed + 1), plan.length)
        self._script: Script = Drawn(self._chance, plan.resignations) if plan.told is None else Told(plan.told)
        self._turns = 0

    def shots(self) -> Iterator[Shot]:
        """All shots of the match, in order; to be asked for once."""
        stage = self._stage
        while beat := self._script.next(stage.match):
            seen = next((event for event in beat if not isinstance(event, SILENT)), None)
            if seen is None:
                yield stage.shot(None, 1.0, "the score", *beat)
                continue
            k = beat.index(seen)
            if k:
                yield stage.shot(None, 1.0, "the score", *beat[:k])
            yield from _STAGED[type(seen)](self, seen, beat[k + 1 :])
            over = stage.match.phase in (Phase.BETWEEN_GAMES, Phase.MATCH_OVER)  # not if the last play went wrong
            if over and any(isinstance(event, ev.GameEnded) for event in beat):
                yield self._confirmed()
            self._script.wanted = frozenset(one.kind for one in self.wanted)
        yield stage.shot(None, 12.0, "match over")

    def _trouble(self, moment: Moment, player: Player, event: Event, before: Position | None = None) -> list[Shot]:
        """The next requested fault that can happen now, filmed; nothing where there is none or one is going on."""
        if self._stage.going_on is not None:
            return []
        case = Case(player, event, before or self._stage.match.position, self._script.rolls_next())
        due = [one for one in self.wanted if TROUBLES[one.kind].moment is moment and one.turn <= max(1, self._turns)]
        for one in due[:TRIED_A_TURN]:
            self.wanted.remove(one)
            shots = list(TROUBLES[one.kind].stage(self._stage, case, one.kind))
            if shots:
                return shots
            self.wanted.append(one)
        return []

    def _game_started(self, event: ev.GameStarted, follows: Sequence[Event]) -> Iterator[Shot]:
        stage = self._stage
        wrong = self._trouble(Moment.SET_UP, Player.WHITE, event)
        yield from wrong
        if not wrong:
            stage.set_up(event.position)
            yield stage.shot(Player.WHITE, 2.4, "set up", event, *follows)

    def _rolled(self, event: ev.Rolled, follows: Sequence[Event]) -> Iterator[Shot]:
        stage, roll = self._stage, event.roll
        player = event.player or Player.WHITE
        self._turns += 1
        if stage.match.phase is Phase.OPENING:
            mine, theirs = (roll.high, roll.low)
            white, black = (mine, theirs) if player is Player.WHITE else (theirs, mine)
            yield self._one_die_each(white, black, event, *follows)
        else:
            yield from self._trouble(Moment.THROW, player, event)
            stage.throw(player, stage.dice(player, roll))
            yield stage.shot(player, 1.4, f"{player} rolls {roll}", event, *follows)
        yield from stage.rest()
        yield from self._trouble(Moment.ROLLED, player, event)

    def _tie(self, event: ev.RollVoided, follows: Sequence[Event]) -> Iterator[Shot]:
        pips = self._chance.randint(1, 6)
        yield self._one_die_each(pips, pips, event, *follows)
        self._stage.lift(Player.BLACK)
        yield self._stage.shot(Player.BLACK, 0.8, "tie")

    def _one_die_each(self, white: int, black: int, *events: Event) -> Shot:
        """The opening (R8)."""
        stage = self._stage
        for player, pips in ((Player.WHITE, white), (Player.BLACK, black)):
            taken = tuple(die.xy for die in stage.scene.dice)
            xy = stage.places.free_spot(stage.scene, player, taken)
            stage.throw(player, stage.dice(player, Roll(pips, pips), xy, xy)[:1])
        return stage.shot(Player.WHITE, 1.4, f"opening {white} {black}", *events)

    def _played(self, event: ev.Played | ev.PlayFlagged, follows: Sequence[Event]) -> Iterator[Shot]:
        stage, player, before = self._stage, event.player, self._stage.match.position
        wrong = self._trouble(Moment.PLAY, player, event)
        yield from wrong
        if wrong:
            return
        self._fidget(player, event)
        moves = event.play.moves if isinstance(event, ev.Played) else ()
        at_once = self._chance.random() < AT_ONCE
        for k, move in enumerate(moves):
            stage.move(player, move)
            if not at_once and k + 1 < len(moves):
                yield stage.shot(player, 0.8, "moves")
        stage.put(player, event.position)
        late = self._trouble(Moment.LIFT, player, event)
        yield from late
        if moves and not late and self._chance.random() > LIFTS_AT_ONCE:
            yield stage.shot(player, 0.8, "moves")
        stage.lift(player, only=stage.then is not None)
        what = f"played {event.roll}: {event.play}" if isinstance(event, ev.Played) else f"errs {event.roll}"
        said = (Done(at_s=0, player=player),) if self._plan.done else ()
        if stage.then is None:
            stage.going_on = None
        yield stage.shot(player, 1.2, f"{player} {what}", event, *follows, said=said)
        yield from stage.rest()
        yield from self._trouble(Moment.LIFTED, player, event, before)

    def _fidget(self, player: Player, event: ev.Played | ev.PlayFlagged) -> None:
        """Before a play a hand may hover over a checker, or try a move and put it back (R22)."""
        stage = self._stage
        if self._chance.random() < HOVERS:
            stage.act(Deed.HOVER, player, at=stage.places.checker(stage.scene))
        if isinstance(event, ev.Played) and event.play.moves and self._chance.random() < TRIES:
            before, first = stage.scene.position, event.play.moves[0]
            if not first.hit:
                stage.put(player, moved(before, player, Play((Move(first.origin, first.target),))))
                stage.put(player, before, Deed.PUT_BACK)

    def _offered(self, event: ev.CubeOffered, follows: Sequence[Event]) -> Iterator[Shot]:
        stage, player = self._stage, event.player
        yield from self._trouble(Moment.OFFER, player, event)
        stage.act(Deed.TURN_CUBE, player, cube=stage.places.offered(stage.scene, event.value, player))
        yield stage.shot(player, 1.6, f"{player} doubles", event, *follows)

    def _taken(self, event: ev.CubeTaken | de.CubeBeavered, follows: Sequence[Event]) -> Iterator[Shot]:
        stage, player = self._stage, event.player
        forgotten = self._trouble(Moment.TAKE, player, event) if not follows else []
        yield from forgotten
        if forgotten:
            return
        cube = stage.places.cube(event.value, player)
        push = self._chance.random() < PUSHES and event.value == stage.scene.cube.value
        if push:
            cube = replace(cube, quarter=stage.scene.cube.quarter)
        stage.act(Deed.PUSH_CUBE if push else Deed.TAKE_CUBE, player, cube=cube)
        yield stage.shot(player, 1.6, f"{player} takes", event, *follows)

    def _said(self, event: Any, follows: Sequence[Event]) -> Iterator[Shot]:
        """A drop, a resignation or its answer: nothing is to be seen but the board put back later (R37, T16)."""
        what = {
            ev.CubeDropped: "drops",
            de.ResignationOffered: "resigns",
            de.ResignationAccepted: "accepts",
            de.ResignationRefused: "refuses",
        }[type(event)]
        yield self._stage.shot(event.player, 1.4, f"{event.player} {what}", event, *follows, said=(event,))

    def _confirmed(self) -> Shot:
        """Both write down the result of the game (R46)."""
        both = tuple(de.ResultConfirmed(at_s=0, player=player) for player in Player)
        for player in Player:
            self._stage.act(Deed.WRITE_SCORE, player)
        return self._stage.shot(None, 1.0, "the result is written down", *both, said=both)


_STAGED: dict[type[Event], Callable[[Evening, Any, Sequence[Event]], Iterator[Shot]]] = {
    ev.GameStarted: Evening._game_started,
    ev.Rolled: Evening._rolled,
    ev.RollVoided: Evening._tie,
    ev.Played: Evening._played,
    ev.PlayFlagged: Evening._played,
    ev.CubeOffered: Evening._offered,
    ev.CubeTaken: Evening._taken,
    de.CubeBeavered: Evening._taken,
    ev.CubeDropped: Evening._said,
    de.ResignationOffered: Evening._said,
    de.ResignationAccepted: Evening._said,
    de.ResignationRefused: Evening._said,
}
