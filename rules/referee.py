"""The referee: a pure state machine that turns readings and commands into events.

`step(referee, reading or command, now_s)` gives the next referee and what happened. No
pixels, no clock, no I/O. A turn ends when its dice have gone, when the next roll has
replaced them, or when the recording ends; only then is it judged, once (R16, R22).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from rules import events as ev
from rules.commands import Command, RecordingEnded
from rules.decisions import Undone
from rules.game import apply
from rules.match import MatchState, Phase
from rules.position import START, Player, Position
from rules.reading import CubePlace, DieReading, DieState, Half, Reading
from rules.roll import Roll
from rules.ruleset import DiceZone, DieOnChecker, Ruleset, profile
from rules.ruling import Verdict
from rules.scoring import Result, dropped, finished
from rules.weighing import TELL_APART, TRUST_IN_PLAYERS, Weighed, weigh

DIE_SURE = 0.5
VOID_SURE = 0.8
"""A throw is called invalid only when both dice are this sure."""
CUBE_SURE = 0.5
WRONG_HALF = "wrong_half"
DIE_MOVED = 0.08
"""Share of the field's width by which both dice must have moved to be a new throw of the same numbers."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed for a match: the start position (None: the first settled one) and white's seat.

    `zone` is where dice count at this table, whatever the rule profile says; None leaves it to the profile.
    """

    start: Position | None = START
    white_near: bool = True
    zone: DiceZone | None = None

    def near(self, player: Player) -> bool:
        """`player` sits at the camera's near side, the bottom of the picture."""
        return (player is Player.WHITE) == self.white_near

    def right_half(self, player: Player) -> Half:
        """The half of the picture at `player`'s right hand (T1)."""
        return Half.RIGHT if self.near(player) else Half.LEFT

    def thrower(self, half: Half) -> Player:
        """Whose right hand that half is at."""
        return Player.WHITE if self.right_half(Player.WHITE) is half else Player.BLACK


@dataclass(frozen=True, slots=True)
class OpenPlay:
    """A turn that was flagged and may still be put right, or seen more clearly, before the next roll (R18, R32).

    `player` is whose play it was recorded as, `turn` whose turn it was; None where only the play can tell.
    """

    player: Player
    turn: Player | None
    roll: Roll
    before: Position
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Referee:
    """The referee's whole memory: the match and what lies on the board but is no event yet.

    `perhaps` is the position that the board may have instead of the match's, after an undecided play.
    """

    match: MatchState
    setup: Setup = field(default_factory=Setup)
    dice: tuple[DieReading, ...] = ()
    voided: tuple[tuple[int, Half], ...] = ()
    seen: Reading | None = None
    open_play: OpenPlay | None = None
    perhaps: Position | None = None

    @property
    def ruleset(self) -> Ruleset:
        """The rule profile of the match."""
        return profile(self.match.profile)

    @property
    def zone(self) -> DiceZone:
        """Where a throw is valid (R10, T1)."""
        return self.setup.zone or self.ruleset.dice_zone


def step(referee: Referee, given: Reading | Command, now_s: float) -> tuple[Referee, tuple[ev.Event, ...]]:
    """What `given` makes of the match; `now_s` is the table's clock and stamps the events."""
    table = _Table(referee, now_s)
    if isinstance(given, Reading):
        table.look(given)
    elif isinstance(given, RecordingEnded):
        table.end_recording()
    return table.referee, tuple(table.events)


class _Table:
    """One step under way: collects events and applies each at once."""

    def __init__(self, referee: Referee, now_s: float) -> None:
        self.referee = referee
        self.events: list[ev.Event] = []
        self._now_s = now_s

    @property
    def match(self) -> MatchState:
        return self.referee.match

    def look(self, reading: Reading) -> None:
        """Take in a settled reading."""
        if reading.hands:
            return
        if self.match.phase is Phase.CUBE_OFFERED:
            self._answer(reading)
        if self.match.phase is Phase.BETWEEN_GAMES:
            self._set_up(reading)
        if self.match.phase is Phase.TO_PLAY:
            self._turn(reading)
        if self.match.phase in (Phase.OPENING, Phase.TO_ROLL):
            self._before_roll(reading)
        self.referee = replace(self.referee, seen=reading)

    def end_recording(self) -> None:
        """A turn that runs counts if it is complete as it stands; before the lift nothing else is said (R22)."""
        seen, roll = self.referee.seen, self.match.roll
        if self.match.phase is not Phase.TO_PLAY or seen is None or roll is None:
            return
        player, weighed = self._weigh(seen, self.match.position, self.match.turn, roll)
        if weighed.verdict is Verdict.LEGAL:
            self._end_turn(seen)
        else:
            text = f"the recording ends in {player}'s turn"
            self._emit(ev.Noted(at_s=self._now_s, key="turn_unfinished", text=text))

    def _emit(self, event: ev.Event) -> None:
        self.referee = replace(self.referee, match=apply(self.match, event))
        self.events.append(event)

    def _set_up(self, reading: Reading) -> None:
        """Between games: the checkers stand for a new one."""
        start = self.referee.setup.start
        if start is None:
            whole = all(reading.position.on_board(p) == self.match.checkers for p in Player)
            start = reading.position if whole and reading.margin > 1 else None
        if start is not None and _shows(reading, start):
            self._emit(ev.GameStarted(at_s=self._now_s, position=start, evidence=reading.evidence))
            self.referee = replace(self.referee, dice=(), voided=(), open_play=None, perhaps=None)

    def _before_roll(self, reading: Reading) -> None:
        """Waiting for a throw: the last play may be put right, the cube turned, dice thrown."""
        dice = _dice(reading)
        if not dice:
            self.referee = replace(self.referee, voided=())
            self._put_right(reading)
            self._offer(reading)
        elif len(dice) == 2:
            self._throw(dice, reading)

    def _throw(self, dice: tuple[DieReading, ...], reading: Reading) -> None:
        """Two dice lie there: a valid roll, or one that does not count."""
        face = tuple(sorted(((d.pips or 0), d.half) for d in dice))
        if face == self.referee.voided:
            return
        opening = self.match.phase is Phase.OPENING
        reason = self._fault_of(dice)
        if reason == WRONG_HALF and self._missed_a_turn(reading):
            reason = self._fault_of(dice)
        roll = Roll(dice[0].pips or 0, dice[1].pips or 0)
        player = self.match.turn
        if opening and reason is None:
            player = self._opener(dice)
            reason = "opening_tie" if roll.is_double else None
        if reason is not None:
            self._emit(ev.RollVoided(at_s=self._now_s, player=player, reason=reason, evidence=reading.evidence))
            self.referee = replace(self.referee, voided=face)
            return
        self._emit(ev.Rolled(at_s=self._now_s, player=player, roll=roll, evidence=reading.evidence))
        self.referee = replace(self.referee, dice=dice, voided=(), open_play=None)

    def _fault_of(self, dice: tuple[DieReading, ...]) -> str | None:
        """Why the throw does not count (R10, R11, T2), or None where it does."""
        if not self.referee.ruleset.invalid_throws:
            return None
        on_checker = self.referee.ruleset.die_on_checker
        if min(d.confidence for d in dice) >= VOID_SURE:
            for state in (DieState.COCKED, DieState.ON_CHECKER, DieState.OFF_BOARD):
                allowed = state is DieState.ON_CHECKER and on_checker is DieOnChecker.VALID_IF_FLAT
                if not allowed and any(d.state is state for d in dice):
                    return state.value
        zone, turn = self.referee.zone, self.match.turn
        halves = {d.half for d in dice}
        if self.match.phase is Phase.OPENING:
            return "one_half" if zone is DiceZone.SEAT and len(halves) == 1 else None
        if zone is not DiceZone.BOARD and len(halves) == 2:
            return "two_halves"
        if zone is DiceZone.SEAT and turn is not None and self.referee.setup.right_half(turn) not in halves:
            return WRONG_HALF
        return None

    def _missed_a_turn(self, reading: Reading) -> bool:
        """The checkers have moved and the opponent has thrown: a turn went by unseen; go on from what lies there."""
        turn = self.match.turn
        if turn is None or reading.margin < TELL_APART or _shows(reading, self.match.position):
            return False
        self._emit(
            ev.Recovered(
                at_s=self._now_s,
                position=reading.position,
                turn=turn.opponent,
                reason=f"a turn of {turn} was not seen",
                evidence=reading.evidence,
            )
        )
        self.referee = replace(self.referee, open_play=None, perhaps=None)
        return True

    def _opener(self, dice: tuple[DieReading, ...]) -> Player | None:
        """Who threw the higher die, where the halves tell it (R8, T3)."""
        first, second = dice
        if self.referee.zone is not DiceZone.SEAT or first.half is second.half or first.pips == second.pips:
            return None
        higher = first if (first.pips or 0) > (second.pips or 0) else second
        return self.referee.setup.thrower(higher.half)

    def _turn(self, reading: Reading) -> None:
        """A roll lies there and is being played: has the turn ended?"""
        dice = _dice(reading)
        if not dice or (len(dice) == 2 and self._is_new_throw(dice, reading)):
            self._end_turn(reading)
        elif len(dice) == 2 and not self.referee.dice:
            self.referee = replace(self.referee, dice=dice)

    def _is_new_throw(self, dice: tuple[DieReading, ...], reading: Reading) -> bool:
        """Other numbers lie there, or the same ones elsewhere after the checkers have moved (R14, T7)."""
        roll = self.match.roll
        if roll != Roll(dice[0].pips or 0, dice[1].pips or 0):
            return True
        old = self.referee.dice
        if not old or reading.position == self.match.position:
            return False
        return all(min(math.dist(d.xy, o.xy) for o in old) > DIE_MOVED for d in dice)

    def _end_turn(self, reading: Reading) -> None:
        """Judge what lies there; the turn passes, whatever it is."""
        roll, before, turn = self.match.roll, self.match.position, self.match.turn
        assert roll is not None
        player, weighed = self._weigh(reading, before, turn, roll)
        if weighed.verdict is not Verdict.LEGAL:
            player, weighed = self._from_the_other(reading, player, weighed)
        evidence = reading.evidence
        self.referee = replace(self.referee, dice=(), perhaps=weighed.perhaps)
        if weighed.verdict is Verdict.LEGAL and weighed.play is not None:
            self._emit(
                ev.Played(
                    at_s=self._now_s,
                    player=player,
                    roll=roll,
                    play=weighed.play,
                    position=weighed.position,
                    evidence=evidence,
                )
            )
            self._finish()
            return
        self._emit(
            ev.PlayFlagged(
                at_s=self._now_s,
                player=player,
                roll=roll,
                verdict=weighed.verdict.value,
                faults=weighed.faults,
                explanation=weighed.explanation,
                position=weighed.position,
                evidence=evidence,
            )
        )
        self.referee = replace(self.referee, open_play=OpenPlay(player, turn, roll, before, weighed.verdict))

    def _from_the_other(self, reading: Reading, player: Player, weighed: Weighed) -> tuple[Player, Weighed]:
        """An undecided play before this one left two positions possible: is this one legal from the other?"""
        before, turn, roll = self.referee.perhaps, self.match.turn, self.match.roll
        if before is None or turn is None or roll is None:
            return player, weighed
        other = weigh(reading, before, turn, roll, self.referee.ruleset)
        if other.verdict is not Verdict.LEGAL:
            return player, weighed
        reason = f"what {turn} played now fits only the other reading of the play before"
        self._emit(ev.Recovered(at_s=self._now_s, position=before, turn=turn, reason=reason, evidence=reading.evidence))
        return turn, other

    def _weigh(self, reading: Reading, before: Position, turn: Player | None, roll: Roll) -> tuple[Player, Weighed]:
        """The verdict, and whose play it was: where nobody knows the turn the moved checkers tell.

        Where they do not tell either it is undecided, and white stands for either.
        """
        ruleset = self.referee.ruleset
        if turn is not None:
            return turn, weigh(reading, before, turn, roll, ruleset)
        both = [(player, weigh(reading, before, player, roll, ruleset)) for player in Player]
        legal = [one for one in both if one[1].verdict is Verdict.LEGAL]
        if len(legal) == 1:
            return legal[0]
        why = "it is not clear who played" if legal else both[0][1].explanation
        return both[0][0], replace(both[0][1], verdict=Verdict.UNDECIDED, play=None, faults=(), explanation=why)

    def _put_right(self, reading: Reading) -> None:
        """A flagged play that now is a legal one, before the next roll (R18, R32)."""
        play = self.referee.open_play
        if play is None or (play.verdict is Verdict.ILLEGAL and reading.position == self.match.position):
            return
        player, weighed = self._weigh(reading, play.before, play.turn, play.roll)
        if weighed.verdict is not Verdict.LEGAL or weighed.play is None:
            return
        kind: type[ev.Played | ev.PlayCorrected] = ev.PlayCorrected
        if player is not play.player:
            self._emit(Undone(at_s=self._now_s, reason=f"it was {player} who played"))
            kind = ev.Played
        self._emit(
            kind(
                at_s=self._now_s,
                player=player,
                roll=play.roll,
                play=weighed.play,
                position=weighed.position,
                evidence=reading.evidence,
            )
        )
        self.referee = replace(self.referee, open_play=None, perhaps=None)
        self._finish()

    def _offer(self, reading: Reading) -> None:
        """The cube on the opponent's half, the doubled number up, before the throw (R35, R36, R38, R52)."""
        match, cube = self.match, reading.cube
        if match.phase is not Phase.TO_ROLL or match.turn is None or cube is None or cube.confidence < CUBE_SURE:
            return
        mine = match.cube.owner in (None, match.turn)
        to_opponent = CubePlace.TOP if self.referee.setup.near(match.turn) else CubePlace.BOTTOM
        if (
            cube.offered
            and mine
            and not match.crawford
            and not match.thrown
            and cube.value == 2 * match.cube.value
            and cube.where is to_opponent
        ):
            event = ev.CubeOffered(at_s=self._now_s, player=match.turn, value=cube.value, evidence=reading.evidence)
            self._emit(event)

    def _answer(self, reading: Reading) -> None:
        """An offer lies there: the cube in the opponent's slot is a take, a new set-up a drop (R37, R38)."""
        match, cube = self.match, reading.cube
        offerer = match.cube.offered_by
        assert offerer is not None
        opponent, value = offerer.opponent, 2 * match.cube.value
        slot = CubePlace.BOTTOM if self.referee.setup.near(opponent) else CubePlace.TOP
        sure = cube is not None and cube.confidence >= CUBE_SURE
        if cube is not None and sure and not cube.offered and cube.where is slot and cube.value == value:
            self._emit(ev.CubeTaken(at_s=self._now_s, player=opponent, value=value, evidence=reading.evidence))
        elif _shows(reading, self.referee.setup.start or START) and not (cube is not None and cube.offered):
            self._emit(ev.CubeDropped(at_s=self._now_s, player=opponent, evidence=reading.evidence))
            self._score(dropped(opponent, match.cube, self.referee.ruleset, money=match.length == 0))

    def _finish(self) -> None:
        """Score the game if the last play bore off a side's last checker."""
        self._score(finished(self.match.position, self.match.cube, self.referee.ruleset, money=self.match.length == 0))

    def _score(self, result: Result | None) -> None:
        if result is None:
            return
        self._emit(ev.GameEnded(at_s=self._now_s, winner=result.winner, points=result.points, win=result.win))
        if self.match.phase is Phase.MATCH_OVER:
            self._emit(ev.MatchEnded(at_s=self._now_s, winner=result.winner))


def _dice(reading: Reading) -> tuple[DieReading, ...]:
    """The dice that were read with some certainty."""
    return tuple(d for d in reading.dice if d.pips is not None and d.confidence >= DIE_SURE)


def _shows(reading: Reading, position: Position) -> bool:
    """The picture is as well explained by `position` as by anything that is likely."""
    return reading.log_likelihood(reading.position) - reading.log_likelihood(position) <= TRUST_IN_PLAYERS
