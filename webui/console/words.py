"""What the console says: the last events in words, the ruling that stands, the answers that a question may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules import decisions as de
from rules import events as ev
from rules.events import Event, Win
from rules.irregularities import irregularity
from rules.match import MatchState
from rules.position import Player
from rules.ruleset import profile
from webui.console.orders import REASON
from webui.heard import heard
from webui.languages import clock_time, gettext, later, ngettext
from webui.notation import play_text
from webui.ports import Stored
from webui.present import game_won

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


SETTLED = later("settled")
_ANSWERS = {
    "premature_roll": (later("the roll stands"), later("the roll is repeated")),
    "short_play": (later("the player finishes"), later("the rest is denied")),
    "die_knocked": (later("the first numbers stand"), later("both dice again")),
    "wrong_setup": (later("it was put right"), later("it stands")),
    "board_changed": (later("they sit the other way round"), later("it was put right")),
    "cube_disputed": (later("as it lies"), later("as recorded")),
    "cube_forgotten": (later("it was put right"), later("as it lies")),
    "taken_back": (later("the first play stands"), later("the change is accepted")),
}


def questions(state: MatchState) -> list[Question]:
    """The open questions with their answers."""
    ruleset = profile(state.profile)
    found = []
    for asked in state.questions:
        row = irregularity(asked.key, ruleset)
        found.append(Question(heard(asked.text, state.names), row.clause, heard(row.follows), _choices(asked)))
    return found


def _choices(asked: de.Asked) -> tuple[Choice, ...]:
    if asked.key == "checker_found" and asked.player is not None:
        found = ("action", "checker"), ("player", asked.player.value)
        bar, off = gettext("to the bar"), gettext("played on without it")
        return Choice(bar, (*found, ("to", "bar"))), Choice(off, (*found, ("to", "off")))
    answer = ("action", "answer"), ("key", asked.key)
    return tuple(Choice(gettext(text), (*answer, ("choice", text))) for text in _ANSWERS.get(asked.key, (SETTLED,)))


def ruling(events: Sequence[Stored], state: MatchState) -> RulingView | None:
    """The last play if it was flagged and nothing has changed that since; None while all is well."""
    for row in reversed(events):
        event = row.event
        if isinstance(event, ev.PlayFlagged):
            text = f"{state.name(event.player)}, {event.roll}: {heard(event.explanation, state.names)}"
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
    by = gettext(_SPEAKERS[row.event.by]) if row.event.by in _SPEAKERS else row.event.by
    return Line(clock_time(row.wall_time), by, said(row.event, state), row.event.evidence)


def said(event: Event, state: MatchState) -> str:
    """What happened, in a line."""
    player = getattr(event, "player", None)
    who = f"{state.name(player)}: " if isinstance(player, Player) else ""
    return f"{who}{_what(event, state)}"


def _what(event: Event, state: MatchState) -> str:
    match event:
        case ev.Rolled(roll=roll):
            return gettext("rolls %(roll)s", roll=roll)
        case ev.RollVoided(reason=reason):
            return gettext("the throw does not count (%(why)s)", why=heard(reason.replace("_", " ")))
        case ev.Played(roll=roll, play=play):
            return f"{roll} {play_text(play)}"
        case ev.PlayCorrected(roll=roll, play=play):
            return gettext("corrected, %(roll)s %(play)s", roll=roll, play=play_text(play))
        case ev.PlayFlagged(roll=roll, verdict=verdict, explanation=explanation):
            return f"{roll} {_verdict(verdict)}: {heard(explanation, state.names)}"
        case ev.CubeOffered(value=value):
            return gettext("doubles to %(value)s", value=value)
        case ev.GameEnded(winner=winner, points=points, win=win):
            return game_won(state.name(winner), win, points)
        case ev.MatchEnded(winner=winner):
            return gettext("%(name)s wins the match", name=state.name(winner))
    return _decided(event, state)


def _decided(event: Event, state: MatchState) -> str:
    """What people said, and what was noted; a fact without details by its name alone."""
    match event:
        case ev.Noted(text=text) | de.Asked(text=text):
            return heard(text, state.names)
        case de.Answered(choice=choice):
            return gettext("answered: %(answer)s", answer=_translated(choice))
        case de.ScoreCorrected(score=score, reason=reason):
            return gettext(
                "score %(white)s – %(black)s (%(why)s)", white=score[0], black=score[1], why=_translated(reason)
            )
        case de.CubeCorrected(value=value, owner=owner, reason=reason):
            where = state.name(owner) if owner else gettext("in the middle")
            return gettext("cube %(value)s, %(where)s (%(why)s)", value=value, where=where, why=_translated(reason))
        case de.PenaltyGiven(points=points, reason=reason):
            return ngettext(
                "%(num)s penalty point credited (%(why)s)",
                "%(num)s penalty points credited (%(why)s)",
                points,
                why=_translated(reason),
            )
        case de.ViewSet(shown=shown):
            return gettext("shown to spectators") if shown else gettext("closed to spectators")
        case de.ResignationOffered(win=win):
            return gettext(_RESIGNS[win])
    return gettext(NAMED[type(event)])


def _verdict(verdict: str) -> str:
    return gettext(_VERDICTS[verdict]) if verdict in _VERDICTS else verdict


def _translated(text: str) -> str:
    """An answer or a reason: ours in the reader's language, what a person typed as it was typed."""
    return gettext(text) if text in _OURS else heard(text)


_SPEAKERS = {
    "director": later("director"),
    "white": later("white"),
    "black": later("black"),
    "panel": later("panel"),
}
_VERDICTS = {"illegal": later("illegal"), "undecided": later("undecided")}
_RESIGNS = {
    Win.SINGLE: later("offers to resign a single game"),
    Win.GAMMON: later("offers to resign a gammon"),
    Win.BACKGAMMON: later("offers to resign a backgammon"),
}
_OURS = {SETTLED, REASON} | {answer for answers in _ANSWERS.values() for answer in answers}
NAMED: dict[type[Event], str] = {
    ev.MatchStarted: later("match started"),
    ev.GameStarted: later("game started"),
    ev.CubeTaken: later("takes"),
    ev.CubeDropped: later("drops"),
    ev.Recovered: later("the board was set anew"),
    de.CubeBeavered: later("beavers"),
    de.CubeAutomatic: later("automatic double"),
    de.ResignationAccepted: later("accepts the resignation"),
    de.ResignationRefused: later("refuses the resignation"),
    de.MatchConceded: later("concedes the match"),
    de.ConcessionWithdrawn: later("takes the concession back"),
    de.ResultConfirmed: later("confirms the result"),
    de.ResultOfficial: later("the result is official"),
    de.CheckerFound: later("a checker was found"),
    de.SetupCorrected: later("the set-up was put right"),
    de.PlayStands: later("the play stands"),
    de.Undone: later("the last turn was undone"),
}
"""Events that are told by their kind alone."""
