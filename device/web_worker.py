"""gunicorn, set up for one table: a single worker with threads that stops at once and leaves nothing behind.

Imported only by `device.server` when a server starts.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.gthread import ThreadWorker

from device.errors import DOMAIN_ERRORS
from webui.ports import TablePort

WORKER_GRACE_S = 1
"""How long a stopping worker waits for its last answers."""
WATCHER_GRACE_S = 8
"""How long the watcher waits for the worker, which then still closes the camera and the journal."""
HANG_S = 30
"""A worker whose main loop has not been heard of for so long is killed and started again."""
_CANNOT_OPEN: tuple[type[Exception], ...] = (*DOMAIN_ERRORS, OSError)


class TableServer(BaseApplication):
    """The table's pages as gunicorn runs them."""

    def __init__(
        self,
        make_port: Callable[[], TablePort],
        make_app: Callable[..., Flask],
        *,
        bind: str,
        threads: int,
        on_exit: Callable[[], None] | None,
        on_ready: Callable[[], None] | None,
    ) -> None:
        self.make_port = make_port
        self.make_app = make_app
        self.on_exit = on_exit
        self.on_ready = on_ready
        self.stopping = False
        self.opened = False
        self._bind, self._threads = bind, threads
        super().__init__()

    def load_config(self) -> None:
        """Set what differs from gunicorn's defaults; a setting that this gunicorn does not know is not needed."""
        shared_memory = Path("/dev/shm")
        settings: dict[str, Any] = {
            "bind": self._bind,
            "workers": 1,
            "threads": self._threads,
            "worker_class": TableWorker,
            "worker_tmp_dir": str(shared_memory) if os.access(shared_memory, os.W_OK) else None,
            "timeout": HANG_S,
            "graceful_timeout": WATCHER_GRACE_S,
            "loglevel": "warning",
            "forwarded_allow_ips": "",  # no proxy is trusted
            "control_socket_disable": True,
            "post_worker_init": _announce,
        }
        for name, value in settings.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Any:
        """The pages around the table, opened now; gunicorn calls this in the worker.

        Raises:
            SystemExit: with the sentence that says why the table cannot be opened.
        """
        try:
            port = self.make_port()
        except _CANNOT_OPEN as error:
            raise SystemExit(f"schiri: {' '.join(str(error).split())}") from error
        self.opened = True
        return self.make_app(port, stopping=lambda: self.stopping)

    def run(self) -> None:
        """Watch over the worker; ends by SystemExit."""
        TableArbiter(self).run()

    def leave_worker(self, end: SystemExit) -> NoReturn:
        """End the worker process, so that nothing of the caller runs twice."""
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else Arbiter.WORKER_BOOT_ERROR
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
        try:
            if self.opened and self.on_exit is not None:
                self.on_exit()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)


class TableArbiter(Arbiter):
    """gunicorn's watcher with a single worker for good: a second one would open the camera twice."""

    def start(self) -> None:
        """Listen; a table that cannot be opened has said why by itself."""
        logging.getLogger("gunicorn.error").addFilter(_says_more)
        super().start()

    def handle_hup(self) -> None:
        """The terminal is gone: end."""
        self.handle_term()

    def handle_ttin(self) -> None:
        """Never more workers."""

    def handle_ttou(self) -> None:
        """Never fewer."""

    def handle_usr2(self) -> None:
        """Never a second server."""


class TableWorker(ThreadWorker):
    """A threaded worker that ends the same gentle way on Ctrl-C, SIGTERM, SIGHUP and SIGQUIT, and tells the streams."""

    app: TableServer

    def init_process(self) -> None:
        """Give the worker less time to stop than its watcher waits for it."""
        self.cfg.set("graceful_timeout", WORKER_GRACE_S)
        super().init_process()

    def init_signals(self) -> None:
        """Also end gently when the terminal goes away."""
        super().init_signals()
        signal.signal(signal.SIGHUP, self.handle_exit)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Begin to stop; browsers' kept connections are not waited for."""
        self.app.stopping = True
        for connection in tuple(self.keepalived_conns):
            connection.timeout = 0.0
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Begin to stop: Ctrl-C reaches the watcher and the worker, and must not cut off what closes the camera."""
        self.handle_exit(sig, frame)

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Put an answered connection back; while stopping, close it at once.

        gunicorn would wait in the main loop for every reader to close its end, which a sleeping phone never does.
        """
        if not self.app.stopping:
            super().finish_request(conn, fs)
            return
        self.nr_conns -= 1
        conn.close()

    def is_parent_alive(self) -> bool:
        """Whether the watcher lives; without it the worker stops too."""
        alive = bool(super().is_parent_alive())
        if not alive:
            self.app.stopping = True
        return alive


def _announce(worker: TableWorker) -> None:
    if worker.age == 1 and worker.app.on_ready is not None:
        worker.app.on_ready()


def _says_more(record: logging.LogRecord) -> bool:
    """Whether a line of the log is more than "the worker failed to boot" in other words."""
    if record.msg == "Worker (pid:%s) exited with code %s." and isinstance(record.args, tuple):
        return record.args[1] != Arbiter.WORKER_BOOT_ERROR
    return record.msg not in ("Shutting down: %s", "Reason: %s")
