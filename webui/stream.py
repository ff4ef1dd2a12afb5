"""The live line: server-sent events that carry the table whenever it changes."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping

from flask import Blueprint, Response, request

from webui.languages import gettext, language
from webui.site import Site, current_site, unkept

stream = Blueprint("stream", __name__)

RETRY_S = 2
BUSY_RETRY_S = 15
HEARTBEAT = ": still here\n\n"
_NEWLINE = re.compile(r"\r\n|\r|\n")


@stream.get("/events")
def events() -> Response:
    """The table as an endless event stream, or 503 when all places are taken (the page then looks by itself)."""
    if request.method == "HEAD":
        return Response(mimetype="text/event-stream")
    site = current_site()
    leave = site.gate.enter()
    if leave is None:
        text = gettext("All live lines are taken; this page looks again by itself.")
        busy = Response(f"{text}\n", 503, mimetype="text/plain")
        busy.headers["Retry-After"] = str(BUSY_RETRY_S)
        return unkept(busy)
    seen = request.headers.get("Last-Event-ID", type=int)
    response = Response(messages(site, seen, reader_left(request.environ), language()), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(leave)
    return unkept(response)


def messages(site: Site, seen: int | None, left: Callable[[], bool], speech: str = "en") -> Iterator[str]:
    """The stream's text, in the language `speech`: the newest snapshot unless `seen` is its version, then every change;
    heartbeats between.

    Ends when the server stops or `left` says that the reader has gone.
    """
    yield f"retry: {RETRY_S * 1000}\n\n"
    snapshot = site.port.snapshot()
    if snapshot.version != seen:
        yield message(snapshot.version, "table", site.fragment(snapshot, speech))
    spoke_at = time.monotonic()
    while not site.stopping() and not left():
        newer = site.port.wait(snapshot.version, site.slice_s)
        if newer is not None:
            snapshot = newer
            yield message(snapshot.version, "table", site.fragment(snapshot, speech))
        elif time.monotonic() - spoke_at < site.heartbeat_s:
            continue
        else:
            yield HEARTBEAT
        spoke_at = time.monotonic()


def reader_left(environ: Mapping[str, object]) -> Callable[[], bool]:
    """Tells whether the reader has closed its end, which gives its place free long before a heartbeat fails.

    Looks at the connection where the server hands it in (`gunicorn.socket`), without taking anything from it.
    """
    connection = environ.get("gunicorn.socket")
    if not isinstance(connection, socket.socket):
        return lambda: False

    def left() -> bool:
        try:
            return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    return left


def message(version: int, event: str, text: str) -> str:
    """One server-sent event; every line of `text` becomes a data line."""
    data = "".join(f"data: {line}\n" for line in _NEWLINE.split(text))
    return f"id: {version}\nevent: {event}\n{data}\n"
