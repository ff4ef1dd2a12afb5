"""The set-up, page by page: the board, its self-test, the match. For the director; works without scripts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from flask import Blueprint, Response, abort, flash, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answered

from rules.errors import RulesError
from rules.events import Role
from rules.match import Phase
from rules.ruleset import PROFILES
from webui.console.orders import OrderError, new_match
from webui.languages import gettext as _
from webui.login import let_in_directors
from webui.ports import Answer
from webui.setup.port import Corners, SetupPort, Sight
from webui.setup.words import clock_words, corner_names, homes, test_lines
from webui.site import current_site, say_back, unkept

setup_pages = Blueprint("setup", __name__, url_prefix="/setup")
setup_pages.before_request(let_in_directors)

_INSET = 0.12
"""Where no board was found the corners begin so far inside the picture, as a share of it."""


@setup_pages.get("")
def board() -> Response:
    """The camera's picture with the board as found, and its corners to be dragged."""
    port = _port()
    sight = port.sight() or port.look()
    corners = () if sight is None else _asked_corners(sight) or sight.corners or _inset(sight)
    return _fresh("board.html", sight=sight, corners=corners, names=corner_names(), port=port)


@setup_pages.post("/look")
def look() -> Answered:
    """Take a new picture."""
    _port().look()
    return redirect(url_for("setup.board"), 303)


@setup_pages.get("/picture.jpg")
def picture() -> Response:
    """The picture that is set up by."""
    sight = _port().sight()
    if sight is None:
        abort(404)
    response = unkept(Response(sight.jpeg, mimetype="image/jpeg"), private=True)
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


@setup_pages.post("/board")
def learn() -> Answered:
    """Learn the table between the corners of the form."""
    sight, corners = _port().sight(), _corners(request.form)
    if sight is None:
        flash(_("There is no picture any more: take a new one."), "refused")
    elif corners is None:
        flash(_("Each corner needs two whole numbers: how far from the left and from the top, in pixels."), "refused")
    else:
        _port().learn(corners)
        marks = {
            f"{axis}{k}": round(value) for k, xy in enumerate(corners) for axis, value in zip("xy", xy, strict=True)
        }
        return redirect(url_for("setup.test", **cast(Any, marks)), 303)
    return redirect(url_for("setup.board"), 303)


@setup_pages.get("/test")
def test() -> Answered:
    """What came of it, in plain words; who sits where."""
    tested = _port().tested()
    if tested is None:
        return redirect(url_for("setup.board"), 303)
    again = url_for("setup.board", **cast(Any, request.args.to_dict()))
    return _fresh("test.html", tested=tested, lines=test_lines(tested), homes=homes(), again=again)


@setup_pages.post("/keep")
def keep() -> Answered:
    """Use what was learned."""
    answer = _port().keep(request.form.get("home", ""))
    if not answer.done:
        say_back(answer)
        return redirect(url_for("setup.board"), 303)
    flash(_("The table is learned, and used from now on."), "done")
    return redirect(url_for("setup.match"), 303)


@setup_pages.post("/forget")
def forget() -> Answered:
    """Throw the learned table away."""
    say_back(_port().forget())
    return redirect(url_for("setup.board"), 303)


@setup_pages.get("/match")
def match() -> Response:
    """Who plays, how long, by which rules; what both players agree to."""
    state = current_site().port.snapshot().state
    fresh = _port().needed
    running = not fresh and state.phase not in (Phase.NO_MATCH, Phase.MATCH_OVER) and bool(state.games)
    return _fresh(
        "match.html",
        state=state,
        named=not fresh,
        running=running,
        profiles=[(name, clock_words(ruleset.clock)) for name, ruleset in PROFILES.items()],
        Role=Role,
    )


@setup_pages.post("/match")
def begin() -> Answered:
    """Begin the match; pictures are kept only where both players agree."""
    port, form = current_site().port, request.form.to_dict()
    agreed = form.get("consent_white") == form.get("consent_black") == "yes"
    try:
        answer = port.begin(new_match({**form, "consent": "yes" if agreed else ""}, port.snapshot().state))
    except (OrderError, RulesError) as error:
        answer = Answer(False, str(error))
    if answer.done:
        flash(_("The match has begun. Set the checkers up."), "done")
        return redirect(url_for("console.console"), 303)
    say_back(answer)
    return redirect(url_for("setup.match"), 303)


def _corners(form: Mapping[str, str]) -> Corners | None:
    """The corners x0 y0 … x3 y3 of a form; None where one is no number that a picture has."""
    try:
        found = tuple((float(form[f"x{k}"]), float(form[f"y{k}"])) for k in range(4))
    except (KeyError, ValueError):
        return None
    return found if all(math.isfinite(v) and abs(v) < 100_000 for xy in found for v in xy) else None


def _asked_corners(sight: Sight) -> Corners | None:
    """Those of the address: what was tried last, to be put right."""
    corners = _corners(request.args)
    width, height = sight.size_px
    inside = corners is not None and all(0 <= x < width and 0 <= y < height for x, y in corners)
    return corners if inside else None


def _inset(sight: Sight) -> Corners:
    width, height = sight.size_px
    left, top = round(width * _INSET), round(height * _INSET)
    return (left, top), (width - left, top), (width - left, height - top), (left, height - top)


def _port() -> SetupPort:
    port = current_site().setup
    assert port is not None, "these pages are there only with it"
    return port


def _fresh(template: str, **values: Any) -> Response:
    return unkept(make_response(render_template(f"setup/{template}", **values)), private=True)
