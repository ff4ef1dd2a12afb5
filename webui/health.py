"""How the box is doing: figures as a page and as Prometheus text, a file for who helps, and the light measured anew.

`device` fills the port; without one these pages are not there. The figures say nothing about the game, so everybody may
see them; what changes something, or names files, is for the director and for who sits at the machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, cast

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from markupsafe import Markup
from werkzeug.wrappers import Response as Answer

from webui.access import may_look_behind
from webui.heard import figure_text, heard
from webui.languages import gettext, later
from webui.site import current_site, unkept

health = Blueprint("health", __name__)

_KEY = "schiri-health"
NOT_FOR_ALL = later("This is only for the director and for who sits at the machine at the table.")


@dataclass(frozen=True, slots=True)
class Figure:
    """One number: its name in Prometheus, what it means, its labels; `text` as a person reads it."""

    name: str
    meaning: str
    value: float
    text: str
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> str:
        """Prometheus's type: what only ever grows is a counter."""
        return "counter" if self.name.endswith("_total") else "gauge"


@dataclass(frozen=True, slots=True)
class Join:
    """How a phone finds the page: its address, and the same as a QR code in SVG."""

    url: str
    svg: str


class HealthPort(Protocol):
    """The health of the box, safe to ask from any thread."""

    def join(self) -> Join:
        """The address of the page as others in the network see it."""
        ...

    @property
    def has_light(self) -> bool:
        """Whether there is a camera whose light can be measured."""
        ...

    def figures(self) -> tuple[Figure, ...]:
        """All figures as they are now, those of one name together."""
        ...

    def diagnostics(self) -> bytes:
        """A zip for who helps: figures, versions, settings and the last messages; nothing of the game, no picture."""
        ...

    def measure_light(self) -> None:
        """Measure the camera's light anew, where there is such a camera."""
        ...


def install_health(app: Flask, port: HealthPort | None) -> None:
    """Put these pages into an app, where the table has a health."""
    if port is not None:
        app.extensions[_KEY] = port
        app.register_blueprint(health)


def exposition(figures: Iterable[Figure]) -> str:
    """The figures in Prometheus's text format, version 0.0.4."""
    lines: list[str] = []
    last = ""
    for figure in figures:
        if figure.name != last:
            lines += [f"# HELP {figure.name} {figure.meaning}", f"# TYPE {figure.name} {figure.kind}"]
            last = figure.name
        labels = ",".join(f'{key}="{_quoted(value)}"' for key, value in figure.labels)
        lines.append(f"{figure.name}{f'{{{labels}}}' if labels else ''} {figure.value:.10g}")
    return "\n".join(lines) + "\n"


def _quoted(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


@health.get("/metrics")
def metrics() -> Response:
    """The figures for Prometheus."""
    return unkept(Response(exposition(_port().figures()), content_type="text/plain; version=0.0.4; charset=utf-8"))


@health.get("/health")
def page() -> Response:
    """The figures for a person, with what may be done about them."""
    snapshot = current_site().port.snapshot()
    join = _port().join()
    shown = {"figures": _port().figures(), "eyes": snapshot, "has_light": _port().has_light}
    shown |= {"url": join.url, "qr": Markup(join.svg), "heard": heard, "figure_text": figure_text}
    return unkept(make_response(render_template("health.html", may=may_look_behind(request), **shown)))


@health.get("/diagnostics.zip")
def diagnostics() -> Response:
    """What somebody who helps from afar needs."""
    _refuse_strangers()
    response = Response(_port().diagnostics(), mimetype="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="schiri-diagnostics.zip"'
    return unkept(response)


@health.post("/health/light")
def light() -> Answer:
    """Measure the camera's light anew."""
    _refuse_strangers()
    if not _port().has_light:
        refused = gettext("There is no camera whose light could be measured.")
        abort(unkept(Response(f"{refused}\n", 409, mimetype="text/plain")))
    _port().measure_light()
    return redirect(url_for("health.page"), 303)


def _port() -> HealthPort:
    return cast(HealthPort, current_app.extensions[_KEY])


def _refuse_strangers() -> None:
    if not may_look_behind(request):
        abort(unkept(Response(gettext(NOT_FOR_ALL) + "\n", 403, mimetype="text/plain")))
