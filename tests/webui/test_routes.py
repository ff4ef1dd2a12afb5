from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient

from rules.match import MatchState, Phase
from webui.create_app import create_app
from webui.fake_port import FakeTable
from webui.ports import Snapshot

PAGES = ["/", "/table", "/healthz", "/nowhere", "/camera", "/camera.jpg"]


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(MatchState(length=5, names=("Ivory", "Walnut"), phase=Phase.TO_ROLL))


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    return create_app(table).test_client()


class Page(HTMLParser):
    """Collects the addresses a page loads, and anything that the policy would refuse."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.refused: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("script", "img") or (tag == "link" and given.get("rel") in ("stylesheet", "icon")):
            self.loads.append(given.get("src") or given.get("href") or "")
        if (tag == "script" and "src" not in given) or tag == "style":
            self.refused.append(tag)
        self.refused += [name for name in given if name == "style" or re.fullmatch(r"on\w+", name)]


def test_the_room_page_holds_the_whole_table_without_scripts(client: FlaskClient) -> None:
    text = client.get("/").text
    for expected in ("Ivory", "Walnut", "Match to 5", "<svg", 'aria-label="Ivory, white:', "watching"):
        assert expected in text
    assert client.get("/table").text in text


def test_a_name_cannot_bring_markup(table: FakeTable, client: FlaskClient) -> None:
    table.push(MatchState(names=('<script>alert("1")</script>', 'Walnut & "Oak"\''), phase=Phase.TO_ROLL))
    text = client.get("/").text
    assert "<script>alert" not in text
    assert "Walnut &amp; &#34;Oak&#34;&#39;" in text


def test_the_page_brings_all_it_needs_and_weighs_little(client: FlaskClient) -> None:
    answer = client.get("/")
    weight = len(answer.data)
    for address in Page(answer.text).loads:
        assert address.startswith("/static/")
        asset = client.get(address)
        assert asset.status_code == 200
        assert "max-age=31536000" in asset.headers["Cache-Control"]
        weight += len(asset.data)
        asset.close()
    assert weight < 100_000


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_is_guarded(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    if answer.mimetype == "text/html":
        assert Page(answer.text).refused == []


@pytest.mark.parametrize("path", ["/", "/table", "/events", "/healthz", "/camera", "/camera.jpg"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nothing_can_be_changed(client: FlaskClient, path: str, method: str) -> None:
    answer = client.open(path, method=method, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 405
    assert "nothing more" in answer.text


@pytest.mark.parametrize("path", ["/", "/table"])
def test_the_table_is_never_kept_by_a_browser(client: FlaskClient, path: str) -> None:
    assert client.get(path).headers["Cache-Control"] == "no-store"


def test_health_is_told_to_machines(table: FakeTable, client: FlaskClient) -> None:
    assert client.get("/healthz").json == {"version": 1, "healthy": True, "status": "watching"}
    table.push(status="camera lost", healthy=False)
    assert client.get("/healthz").json == {"version": 2, "healthy": False, "status": "camera lost"}
    assert "camera lost" in client.get("/").text


def test_a_missing_page_says_so_and_leads_back(client: FlaskClient) -> None:
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert "There is no such page at this table." in answer.text
    assert 'href="/"' in answer.text


class BrokenTable(FakeTable):
    def snapshot(self) -> Snapshot:
        raise RuntimeError("a secret of the inside")


def test_a_failure_is_told_without_its_inside(caplog: pytest.LogCaptureFixture) -> None:
    answer = create_app(BrokenTable()).test_client().get("/")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "secret" not in answer.text
    assert "a secret of the inside" in caplog.text


def test_the_page_is_rendered_once_for_all_who_see_the_same_in_one_language(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    app: Flask = create_app(table)
    client = app.test_client()
    first = client.get("/table").text
    german = client.get("/table?lang=de").text
    monkeypatch.setattr("webui.create_app.room_view", lambda _snapshot: pytest.fail("rendered again"))
    assert client.get("/table").text == first
    assert client.get("/table", headers={"Accept-Language": "de-AT, en;q=0.5"}).text == german
