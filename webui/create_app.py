"""The pages as one Flask app around a running table."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from flask import Flask, Response, make_response, render_template, url_for
from werkzeug.exceptions import HTTPException

from webui.access import access
from webui.health import HealthPort, install_health
from webui.live import live
from webui.ports import TablePort
from webui.present import RoomView
from webui.site import Site, StreamGate, install
from webui.stream import stream

MAX_STREAMS = 24
YEAR_S = 365 * 24 * 3600

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_ERRORS = {
    404: ("Nothing here", "There is no such page at this table."),
    405: ("Only for reading", "This page can be looked at, nothing more."),
    500: ("Something went wrong", "The page could not be made. The record of the match is safe; please try again."),
}


def create_app(
    port: TablePort,
    *,
    health: HealthPort | None = None,
    stopping: Callable[[], bool] = lambda: False,
    max_streams: int = MAX_STREAMS,
    heartbeat_s: float = 10.0,
    slice_s: float = 0.5,
) -> Flask:
    """The app that shows the table behind `port`, and where it has one its `health`.

    `stopping` turns True when the server is about to end: open streams then end within `slice_s`.
    At most `max_streams` event streams are open at a time; keep it below the server's threads.
    """
    app = Flask(__name__)
    app.config.update(SEND_FILE_MAX_AGE_DEFAULT=YEAR_S)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    site = Site(port, partial(_render_table, app), StreamGate(max_streams), stopping, heartbeat_s, slice_s)
    install(app.extensions, site)
    for blueprint in (live, stream, access):
        app.register_blueprint(blueprint)
    install_health(app, health)
    app.jinja_env.globals["asset"] = _asset_urls(app)
    app.register_error_handler(HTTPException, _error_page)
    app.after_request(_guard)
    return app


def _render_table(app: Flask, room: RoomView) -> str:
    return app.jinja_env.get_template("_table.html").render(room=room)


def _guard(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _error_page(error: HTTPException) -> Response:
    if error.response is not None:
        return make_response(error.response)
    code = error.code or 500
    title, text = _ERRORS.get(code, (error.name, "The server could not answer this."))
    response = make_response(render_template("error.html", title=title, text=text, code=code), code)
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response


def _asset_urls(app: Flask) -> Callable[[str], str]:
    """Addresses of static files that change with their content, so that browsers may keep them for a year."""
    folder = Path(app.static_folder or "")
    marks = {
        str(path.relative_to(folder)): f"{zlib.crc32(path.read_bytes()):08x}"
        for path in folder.rglob("*")
        if path.is_file()
    }

    def asset(name: str) -> str:
        return url_for("static", filename=name, v=marks[name])

    return asset
