"""The live line: server-sent events that carry the table whenever it changes."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

from flask import Blueprint, Response, request

from webui.site import Site, current_site

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
        busy = Response("All live lines are taken; this page looks again by itself.\n", 503, mimetype="text/plain")
        busy.headers["Retry-After"] = str(BUSY_RETRY_S)
        busy.headers["Cache-Control"] = "no-store"
        return busy
    seen = request.headers.get("Last-Event-ID", type=int)
    response = Response(messages(site, seen), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(leave)
    return response


def messages(site: Site, seen: int | None) -> Iterator[str]:
    """The stream's text: the newest snapshot unless `seen` is its version, then every change; heartbeats between.

    Ends when the server stops. A reader that has gone is noticed at the next heartbeat.
    """
    yield f"retry: {RETRY_S * 1000}\n\n"
    snapshot = site.port.snapshot()
    if snapshot.version != seen:
        yield message(snapshot.version, "table", site.fragment(snapshot))
    spoke_at = time.monotonic()
    while not site.stopping():
        newer = site.port.wait(snapshot.version, site.slice_s)
        if newer is not None:
            snapshot = newer
            yield message(snapshot.version, "table", site.fragment(snapshot))
        elif time.monotonic() - spoke_at < site.heartbeat_s:
            continue
        else:
            yield HEARTBEAT
        spoke_at = time.monotonic()


def message(version: int, event: str, text: str) -> str:
    """One server-sent event; every line of `text` becomes a data line."""
    data = "".join(f"data: {line}\n" for line in _NEWLINE.split(text))
    return f"id: {version}\nevent: {event}\n{data}\n"
