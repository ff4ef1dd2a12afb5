"""The pages as one Flask app around a running table."""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from flask import Flask, Response, abort, make_response, render_template, request, url_for
from werkzeug.exceptions import HTTPException

from webui.access import access
from webui.archive import archive
from webui.console.routes import console_rooms
from webui.guard import SAFE_METHODS, from_our_page, name_allowed
from webui.health import HealthPort, install_health
from webui.keys import Keys
from webui.languages import gettext, install_languages, later, speaking
from webui.live import live
from webui.login import STAYS, login
from webui.ports import Snapshot, TablePort
from webui.present import room_view
from webui.seat import seat
from webui.setup.port import SetupPort
from webui.setup.routes import setup_pages
from webui.site import Site, StreamGate, install, unkept
from webui.stream import stream

MAX_STREAMS = 24
MAX_FORM_BYTES = 64_000
NAME_REFUSED = later("This table does not answer to that name; ask for its address, or start it with --name.")
ORIGIN_REFUSED = later("That did not come from a page of this table.")
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
    403: (later("Only for the director"), later("This page opens with the director's PIN.")),
    404: (later("Nothing here"), later("There is no such page at this table.")),
    405: (later("Only for reading"), later("This page can be looked at, nothing more.")),
    500: (
        later("Something went wrong"),
        later("The page could not be made. The record of the match is safe; please try again."),
    ),
}


def create_app(
    port: TablePort,
    *,
    health: HealthPort | None = None,
    setup: SetupPort | None = None,
    stopping: Callable[[], bool] = lambda: False,
    max_streams: int = MAX_STREAMS,
    heartbeat_s: float = 10.0,
    slice_s: float = 0.5,
    keys: Keys | None = None,
    names: Collection[str] = (),
) -> Flask:
    """The app that shows the table behind `port`, and where it has one its `health`; with `setup` it can be set up.

    `stopping` turns True when the server is about to end: open streams then end within `slice_s`.
    At most `max_streams` event streams are open at a time; keep it below the server's threads.
    `keys` open the director's console, without them nobody can. The pages answer only for addresses and names of
    the local network (`webui.guard.name_allowed`) and for `names`.
    """
    app = Flask(__name__)
    app.config.update(
        SEND_FILE_MAX_AGE_DEFAULT=YEAR_S,
        SECRET_KEY=keys.secret if keys else secrets.token_bytes(32),
        SESSION_COOKIE_NAME="schiri",
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=STAYS,
        MAX_CONTENT_LENGTH=MAX_FORM_BYTES,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    render, gate = partial(_render_table, app), StreamGate(max_streams)
    site = Site(port, render, gate, stopping, heartbeat_s, slice_s, keys, setup=setup)
    install(app.extensions, site)
    install_languages(app)
    for blueprint in (live, stream, access, login, console_rooms, archive, seat):
        app.register_blueprint(blueprint)
    install_health(app, health)
    if setup is not None:
        app.register_blueprint(setup_pages)
    app.jinja_env.globals["site"] = site
    app.jinja_env.globals["asset"] = _asset_urls(app)
    app.register_error_handler(HTTPException, _error_page)
    app.before_request(partial(_check, frozenset(name.lower() for name in names)))
    app.after_request(_guard)
    return app


def _render_table(app: Flask, snapshot: Snapshot, language: str) -> str:
    with speaking(app, language):
        return app.jinja_env.get_template("_table.html").render(room=room_view(snapshot))


def _check(names: frozenset[str]) -> None:
    """Refuse what was asked under a foreign name, and changes that do not come from our own pages."""
    if not name_allowed(request.headers.get("Host", ""), names):
        abort(_refusal(NAME_REFUSED))
    if request.method not in SAFE_METHODS and not from_our_page(request):
        abort(_refusal(ORIGIN_REFUSED))


def _refusal(text: str) -> Response:
    return unkept(Response(gettext(text) + "\n", 403, mimetype="text/plain"))


def _guard(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _error_page(error: HTTPException) -> Response:
    if error.response is not None:
        return make_response(error.response)
    code = error.code or 500
    title, text = _ERRORS.get(code, (later("That did not work"), later("The server could not answer this.")))
    response = make_response(render_template("error.html", title=gettext(title), text=gettext(text), code=code), code)
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return unkept(response)


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
