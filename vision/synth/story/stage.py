"""The table while an evening is played: what stands on it, what was done since the last shot, the match so far."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules import events as ev
from rules.events import Event
from rules.game import apply
from rules.match import MatchState
from rules.play import Move, Play
from rules.position import Player, Position
from rules.roll import Roll
from rules.transcript import moved
from vision.synth.people.deeds import card_xy
from vision.synth.scene import Die, Loose, Prop, Scene, Thing
from vision.synth.story.places import Places
from vision.synth.story.shot import Act, Deed, Shot, Situation, Xy
from vision.synth.table import Table

HESITATES, SLIDES = 0.1, 0.4
SLIDES_PIPS = 4
SPECTATOR = 2
"""Who of the table's people looks on."""


class Stage:
    """Scene, match and deeds of one evening; `length` points are played (0: for money)."""

    def __init__(self, table: Table, chance: random.Random, length: int) -> None:
        self.table, self.chance = table, chance
        self.places = Places(table, chance)
        self.scene = Scene(
            cube=self.places.cube(1, None), things=(Thing(Prop.SCORE_CARD, card_xy(table), math.pi / 2),)
        )
        self.match = apply(MatchState(), ev.MatchStarted(at_s=0, length=length, white="White", black="Black"))
        self.going_on: Situation | None = None
        """What is wrong in every shot until it is mended."""
        self.then: Iterator[Shot] | None = None
        """What follows as soon as dice were thrown or lifted."""
        self.shaker: Player | None = None
        """Who has shaken a cup, and is to throw from it."""
        self._acts: list[Act] = []

    def by(self, player: Player) -> int:
        """Which of the table's people `player` is."""
        return 0 if self.places.near(player) else 1

    def act(self, deed: Deed, by: Player | int, *, at: Xy | None = None, **changes: object) -> None:
        """Somebody does something, and then `changes` of the scene are so."""
        self.scene = replace(self.scene, **changes)  # type: ignore[arg-type]
        self._acts.append(Act(deed, self.by(by) if isinstance(by, Player) else by, self.scene, at))

    def shot(
        self,
        player: Player | None,
        hold_s: float,
        note: str,
        *events: Event,
        said: Sequence[Event] = (),
        situation: Situation | None = None,
    ) -> Shot:
        """The scene lies still: a shot of all that was done since the last one, and of what it means."""
        acts, self._acts = tuple(self._acts), []
        for event in events:
            self.match = apply(self.match, event)
        return Shot(self.scene, hold_s, player, note, events, acts, tuple(said), situation or self.going_on)

    def rest(self) -> Iterator[Shot]:
        """What had to wait for the dice."""
        if self.then is not None:
            waiting, self.then = self.then, None
            yield from waiting

    def change(self, **changes: object) -> None:
        """Something happens that nobody does."""
        self.scene = replace(self.scene, **changes)  # type: ignore[arg-type]

    def set_up(self, position: Position) -> None:
        """Everything is put back for a new game that begins so."""
        self.lift(Player.WHITE)
        cube = self.places.cube(1, None)
        if self.scene.cube.xy != cube.xy:
            self.act(Deed.TURN_CUBE, Player.WHITE, cube=cube)
        for player in Player:
            now = self.scene.position
            if now.side(player) != position.side(player):
                self.act(Deed.SET_UP, player, position=replace(now, **{player.value: position.side(player)}), loose=())

    def move(self, player: Player, move: Move) -> None:
        """A checker is moved as its player happens to do it."""
        after = moved(self.scene.position, player, Play((move,)))
        short = move.origin - move.target <= SLIDES_PIPS and (move.origin - 1) // 6 == (move.target - 1) // 6
        deed = Deed.MOVE
        if move.hit:
            deed = Deed.HIT
        elif short and self.chance.random() < SLIDES:
            deed = Deed.SLIDE
        elif self.chance.random() < HESITATES:
            deed = Deed.HESITATE
        self.act(deed, player, position=after)

    def put(self, player: Player, position: Position, deed: Deed = Deed.MOVE, *, loose: tuple[Loose, ...] = ()) -> None:
        """`player` makes the checkers stand so, `loose` ones on no point."""
        if (position, loose) != (self.scene.position, self.scene.loose):
            self.act(deed, player, position=position, loose=loose)

    def throw(self, player: Player, dice: Sequence[Die], deed: Deed = Deed.THROW) -> None:
        """`player` throws these dice; from his cup, if he has just shaken one."""
        if deed is Deed.THROW and self.shaker is player:
            deed, self.shaker = Deed.POUR, None
        self.act(deed, player, dice=(*self.scene.dice, *dice))

    def lift(self, first: Player, *, only: bool = False) -> None:
        """`first`, then (unless `only` he) the other takes up his dice."""
        for player in (first,) if only else (first, first.opponent):
            left = tuple(die for die in self.scene.dice if die.player is not player)
            if left != self.scene.dice:
                self.act(Deed.LIFT_DICE, player, dice=left)

    def dice(self, player: Player, roll: Roll, *spots: Xy) -> tuple[Die, ...]:
        """A roll as it comes to lie: in the right place where no `spots` are given."""
        if not spots:
            first = self.places.free_spot(self.scene, player)
            spots = first, self.places.free_spot(self.scene, player, (first,))
        pairs = zip((roll.high, roll.low), spots, strict=True)
        return tuple(Die(pips, xy, self.chance.uniform(0, 1.5), player) for pips, xy in pairs)

    def any_roll(self) -> Roll:
        """Two dice by chance."""
        return Roll(self.chance.randint(1, 6), self.chance.randint(1, 6))
