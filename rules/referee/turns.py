"""A roll that is being played: when the turn has ended, what was played, and what is put right afterwards."""

from __future__ import annotations

from dataclasses import replace

from rules import events as ev
from rules.decisions import Undone
from rules.faults import Fault
from rules.movegen import legal_plays
from rules.position import Player
from rules.reading import DieReading, DieState, Reading
from rules.referee.desk import Desk, clearly_not, shows
from rules.referee.dice import UNMOVED, apart, lay, near, still, surest, thrower, told
from rules.referee.habits import learned
from rules.referee.memory import OpenPlay
from rules.roll import Roll
from rules.ruleset import DiceZone, PrematureRoll, TurnEnds
from rules.ruling import Verdict
from rules.scoring import finished
from rules.weighing import TELL_APART, Guess, Weighed, weigh

DIE_MOVED = 0.08
"""Share of the field's width by which both dice must have moved to be a new throw of the same numbers."""
REREAD_SURE, MISREAD_SURE = 0.9, 0.8
"""A die that is read otherwise with the first of these was misread if it was less sure than the second before."""


def go_on(desk: Desk, reading: Reading) -> None:
    """Has the turn ended, by the dice that lie there now or by what was said?"""
    _leave_out(desk, reading)
    dice, mine = told(desk.referee, reading), desk.referee.dice
    dice += tuple(die for die in reading.dice if die.pips is not None and near(die, mine) and die not in dice)
    if desk.referee.held:
        _while_held(desk, dice, reading)
    elif desk.referee.ended:
        _end(desk, reading)
    elif _new_throw(desk, dice, reading) or _lifted(desk, dice, reading):
        _over(desk, dice, reading)
    elif len(dice) > 2 and len(mine) == 2:
        _early(desk, dice, reading)
    elif len(dice) == 2:
        _look_again(desk, dice, reading)


def _leave_out(desk: Desk, reading: Reading) -> None:
    """What lies beside the roll, and has lain there a while, will not be lifted with it."""
    mine = desk.referee.dice
    if len(mine) == 2 and all(near(die, reading.dice) for die in mine):
        known = (*mine, *desk.referee.early, *desk.referee.strays)
        desk.keep(strays=(*desk.referee.strays, *lay(reading.dice, desk.referee.seen, known)))


def _new_throw(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> bool:
    """Other dice lie there, or the same numbers elsewhere after the checkers have moved (R14, T7)."""
    mine = desk.referee.dice
    if len(dice) != 2 or any(still(die, mine) for die in dice):
        return False
    if _roll(dice) != desk.match.roll:
        return not mine or not all(near(die, mine) for die in dice)
    moved = all(apart(die, old) > DIE_MOVED for die in dice for old in mine)
    return bool(mine) and moved and reading.position != desk.match.position


def _roll(dice: tuple[DieReading, ...]) -> Roll | None:
    """What two dice show; None where there are not two, or one cannot be read."""
    if len(dice) != 2:
        return None
    first, second = (die.pips for die in dice)
    return None if first is None or second is None else Roll(first, second)


def _lifted(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> bool:
    """The dice were taken up, as far as the profile asks for it (R16, T4, T5); one that is hard to see still lies."""
    mine, ends = desk.referee.dice, desk.referee.ruleset.turn_ends
    if ends in (TurnEnds.DONE, TurnEnds.CLOCK_PRESSED) or len(dice) > 1:
        return False
    there = [die for die in mine if near(die, reading.dice)]
    if not there:
        return not any(_slid(die, mine) for die in dice)
    if len(there) == len(mine) or any(not still(die, mine) for die in dice):
        return False
    return ends is TurnEnds.EITHER_DIE_LIFTED or _others(desk, there[0])


def _slid(die: DieReading, mine: tuple[DieReading, ...]) -> bool:
    """It may be one of the roll, pushed aside while the other was taken up; nobody knows a roll that was told."""
    return not mine or (die.state is not DieState.OFF_BOARD and any(die.pips == one.pips for one in mine))


def _others(desk: Desk, die: DieReading) -> bool:
    """The opening is played with a die of each player, and this one is not his who plays (T4)."""
    turn, game = desk.match.turn, desk.match.game
    opening = game is not None and not game.turns and desk.referee.zone is DiceZone.SEAT
    return opening and turn is not None and desk.referee.setup.thrower(die.half) is not turn


def _early(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> None:
    """More dice lie there than were thrown: the opponent's, before these were lifted (R14, T6)."""
    others = tuple(die for die in dice if not near(die, desk.referee.dice))
    turn = desk.match.turn
    if len(others) == 2 and turn is not None and desk.referee.ruleset.premature_roll is PrematureRoll.OPPONENT_DECIDES:
        desk.keep(early=others)
        desk.ask("premature_roll", turn.opponent, f"{turn.opponent} has rolled before {turn} lifted his dice", reading)


def _look_again(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> None:
    """The same dice: read more surely now, slid, or knocked over (T7)."""
    mine, turn = desk.referee.dice, desk.match.turn
    dice = surest(dice, mine)
    roll, was = _roll(dice), desk.match.roll
    desk.keep(dice=dice)
    if not mine or roll is None or roll == was or all(still(die, mine) for die in dice):
        return
    untouched = shows(reading, desk.match.position)  # else a checker may lie over the die
    if all(_misread_before(die, mine, untouched) for die in dice if not still(die, mine)):
        desk.emit(ev.Rolled, reading, player=turn, roll=roll)
        desk.keep(read_before=(*desk.referee.read_before, was))
    else:
        desk.ask("die_knocked", turn, f"the dice show {roll} now; they lay still at {was}", reading)


def _misread_before(die: DieReading, mine: tuple[DieReading, ...], untouched: bool) -> bool:
    """It was not sure and is now, or nobody has touched it: a die that is knocked over comes to lie elsewhere."""
    old = near(die, mine)
    if old is None or old.confidence >= MISREAD_SURE:
        return False
    return near(die, mine, UNMOVED) is not None or (untouched and die.confidence >= REREAD_SURE)


def _over(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> None:
    """The dice are gone: judge, unless nothing at all was moved, which may be a throw taken up again."""
    roll, turn, before = desk.match.roll, desk.match.turn, desk.match.position
    assert roll is not None
    playable = turn is not None and all(one.after != before for one in legal_plays(before, turn, roll))
    if playable and not desk.referee.guesses and shows(reading, before):
        desk.keep(held=True)
        _while_held(desk, dice, reading)
    else:
        _end(desk, reading)


def _while_held(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> None:
    """Dice were lifted and nothing was moved: they did not count, or the play is still to come, or is short."""
    turn, roll = desk.match.turn, desk.match.roll
    if len(dice) == 2 and all(still(die, desk.referee.dice) for die in dice):
        desk.keep(held=False)
    elif len(dice) == 2 and thrower(desk.referee, dice) is turn:
        desk.void((), turn, "thrown_again", reading)
    elif len(dice) == 2 or (not dice and not shows(reading, desk.match.position)):
        _end(desk, reading)
    elif not dice:
        desk.ask("short_play", turn, f"the dice were lifted, and nothing of the {roll} was played", reading)


def _end(desk: Desk, reading: Reading) -> None:
    """Judge what lies there; the turn passes, whatever it is."""
    roll, turn = desk.match.roll, desk.match.turn
    assert roll is not None
    befores = desk.referee.befores
    player, weighed = _weigh(desk, reading, befores, turn, roll)
    misread = _misread(desk, reading, weighed, player)
    if len(misread) == 1:
        roll, weighed = misread[0]
        desk.emit(ev.Rolled, reading, player=turn, roll=roll)
    roll_unsure = len(misread) > 1
    if roll_unsure and weighed.verdict is Verdict.ILLEGAL:
        unclear = "a die was hard to read, and the play is legal with other numbers"
        weighed = replace(weighed, verdict=Verdict.UNDECIDED, faults=(), clause=None, explanation=unclear)
    if weighed.verdict is not Verdict.UNDECIDED:
        _amend(desk, weighed.before, reading)
    _write(desk, reading, player, roll, weighed)
    open_play = OpenPlay(player, turn, roll, befores, weighed.verdict, roll_unsure)
    desk.keep(
        dice=(), read_before=(), held=False, ended=False, asked=frozenset(), guesses=weighed.doubts, open_play=open_play
    )
    if Fault.CHECKER_COUNT.keys()[0] in weighed.faults:
        desk.ask("checker_found", player, "a checker is not to be seen: where is it?", reading)
    finish(desk)


def _misread(desk: Desk, reading: Reading, weighed: Weighed, player: Player) -> list[tuple[Roll, Weighed]]:
    """The rolls that the turn may have been played with if a die was misread, and their plays.

    It was if it was not sure, or was first read so.
    """
    befores, dice = desk.referee.befores, desk.referee.dice
    explained = weighed.verdict is not Verdict.ILLEGAL and shows(reading, weighed.position)
    if explained or desk.match.turn is None or _roll(dice) != desk.match.roll:
        return []
    pairs = ((one, other) for one, other in (dice, dice[::-1]) if one.confidence < MISREAD_SURE)
    rolls = {Roll(pips, other.pips or 0) for one, other in pairs for pips in range(1, 7) if pips != one.pips}
    rolls |= set(desk.referee.read_before)
    ways = [(roll, weigh(reading, befores, player, roll, desk.referee.ruleset)) for roll in rolls]
    return [(roll, way) for roll, way in ways if way.verdict is Verdict.LEGAL]


def _write(desk: Desk, reading: Reading, player: Player, roll: Roll, weighed: Weighed) -> None:
    """The play, or what is wrong with it."""
    if weighed.verdict is Verdict.LEGAL:
        fields = {"player": player, "roll": roll, "play": weighed.play, "position": weighed.position}
        desk.emit(ev.Played, reading, **fields)
        desk.keep(habits=learned(reading, weighed.position))
        return
    desk.emit(
        ev.PlayFlagged,
        reading,
        player=player,
        roll=roll,
        verdict=weighed.verdict.value,
        faults=weighed.faults,
        clause=weighed.clause,
        explanation=weighed.explanation,
        position=weighed.position,
    )


def _weigh(
    desk: Desk, reading: Reading, befores: tuple[Guess, ...], turn: Player | None, roll: Roll
) -> tuple[Player, Weighed]:
    """The verdict, and whose play it was: where nobody knows the turn the moved checkers tell.

    Where they do not tell either it is undecided, and white stands for either.
    """
    ruleset = desk.referee.ruleset
    if turn is not None:
        return turn, weigh(reading, befores, turn, roll, ruleset)
    both = [(player, weigh(reading, befores, player, roll, ruleset)) for player in Player]
    legal = [one for one in both if one[1].verdict is Verdict.LEGAL]
    if len(legal) == 1:
        return legal[0]
    why = "it is not clear who played" if legal else both[0][1].explanation
    unclear = replace(both[0][1], verdict=Verdict.UNDECIDED, play=None, faults=(), clause=None, explanation=why)
    return both[0][0], unclear


def _amend(desk: Desk, before: Guess, reading: Reading) -> None:
    """What was played now shows what the board was before: put the record of the last turns right."""
    if before.position == desk.match.position:
        return
    game, turn = desk.match.game, desk.match.turn
    assert game is not None
    recorded = [one for one in game.turns if one.roll is not None][::-1]
    path = list(zip(before.path[::-1], recorded, strict=False))
    if not path or any(passed.play is None for passed, _ in path):
        reason = f"what {turn} played now fits only another reading of the board before"
        roll = desk.match.roll
        desk.emit(ev.Recovered, reading, position=before.position, turn=turn, reason=reason)
        desk.emit(ev.Rolled, reading, player=turn, roll=roll)
        return
    for back, (passed, was) in enumerate(path):
        if was.position != passed.after:
            fields = {"roll": passed.roll, "play": passed.play, "position": passed.after, "back": back}
            desk.emit(ev.PlayCorrected, reading, player=passed.player, **fields)


def put_right(desk: Desk, reading: Reading) -> None:
    """The last play, seen again before the next roll: put right, seen more clearly, or changed (R18, R32, T15)."""
    play, game = desk.referee.open_play, desk.match.game
    if play is None or game is None or game.turns[-1].roll is None:  # a double has followed
        return
    if shows(reading, desk.match.position) and play.verdict is Verdict.LEGAL:
        return
    player, weighed = _weigh(desk, reading, play.befores, play.turn, play.roll)
    better = reading.log_likelihood(weighed.position) - reading.log_likelihood(desk.match.position)
    if play.verdict is Verdict.ILLEGAL and better < TELL_APART:
        return
    if play.verdict is Verdict.LEGAL:
        _otherwise(desk, play, weighed, reading)
    elif weighed.verdict is Verdict.LEGAL:
        _corrected(desk, play, player, weighed, reading)
    elif play.verdict is Verdict.UNDECIDED and weighed.verdict is Verdict.ILLEGAL and _may_be_told(play):
        desk.emit(Undone, reason="the board is seen more clearly")
        _write(desk, reading, player, play.roll, weighed)
        desk.keep(guesses=weighed.doubts, open_play=replace(play, verdict=Verdict.ILLEGAL))


def _may_be_told(play: OpenPlay) -> bool:
    """It is known who played, and with which roll."""
    return play.turn is not None and not play.roll_unsure


def _otherwise(desk: Desk, play: OpenPlay, weighed: Weighed, reading: Reading) -> None:
    """A legal play was written, and something else lies there now."""
    legal = weighed.verdict is Verdict.LEGAL
    if legal and weighed.position == desk.match.position:
        return
    if legal and any(guess.position == weighed.position for guess in desk.referee.guesses):
        _corrected(desk, play, play.player, weighed, reading)
        return
    untouched = reading.position.side(play.player.opponent) == desk.match.position.side(play.player.opponent)
    if clearly_not(reading, desk.match.position) and (untouched or legal):
        desk.ask("taken_back", play.player, f"{play.player} has changed his play after lifting the dice", reading)


def _corrected(desk: Desk, play: OpenPlay, player: Player, weighed: Weighed, reading: Reading) -> None:
    """The last play now is this one."""
    kind: type[ev.Event] = ev.PlayCorrected
    if player is not play.player:
        desk.emit(Undone, reason=f"it was {player} who played")
        kind = ev.Played
    fields = {"player": player, "roll": play.roll, "play": weighed.play, "position": weighed.position}
    desk.emit(kind, reading, **fields)
    habits, open_play = learned(reading, weighed.position), replace(play, player=player, verdict=Verdict.LEGAL)
    desk.keep(guesses=weighed.doubts, open_play=open_play, habits=habits)
    finish(desk)


def finish(desk: Desk) -> None:
    """Score the game if the last play bore off a side's last checker."""
    match = desk.match
    desk.score(finished(match.position, match.cube, desk.referee.ruleset, money=match.length == 0))


def end_recording(desk: Desk) -> None:
    """A turn that runs counts if it is complete as it stands; before the lift nothing else is said (R22)."""
    seen, roll = desk.referee.seen, desk.match.roll
    if roll is None or seen is None:
        return
    player, weighed = _weigh(desk, seen, desk.referee.befores, desk.match.turn, roll)
    if weighed.verdict is Verdict.LEGAL:
        _end(desk, seen)
    else:
        desk.emit(ev.Noted, key="turn_unfinished", text=f"the recording ends in {player}'s turn")
