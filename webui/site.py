"""What the routes of one app share: the table, the stream limit, the rendered fragment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from flask import Response, current_app, flash

from webui.guard import Lockout
from webui.heard import heard
from webui.keys import Keys
from webui.languages import gettext
from webui.ports import Answer, Snapshot, TablePort
from webui.setup.port import SetupPort

_KEY = "schiri"


class StreamGate:
    """Counts the open event streams, so that pages still find a free thread."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open = 0
        self._lock = threading.Lock()

    @property
    def open_streams(self) -> int:
        """How many streams are open now."""
        with self._lock:
            return self._open

    def enter(self) -> Callable[[], None] | None:
        """Take a place; returns what gives it back (once, however often it is called), or None when all are taken."""
        with self._lock:
            if self._open >= self.limit:
                return None
            self._open += 1
        left = False

        def leave() -> None:
            nonlocal left
            with self._lock:
                if not left:
                    left = True
                    self._open -= 1

        return leave


@dataclass(slots=True)
class Site:
    """Everything a route needs; times in seconds.

    `render` makes the table's HTML in a language, in any thread and outside of a request. `stopping` turns True
    when the server is about to end, so that open streams end too; `slice_s` is how often they look.
    Without `keys` nobody comes in as the director, without `setup` the table is as it was given.
    """

    port: TablePort
    render: Callable[[Snapshot, str], str]
    gate: StreamGate
    stopping: Callable[[], bool]
    heartbeat_s: float = 10.0
    slice_s: float = 0.5
    keys: Keys | None = None
    lockout: Lockout = field(default_factory=Lockout)
    setup: SetupPort | None = None
    _rendered: dict[str, tuple[int, str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def set_up_needed(self) -> bool:
        """Whether nobody has said yet who plays here, and the table can be set up."""
        return self.setup is not None and self.setup.needed

    def fragment(self, snapshot: Snapshot, language: str) -> str:
        """The table as HTML; rendered once for all who look at the same version in the same language."""
        with self._lock:
            version, html = self._rendered.get(language, (None, ""))
            if version != snapshot.version:
                html = self.render(snapshot, language)
                self._rendered[language] = snapshot.version, html
            return html


def install(app_extensions: dict[str, object], site: Site) -> None:
    """Hang `site` into an app."""
    app_extensions[_KEY] = site


def current_site() -> Site:
    """The site of the app that answers now."""
    return cast(Site, current_app.extensions[_KEY])


def unkept(response: Response, *, private: bool = False) -> Response:
    """The response, to be kept by no browser; what is `private` by nobody on the way either."""
    response.headers["Cache-Control"] = "no-store, private" if private else "no-store"
    return response


def say_back(answer: Answer) -> None:
    """Show on the next page what became of what was said."""
    if answer.done:
        flash(gettext("Done."), "done")
    else:
        flash(
            gettext("Refused: %(why)s", why=heard(answer.text, current_site().port.snapshot().state.names)), "refused"
        )
