from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE_S = 20.0


class Server:
    """A running `serve_fake.py`."""

    def __init__(self, port: int, folder: Path, *options: str) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}/"
        self.worker_pid = 0
        self._stderr = folder.parent / "stderr.txt"
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(folder), "HOME": str(folder)}
        with self._stderr.open("wb") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, "-B", str(Path(__file__).with_name("serve_fake.py")), str(port), *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                bufsize=0,
                cwd=folder,
                env=environment,
                start_new_session=True,
            )

    def line(self) -> str:
        """The next line of standard output; empty at its end."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE_S)
        assert ready, f"the server said nothing for {PATIENCE_S} s"
        return self.process.stdout.readline().decode().strip()

    def await_worker(self) -> int:
        """The process that has just made its table."""
        said = self.line().split()
        assert said[0] == "made", said
        self.worker_pid = int(said[1])
        return self.worker_pid

    def show_next(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b".")

    def interrupt(self, sig: signal.Signals = signal.SIGINT) -> None:
        """As Ctrl-C does: to the watcher and the worker."""
        os.killpg(self.process.pid, sig)

    def errors(self) -> str:
        return self._stderr.read_text()

    def end(self) -> None:
        if self.process.poll() is None:
            self.interrupt(signal.SIGKILL)
        self.process.wait(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def start(free_port: int, tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers that end with the test."""
    servers: list[Server] = []

    def starter(*options: str) -> Server:
        folder = tmp_path / f"run{len(servers)}" / "cwd"
        folder.mkdir(parents=True)
        servers.append(Server(free_port, folder, *options))
        return servers[-1]

    yield starter
    for server in servers:
        server.end()


@pytest.fixture
def server(start: Callable[..., Server]) -> Server:
    """A server that answers."""
    running = start()
    running.await_worker()
    assert running.line() == "ready"
    return running
