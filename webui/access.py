"""Who may see the camera: someone at the machine itself and the director; players and spectators never do (R47)."""

from __future__ import annotations

import ipaddress

from flask import Blueprint, Request, Response, abort, make_response, render_template, request

from webui.guard import host_name
from webui.languages import gettext, later
from webui.login import is_director
from webui.site import current_site, unkept

access = Blueprint("access", __name__)

CAMERA_REFUSED = later("The camera picture is shown only on the machine at the table.")
CAMERA_MISSING = later("There is no camera picture at the moment.")
_LOOPBACK_NAMES = {"localhost", "127.0.0.1", "[::1]"}
_FORWARDING = {"forwarded", "via", "client-ip", "true-client-ip", "cf-connecting-ip", "proxy-connection"}
_FORWARDING_PREFIXES = ("x-forwarded", "x-real-", "x-client-", "x-proxy", "x-original-")


def is_at_the_machine(asked: Request) -> bool:
    """Whether the request was made on this machine, for this machine, straight to it.

    The sender's address must be loopback; the name asked for must be a loopback name, so that a
    foreign name that resolves to loopback (DNS rebinding) gets nothing; nothing may have been
    forwarded by a proxy; and a browser must not be asking on behalf of another site.
    """
    return (
        _is_loopback(asked.remote_addr)
        and host_name(asked.headers.get("Host", "")) in _LOOPBACK_NAMES
        and not any(_is_forwarding(name) for name in asked.headers.keys())  # noqa: SIM118 (not a mapping)
        and asked.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
    )


def may_look_behind(asked: Request) -> bool:
    """Whether it is the director who asks, or somebody at the machine."""
    return is_director() or is_at_the_machine(asked)


@access.get("/camera")
def camera() -> Response:
    """A page with the annotated camera picture, renewed all the time."""
    _refuse_strangers()
    return _private(make_response(render_template("camera.html")))


@access.get("/camera.jpg")
def camera_jpg() -> Response:
    """The newest annotated camera picture."""
    _refuse_strangers()
    picture = current_site().port.camera_jpeg()
    if picture is None:
        return _private(Response(gettext(CAMERA_MISSING) + "\n", 404, mimetype="text/plain"))
    return _private(Response(picture, mimetype="image/jpeg"))


def _refuse_strangers() -> None:
    if not may_look_behind(request):
        abort(_private(Response(gettext(CAMERA_REFUSED) + "\n", 403, mimetype="text/plain")))


def _private(response: Response) -> Response:
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return unkept(response, private=True)


def _is_loopback(address: str | None) -> bool:
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return (mapped or ip).is_loopback


def _is_forwarding(header: str) -> bool:
    name = header.lower()
    return name in _FORWARDING or name.startswith(_FORWARDING_PREFIXES)
