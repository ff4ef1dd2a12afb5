"""The room page: the score and the board, for everyone, read-only."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response, render_template

from webui.present import room_view
from webui.site import current_site

live = Blueprint("live", __name__)


@live.get("/")
def room() -> Response:
    """The whole page."""
    site = current_site()
    snapshot = site.port.snapshot()
    return _fresh(render_template("room.html", room=room_view(snapshot), table=site.fragment(snapshot)))


@live.get("/table")
def table() -> Response:
    """The table alone, as the page swaps it in."""
    site = current_site()
    return _fresh(site.fragment(site.port.snapshot()))


@live.get("/healthz")
def healthz() -> Response:
    """Whether this table is well, for `schiri doctor` and the like."""
    snapshot = current_site().port.snapshot()
    response = jsonify(version=snapshot.version, healthy=snapshot.healthy, status=snapshot.status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _fresh(html: str) -> Response:
    response = make_response(html)
    response.headers["Cache-Control"] = "no-store"
    return response
