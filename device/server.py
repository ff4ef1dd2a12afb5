"""The web server: one worker process that owns the table, with threads for the pages.

The process that calls `serve` only watches over the worker and starts it again when it dies.
The worker, not the watcher, makes the table: a camera and pins must never be opened before a fork.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Sequence
from functools import partial

from device.errors import DeviceError
from webui.health import HealthPort
from webui.keys import Keys
from webui.ports import TablePort
from webui.setup.port import SetupPort

THREADS = 32
"""Of these, `webui.create_app.MAX_STREAMS` may be held by event streams."""


def serve(
    make_port: Callable[[], TablePort],
    host: str,
    port: int,
    *,
    on_exit: Callable[[], None] | None = None,
    on_ready: Callable[[], None] | None = None,
    keys: Keys | None = None,
    names: Sequence[str] = (),
    health: HealthPort | None = None,
    setup: SetupPort | None = None,
) -> int:
    """Show the table on `http://host:port/` until SIGINT or SIGTERM; returns the exit code (0 or 1).

    `make_port` opens the table. It runs in the worker process, again in each new worker after one
    has died; a domain error or OSError in it ends the server with that sentence. `on_ready` runs
    in the first worker once it is about to answer, `on_exit` in every worker that ends by itself,
    after its last answer. `keys`, `names`, `health` and `setup` are those of `webui.create_app`. The worker process
    never returns from here. Threads started before the call do not exist in the worker.

    Raises:
        DeviceError: the address cannot be used; the text says why.
    """
    check_free(host, port)
    from device.web_worker import TableServer  # gunicorn is heavy, and only the server needs it
    from webui.create_app import create_app

    server = TableServer(
        make_port,
        partial(create_app, keys=keys, names=names, health=health, setup=setup),
        bind=address_text(host, port),
        threads=THREADS,
        on_exit=on_exit,
        on_ready=on_ready,
    )
    watcher = os.getpid()
    try:
        server.run()
    except SystemExit as end:
        if os.getpid() != watcher:
            server.leave_worker(end)
        return 0 if end.code in (None, 0) else 1
    return 0


def check_free(host: str, port: int) -> None:
    """Make sure that a server can listen there.

    Raises:
        DeviceError: another program listens there, it is not allowed, or there is no such address.
    """
    if not 0 < port < 65536:
        raise DeviceError(f"{address_text(host, port)}: cannot listen there: a port is a number from 1 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise DeviceError(_why_not(host, port, error)) from error


def address_text(host: str, port: int) -> str:
    """`host:port`, an IPv6 host in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _why_not(host: str, port: int, error: OSError) -> str:
    where = address_text(host, port)
    if isinstance(error, PermissionError):
        return f"{where}: this user may not listen on port {port}; choose one from 1024 up with --port"
    if error.errno == errno.EADDRINUSE:
        return f"{where}: port {port} is already in use; stop the other program or choose another port with --port"
    return f"{where}: cannot listen there: {error.strerror or error}"
