"""Waiting for a throw: the play before may be put right, the cube turned, dice thrown."""

from __future__ import annotations

from rules import events as ev
from rules.decisions import Undone
from rules.fold import last_play
from rules.match import Phase
from rules.position import BAR, Player
from rules.reading import DieReading, Reading
from rules.referee import cubes, turns
from rules.referee.desk import Desk, clearly_not, shows
from rules.referee.dice import LIES_SURE, OUT_OF_TURN, WRONG_HALF, fault_of, lay, near, thrower, thrown
from rules.referee.unseen import work_out
from rules.roll import Roll
from rules.ruleset import DiceZone
from rules.ruling import Verdict
from rules.weighing import TELL_APART, Guess, Passed, weigh

HOME = range(1, 7)
CHANGED_COSTS = 5.0
"""Nats that a board which was changed between two turns is less likely than one that was not."""


def before_roll(desk: Desk, reading: Reading) -> None:
    """Take in a reading while a throw is awaited."""
    dice = thrown(desk.referee, reading)
    fresh = tuple(die for die in dice if not near(die, desk.referee.dead))
    strays = lay(fresh, desk.referee.seen, ())
    if len(fresh) - len(strays) == 2:  # not of the throw: they lay there before it
        desk.keep(strays=(*desk.referee.strays, *strays))
        fresh = tuple(die for die in fresh if not near(die, strays))
    if not dice:
        desk.keep(dead=())
        _taken_up(desk, reading)
        turns.put_right(desk, reading)
        offerer = cubes.offerer(desk, reading)
        if offerer is not None and offerer is not desk.match.turn:
            work_out(desk, reading, offerer)
        cubes.offer(desk, reading)
    elif len(fresh) == 2:
        _throw(desk, fresh, reading)
    elif len(fresh) == 1:
        desk.keep(alone=fresh[0])


def _taken_up(desk: Desk, reading: Reading) -> None:
    """A die that was thrown alone has been taken up again (T8); if something was moved, it was one of two."""
    alone, untouched = desk.referee.alone, shows(reading, desk.match.position)
    if untouched:
        desk.keep(alone=None)
    sure = alone is not None and alone.confidence >= LIES_SURE
    if sure and desk.match.phase is Phase.TO_ROLL and untouched:
        desk.void((), desk.match.turn, "one_die", reading)


def _throw(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> None:
    """Two dice lie there: a valid roll, or one that does not count."""
    reason, actor = fault_of(desk.referee, dice), thrower(desk.referee, dice)
    other_half = reason in (WRONG_HALF, OUT_OF_TURN)
    opened = desk.match.phase is Phase.OPENING and actor is not None and reason is None
    if (other_half and _thrown_again(desk, dice, reading)) or (
        (other_half or opened) and work_out(desk, reading, actor)
    ):
        reason = fault_of(desk.referee, dice)
    player, other = desk.match.turn, thrower(desk.referee, dice)
    if reason in (WRONG_HALF, OUT_OF_TURN) and other is not player and _closed_out(desk):
        player, reason = other, None
    first, second = (die.pips for die in dice)
    if desk.match.phase is Phase.OPENING and reason is None:
        player = _opener(desk, dice, reading)
        reason = "opening_tie" if first == second else None
    if reason is not None:
        desk.void(dice, player.opponent if player and reason == OUT_OF_TURN else player, reason, reading)
    elif first is not None and second is not None and not _early(desk, dice, reading):
        guesses = _guesses(desk, reading)
        desk.close_window()
        desk.emit(ev.Rolled, reading, player=player, roll=Roll(first, second))
        desk.keep(dice=dice, read_before=(), dead=(), early=(), alone=None, asked=frozenset(), guesses=guesses)
        _learn_pairs(desk, dice)


def _opener(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> Player | None:
    """Who threw the higher die, where the halves tell it (R8); both in one half raise a question (T3)."""
    if desk.referee.zone is not DiceZone.SEAT:
        return None
    first, second = sorted(dice, key=lambda die: die.pips or 0)
    if first.half is second.half:
        desk.ask("opening_one_half", None, "both opening dice lie in one half: whose is which?", reading)
        return None
    return None if first.pips == second.pips else desk.referee.setup.thrower(second.half)


def _closed_out(desk: Desk) -> bool:
    """The player on turn is on the bar and cannot enter with any number: he need not throw (T10)."""
    player, position = desk.match.turn, desk.match.position
    if player is None or not position.count(player, BAR):
        return False
    return all(position.count(player.opponent, point) > 1 for point in HOME)


def _early(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> bool:
    """These were thrown too early: they count once the opponent says so, or lets the player move (R14, R15)."""
    waits = any(question.key == "premature_roll" for question in desk.match.questions)
    return waits and all(near(die, desk.referee.early) for die in dice) and shows(reading, desk.match.position)


def _guesses(desk: Desk, reading: Reading) -> tuple[Guess, ...]:
    """What the board may have when dice are thrown: as it lies too, if that is clear and something else."""
    guesses, free, play = desk.referee.guesses, reading.position, desk.referee.open_play
    changed = clearly_not(reading, desk.match.position) and reading.margin >= TELL_APART
    whole = all(free.on_board(side) == desk.match.position.on_board(side) for side in Player)
    if not changed or not whole or any(guess.position == free for guess in guesses):
        return guesses
    path: tuple[Passed, ...] = ()
    if play is not None:
        weighed = weigh(reading, play.befores, play.player, play.roll, desk.referee.ruleset)
        if weighed.verdict is Verdict.LEGAL and weighed.position == free:
            path = (*weighed.before.path, Passed(play.player, play.roll, weighed.play, free))
    return (*desk.referee.befores, Guess(free, CHANGED_COSTS, path))


def _learn_pairs(desk: Desk, dice: tuple[DieReading, ...]) -> None:
    """What colour a player's dice have; those in his own right half are his."""
    setup = desk.referee.setup
    if desk.referee.zone is DiceZone.SEAT:
        for player in Player:
            own = tuple(die for die in dice if die.half is setup.right_half(player))
            desk.keep(pairs=desk.referee.pairs.shown(player, own))


def _thrown_again(desk: Desk, dice: tuple[DieReading, ...], reading: Reading) -> bool:
    """Who danced throws again, and nothing has changed: then his throw before did not count, whyever."""
    match, game = desk.match, desk.match.game
    last = last_play(game) if game is not None else None
    if game is None or last is None or last != len(game.turns) - 1 or not shows(reading, match.position):
        return False
    turn = game.turns[last]
    if turn.play is None or turn.play.moves or thrower(desk.referee, dice) is not turn.player:
        return False
    desk.emit(Undone, reading, reason=f"{turn.player} throws again")
    desk.emit(ev.RollVoided, reading, player=turn.player, reason="thrown_again")
    desk.forget()
    return True
