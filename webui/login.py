"""The director comes in by a PIN, a player by the code of his seat; everybody else reads."""

from __future__ import annotations

import math
from datetime import timedelta

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as Answered

from webui.languages import CHOICE, gettext, ngettext
from webui.site import current_site, unkept

login = Blueprint("login", __name__)

STAYS = timedelta(hours=16)
"""A day at a tournament."""
PIN_LENGTH = 64


def is_director() -> bool:
    """Whether the one who asks has come in by the PIN."""
    return session.get("who") == "director"


def let_in_directors() -> Answered | None:
    """For `before_request`: others are led to the door, or refused where they try to change something."""
    if is_director():
        return None
    if request.method in ("GET", "HEAD") and "HX-Request" not in request.headers:
        return redirect(url_for("login.door"), 303)
    return abort(403)


@login.get("/login")
def door() -> Response:
    """The page that asks for the PIN."""
    return _page("")


@login.post("/login")
def enter() -> Answered:
    """Look at the PIN."""
    site, address = current_site(), request.remote_addr or ""
    wait_s = site.lockout.wait_s(address)
    if wait_s:
        return _page(_wait(math.ceil(wait_s)), 429)
    pin = request.form.get("pin", "").strip()
    if site.keys is None or not pin or len(pin) > PIN_LENGTH:
        return _wrong(address)
    match_id = site.port.snapshot().match_id
    player = site.keys.seat_of(match_id, pin)
    if player is not None:
        _let_in(address, who=player.value, match=match_id)
        return redirect(url_for("seat.at_the_table"), 303)
    if not site.keys.opens(pin):
        return _wrong(address)
    _let_in(address, who="director")
    return redirect(url_for("setup.board" if site.set_up_needed else "console.console"), 303)


@login.post("/logout")
def leave() -> Answered:
    """Be a spectator again."""
    _forget()
    return redirect(url_for("live.room"), 303)


def _let_in(address: str, **facts: str) -> None:
    current_site().lockout.passed(address)
    _forget()
    session.permanent = True
    session.update(facts)


def _forget() -> None:
    """Whoever it was; the language that was chosen stays."""
    for key in set(session) - {CHOICE}:
        del session[key]


def _wait(seconds: int) -> str:
    return ngettext(
        "Too many wrong PINs. Try again in %(num)s second.",
        "Too many wrong PINs. Try again in %(num)s seconds.",
        seconds,
    )


def _wrong(address: str) -> Response:
    current_site().lockout.failed(address)
    return _page(gettext("That is not the PIN, nor the code of a seat."), 403)


def _page(problem: str, code: int = 200) -> Response:
    return unkept(make_response(render_template("login.html", problem=problem), code))
