"""The address of the page, as text and as a QR code, for a phone that shall join.

`python -m device.address` prints both for the settings of this machine.
"""

from __future__ import annotations

import io
import socket
import sys
from pathlib import Path

import segno

from device.config import PageSettings, find_config, load_config

EVERYWHERE = ("0.0.0.0", "::")
HERE = ("127.0.0.1", "::1", "localhost")
SOMEWHERE = ("198.51.100.1", 9)
"""An address of the documentation: asking the way there sends nothing, and tells which address of ours is used."""


def page_url(page: PageSettings, own: str | None = None) -> str:
    """Where a phone finds the page: the name in the settings, else this machine's address (`own`, for tests)."""
    host = page.name or page.host
    if host in EVERYWHERE:
        host = own or own_address()
    elif host in HERE:
        host = "localhost"
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{page.port}/" if page.port != 80 else f"http://{shown}/"


def own_address() -> str:
    """The address under which others in the network see this machine; `localhost` where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])


def qr_text(url: str) -> str:
    """The QR code of an address for a terminal."""
    drawn = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()


def qr_svg(url: str) -> str:
    """The QR code of an address as an inline SVG, black on white, that scales with its place on a page."""
    return str(segno.make(url, error="m", micro=False).svg_inline(omitsize=True, light="#fff", border=2))


def main(config: Path | None = None) -> None:
    """Print address and QR code."""
    url = page_url(load_config(find_config(config)).page)
    sys.stdout.write(f"{url}\n{qr_text(url)}")


if __name__ == "__main__":
    main()
