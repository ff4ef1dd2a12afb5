"""The engine's process with the real gnubg: killed, stopped, gone, slow to come back."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.analysis.evaluator import EngineError, EngineMissingError, EngineRefusedError
from device.analysis.gnubg import Gnubg
from device.analysis.process import LONGEST_WAIT_S, EngineProcess
from rules.codecs.xgid import read_xgid

OPENING = read_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def process(gnubg_path: Path, tmp_path: Path, clock: Clock) -> Iterator[EngineProcess]:
    running = EngineProcess(tmp_path / "home", gnubg_path, clock=clock)
    yield running
    running.close()


def test_it_starts_when_it_is_asked_and_keeps_its_home_to_itself(process: EngineProcess) -> None:
    assert process.pid is None
    assert Gnubg(process).plays(OPENING)[0].play == "8/5 6/5"
    assert process.pid is not None
    environment = Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
    assert f"HOME={process.home}".encode() in environment


def test_a_killed_engine_is_started_again_for_the_next_question(process: EngineProcess) -> None:
    gnubg = Gnubg(process)
    gnubg.plays(OPENING)
    first = process.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert gnubg.plays(OPENING)[0].play == "8/5 6/5"
    assert process.pid not in (None, first)


def test_an_engine_that_dies_while_it_thinks_is_an_error_and_comes_back_with_patience(
    process: EngineProcess, clock: Clock
) -> None:
    gnubg = Gnubg(process)
    gnubg.plays(OPENING)
    first = process.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)  # so that it cannot answer before it dies
    caught: list[str] = []

    def ask() -> None:
        try:
            gnubg.plays(OPENING)
        except EngineError as error:
            caught.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    os.kill(first, signal.SIGKILL)
    asking.join(20)
    # Killed before the question came, it is simply started anew; killed after it, that is told.
    assert caught in ([], ["the engine has ended without a word"])
    clock.now_s += LONGEST_WAIT_S
    assert gnubg.plays(OPENING)[0].play == "8/5 6/5"


def test_a_hanging_engine_is_stopped_and_started_again(process: EngineProcess, clock: Clock) -> None:
    gnubg = Gnubg(process, limit_s=0.2)
    Gnubg(process).plays(OPENING)
    first = process.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    with pytest.raises(EngineError, match="gave no answer"):
        gnubg.plays(OPENING)
    assert process.pid is None
    assert not Path(f"/proc/{first}").exists()
    with pytest.raises(EngineError, match="started again in 1 s"):
        gnubg.plays(OPENING)
    clock.now_s += 1.0
    assert Gnubg(process).plays(OPENING)[0].play == "8/5 6/5"


def test_the_wait_doubles_up_to_a_minute_and_an_answer_ends_it(tmp_path: Path, clock: Clock) -> None:
    broken = tmp_path / "gnubg"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    process = EngineProcess(tmp_path / "home", broken, clock=clock)
    waits = []
    for _ in range(8):
        with pytest.raises(EngineError, match="ended without a word"):
            process.ask("plays", 1.0)
        with pytest.raises(EngineError) as refused:
            process.ask("plays", 1.0)
        waits.append(int(str(refused.value).split(" in ")[1].split()[0]))
        clock.now_s += waits[-1]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


def test_without_an_engine_the_error_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(EngineMissingError, match="apt-get install"):
        EngineProcess(tmp_path, tmp_path / "no such file").ask("plays", 1.0)


def test_a_program_that_is_no_engine_is_said(tmp_path: Path) -> None:
    other = tmp_path / "gnubg"
    other.write_text("#!/bin/sh\necho hello >/dev/fd/$SCHIRI_REPLY_FD\n")
    other.chmod(0o755)
    with pytest.raises(EngineError, match="nobody understands: b'hello'"):
        EngineProcess(tmp_path / "home", other).ask("plays", 1.0)


def test_what_is_refused_leaves_the_engine_running(process: EngineProcess) -> None:
    Gnubg(process).plays(OPENING)
    before = process.pid
    with pytest.raises(EngineRefusedError):
        process.ask("plays", 10.0, xgid="XGID=nonsense", gnuid="nonsense", plies=0)
    assert process.pid == before


def test_stopping_ends_a_long_answer(process: EngineProcess) -> None:
    gnubg = Gnubg(process)
    gnubg.plays(OPENING)
    pid = process.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    timer = threading.Timer(0.05, process.stop)
    timer.start()
    try:
        gnubg.plays(OPENING)
    except EngineError as error:
        assert "without a word" in str(error)  # noqa: PT017 (stopped before the question, it is started anew)
    timer.join()
    assert not Path(f"/proc/{pid}").exists() or process.pid != pid
