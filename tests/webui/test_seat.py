"""A player's own page: only with his code, only for himself, only in this match."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from rules.cube import Cube
from rules.events import MatchStarted, Win
from rules.match import GameRecord, MatchState, Phase
from rules.position import START, Player
from webui.create_app import create_app
from webui.fake_port import FakeTable
from webui.keys import Keys, hashed
from webui.seat import offers

KEYS = Keys(hashed("123456"), b"secret")
OURS = {"Sec-Fetch-Site": "same-origin"}
WHITE, BLACK = Player
STATE = MatchState(
    length=7,
    names=("Ivory", "Walnut"),
    phase=Phase.TO_ROLL,
    turn=WHITE,
    games=(GameRecord(1, (0, 0), START),),
)
DOUBLED = replace(STATE, phase=Phase.CUBE_OFFERED, cube=Cube(1, None, WHITE))
VIEW = "Close the room page to spectators"


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(STATE)


@pytest.fixture
def black(table: FakeTable) -> FlaskClient:
    client = create_app(table, keys=KEYS).test_client()
    answer = client.post("/login", data={"pin": KEYS.seat_code("fake", BLACK)}, headers=OURS)
    assert answer.location == "/seat"
    return client


def say(client: FlaskClient, words: str) -> str:
    return client.post("/seat", data={"say": words}, headers=OURS, follow_redirects=True).text


def test_codes_differ_by_seat_match_and_table() -> None:
    codes = {keys.seat_code(match, p) for keys in (KEYS, Keys("", b"x")) for match in ("a", "b") for p in Player}
    assert len(codes) == 8
    assert all(len(code) == 5 and code.isdecimal() for code in codes)
    assert KEYS.seat_of("a", KEYS.seat_code("a", BLACK)) is BLACK
    assert KEYS.seat_of("a", KEYS.seat_code("b", BLACK)) is None


def test_without_a_code_there_is_no_seat(table: FakeTable) -> None:
    client = create_app(table, keys=KEYS).test_client()
    assert client.get("/seat").location == "/login"
    assert client.post("/seat", data={"say": VIEW}, headers=OURS).status_code == 403
    assert client.post("/login", data={"pin": KEYS.seat_code("other", BLACK)}, headers=OURS).status_code == 403
    assert table.told == []


@pytest.mark.parametrize("path", ["/console", "/console/board", "/matches"])
def test_a_player_is_no_director(black: FlaskClient, path: str) -> None:
    assert black.get(path).location == "/login"
    assert black.post("/console/say", data={"action": "undo"}, headers=OURS).status_code == 403
    assert black.get("/camera.jpg", environ_base={"REMOTE_ADDR": "192.168.1.9"}).status_code == 403


def test_a_player_drops_in_his_own_name(black: FlaskClient, table: FakeTable) -> None:
    assert "Drop" not in black.get("/seat").text
    table.push(DOUBLED)
    assert "Done." in say(black, "Take")
    assert table.snapshot().state.cube == Cube(2, BLACK)
    assert [by for _, by in table.told] == ["black"]


def test_what_is_not_offered_to_him_is_not_said(black: FlaskClient, table: FakeTable) -> None:
    table.push(replace(STATE, resignation=(BLACK, Win.SINGLE)))
    assert "cannot be said any more" in say(black, "Accept the resignation")
    assert table.told == []


def test_a_code_ends_with_its_match(black: FlaskClient, table: FakeTable) -> None:
    table.begin(MatchStarted(at_s=0, length=1, white="A", black="B"))
    assert black.get("/seat").location == "/login"
    assert black.post("/seat", data={"say": VIEW}, headers=OURS).status_code == 403


def test_a_player_closes_the_room_page(black: FlaskClient, table: FakeTable) -> None:
    say(black, VIEW)
    assert not table.snapshot().state.shown
    assert "Ivory" not in black.get("/").text
    assert "Open the room page" in black.get("/seat").text


@pytest.mark.parametrize(
    ("state", "player", "words"),
    [
        (DOUBLED, BLACK, ["Take", "Drop", VIEW]),
        (DOUBLED, WHITE, [VIEW]),
        (STATE, WHITE, ["Resign a single game", "Resign a gammon", "Resign a backgammon", VIEW]),
        (
            replace(STATE, resignation=(WHITE, Win.GAMMON)),
            BLACK,
            ["Accept the resignation", "Refuse the resignation", VIEW],
        ),
        (replace(STATE, resignation=(WHITE, Win.GAMMON)), WHITE, [VIEW]),
        (replace(STATE, phase=Phase.MATCH_OVER), WHITE, ["Confirm the result", VIEW]),
        (replace(STATE, phase=Phase.MATCH_OVER, confirmed_by=frozenset({WHITE})), WHITE, [VIEW]),
        (replace(STATE, phase=Phase.MATCH_OVER, official=True), WHITE, []),
        (replace(STATE, phase=Phase.BETWEEN_GAMES, games=()), WHITE, [VIEW]),
        (MatchState(), WHITE, []),
    ],
)
def test_only_what_is_open_is_offered(state: MatchState, player: Player, words: list[str]) -> None:
    assert list(offers(state, player)) == words
