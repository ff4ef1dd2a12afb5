"""GNU Backgammon as a supervised process: started when asked, ended when it hangs, started again with patience."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from device.analysis.evaluator import EngineError, EngineMissingError, EngineRefusedError, Progress

SCRIPT = Path(__file__).with_name("gnubg_script.py")
PLACES = "/usr/games:/usr/local/games:/usr/bin:/usr/local/bin"
MISSING = "there is no gnubg on this machine: install it with `sudo apt-get install --no-install-recommends gnubg`"
START_S = 20.0
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
_CHUNK = 1 << 16


class EngineProcess:
    """One gnubg, one question at a time, from any thread.

    `home` is its HOME, so that no settings of a user change its answers. After a crash or a hang the next start waits
    a second, then twice as long each time until an answer has come; questions in between are refused at once.
    """

    def __init__(
        self,
        home: Path,
        binary: Path | None = None,
        *,
        script: Path = SCRIPT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.home, self._binary, self._script, self._clock = home, binary, script, clock
        self._lock, self._running = Lock(), Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._replies = -1
        self._buffer = b""
        self._number, self._failures, self._not_before = 0, 0, 0.0

    @property
    def binary(self) -> Path | None:
        """The program, where there is one."""
        if self._binary is not None:
            return self._binary if os.access(self._binary, os.X_OK) else None
        found = shutil.which("gnubg", path=PLACES)
        return None if found is None else Path(found)

    @property
    def pid(self) -> int | None:
        """The running process."""
        process = self._process
        return None if process is None or process.poll() is not None else process.pid

    def ask(self, what: str, limit_s: float, progress: Progress = lambda _done, _all: None, **values: object) -> Any:
        """The engine's answer, as JSON. It has `limit_s` for it, and as long again after each sign of progress.

        Raises EngineMissingError, EngineRefusedError, or EngineError: it crashed, hangs, or is not started again yet.
        """
        with self._lock:
            self._ensure_started()
            self._number += 1
            question = {"id": self._number, "what": what, **values}
            try:
                self._send(question)
                while True:
                    line = self._line(limit_s)
                    if line.get("id") == self._number:
                        break
                    if "of" in line:
                        progress(int(line["done"]), int(line["of"]))
            except EngineError:
                self._give_up()
                raise
            self._failures = 0
        if "refused" in line:
            raise EngineRefusedError(str(line["refused"]))
        return line["answer"]

    def stop(self) -> None:
        """End the process; whoever waits for an answer gets an error. A later question starts it anew."""
        with self._running:
            if self._process is not None:
                _kill(self._process)

    def close(self) -> None:
        """End the process and let go of its pipes."""
        self.stop()
        with self._lock:
            self._end()

    def _ensure_started(self) -> None:
        if self.pid is not None:
            return
        self._end()
        if (binary := self.binary) is None:
            raise EngineMissingError(MISSING)
        wait_s = self._not_before - self._clock()
        if wait_s > 0:
            raise EngineError(f"the engine failed and is started again in {wait_s:.0f} s at the earliest")
        try:
            self._start(binary)
            if not self._line(START_S).get("ready"):
                raise EngineError(f"{binary}: it started and speaks another language")
        except OSError as error:
            self._give_up()
            raise EngineError(f"{binary}: cannot be started ({error.strerror})") from error
        except EngineError:
            self._give_up()
            raise

    def _start(self, binary: Path) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        self._replies, self._buffer = reading, b""
        environment: Mapping[str, str] = {
            "HOME": str(self.home),
            "PATH": PLACES,
            "LANG": "C.UTF-8",
            "SCHIRI_REPLY_FD": str(writing),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            with self._running:
                self._process = subprocess.Popen(
                    [str(binary), "-t", "-q", "-r", "-p", str(self._script)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd=self.home,
                    env=environment,
                    pass_fds=[writing],
                    start_new_session=True,
                )
        finally:
            os.close(writing)

    def _send(self, question: Mapping[str, object]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise EngineError("the engine has ended without a word") from error

    def _line(self, limit_s: float) -> dict[str, Any]:
        """The next line that it says within `limit_s` seconds of silence before it."""
        until_s = time.monotonic() + limit_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._replies, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                left_s = until_s - time.monotonic()
                if left_s <= 0 or not selector.select(left_s):
                    raise EngineError(f"the engine gave no answer for {limit_s:.0f} s and was stopped")
                chunk = os.read(self._replies, _CHUNK)
                if not chunk:
                    raise EngineError("the engine has ended without a word")
                self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise EngineError(f"the engine said what nobody understands: {line[:80]!r}")
        return said

    def _give_up(self) -> None:
        self._end()
        self._not_before = self._clock() + min(FIRST_WAIT_S * 2.0 ** min(self._failures, 20), LONGEST_WAIT_S)
        self._failures += 1

    def _end(self) -> None:
        with self._running:
            process, self._process = self._process, None
        if process is not None:
            _kill(process)
            process.wait()
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()
        if self._replies >= 0:
            os.close(self._replies)
            self._replies = -1


def _kill(process: subprocess.Popen[bytes]) -> None:
    """It is the first of a session of its own; SIGKILL also ends one that is stopped."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
