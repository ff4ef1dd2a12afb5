"""What the director's forms say to the table: the fields of a form become an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules import decisions as de
from rules import events as ev
from rules.events import Event, Role, Win
from rules.fold import last_play
from rules.match import MatchState, Phase
from rules.movegen import resolve
from rules.play import parse_play
from rules.position import CHECKERS, START, Player, Position
from rules.roll import Roll
from rules.ruleset import profile
from rules.ruling import Ruling, Verdict, judge
from webui.console import editing
from webui.heard import heard
from webui.languages import gettext, later

Form = Mapping[str, str]
REASON = later("the director")
LONGEST_REASON = 200
LONGEST_NAME = 80


class OrderError(ValueError):
    """A form that says nothing that can be done; its text is a sentence for the director."""


def order(form: Form, state: MatchState) -> Event:
    """The event that the form's `action` asks for. Raises OrderError or RulesError."""
    make = _ORDERS.get(form.get("action", ""))
    if make is None:
        raise OrderError(gettext("The console does not know that action."))
    if form.get("seen", seen(state)) != seen(state):
        raise OrderError(gettext("The table has moved on meanwhile; please look again."))
    return make(form, state)


def seen(state: MatchState) -> str:
    """What a form about the board was made from; it says nothing any more when the table has moved on."""
    turns = len(state.game.turns) if state.game else 0
    return f"{len(state.games)} {turns} {state.phase} {state.roll} {editing.write(state.position)}"


def new_match(form: Form, state: MatchState) -> ev.MatchStarted:
    """The match that the form asks for, at the table as it is. Raises OrderError or RulesetError."""
    white, black = (form.get(key, "").strip()[:LONGEST_NAME] for key in ("white", "black"))
    if not white or not black:
        raise OrderError(gettext("Both players need a name."))
    return ev.MatchStarted(
        at_s=0,
        by="director",
        length=_number(form, "length", gettext("The length"), 99),
        white=white,
        black=black,
        profile=profile(form.get("profile", "")).name,
        role=Role(form["role"]) if form.get("role") in list(Role) else Role.RECORDER,
        consent=form.get("consent") == "yes",
        checkers=state.checkers,
    )


def _player(form: Form) -> Player:
    try:
        return Player(form.get("player", ""))
    except ValueError:
        raise OrderError(gettext("Say which player.")) from None


def _number(form: Form, key: str, what: str, most: int) -> int:
    text = form.get(key, "").strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= 4 and int(text) <= most):
        raise OrderError(gettext("%(what)s must be a whole number from 0 to %(most)s.", what=what, most=most))
    return int(text)


def _reason(form: Form) -> str:
    return form.get("reason", "").strip()[:LONGEST_REASON] or REASON


def _on_turn(state: MatchState) -> tuple[Player, Roll]:
    if state.phase is not Phase.TO_PLAY or state.turn is None or state.roll is None:
        raise OrderError(gettext("There is no roll to play: enter the roll first."))
    return state.turn, state.roll


def _roll(form: Form, state: MatchState) -> Event:
    player = state.turn or _player(form)
    one, two = (_number(form, key, gettext("A die"), 6) for key in ("one", "two"))
    return ev.Rolled(at_s=0, player=player, roll=Roll(one, two))


def _void(form: Form, state: MatchState) -> Event:
    return ev.RollVoided(at_s=0, player=state.turn, reason="director")


def _play(form: Form, state: MatchState) -> Event:
    player, roll = _on_turn(state)
    legal = resolve(state.position, player, roll, parse_play(form.get("play", "")))
    return ev.Played(at_s=0, player=player, roll=roll, play=legal.play, position=legal.after)


def _board(form: Form) -> Position:
    try:
        return editing.read(form.get("position", ""))
    except ValueError:
        raise OrderError(gettext("The board could not be read; please set it again.")) from None


def _judged(before: Position, player: Player, roll: Roll, after: Position, state: MatchState) -> Ruling:
    return judge(before, player, roll, after, ruleset=profile(state.profile))


def _board_play(form: Form, state: MatchState) -> Event:
    player, roll = _on_turn(state)
    after = _board(form)
    ruling = _judged(state.position, player, roll, after, state)
    if ruling.play is not None:
        return ev.Played(at_s=0, player=player, roll=roll, play=ruling.play, position=after)
    return ev.PlayFlagged(
        at_s=0,
        player=player,
        roll=roll,
        verdict=str(ruling.verdict),
        faults=ruling.faults.keys(),
        explanation=ruling.explanation,
        position=after,
        clause=ruling.clause,
    )


def _board_correct(form: Form, state: MatchState) -> Event:
    game = state.game
    last = last_play(game) if game else None
    if game is None or last is None:
        raise OrderError(gettext("There is no play yet that could be corrected."))
    turn, after = game.turns[last], _board(form)
    assert turn.roll is not None
    ruling = _judged(turn.before or game.start, turn.player, turn.roll, after, state)
    if ruling.verdict is not Verdict.LEGAL or ruling.play is None:
        why = heard(ruling.discreet or ruling.explanation, state.names)
        raise OrderError(gettext("That is no legal play of %(roll)s: %(why)s", roll=turn.roll, why=why))
    return ev.PlayCorrected(at_s=0, player=turn.player, roll=turn.roll, play=ruling.play, position=after)


def _board_set(form: Form, state: MatchState) -> Event:
    return ev.Recovered(at_s=0, position=_board(form), turn=_player(form), reason=_reason(form))


def _start(form: Form, state: MatchState) -> Event:
    if state.checkers != CHECKERS:
        raise OrderError(
            gettext(
                "The start position of a game with %(count)s checkers must be seen by the camera.", count=state.checkers
            )
        )
    return ev.GameStarted(at_s=0, position=START)


def _cube(form: Form, state: MatchState) -> Event:
    value, owner = _number(form, "value", gettext("The cube"), 1024), form.get("owner")
    if value < 1 or value & (value - 1):
        raise OrderError(gettext("The cube shows 1, 2, 4, 8 and so on."))
    return de.CubeCorrected(
        at_s=0, value=value, owner=Player(owner) if owner in list(Player) else None, reason=_reason(form)
    )


def _score(form: Form, state: MatchState) -> Event:
    what = gettext("The score")
    score = _number(form, "white", what, 999), _number(form, "black", what, 999)
    return de.ScoreCorrected(at_s=0, score=score, reason=_reason(form))


def _penalty(form: Form, state: MatchState) -> Event:
    points = _number(form, "points", gettext("The penalty"), 99)
    return de.PenaltyGiven(at_s=0, player=_player(form), points=points, reason=_reason(form))


def _resign(form: Form, state: MatchState) -> Event:
    try:
        win = Win(form.get("win", ""))
    except ValueError:
        raise OrderError(gettext("Say whether a single game, a gammon or a backgammon is given up.")) from None
    return de.ResignationOffered(at_s=0, player=_player(form), win=win)


def _stands(form: Form, state: MatchState) -> Event:
    last = last_play(state.game) if state.game else None
    if state.game is None or last is None:
        raise OrderError(gettext("There is no play yet that could stand."))
    return de.PlayStands(at_s=0, player=state.game.turns[last].player, reason=_reason(form))


def _answer(form: Form, state: MatchState) -> Event:
    choice = form.get("choice", "").strip()[:LONGEST_REASON]
    if not choice:
        raise OrderError(gettext("Say what the answer is."))
    return de.Answered(at_s=0, key=form.get("key", ""), choice=choice)


def _checker(form: Form, state: MatchState) -> Event:
    return de.CheckerFound(at_s=0, player=_player(form), to_bar=form.get("to") == "bar")


def _cube_said(kind: type[ev.CubeOffered | ev.CubeTaken]) -> Callable[[Form, MatchState], Event]:
    return lambda form, state: kind(at_s=0, player=_player(form), value=2 * state.cube.value)


def _by_player(kind: Callable[..., Event]) -> Callable[[Form, MatchState], Event]:
    return lambda form, state: kind(at_s=0, player=_player(form))


_ORDERS: dict[str, Callable[[Form, MatchState], Event]] = {
    "roll": _roll,
    "void": _void,
    "play": _play,
    "board_play": _board_play,
    "board_correct": _board_correct,
    "board_set": _board_set,
    "start": _start,
    "offer": _cube_said(ev.CubeOffered),
    "take": _cube_said(ev.CubeTaken),
    "drop": _by_player(ev.CubeDropped),
    "cube": _cube,
    "score": _score,
    "penalty": _penalty,
    "resign": _resign,
    "accept": _by_player(de.ResignationAccepted),
    "refuse": _by_player(de.ResignationRefused),
    "concede": _by_player(de.MatchConceded),
    "withdraw": _by_player(de.ConcessionWithdrawn),
    "official": lambda form, state: de.ResultOfficial(at_s=0),
    "stands": _stands,
    "answer": _answer,
    "view": lambda form, state: de.ViewSet(at_s=0, shown=form.get("shown") == "yes"),
    "checker": _checker,
    "undo": lambda form, state: de.Undone(at_s=0, reason=_reason(form)),
}
