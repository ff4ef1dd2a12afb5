"""An evening at the drawn table: legal games with dice and cube, shot by shot.

The players are no experts: they make points, avoid blots and sometimes double. What they do
is decided by a seed alone, so the same seed always gives the same evening.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from calibration.orientation import Home, place_of
from rules import events as ev
from rules.cube import Cube
from rules.movegen import LegalPlay, legal_plays
from rules.play import Play
from rules.position import BAR, OFF, POINTS, START, Player, Position
from rules.roll import Roll
from rules.ruleset import CLUB_DE
from rules.ruling import Ruling
from rules.scoring import Result, dropped, finished
from rules.transcript import moved
from vision.synth.faults import DICE_FAULTS, PLAY_FAULTS, check_faults, faulty_play
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
    """A scene that lies still for `hold_s` seconds after the hand of `player` has made it.

    `note` tells what he did, `events` what it means for the match (their time is 0 until filmed).
    """

    scene: Scene
    hold_s: float
    player: Player | None
    note: str
    events: tuple[ev.Event, ...] = ()


class Evening:
    """A match of `length` points between two drawn players, with each of `faults` once, as soon as it can happen.

    Raises FaultError for a fault that is not known.
    """

    def __init__(
        self, seed: int, home: Home = Home.BOTTOM_RIGHT, length: int = 5, faults: tuple[str, ...] = ()
    ) -> None:
        self._random = random.Random(seed)
        self._faults = list(check_faults(faults))
        self._due: list[ev.Event] = []
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
            yield self._set_up([ev.GameStarted(at_s=0, position=START)])
            yield from self._game(crawford)
        if self._due:
            yield self._set_up([])
        yield self._shot(None, 12.0, "match over")

    def _set_up(self, events: list[ev.Event]) -> Shot:
        """The checkers are put back; only now can be seen that the last offer was dropped."""
        self._cube = Cube()
        self._due += events
        return self._shot(Player.WHITE, 2.4, "set up", position=START, dice=(), cube=self._cube_at())

    def _game(self, crawford: bool) -> Iterator[Shot]:
        player, roll = yield from self._opening()
        while True:
            yield from self._turn(player, roll)
            if self._scene.position.on_board(player) == 0:
                return
            player = player.opponent
            if not crawford and self._wants_to_double(player) and not (yield from self._offer(player)):
                return
            yield from self._invalid_throws(player)
            roll = self._throw()
            rolled = ev.Rolled(at_s=0, player=player, roll=roll)
            yield self._shot(player, 1.4, f"{player} rolls {roll}", dice=self._dice_of(player, roll), events=[rolled])

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
            tie = white == black
            opener = None if tie else Player.WHITE if white > black else Player.BLACK
            event: ev.Event = ev.RollVoided(at_s=0, player=None, reason="opening_tie")
            if opener is not None:
                event = ev.Rolled(at_s=0, player=opener, roll=Roll(white, black))
            yield self._shot(Player.WHITE, 1.4, f"opening {white} {black}", dice=tuple(dice), events=[event])
            if opener is not None:
                return opener, Roll(white, black)
            yield self._shot(Player.BLACK, 0.8, "tie", dice=())

    def _turn(self, player: Player, roll: Roll) -> Iterator[Shot]:
        before = self._scene.position
        wrong = self._wrong_play(player, roll)
        if wrong is not None:
            after, ruling = wrong
            faults = ruling.faults.keys()
            yield self._shot(player, 0.8, "moves", position=after)
            flagged = ev.PlayFlagged(
                at_s=0,
                player=player,
                roll=roll,
                verdict=ruling.verdict.value,
                faults=faults,
                explanation=ruling.explanation,
                position=after,
            )
            yield self._shot(player, 1.2, f"{player} errs {roll}: {faults[0]}", dice=(), events=[flagged])
            return
        chosen = self._choose(player, legal_plays(before, player, roll))
        for move in chosen.play.moves:
            yield self._shot(player, 0.8, "moves", position=moved(self._scene.position, player, Play((move,))))
        played = ev.Played(at_s=0, player=player, roll=roll, play=chosen.play, position=chosen.after)
        note = f"{player} played {roll}: {chosen.play}"
        yield self._shot(player, 1.2, note, dice=(), events=[played, *self._ended(finished, chosen.after)])

    def _wrong_play(self, player: Player, roll: Roll) -> tuple[Position, Ruling] | None:
        """A play with the next requested fault; None, and that fault goes to the end, where this roll allows none."""
        wanted = next((name for name in self._faults if name in PLAY_FAULTS), None)
        if wanted is None:
            return None
        found = faulty_play(self._scene.position, player, roll, wanted, self._random)
        self._faults.remove(wanted)
        if found is None:
            self._faults.append(wanted)
        return found

    def _invalid_throws(self, player: Player) -> Iterator[Shot]:
        """The next requested throw that does not count, and the dice taken up again."""
        wanted = next((name for name in self._faults if name in DICE_FAULTS), None)
        spots = None if wanted is None else self._wrong_spots(wanted, player)
        if wanted is None or spots is None:
            return
        self._faults.remove(wanted)
        roll = self._throw()
        dice = tuple(
            Die(pips, xy, self._random.uniform(0, 1.5), player)
            for pips, xy in zip((roll.high, roll.low), spots, strict=True)
        )
        voided = ev.RollVoided(at_s=0, player=player, reason=wanted)
        yield self._shot(player, 1.4, f"{player} throws {wanted}", dice=dice, events=[voided])
        yield self._shot(player, 1.0, f"{player} takes the dice up", dice=())

    def _wrong_spots(self, wanted: str, player: Player) -> tuple[tuple[float, float], tuple[float, float]] | None:
        own, other = self._free_spot(player, ()), self._free_spot(player.opponent, ())
        match wanted:
            case "two_halves":
                return own, other
            case "wrong_half":
                return other, self._free_spot(player.opponent, (other,))
            case "off_board":
                return own, (0.5, self._random.uniform(*MIDDLE))
            case _:
                return self._on_a_checker(player, own)

    def _on_a_checker(
        self, player: Player, own: tuple[float, float]
    ) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """A die on the first checker of a long stack in the roller's right half."""
        columns = range(6, 12) if self._near(player) else range(6)
        for place in (*columns, *(12 + column for column in columns)):
            if self._standing(place) >= 3:
                x = (place % 12 + (0.5 if place % 12 < 6 else 1.5)) / 13
                return own, (x, 0.13 if place < 12 else 0.87)
        return None

    def _ended(self, how: Callable[..., Result | None], *given: object) -> list[ev.Event]:
        """The end of the game, and of the match, where the last play or a drop brings it."""
        result = how(*given, self._cube, CLUB_DE, money=False)
        if result is None:
            return []
        self._score[result.winner] += result.points
        ended: list[ev.Event] = [ev.GameEnded(at_s=0, winner=result.winner, points=result.points, win=result.win)]
        if self._score[result.winner] >= self._length:
            ended.append(ev.MatchEnded(at_s=0, winner=result.winner))
        return ended

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
        doubled, opponent = 2 * self._cube.value, player.opponent
        at = CubeAt(doubled, (self._short_column(), 0.45 if self._near(player) else 0.55))
        offered = ev.CubeOffered(at_s=0, player=player, value=doubled)
        yield self._shot(player, 1.6, f"{player} doubles", cube=at, events=[offered])
        position = self._scene.position
        behind = position.pips(opponent) - position.pips(player)
        if behind > 0.2 * position.pips(player) and self._random.random() < 0.6:
            self._due = [ev.CubeDropped(at_s=0, player=opponent), *self._ended(dropped, opponent)]
            return False
        self._cube = Cube(doubled, opponent)
        taken = ev.CubeTaken(at_s=0, player=opponent, value=doubled)
        yield self._shot(opponent, 1.6, f"{opponent} takes", cube=self._cube_at(), events=[taken])
        return True

    def _throw(self) -> Roll:
        return Roll(self._random.randint(1, 6), self._random.randint(1, 6))

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
        events: Sequence[ev.Event] = (),
    ) -> Shot:
        scene = self._scene
        self._scene = replace(
            scene,
            position=scene.position if position is None else position,
            dice=scene.dice if dice is None else dice,
            cube=cube or scene.cube,
        )
        due, self._due = (*self._due, *events), []
        return Shot(self._scene, hold_s, player, note, due)


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
