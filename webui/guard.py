"""At the door of every page: which name was asked for, and whether a change comes from our own pages."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from flask import Request

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
FREE_TRIES = 5
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 3600.0
ADDRESSES = 1000
"""So many addresses are remembered; then the one that failed longest ago is forgotten."""


def name_allowed(host: str, names: Collection[str]) -> bool:
    """Whether the page answers for this Host header: an IP address, a name of one word, `*.local`, or one of `names`.

    A foreign name that was made to resolve to this machine (DNS rebinding) is none of these.
    """
    name = host_name(host)
    if name in names or name == "localhost" or name.endswith(".local"):
        return True
    if name and "." not in name and ":" not in name:
        return name.isascii() and all(part.isalnum() for part in name.split("-"))
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def from_our_page(asked: Request) -> bool:
    """Whether a browser sent this from a page of ours; a request that does not say where it comes from did not."""
    site = asked.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    origin = asked.headers.get("Origin", "")
    return bool(origin) and urlsplit(origin).netloc.lower() == asked.headers.get("Host", "").lower()


def host_name(host: str) -> str:
    """The name in a Host header, without its port, in small letters."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


class Lockout:
    """Makes guessing slow: after five wrong tries an address waits, each time twice as long."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed: dict[str, tuple[int, float]] = {}

    def wait_s(self, address: str) -> float:
        """How many seconds the address must still wait; 0 when it may try."""
        count, at_s = self._failed.get(address, (0, 0.0))
        if count < FREE_TRIES:
            return 0.0
        pause_s = min(FIRST_WAIT_S * 2.0 ** min(count - FREE_TRIES, 20), LONGEST_WAIT_S)
        return max(0.0, at_s + pause_s - self._clock())

    def failed(self, address: str) -> None:
        """It has tried and failed."""
        count, _ = self._failed.pop(address, (0, 0.0))
        self._failed[address] = count + 1, self._clock()
        if len(self._failed) > ADDRESSES:
            del self._failed[next(iter(self._failed))]

    def passed(self, address: str) -> None:
        """It has got in."""
        self._failed.pop(address, None)
