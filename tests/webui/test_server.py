"""The real server, as a process of its own: see `serve_fake.py`."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from device.errors import DeviceError
from device.server import check_free

THREADS_FOR_STREAMS = 24


@contextmanager
def asked(server: Any, path: str, **headers: str) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.request("GET", path, headers=headers)
        with connection.getresponse() as answer:
            yield answer
    finally:
        connection.close()


def health(server: Any) -> dict[str, object]:
    with asked(server, "/healthz") as answer:
        found: dict[str, object] = json.load(answer)
        return found


def next_event(stream: http.client.HTTPResponse) -> str:
    """The next event of a stream, heartbeats left out."""
    lines: list[str] = []
    while line := stream.readline().decode():
        if line != "\n":
            lines.append(line)
        elif lines and lines[0].startswith("id:"):
            return "".join(lines)
        else:
            lines.clear()
    raise AssertionError("the stream ended")


def test_a_change_reaches_an_open_stream(server: Any) -> None:
    with asked(server, "/events") as stream:
        assert "Ivory to play 3-1" in next_event(stream)
        server.show_next()
        event = next_event(stream)
    assert event.startswith("id: 2\n")
    assert "8/5 6/5" in event


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_it_stops_cleanly_with_streams_open(server: Any, tmp_path: Path, sig: signal.Signals) -> None:
    with asked(server, "/events") as one, asked(server, "/events") as other, asked(server, "/") as page:
        next_event(one)
        next_event(other)
        page.read()
        server.interrupt(sig)
        assert server.process.wait(20) == 0
    assert [server.line(), server.line()] == [f"closed {server.worker_pid}", "watcher left"]
    assert server.errors() == ""
    assert list((tmp_path / "run0" / "cwd").iterdir()) == []


def test_ctrl_c_by_the_watcher_alone_stops_the_worker_too(server: Any) -> None:
    os.kill(server.process.pid, signal.SIGTERM)
    assert server.process.wait(20) == 0
    assert server.line() == f"closed {server.worker_pid}"
    with pytest.raises(ProcessLookupError):
        os.kill(server.worker_pid, 0)


def test_a_killed_worker_is_replaced_and_opens_the_table_again(server: Any) -> None:
    killed = server.worker_pid
    os.kill(killed, signal.SIGKILL)
    assert server.await_worker() != killed
    assert health(server)["healthy"] is True
    server.interrupt()
    assert server.process.wait(20) == 0
    assert server.line() == f"closed {server.worker_pid}"


def test_without_its_watcher_the_worker_ends(server: Any) -> None:
    with asked(server, "/events") as stream:
        next_event(stream)
        os.kill(server.process.pid, signal.SIGKILL)
        assert server.line() == f"closed {server.worker_pid}"


def test_pages_answer_while_all_streams_are_taken(server: Any) -> None:
    connections = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=20) for _ in range(THREADS_FOR_STREAMS)]
    streams = []
    for connection in connections:
        connection.request("GET", "/events")
        streams.append(connection.getresponse())
    assert [stream.status for stream in streams] == [200] * THREADS_FOR_STREAMS
    with asked(server, "/events") as busy:
        assert (busy.status, busy.headers["Retry-After"]) == (503, "15")
    assert health(server)["version"] == 1
    server.interrupt()
    assert server.process.wait(20) == 0
    for connection, stream in zip(connections, streams, strict=True):
        stream.close()
        connection.close()


def test_who_leaves_makes_room_before_a_heartbeat(server: Any) -> None:
    deadline = time.monotonic() + 8  # the first heartbeat comes after ten
    for _ in range(2):
        connections = []
        for _ in range(THREADS_FOR_STREAMS):
            status = 503
            while status == 503:
                assert time.monotonic() < deadline
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
                connection.request("GET", "/events")
                stream = connection.getresponse()
                status = stream.status
                connections.append((connection, stream))
        for connection, stream in connections:
            stream.close()
            connection.close()


def test_the_camera_stays_on_this_machine(server: Any) -> None:
    with asked(server, "/camera.jpg") as picture:
        assert (picture.status, picture.headers["Content-Type"]) == (200, "image/jpeg")
    with asked(server, "/camera.jpg", Host="schiri.example") as rebound:
        assert rebound.status == 403
    with asked(server, "/camera.jpg", **{"X-Forwarded-For": "10.0.0.7"}) as forwarded:
        assert forwarded.status == 403


def test_a_taken_port_is_said_in_one_sentence(start: Callable[..., Any], free_port: int) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port))
        other.listen()
        server = start()
        assert server.process.wait(20) == 1
    assert server.errors() == (
        f"schiri: 127.0.0.1:{free_port}: port {free_port} is already in use; "
        "stop the other program or choose another port with --port\n"
    )
    assert server.line() == ""


def test_a_table_that_cannot_be_opened_is_said_in_one_sentence(start: Callable[..., Any]) -> None:
    server = start("fail")
    assert server.process.wait(20) == 1
    assert server.errors() == "schiri: usb:0: there is no camera\n"
    server.await_worker()
    assert server.line() == "watcher left"


@pytest.mark.parametrize(("host", "port"), [("no-such-host.invalid", 8080), ("127.0.0.1", 70000), ("192.0.2.1", 8080)])
def test_an_impossible_address_is_said(host: str, port: int) -> None:
    with pytest.raises(DeviceError, match="cannot listen there"):
        check_free(host, port)
