"""The console's pages; only the director comes in."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, flash, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answered

from rules.commands import Decided
from rules.errors import RulesError
from rules.events import Role
from rules.match import MatchState, Phase
from rules.position import Player
from rules.ruleset import PROFILES
from webui.board import board_view
from webui.console import editing, words
from webui.console.orders import OrderError, new_match, order, seen
from webui.languages import gettext
from webui.login import let_in_directors
from webui.ports import Answer
from webui.present import room_view
from webui.site import current_site, say_back, unkept

console_rooms = Blueprint("console", __name__, url_prefix="/console")
console_rooms.before_request(let_in_directors)


@console_rooms.get("")
def console() -> Response:
    """The whole console."""
    return _fresh("console.html", **_seen())


@console_rooms.get("/live")
def live() -> Response:
    """What changes by itself: questions, ruling, board, log."""
    return _fresh("_desk.html", **_seen())


@console_rooms.post("/say")
def say() -> Answered:
    """Tell the table what the form says, and show the console again with the answer."""
    port = current_site().port
    try:
        event = order(request.form, port.snapshot().state)
        answer = port.tell(Decided(event), "director")
    except (OrderError, RulesError) as error:
        answer = Answer(False, str(error))
    say_back(answer)
    return redirect(url_for("console.console"), 303)


@console_rooms.get("/match")
def match() -> Response:
    """The form for another match."""
    state = current_site().port.snapshot().state
    running = state.phase not in (Phase.NO_MATCH, Phase.MATCH_OVER) and bool(state.games)
    return _fresh("match.html", state=state, running=running, profiles=PROFILES, Role=Role)


@console_rooms.post("/match")
def begin() -> Answered:
    """Begin the match that the form asks for."""
    port = current_site().port
    try:
        answer = port.begin(new_match(request.form, port.snapshot().state))
    except (OrderError, RulesError) as error:
        answer = Answer(False, str(error))
    if answer.done:
        flash(gettext("The match has begun. Set the checkers up."), "done")
        return redirect(url_for("console.console"), 303)
    say_back(answer)
    return redirect(url_for("console.match"), 303)


@console_rooms.get("/board")
def board() -> Response:
    """The board, to be put right by tapping or dragging checkers."""
    snapshot = current_site().port.snapshot()
    state, picked = snapshot.state, request.args.get("from", "")
    try:
        position = editing.read(request.args["position"]) if "position" in request.args else state.position
        target = request.args.get("to", "")
        if picked and target:
            position, picked = editing.moved(position, picked, target), ""
        if picked and editing.holder(position, picked) is None:
            picked = ""
    except ValueError:
        abort(404)
    return _fresh(
        "board.html",
        state=state,
        picked=picked,
        seen=seen(state) if "seen" not in request.args else request.args["seen"],
        position=editing.write(position),
        changed=position != state.position,
        spots=editing.spots(position, state.names, home_right=snapshot.home_right),
        room={
            "board": board_view(
                position, home_right=snapshot.home_right, roll=state.roll, roller=state.turn, cube=state.cube
            ),
            "board_text": gettext("The board, to be put right"),
        },
        to_play=state.phase is Phase.TO_PLAY and state.turn is not None,
        last=_last_play(state),
        Player=Player,
    )


@console_rooms.get("/picture/<path:name>")
def picture(name: str) -> Response:
    """A picture that shows an event."""
    data = current_site().port.picture(name)
    if data is None:
        abort(404)
    return unkept(Response(data, mimetype="image/jpeg"), private=True)


def _last_play(state: MatchState) -> str:
    turns = [turn for turn in state.game.turns if turn.roll is not None] if state.game else []
    return f"{state.name(turns[-1].player)} {turns[-1].roll}" if turns else ""


def _seen() -> dict[str, Any]:
    port, keys = current_site().port, current_site().keys
    snapshot = port.snapshot()
    state, events = snapshot.state, port.events(snapshot.match_id)
    return {
        "room": room_view(snapshot, public=False),
        "state": state,
        "questions": words.questions(state),
        "ruling": words.ruling(events, state),
        "codes": [(state.name(p), keys.seat_code(snapshot.match_id, p)) for p in Player] if keys else [],
        "log": words.log(events, state),
        "Phase": Phase,
        "Player": Player,
    }


def _fresh(template: str, **values: Any) -> Response:
    return unkept(make_response(render_template(f"console/{template}", **values)), private=True)
