"""The referee's events beside what really happened: counts and misses, without a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from difflib import SequenceMatcher
from typing import Any

from rules import decisions as de
from rules import events as ev
from rules.errors import EventError
from rules.events import Event
from rules.game import apply
from rules.match import GameRecord, MatchState
from vision.synth.story.faults import TROUBLES
from vision.synth.story.trouble import Moment

TIE = "opening_tie"
NEAR_S = 8.0
"""What the referee calls belongs to what really was so, if it comes within so many seconds of it."""
PLANNED = (ev.PlayFlagged, ev.RollVoided)
FOLLOWED = (ev.PlayCorrected, de.SetupCorrected, de.CheckerFound)
CUBE = (ev.CubeOffered, ev.CubeTaken, ev.CubeDropped)


@dataclass(frozen=True, slots=True)
class Miss:
    """Something that came out other than it was: what, when, what is true, what was read."""

    what: str
    at_s: float
    true: str
    read: str


@dataclass(slots=True)
class Judged:
    """Counts by name, and each miss."""

    counts: Counter[str] = field(default_factory=Counter)
    misses: list[Miss] = field(default_factory=list)

    def as_json(self, fps: float) -> dict[str, Any]:
        """Counts, and misses with their frame numbers, for a file of results."""
        misses = [{**asdict(miss), "frame": round(miss.at_s * fps)} for miss in self.misses]
        return {"counts": dict(self.counts), "misses": misses}


def told(event: Event) -> str:
    """An event in a line."""
    names = ("player", "roll", "play", "verdict", "faults", "value", "reason", "winner", "points", "text")
    parts = (getattr(event, name) for name in names if getattr(event, name, None) is not None)
    return " ".join(
        [type(event).__name__, *(", ".join(part) if isinstance(part, tuple) else str(part) for part in parts)]
    )


def plays(events: Iterable[Event]) -> list[Event]:
    """The plays as the record has them in the end: corrected ones put right, undone ones left out."""
    record: list[Event] = []
    for event in events:
        if isinstance(event, ev.Played | ev.PlayFlagged):
            record.append(event)
        elif isinstance(event, ev.PlayCorrected) and record:
            record[-1] = event
        elif isinstance(event, de.Undone) and record:
            record.pop()
    return record


def play_key(event: Any) -> Hashable:
    """Two records of a play are the same if these are: the order of its moves does not count (R26), its hits do."""
    if isinstance(event, ev.PlayFlagged):
        return event.player, event.roll, event.verdict, frozenset(event.faults)
    return event.player, event.roll, event.position


def _roll_key(event: Any) -> Hashable:
    return event.player, event.roll


def _cube_key(event: Any) -> Hashable:
    return type(event).__name__, event.player, getattr(event, "value", None)


def compared(
    what: str, true: Sequence[Event], read: Sequence[Event], key: Callable[[Event], Hashable], into: Judged
) -> list[bool]:
    """Which of `true` were read just so, in order; counts `what` and those that were right, and tells each miss."""
    right = [False] * len(true)
    matcher = SequenceMatcher(None, [key(e) for e in true], [key(e) for e in read], autojunk=False)
    for tag, i, j, k, n in matcher.get_opcodes():
        if tag == "equal":
            right[i:j] = [True] * (j - i)
            continue
        others = read[k:n]
        for event in true[i:j]:
            near = min(others, key=lambda one: abs(one.at_s - event.at_s), default=None)
            into.misses.append(Miss(what, event.at_s, told(event), "nothing" if near is None else told(near)))
        if i == j:
            into.misses += [Miss(f"extra {what}", event.at_s, "nothing", told(event)) for event in others]
    into.counts[what] += len(true)
    into.counts[f"{what} right"] += sum(right)
    return right


def _of(events: Iterable[Event], *kinds: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kinds)]


def _results(state: MatchState) -> list[tuple[Any, ...]]:
    return [_result(game) for game in state.games if game.winner is not None]


def _result(game: GameRecord) -> tuple[Any, ...]:
    return game.winner, game.points, game.win


def ended(begin: MatchState, events: Iterable[Event]) -> MatchState:
    """The state after `events`; what cannot follow is left out."""
    state = begin
    for event in events:
        try:
            state = apply(state, event)
        except EventError:
            continue
    return state


def judge_match(begin: MatchState, true: Sequence[Event], read: Sequence[Event]) -> Judged:
    """A match in which nothing irregular happened."""
    judged = Judged()
    right = compared("plays", plays(true), plays(read), play_key, judged)
    compared("rolls", _of(true, ev.Rolled), _of(read, ev.Rolled), _roll_key, judged)
    compared("cube", _of(true, *CUBE), _of(read, *CUBE), _cube_key, judged)
    _false_calls(true, read, judged)
    told_true, told_read = ended(begin, true), ended(begin, read)
    same = told_true.score == told_read.score and _results(told_true) == _results(told_read)
    same = same and judged.counts["cube"] == judged.counts["cube right"]
    if not same:
        at_s = true[-1].at_s if true else 0.0
        judged.misses.append(Miss("result", at_s, str(_results(told_true)), str(_results(told_read))))
    judged.counts["matches"] = 1
    judged.counts["matches exact"] = int(all(right) and len(plays(read)) == len(right))
    judged.counts["results right"] = int(same)
    return judged


def judge_clip(
    kind: str, begin: MatchState, true: Sequence[Event], read: Sequence[Event], situation: tuple[float, float]
) -> Judged:
    """A planned fault of that kind, which was there in the seconds of `situation`."""
    judged, (from_s, to_s) = Judged(), situation
    judged.counts["clips"] = 1
    wanted = [event for event in true if event.at_s >= from_s - 1e-6 and not _is_tie(event)]
    for name, kinds in (("as planned", PLANNED), ("followed", FOLLOWED)):
        asked = _of(wanted, *kinds)
        missed = [event for event in asked if not any(_answers(event, one) for one in read)]
        judged.misses += [Miss(name, event.at_s, told(event), _nearest(event, read)) for event in missed]
        if asked:
            judged.counts[f"{name} asked"] = 1
            judged.counts[name] = int(not missed)
    _false_calls(true, read, judged)
    if not _of(wanted, *PLANNED):
        judged.counts["as planned asked"] = 1
        judged.counts["as planned"] = int(
            not any(_is_call(e) and e.at_s >= from_s and not _called_for(e, true) for e in read)
        )
    judged.counts["recovered"] = int(_recovered(begin, true, read, to_s, judged))
    judged.counts["rolls"] = len(_of(true, ev.Rolled))
    return judged


def _recovered(begin: MatchState, true: Sequence[Event], read: Sequence[Event], to_s: float, judged: Judged) -> bool:
    """All turns but the first after the fault are exact, and the match stands as it should."""
    side = Judged()
    right = compared("after the fault", plays(true), plays(read), play_key, side)
    later = [k for k, event in enumerate(plays(true)) if event.at_s > to_s + 1e-6][1:]
    judged.counts["turns"] = len(right)
    judged.misses += side.misses
    told_true, told_read = ended(begin, true), ended(begin, read)
    stands = ("position", "turn", "score", "cube")
    wrong = [name for name in stands if getattr(told_true, name) != getattr(told_read, name)]
    if wrong:
        at_s = true[-1].at_s if true else 0.0
        judged.misses.append(
            Miss("end", at_s, f"{wrong[0]} {getattr(told_true, wrong[0])}", str(getattr(told_read, wrong[0])))
        )
    return all(right[k] for k in later) and not wrong


def _false_calls(true: Sequence[Event], read: Sequence[Event], judged: Judged) -> None:
    """Counts legal plays called illegal, valid throws called invalid, and plays that were left undecided."""
    judged.counts["turns"] = len(plays(true))
    for event in read:
        if not _is_call(event) or _called_for(event, true):
            continue
        name = "false void" if isinstance(event, ev.RollVoided) else f"false {getattr(event, 'verdict', '')}"
        judged.counts[name] += 1
        near = min(true, key=lambda one: abs(one.at_s - event.at_s), default=event)
        judged.misses.append(Miss(name, event.at_s, told(near), told(event)))
    judged.counts["recoveries"] += len(_of(read, ev.Recovered))


def _is_tie(event: Event) -> bool:
    return isinstance(event, ev.RollVoided) and event.reason == TIE


def _is_call(event: Event) -> bool:
    return isinstance(event, PLANNED)


def _called_for(call: Any, true: Sequence[Any]) -> bool:
    """That player really did something of that sort then, though perhaps with other faults or for another reason."""
    same = (one for one in true if type(one) is type(call) and one.player is call.player)
    return any(abs(one.at_s - call.at_s) <= NEAR_S for one in same)


def _answers(wanted: Any, event: Any) -> bool:
    """`event` says of the wanted one what is to be said: player, roll, verdict, faults, reason, position."""
    if type(event) is not type(wanted) or abs(event.at_s - wanted.at_s) > NEAR_S:
        return False
    if isinstance(wanted, ev.PlayFlagged):
        return play_key(wanted) == play_key(event)
    if isinstance(wanted, ev.RollVoided):
        return (wanted.player, wanted.reason) == (event.player, event.reason)
    return all(getattr(wanted, name, None) == getattr(event, name, None) for name in ("player", "roll", "position"))


def _nearest(wanted: Event, read: Sequence[Event]) -> str:
    near = [one for one in read if -2 <= one.at_s - wanted.at_s <= NEAR_S]
    return "; ".join(told(one) for one in near[:3]) or "nothing"


def disturbs(kind: str) -> bool:
    """A fault that only gets in the way: nothing is to be said about it."""
    return kind in ("bump", "blackout", "cup_over_board", "hand_left_on_board", "spectator_finger", "head_over_board")


def group(kind: str) -> str:
    """What sort of fault it is."""
    if disturbs(kind):
        return "disturbance"
    if "cube" in kind:
        return "cube"
    return {Moment.PLAY: "play", Moment.THROW: "throw"}.get(TROUBLES[kind].moment, "dice and set-up")
