"""The verdict on what a player left on the board after his roll."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from rules.explanation import Breach, Need, explain
from rules.faults import Fault
from rules.movegen import legal_results, play_between
from rules.packed import pack, unpack
from rules.play import Move, Play
from rules.position import BAR, OFF, POINTS, Player, Position
from rules.roll import Roll
from rules.ruleset import CLUB_DE, Ruleset


class Verdict(StrEnum):
    """Whether a play is legal; `undecided` where the question itself cannot be."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the referee holds of a play.

    `play` is the legal play, None otherwise. `faults` are all that apply and `clause` the rule the
    first of them breaks. `explanation` is what a referee would say; it may name a play that was
    possible, so `discreet` says the same without (R47). `legal_plays` is how many there were.
    """

    verdict: Verdict
    play: Play | None
    faults: Fault
    clause: str | None
    explanation: str
    legal_plays: int
    discreet: str = ""


def judge(before: Position, player: Player, roll: Roll, after: Position, *, ruleset: Ruleset = CLUB_DE) -> Ruling:
    """The ruling on `after`, which `player` left after `roll` from `before`.

    Each side keeps as many checkers as `before` holds (R33). A game that ends with the last checker
    is legal though a number is left. `ruleset` changes nothing so far: no profile differs in what a
    play may be.
    """
    wrong = _impossible(before)
    if wrong:
        return Ruling(Verdict.UNDECIDED, None, Fault(0), None, wrong, 0, wrong)
    results = legal_results(before, player, roll)
    count = max(len(results), 1)
    packed = pack(after.side(player), after.side(player.opponent))
    whole = all(before.total(side) == after.total(side) for side in Player) and not _mixed(after)
    if whole and (packed in results or (not results and after == before)):
        play = play_between(before, player, roll, after) or Play()
        text = f"{play} is legal" if play.moves else "nothing can be played"
        return Ruling(Verdict.LEGAL, play, Fault(0), None, text, count, text)
    first = _first_play(before, player, roll, results)
    breaches = explain(before, player, roll, after, _need(first, roll))
    if not breaches:
        play = play_between(before, player, roll, after) or Play()
        text = f"{play} ends the game"
        return Ruling(Verdict.LEGAL, play, Fault(0), None, text, count, text)
    faults = Fault(0)
    for breach in breaches:
        faults |= breach.fault
    return Ruling(
        Verdict.ILLEGAL,
        None,
        faults,
        breaches[0].fault.clause,
        _told(breaches, roll, first),
        count,
        _told(breaches, roll, None),
    )


def _impossible(position: Position) -> str:
    """What is wrong with the position before the play, in words; empty where nothing is."""
    return "; ".join(position.problems({side: min(position.total(side), 15) for side in Player}))


def _mixed(position: Position) -> bool:
    return any(position.white[point] and position.black[BAR - point] for point in POINTS)


def _first_play(before: Position, player: Player, roll: Roll, results: Collection[int]) -> Play:
    """One of the legal plays, to count its numbers and to name it."""
    for packed in results:
        after = unpack(packed, before, player)
        return play_between(before, player, roll, after) or Play()
    return Play()


def _need(play: Play, roll: Roll) -> Need:
    """How many numbers `play`, a legal one, uses, and which if it is one."""
    if len(play.moves) != 1:
        return Need(len(play.moves))
    move = play.moves[0]
    distance = move.origin - move.target
    return Need(1, roll.low if distance == roll.low else roll.high)


def _told(breaches: tuple[Breach, ...], roll: Roll, play: Play | None) -> str:
    """The breaches in words; `play` is the legal play to name, None to name none."""
    return "; ".join(dict.fromkeys(_sentence(breach, roll, play) for breach in breaches))


_SENTENCES = {
    Fault.BAR_NOT_ENTERED: "{way}a checker on the bar must enter first",
    Fault.POINT_BLOCKED: "{way}two or more opposing checkers block the {target} point",
    Fault.BORE_OFF_EARLY: "{way}not all checkers were home",
    Fault.BOTH_DICE_PLAYABLE: "more numbers of the {roll} were playable{example}",
    Fault.HIGHER_DIE_PLAYABLE: "the {number} was playable{example}",
    Fault.WRONG_DISTANCE: "{way}no number of the {roll} that is left goes there",
    Fault.WRONG_DIRECTION: "{way}a checker went backwards",
    Fault.OPPONENT_MOVED: "an opposing checker {place} was moved without being hit",
    Fault.CHECKER_COUNT: "a checker is missing or there is one too many",
    Fault.HIT_NOT_ON_BAR: "the checker hit {place} is not on the bar",
    Fault.BORE_OFF_FROM_LOWER: "{way}a higher point is still held",
    Fault.TOO_MANY_NUMBERS: "more numbers were played than the {roll} gives",
    Fault.OFF_RETURNED: "a borne-off checker is back on the board",
}


def _sentence(breach: Breach, roll: Roll, play: Play | None) -> str:
    way = ""
    if breach.origin is not None and breach.target is not None:
        way = f"{Play((Move(breach.origin, breach.target),))}: "
    return _SENTENCES[breach.fault].format(
        way=way,
        target=breach.target,
        roll=roll,
        number=breach.number,
        place="on the bar" if breach.target == OFF else f"on the {breach.target} point",
        example="" if play is None else f": {play}",
    )
