from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest
from flask import Flask

from rules.match import MatchState, Phase
from webui.create_app import create_app
from webui.fake_port import FakeTable
from webui.stream import HEARTBEAT, message, reader_left

STATE = MatchState(length=5, names=("Ivory", "Walnut"), phase=Phase.TO_ROLL)


class Stopper:
    stopping = False

    def __call__(self) -> bool:
        return self.stopping


@pytest.fixture
def stop() -> Stopper:
    return Stopper()


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(STATE)


@pytest.fixture
def app(table: FakeTable, stop: Stopper) -> Flask:
    return create_app(table, stopping=stop, max_streams=2, heartbeat_s=0.02, slice_s=0.01)


class Reader:
    """One who listens to `/events`."""

    def __init__(self, app: Flask, last_event_id: str | None = None) -> None:
        headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        self.response = app.test_client().get("/events", headers=headers, buffered=False)
        self.chunks: Iterator[str] = (
            chunk if isinstance(chunk, str) else chunk.decode() for chunk in self.response.iter_encoded()
        )

    def next(self) -> str:
        return next(self.chunks)

    def next_event(self) -> str:
        return next(chunk for chunk in self.chunks if chunk.startswith("id:"))


def test_an_event_is_framed_line_by_line() -> None:
    assert message(7, "table", "a\nb\r\nc\rd") == "id: 7\nevent: table\ndata: a\ndata: b\ndata: c\ndata: d\n\n"


def test_the_stream_begins_with_the_table_as_it_is(app: Flask) -> None:
    reader = Reader(app)
    assert reader.response.mimetype == "text/event-stream"
    assert reader.response.headers["Cache-Control"] == "no-store"
    assert reader.next() == "retry: 2000\n\n"
    first = reader.next()
    assert first.startswith("id: 1\nevent: table\ndata: <div")
    assert first.endswith("\n\n")
    assert "\n\n" not in first[:-2]
    reader.response.close()


def test_a_change_arrives_with_its_version(app: Flask, table: FakeTable) -> None:
    reader = Reader(app)
    assert "Ivory" in reader.next_event()
    table.push(MatchState(names=("Cherry", "Walnut"), phase=Phase.TO_ROLL))
    event = reader.next_event()
    assert event.startswith("id: 2\n")
    assert "Cherry" in event
    reader.response.close()


def test_the_stream_speaks_while_nothing_happens(app: Flask) -> None:
    reader = Reader(app)
    reader.next_event()
    assert reader.next() == reader.next() == HEARTBEAT
    reader.response.close()


@pytest.mark.parametrize("last", ["1", "2", "99", "not a number", ""])
def test_who_comes_back_gets_what_he_has_not_seen(app: Flask, table: FakeTable, last: str) -> None:
    table.push(STATE)
    reader = Reader(app, last)
    reader.next()
    assert reader.next() == HEARTBEAT if last == "2" else reader.next_event().startswith("id: 2\n")
    reader.response.close()


def test_who_has_seen_all_still_gets_the_next_change(app: Flask, table: FakeTable) -> None:
    reader = Reader(app, "1")
    reader.next()
    table.push(STATE)
    assert reader.next_event().startswith("id: 2\n")
    reader.response.close()


def test_one_too_many_is_asked_to_come_back_later(app: Flask) -> None:
    readers = [Reader(app), Reader(app)]
    busy = app.test_client().get("/events")
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "15")
    assert app.test_client().get("/").status_code == 200
    for reader in readers:
        reader.response.close()


def test_a_reader_that_leaves_makes_room_even_if_it_never_read(app: Flask) -> None:
    for _ in range(5):
        reader = Reader(app)
        assert reader.response.status_code == 200
        reader.response.close()
        reader.response.close()
    both = [Reader(app), Reader(app)]
    assert app.test_client().get("/events").status_code == 503
    for reader in both:
        reader.response.close()


def test_asking_for_the_head_alone_takes_no_place(app: Flask) -> None:
    for _ in range(5):
        assert app.test_client().head("/events").status_code == 200


def test_streams_end_when_the_server_stops(app: Flask, stop: Stopper) -> None:
    reader = Reader(app)
    reader.next_event()
    stop.stopping = True
    assert all(chunk == HEARTBEAT for chunk in reader.chunks)
    reader.response.close()


def test_many_readers_all_get_a_change(table: FakeTable) -> None:
    app = create_app(table, heartbeat_s=0.02, slice_s=0.01)
    readers = [Reader(app) for _ in range(8)]
    got: list[str] = []
    started = threading.Barrier(9)

    def listen(reader: Reader) -> None:
        reader.next_event()
        started.wait(10)
        got.append(reader.next_event())
        reader.response.close()

    threads = [threading.Thread(target=listen, args=(reader,)) for reader in readers]
    for thread in threads:
        thread.start()
    started.wait(10)
    table.push(STATE)
    for thread in threads:
        thread.join(10)
    assert len(got) == 8
    assert len(set(got)) == 1


def test_a_reader_that_closed_its_end_is_noticed() -> None:
    ours, theirs = socket.socketpair()
    left = reader_left({"gunicorn.socket": ours})
    assert not left()
    theirs.send(b"more")
    assert not left()
    assert ours.recv(4) == b"more"
    theirs.close()
    assert left()
    ours.close()
    assert left()
    assert not reader_left({})()
