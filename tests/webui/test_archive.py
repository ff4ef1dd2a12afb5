from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from rules.events import GameStarted, MatchStarted, Noted, Rolled
from rules.position import START, Player
from rules.roll import Roll
from webui.create_app import create_app
from webui.fake_port import BEGAN, FakeTable
from webui.keys import Keys, hashed
from webui.ports import Stored

KEYS = Keys(hashed("123456"), b"secret")
BEGIN = MatchStarted(at_s=0, length=5, white="Élan", black="Walnut")
EVENTS = (
    BEGIN,
    GameStarted(at_s=1, position=START),
    Noted(at_s=2, key="board_moved", text="the board was moved"),
    Rolled(at_s=3, player=Player.WHITE, roll=Roll(6, 5), by="director", evidence=("evidence/m/1.jpg",)),
)


@pytest.fixture
def client() -> FlaskClient:
    table = FakeTable()
    table.stored["usb:0 2026 a"] = [Stored(k, event, BEGAN) for k, event in enumerate(EVENTS, 1)]
    table.stored["usb:0 2026 b"] = [Stored(9, MatchStarted(at_s=0, length=0, white="Oak", black="Birch"), BEGAN)]
    return create_app(table, keys=KEYS).test_client()


@pytest.fixture
def director(client: FlaskClient) -> FlaskClient:
    client.post("/login", data={"pin": "123456"}, headers={"Sec-Fetch-Site": "same-origin"})
    return client


@pytest.mark.parametrize(
    "path", ["/matches", "/matches/replay?match=usb:0+2026+a", "/matches/download?match=usb:0+2026+a"]
)
def test_the_archive_is_the_directors(client: FlaskClient, path: str) -> None:
    assert client.get(path).location == "/login"


def test_matches_are_found_by_the_words_of_a_search(director: FlaskClient) -> None:
    page = director.get("/matches").text
    assert page.index("Oak – Birch") < page.index("Élan – Walnut")
    found = director.get("/matches?q=walnut+ÉLAN").text
    assert "Élan – Walnut" in found
    assert "Oak" not in found
    assert "No match is found" in director.get("/matches?q=walnut+oak").text


def test_a_match_is_replayed_event_by_event_without_notes(director: FlaskClient) -> None:
    last = director.get("/matches/replay?match=usb:0+2026+a").text
    assert "Élan: rolls 6-5" in last
    assert "said by director" in last
    assert "3 of 3" in last
    assert "/console/picture/evidence/m/1.jpg" in last
    first = director.get("/matches/replay?match=usb:0+2026+a&at=1").text
    assert "match started" in first
    assert 'rel="next"' in first
    assert 'rel="prev"' not in first
    assert "3 of 3" in director.get("/matches/replay?match=usb:0+2026+a&at=99").text


@pytest.mark.parametrize("query", ["", "match=nobody", "match=fake"])
def test_an_unknown_match_is_no_page(director: FlaskClient, query: str) -> None:
    assert director.get(f"/matches/replay?{query}").status_code == 404
    assert director.get(f"/matches/download?{query}&format=mat").status_code == 404


@pytest.mark.parametrize(
    ("kind", "start"), [("mat", "; [Site"), ("sgf", "(;FF[4]GM[6]"), ("txt", "; [Site"), ("jsonl", "MatchStarted")]
)
def test_a_match_can_be_taken_along(director: FlaskClient, kind: str, start: str) -> None:
    answer = director.get(f"/matches/download?match=usb:0+2026+a&format={kind}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].endswith(f'_Elan_-_Walnut.{kind}"')
    assert answer.text.startswith(start) or "Walnut" in answer.text


def test_an_unknown_format_is_no_page(director: FlaskClient) -> None:
    assert director.get("/matches/download?match=usb:0+2026+a&format=exe").status_code == 404
