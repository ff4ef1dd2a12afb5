"""The archive: every match that this table has kept, to be found, played through and taken along; for the director."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from flask import Blueprint, Response, abort, make_response, render_template, request
from werkzeug.utils import secure_filename

from rules.codecs.extent import unsaid
from rules.codecs.mat import write_mat
from rules.codecs.sgf import write_sgf
from rules.codecs.snowie import write_snowie
from rules.errors import RulesError
from rules.events import MatchStarted, Noted
from rules.game import apply
from rules.match import MatchState
from webui.board import board_view
from webui.console import words
from webui.heard import heard
from webui.languages import day_and_time, gettext
from webui.login import let_in_directors
from webui.ports import MatchEntry, Stored
from webui.site import current_site, unkept

archive = Blueprint("archive", __name__, url_prefix="/matches")
archive.before_request(let_in_directors)

SHOWN = 100
_WRITERS: dict[str, Callable[[MatchState], str]] = {"mat": write_mat, "sgf": write_sgf, "txt": write_snowie}


@archive.get("")
def matches() -> Response:
    """All matches, or those whose names, day or table hold the words that are searched for."""
    sought = request.args.get("q", "").strip()[:80]
    found = [one for one in current_site().port.matches() if _fits(one, sought)]
    return _fresh(
        "archive/list.html", found=found[:SHOWN], left_out=max(0, len(found) - SHOWN), sought=sought, day=day_and_time
    )


@archive.get("/replay")
def replay() -> Response:
    """One match, as it stood after its event number `at` (from 1; the last where nothing is said)."""
    match_id, rows = _asked_for()
    at = min(max(request.args.get("at", len(rows), type=int), 1), len(rows))
    states = _states(rows)
    state = states[at - 1]
    return _fresh(
        "archive/replay.html",
        match_id=match_id,
        at=at,
        last=len(rows),
        line=words.line(rows[at - 1], state),
        state=state,
        began=day_and_time(rows[0].wall_time),
        room={
            "board": board_view(
                state.position, roll=state.roll, roller=state.turn, cube=state.cube, crawford=state.crawford
            ),
            "board_text": gettext("The board after event %(number)s", number=at),
        },
        unsaid=tuple((game, heard(text, state.names)) for game, text in unsaid(states[-1], illegal=False)),
    )


@archive.get("/download")
def download() -> Response:
    """The match as a file: `format` is mat, sgf, txt (Snowie text) or jsonl (events)."""
    match_id, rows = _asked_for()
    kind, state = request.args.get("format", ""), _states(rows)[-1]
    try:
        text = current_site().port.events_text(match_id) if kind == "jsonl" else _WRITERS[kind](state)
    except KeyError:
        abort(404)
    except RulesError as error:
        return _fresh(
            "error.html", title=gettext("Not in this format"), text=heard(str(error), state.names), code=409, status=409
        )
    name = secure_filename(f"{day(rows[0].wall_time)} {' - '.join(state.names)}") or "match"
    response = Response(text, mimetype="text/plain")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return unkept(response, private=True)


def day(wall_time: str) -> str:
    """The day and the minute of a wall time, where the table stands, as files are named."""
    return datetime.fromisoformat(wall_time).astimezone().strftime("%Y-%m-%d %H:%M")


def _fits(entry: MatchEntry, sought: str) -> bool:
    days = f"{day(entry.began)} {day_and_time(entry.began)}"
    text = f"{entry.begin.white} {entry.begin.black} {days} {entry.match_id}".casefold()
    return all(word in text for word in sought.casefold().split())


def _asked_for() -> tuple[str, Sequence[Stored]]:
    match_id = request.args.get("match", "")
    rows = [row for row in current_site().port.events(match_id) if not isinstance(row.event, Noted)]
    if not rows or not isinstance(rows[0].event, MatchStarted):
        abort(404)
    return match_id, rows


def _states(rows: Sequence[Stored]) -> list[MatchState]:
    """The match after each event."""
    states, state = [], MatchState()
    for row in rows:
        state = apply(state, row.event)
        states.append(state)
    return states


def _fresh(template: str, *, status: int = 200, **values: object) -> Response:
    return unkept(make_response(render_template(template, **values), status), private=True)
