"""What the console says: the last events in words, the ruling that stands, the answers that a question may have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rules import decisions as de
from rules import events as ev
from rules.events import Event
from rules.irregularities import irregularity
from rules.match import MatchState
from rules.position import Player
from rules.ruleset import profile
from webui.notation import play_text
from webui.ports import Stored

LOG_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Choice:
    """One tap that answers a question: its words, and what it asks of the table beside (an action and its fields)."""

    text: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """An open question, the rule, what follows by it, and the answers."""

    text: str
    clause: str
    follows: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log: when (the wall clock of this machine), who, what, and the pictures that show it."""

    when: str
    by: str
    text: str
    pictures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RulingView:
    """The last play that was flagged in the running game."""

    text: str
    clause: str
    pictures: tuple[str, ...]


_ANSWERS = {
    "premature_roll": ("the roll stands", "the roll is repeated"),
    "short_play": ("the player finishes", "the rest is denied"),
    "die_knocked": ("the first numbers stand", "both dice again"),
    "wrong_setup": ("it was put right", "it stands"),
    "board_changed": ("they sit the other way round", "it was put right"),
    "cube_disputed": ("as it lies", "as recorded"),
    "cube_forgotten": ("it was put right", "as it lies"),
    "taken_back": ("the first play stands", "the change is accepted"),
}


def questions(state: MatchState) -> list[Question]:
    """The open questions with their answers."""
    ruleset = profile(state.profile)
    found = []
    for asked in state.questions:
        row = irregularity(asked.key, ruleset)
        found.append(Question(named(asked.text, state), row.clause, row.follows, _choices(asked)))
    return found


def _choices(asked: de.Asked) -> tuple[Choice, ...]:
    if asked.key == "checker_found" and asked.player is not None:
        found = ("action", "checker"), ("player", asked.player.value)
        return Choice("to the bar", (*found, ("to", "bar"))), Choice("played on without it", (*found, ("to", "off")))
    answer = ("action", "answer"), ("key", asked.key)
    return tuple(Choice(text, (*answer, ("choice", text))) for text in _ANSWERS.get(asked.key, ("settled",)))


def ruling(events: Sequence[Stored], state: MatchState) -> RulingView | None:
    """The last play if it was flagged and nothing has changed that since; None while all is well."""
    for row in reversed(events):
        event = row.event
        if isinstance(event, ev.PlayFlagged):
            text = f"{state.name(event.player)}, {event.roll}: {event.explanation}"
            return RulingView(text, event.clause or "", event.evidence)
        if isinstance(event, _AFTER):
            return None
    return None


_AFTER = ev.Played | ev.PlayCorrected | ev.GameStarted | ev.GameEnded | ev.Recovered | de.Undone | de.PlayStands


def log(events: Sequence[Stored], state: MatchState) -> list[Line]:
    """The last events, the newest first."""
    return [line(row, state) for row in reversed(events[-LOG_SHOWN:])]


def line(row: Stored, state: MatchState) -> Line:
    """One event as a line."""
    when = datetime.fromisoformat(row.wall_time).astimezone().strftime("%H:%M:%S")
    return Line(when, row.event.by, said(row.event, state), row.event.evidence)


def named(text: str, state: MatchState) -> str:
    """The referee's sentence with the players' names for `white` and `black`."""
    return re.sub(r"\b(white|black)\b", lambda found: state.name(Player(found[0])), text)


def said(event: Event, state: MatchState) -> str:
    """What happened, in a line."""
    player = getattr(event, "player", None)
    who = f"{state.name(player)}: " if isinstance(player, Player) else ""
    return f"{who}{_what(event, state)}"


def _what(event: Event, state: MatchState) -> str:
    match event:
        case ev.Rolled(roll=roll):
            return f"rolls {roll}"
        case ev.RollVoided(reason=reason):
            return f"the throw does not count ({reason.replace('_', ' ')})"
        case ev.Played(roll=roll, play=play):
            return f"{roll} {play_text(play)}"
        case ev.PlayCorrected(roll=roll, play=play):
            return f"corrected, {roll} {play_text(play)}"
        case ev.PlayFlagged(roll=roll, verdict=verdict, explanation=explanation):
            return f"{roll} {verdict}: {explanation}"
        case ev.CubeOffered(value=value):
            return f"doubles to {value}"
        case ev.GameEnded(winner=winner, points=points, win=win):
            return f"{state.name(winner)} wins the game, {points} ({win})"
        case ev.MatchEnded(winner=winner):
            return f"{state.name(winner)} wins the match"
    return _decided(event, state)


def _decided(event: Event, state: MatchState) -> str:
    """What people said, and what was noted; a fact without details by its name alone."""
    match event:
        case ev.Noted(text=text) | de.Asked(text=text):
            return named(text, state)
        case de.Answered(choice=choice):
            return f"answered: {choice}"
        case de.ScoreCorrected(score=score, reason=reason):
            return f"score {score[0]} – {score[1]} ({reason})"
        case de.CubeCorrected(value=value, owner=owner, reason=reason):
            return f"cube {value}, {state.name(owner) if owner else 'in the middle'} ({reason})"
        case de.PenaltyGiven(points=points, reason=reason):
            return f"{points} penalty {'point' if points == 1 else 'points'} credited ({reason})"
        case de.ViewSet(shown=shown):
            return "shown to spectators" if shown else "closed to spectators"
        case de.ResignationOffered(win=win):
            return f"offers to resign ({win})"
    return re.sub(r"(?<!^)([A-Z])", r" \1", type(event).__name__).lower()
