"""The room page: the score and the board, for everyone, read-only."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response, render_template, request

from webui.languages import language
from webui.present import room_view
from webui.site import current_site, unkept

live = Blueprint("live", __name__)


@live.get("/")
def room() -> Response:
    """The whole page."""
    return _room("")


@live.get("/big")
def big() -> Response:
    """The room page for a projector: the board as large as it can be, nothing but what is read from far away."""
    return _room("big")


@live.get("/overlay")
def overlay() -> Response:
    """The room page for a video mixer: transparent, names and score with the board or without (`?board=no`)."""
    return _room("overlay" if request.args.get("board") != "no" else "overlay bare")


@live.get("/table")
def table() -> Response:
    """The table alone, as the page swaps it in."""
    site = current_site()
    return _fresh(site.fragment(site.port.snapshot(), language()))


@live.get("/healthz")
def healthz() -> Response:
    """Whether this table is well, for `schiri doctor` and the like."""
    snapshot = current_site().port.snapshot()
    return unkept(jsonify(version=snapshot.version, healthy=snapshot.healthy, status=snapshot.status))


def _room(look: str) -> Response:
    site = current_site()
    snapshot = site.port.snapshot()
    page = render_template("room.html", room=room_view(snapshot), table=site.fragment(snapshot, language()), look=look)
    return _fresh(page)


def _fresh(html: str) -> Response:
    return unkept(make_response(html))
