"""What a service tells systemd: that it is ready, that it lives, what it is doing.

The protocol is one datagram to a socket; a library for it would be more lines to trust than these.
"""

from __future__ import annotations

import os
import socket
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Self

VARIABLE = "NOTIFY_SOCKET"


class Notifier:
    """Tells systemd, where it listens; without it every word goes nowhere."""

    def __init__(self, address: str = "") -> None:
        """`address` is a path, or an abstract name that begins with @."""
        self._address = f"\0{address[1:]}" if address.startswith("@") else address

    @classmethod
    def of(cls, environment: MutableMapping[str, str] = os.environ) -> Self:
        """The one that systemd asks for, taken out of `environment`: gunicorn would else report too early."""
        return cls(environment.pop(VARIABLE, ""))

    def ready(self) -> None:
        """The page answers."""
        self._send("READY=1")

    def alive(self, status: str) -> None:
        """The table's loop runs; `status` is shown by `systemctl status`."""
        self._send(f"WATCHDOG=1\nSTATUS={' '.join(status.split())}")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.connect(self._address)
            sender.sendall(text.encode())
