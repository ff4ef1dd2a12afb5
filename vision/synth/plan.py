"""An evening at the drawn table: legal games with dice and cube, shot by shot.

The players are no experts: they make points, avoid blots and sometimes double. What they do
is decided by a seed alone, so the same seed always gives the same evening.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

from calibration.orientation import Home, place_of
from rules.cube import Cube
from rules.movegen import LegalPlay, legal_plays
from rules.play import Move
from rules.position import BAR, OFF, POINTS, START, Player, Position
from rules.roll import Roll
from vision.synth.scene import CubeAt, Die, Scene

BESIDE_X = -0.075
CENTRED_FACE = 64
"""The face that is up while the cube is in the middle: 64 means 1."""
PICTURE_RIGHT = (0.60, 0.94)
PICTURE_LEFT = (0.06, 0.40)
MIDDLE = (0.47, 0.53)
DICE_APART = 0.06


@dataclass(frozen=True, slots=True)
class Shot:
    """A scene that lies still for `hold_s` seconds after the hand of `player` has made it; `note` tells what he did."""

    scene: Scene
    hold_s: float
    player: Player | None
    note: str


class Evening:
    """A match of `length` points between two drawn players."""

    def __init__(self, seed: int, home: Home = Home.BOTTOM_RIGHT, length: int = 5) -> None:
        self._random = random.Random(seed)
        self._home = home
        self._length = length
        self._score = {Player.WHITE: 0, Player.BLACK: 0}
        self._crawford_done = False
        self._cube = Cube()
        self._scene = Scene()

    def shots(self) -> Iterator[Shot]:
        """All shots of the match, in order."""
        while max(self._score.values()) < self._length:
            crawford = not self._crawford_done and max(self._score.values()) == self._length - 1
            self._crawford_done |= crawford
            self._cube = Cube()
            yield self._shot(Player.WHITE, 2.4, "set up", position=START, dice=(), cube=self._cube_at())
            winner, points = yield from self._game(crawford)
            self._score[winner] += points
        yield self._shot(None, 12.0, "match over")

    def _game(self, crawford: bool) -> Generator[Shot, None, tuple[Player, int]]:
        player, roll = yield from self._opening()
        while True:
            yield from self._turn(player, roll)
            if self._scene.position.count(player, OFF) == self._scene.position.total(player):
                return player, self._cube.value * self._factor(player)
            player = player.opponent
            if not crawford and self._wants_to_double(player):
                value = self._cube.value
                if not (yield from self._offer(player)):
                    return player, value
            roll = self._throw()
            yield self._shot(player, 1.4, f"{player} rolls {roll}", dice=self._dice_of(player, roll))

    def _opening(self) -> Generator[Shot, None, tuple[Player, Roll]]:
        """One die each until they differ (R8)."""
        while True:
            white, black = self._random.randint(1, 6), self._random.randint(1, 6)
            taken: tuple[tuple[float, float], ...] = ()
            dice = []
            for player, pips in ((Player.WHITE, white), (Player.BLACK, black)):
                xy = self._free_spot(player, taken)
                taken = (*taken, xy)
                dice.append(Die(pips, xy, self._random.uniform(0, 1.5), player))
            yield self._shot(Player.WHITE, 1.4, f"opening {white} {black}", dice=tuple(dice))
            if white != black:
                return (Player.WHITE if white > black else Player.BLACK), Roll(white, black)
            yield self._shot(Player.BLACK, 0.8, "tie", dice=())

    def _turn(self, player: Player, roll: Roll) -> Iterator[Shot]:
        chosen = self._choose(player, legal_plays(self._scene.position, player, roll))
        for move in chosen.play.moves:
            yield self._shot(player, 0.8, "moves", position=_moved(self._scene.position, player, move))
        yield self._shot(player, 1.2, f"{player} played {roll}: {chosen.play}", dice=())

    def _choose(self, player: Player, plays: tuple[LegalPlay, ...]) -> LegalPlay:
        return max(plays, key=lambda one: _liking(one.after, player) + self._random.gauss(0, 1.5))

    def _wants_to_double(self, player: Player) -> bool:
        if self._cube.owner is player.opponent or self._cube.value >= 8:
            return False
        position = self._scene.position
        lead = position.pips(player.opponent) - position.pips(player)
        return lead > 0.08 * position.pips(player) and self._random.random() < 0.25

    def _offer(self, player: Player) -> Generator[Shot, None, bool]:
        """Offer, then take or drop; True when taken (R38)."""
        doubled = 2 * self._cube.value
        near = self._near(player)
        x = self._short_column()
        yield self._shot(player, 1.6, f"{player} doubles", cube=CubeAt(doubled, (x, 0.45 if near else 0.55)))
        position = self._scene.position
        behind = position.pips(player.opponent) - position.pips(player)
        if behind > 0.2 * position.pips(player) and self._random.random() < 0.6:
            return False
        self._cube = Cube(doubled, player.opponent)
        yield self._shot(player.opponent, 1.6, f"{player.opponent} takes", cube=self._cube_at())
        return True

    def _throw(self) -> Roll:
        return Roll(self._random.randint(1, 6), self._random.randint(1, 6))

    def _factor(self, winner: Player) -> int:
        loser, position = winner.opponent, self._scene.position
        if position.count(loser, OFF):
            return 1
        in_home = any(position.count(loser, point) for point in range(19, BAR + 1))
        return 3 if in_home else 2

    def _near(self, player: Player) -> bool:
        return (player is Player.WHITE) == self._home.at_bottom

    def _cube_at(self) -> CubeAt:
        owner = self._cube.owner
        if owner is None:
            return CubeAt(CENTRED_FACE, (BESIDE_X, 0.5), self._random.randrange(4))
        return CubeAt(self._cube.value, (BESIDE_X, 0.9 if self._near(owner) else 0.1), self._random.randrange(4))

    def _dice_of(self, player: Player, roll: Roll) -> tuple[Die, ...]:
        first = self._free_spot(player, ())
        second = self._free_spot(player, (first,))
        turns = (self._random.uniform(0, 1.5), self._random.uniform(0, 1.5))
        return (Die(roll.high, first, turns[0], player), Die(roll.low, second, turns[1], player))

    def _free_spot(self, player: Player, taken: tuple[tuple[float, float], ...]) -> tuple[float, float]:
        """A place in the middle of the seat's right half (T1) that no long stack reaches."""
        low, high = PICTURE_RIGHT if self._near(player) else PICTURE_LEFT
        spots = [(self._random.uniform(low, high), self._random.uniform(*MIDDLE)) for _ in range(40)]
        clear = [xy for xy in spots if all(abs(xy[0] - t[0]) > DICE_APART for t in taken)]
        return min(clear or spots, key=lambda xy: max(0, self._reach(xy[0]) - 4))

    def _reach(self, x: float) -> int:
        """How many checkers stand on the taller point at `x`."""
        column = min(11, int(x * 13 if x < 0.5 else x * 13 - 1))
        return max(self._standing(column), self._standing(12 + column))

    def _standing(self, place: int) -> int:
        for point in POINTS:
            if place_of(point, self._home) == place:
                position = self._scene.position
                return position.count(Player.WHITE, point) + position.count(Player.BLACK, 25 - point)
        return 0

    def _short_column(self) -> float:
        spots = [low + 0.02 + 0.06 * k for low in (0.08, 0.62) for k in range(5)]
        return min(spots, key=self._reach)

    def _shot(
        self,
        player: Player | None,
        hold_s: float,
        note: str,
        *,
        position: Position | None = None,
        dice: tuple[Die, ...] | None = None,
        cube: CubeAt | None = None,
    ) -> Shot:
        scene = self._scene
        self._scene = replace(
            scene,
            position=scene.position if position is None else position,
            dice=scene.dice if dice is None else dice,
            cube=cube or scene.cube,
        )
        return Shot(self._scene, hold_s, player, note)


def _moved(position: Position, player: Player, move: Move) -> Position:
    """The position after one move, the hit checker on the bar."""
    mine, theirs = list(position.side(player)), list(position.side(player.opponent))
    mine[move.origin] -= 1
    mine[move.target] += 1
    if move.hit:
        theirs[25 - move.target] -= 1
        theirs[BAR] += 1
    white, black = (mine, theirs) if player is Player.WHITE else (theirs, mine)
    return Position(tuple(white), tuple(black))


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
