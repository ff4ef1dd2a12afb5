"""The console: who gets in, and what its forms say to the table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from rules.cube import Cube
from rules.decisions import Asked
from rules.events import PlayFlagged, Role
from rules.match import GameRecord, MatchState, Phase
from rules.position import START, Player
from rules.roll import Roll
from webui.console import editing
from webui.create_app import NAME_REFUSED, ORIGIN_REFUSED, create_app
from webui.fake_port import BEGAN, FakeTable
from webui.guard import FREE_TRIES
from webui.keys import Keys, hashed
from webui.ports import Stored

KEYS = Keys(hashed("123456"), b"secret")
OURS = {"Sec-Fetch-Site": "same-origin"}
STATE = MatchState(
    length=7,
    names=("Ivory", "Walnut"),
    phase=Phase.TO_PLAY,
    turn=Player.WHITE,
    roll=Roll(3, 1),
    games=(GameRecord(1, (0, 0), START),),
)
MADE = editing.moved(editing.moved(START, "p8", "p5"), "p6", "p5")
ASKED = Asked(at_s=0, key="premature_roll", player=Player.BLACK, text="black has rolled before white lifted his dice")
FLAGGED = PlayFlagged(
    at_s=0,
    player=Player.WHITE,
    roll=Roll(3, 1),
    verdict="illegal",
    faults=("wrong_distance",),
    explanation="a checker went 4",
    position=MADE,
    clause="R22",
    evidence=("evidence/m/1.jpg",),
)


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(STATE)


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    return create_app(table, keys=KEYS).test_client()


@pytest.fixture
def director(client: FlaskClient) -> FlaskClient:
    answer = client.post("/login", data={"pin": "123456"}, headers=OURS)
    assert (answer.status_code, answer.location) == (303, "/console")
    return client


def say(client: FlaskClient, action: str, **fields: str) -> str:
    """The console's answer to a form, and the page it stands on."""
    answer = client.post("/console/say", data={"action": action, **fields}, headers=OURS, follow_redirects=True)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("path", ["/console", "/console/board", "/console/picture/x"])
def test_without_the_pin_everybody_is_led_to_the_door(client: FlaskClient, path: str) -> None:
    assert client.get(path).location == "/login"
    assert client.get("/console/live", headers={"HX-Request": "true"}).status_code == 403


def test_without_the_pin_nothing_is_said(client: FlaskClient, table: FakeTable) -> None:
    assert client.post("/console/say", data={"action": "undo"}, headers=OURS).status_code == 403
    client.set_cookie("schiri", "eyJ3aG8iOiJkaXJlY3RvciJ9.aaaaaa.forged")
    assert client.post("/console/say", data={"action": "undo"}, headers=OURS).status_code == 403
    assert table.told == []


@pytest.mark.parametrize("pin", ["", "123457", "1" * 65, "123456\0"])
def test_a_wrong_pin_stays_outside(client: FlaskClient, pin: str) -> None:
    assert client.post("/login", data={"pin": pin}, headers=OURS).status_code == 403
    assert client.get("/console").location == "/login"


def test_guessing_is_locked_out_even_with_the_right_pin(client: FlaskClient) -> None:
    for _ in range(FREE_TRIES):
        client.post("/login", data={"pin": "0"}, headers=OURS)
    assert client.post("/login", data={"pin": "123456"}, headers=OURS).status_code == 429
    other = {"REMOTE_ADDR": "192.168.1.9"}
    assert client.post("/login", data={"pin": "123456"}, headers=OURS, environ_base=other).status_code == 303


def test_without_keys_nobody_is_director(table: FakeTable) -> None:
    client = create_app(table).test_client()
    assert client.post("/login", data={"pin": "123456"}, headers=OURS).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
    ids=str,
)
def test_another_site_cannot_use_the_directors_session(
    director: FlaskClient, table: FakeTable, headers: dict[str, str]
) -> None:
    answer = director.post("/console/say", data={"action": "undo"}, headers=headers)
    assert (answer.status_code, answer.text.strip()) == (403, ORIGIN_REFUSED)
    assert table.told == []


def test_an_old_browser_that_names_its_origin_may(director: FlaskClient, table: FakeTable) -> None:
    director.post("/console/say", data={"action": "void"}, headers={"Origin": "http://localhost"})
    assert [by for _, by in table.told] == ["director"]


@pytest.mark.parametrize("path", ["/", "/login", "/console", "/events"])
def test_a_foreign_name_gets_nothing(director: FlaskClient, path: str) -> None:
    answer = director.get(path, headers={"Host": "evil.example"})
    assert (answer.status_code, answer.text.strip()) == (403, NAME_REFUSED)


def test_the_session_is_out_of_reach_of_scripts_and_other_sites(client: FlaskClient) -> None:
    cookie = client.post("/login", data={"pin": "123456"}, headers=OURS).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_leaving_ends_it(director: FlaskClient) -> None:
    director.post("/logout", headers=OURS)
    assert director.get("/console").location == "/login"


def test_a_form_without_end_is_refused(director: FlaskClient) -> None:
    assert director.post("/console/say", data={"action": "x" * 70_000}, headers=OURS).status_code == 413


def test_the_director_sees_the_camera_from_anywhere(director: FlaskClient, table: FakeTable) -> None:
    table.camera_picture = b"jpeg"
    far = {"REMOTE_ADDR": "192.168.1.9"}
    assert director.get("/camera.jpg", environ_base=far).data == b"jpeg"


def test_a_play_is_entered_in_notation_and_the_roll_after_it(director: FlaskClient, table: FakeTable) -> None:
    assert "Done." in say(director, "play", play="8/5 6/5")
    assert table.snapshot().state.position == MADE
    assert "Done." in say(director, "roll", one="6", two="4")
    assert (table.snapshot().state.turn, table.snapshot().state.roll) == (Player.BLACK, Roll(6, 4))
    page = say(director, "undo")
    assert table.snapshot().state.position == START
    assert "8/5 6/5" in page
    assert page.count(">director<") == 3


def test_a_play_moved_on_the_board_is_judged(director: FlaskClient, table: FakeTable) -> None:
    far = editing.moved(START, "p8", "p3")
    assert "Done." in say(director, "board_play", position=editing.write(far))
    assert table.snapshot().state.games[-1].turns[-1].verdict == "illegal"
    assert "no legal play of 3-1" in say(director, "board_correct", position=editing.write(far))
    assert "Done." in say(director, "board_correct", position=editing.write(MADE))
    assert table.snapshot().state.games[-1].turns[-1].verdict == "legal"


def test_a_board_that_stands_otherwise_is_set(director: FlaskClient, table: FakeTable) -> None:
    say(director, "board_set", position=editing.write(MADE), player="black")
    state = table.snapshot().state
    assert (state.position, state.turn, state.phase) == (MADE, Player.BLACK, Phase.TO_ROLL)


def test_a_form_from_before_the_last_play_is_refused(director: FlaskClient, table: FakeTable) -> None:
    page = director.get("/console/board").text
    seen = page.split('name="seen" value="')[1].split('"')[0]
    say(director, "play", play="8/5 6/5")
    told = len(table.told)
    text = say(director, "board_set", position=editing.write(START), player="white", seen=seen)
    assert "moved on meanwhile" in text
    assert len(table.told) == told


def test_cube_resignation_and_score(director: FlaskClient, table: FakeTable) -> None:
    table.push(replace(STATE, phase=Phase.TO_ROLL, roll=None))
    say(director, "offer", player="white")
    say(director, "take", player="black")
    assert table.snapshot().state.cube == Cube(2, Player.BLACK)
    say(director, "cube", value="4", owner="")
    assert table.snapshot().state.cube == Cube(4)
    say(director, "resign", player="black", win="gammon")
    say(director, "accept", player="white")
    assert table.snapshot().state.score == (8, 0)
    say(director, "score", white="3", black="2")
    say(director, "penalty", player="black", points="1", reason="late")
    assert table.snapshot().state.score == (3, 3)


@pytest.mark.parametrize(
    ("action", "fields", "sentence"),
    [
        ("nothing", {}, "does not know that action"),
        ("roll", {"one": "7", "two": "1"}, "A die must be a whole number from 0 to 6"),
        ("roll", {"one": "0", "two": "1"}, "a die shows 1 to 6"),
        ("play", {"play": "13/2"}, "is not legal"),
        ("play", {"play": "<b>"}, "expected steps such as"),
        ("take", {"player": "white"}, "that cannot be said now: a roll is being played"),
        ("take", {"player": "me"}, "Say which player"),
        ("cube", {"value": "3"}, "The cube shows 1, 2, 4, 8"),
        ("score", {"white": "٣", "black": "1"}, "The score must be a whole number"),
        ("resign", {"player": "white", "win": "all"}, "Say whether"),
        ("board_play", {"position": "x"}, "could not be read"),
        ("board_correct", {"position": editing.write(MADE)}, "no play yet"),
        ("stands", {}, "no play yet"),
        ("answer", {"key": "premature_roll"}, "Say what the answer is"),
        ("answer", {"key": "x", "choice": "y"}, "nobody has asked about x"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    director: FlaskClient, table: FakeTable, action: str, fields: dict[str, str], sentence: str
) -> None:
    text = say(director, action, **fields)
    assert "Refused: " in text
    assert sentence in text
    assert table.snapshot().state == STATE


def test_a_question_is_answered_by_one_tap(director: FlaskClient, table: FakeTable) -> None:
    table.push(replace(STATE, questions=(ASKED,)))
    page = director.get("/console").text
    assert "Walnut has rolled before Ivory lifted his dice" in page
    assert '<input type="hidden" name="choice" value="the roll is repeated">' in page
    say(director, "answer", key="premature_roll", choice="the roll is repeated")
    assert table.snapshot().state.questions == ()


def test_faults_stand_on_the_console_and_a_recorder_keeps_them_off_the_room_page(
    director: FlaskClient, table: FakeTable
) -> None:
    table.push(replace(STATE, role=Role.RECORDER))
    table.stored["fake"].append(Stored(1, FLAGGED, BEGAN))
    table.pictures["evidence/m/1.jpg"] = b"jpeg"
    page = director.get("/console").text
    assert "R22 Ivory, 3-1: a checker went 4" in page
    assert 'src="/console/picture/evidence/m/1.jpg"' in page
    assert director.get("/console/picture/evidence/m/1.jpg").data == b"jpeg"
    assert director.get("/console/picture/evidence/m/2.jpg").status_code == 404
    assert "a checker went 4" not in director.get("/").text
    say(director, "void")
    say(director, "undo")
    table.stored["fake"].append(Stored(9, replace(FLAGGED, at_s=1.0), BEGAN))
    assert "R22 Ivory" in director.get("/console/live").text


@pytest.mark.parametrize("query", ["position=x", "from=p99", "from=p6&to=p99"])
def test_a_board_that_cannot_be_is_no_page(director: FlaskClient, query: str) -> None:
    assert director.get(f"/console/board?{query}").status_code == 404


def test_the_board_works_without_scripts(director: FlaskClient) -> None:
    page = director.get("/console/board?from=p8").text
    assert "Now tap where the checker goes" in page
    assert "from=p8&amp;to=p5" in page
    assert editing.write(editing.moved(START, "p8", "p5")) in director.get("/console/board?from=p8&to=p5").text


def test_another_match_begins_without_a_new_start(director: FlaskClient, table: FakeTable) -> None:
    fields = {"white": " A ", "black": "B", "length": "3", "profile": "ukbgf", "role": "referee", "consent": "yes"}
    answer = director.post("/console/match", data=fields, headers=OURS, follow_redirects=True)
    assert "The match has begun" in answer.text
    state = table.snapshot().state
    assert (state.names, state.length, state.profile) == (("A", "B"), 3, "ukbgf")
    assert (state.role, state.consent, state.phase) == (Role.REFEREE, True, Phase.BETWEEN_GAMES)
    assert table.events(table.snapshot().match_id)[0].event.by == "director"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"white": " "}, "Both players need a name"),
        ({"length": "-1"}, "The length must be"),
        ({"profile": "x"}, "no rule profile"),
    ],
)
def test_a_match_that_cannot_be_is_refused(
    director: FlaskClient, table: FakeTable, wrong: dict[str, str], sentence: str
) -> None:
    fields = {"white": "A", "black": "B", "length": "3", "profile": "club-de"} | wrong
    answer = director.post("/console/match", data=fields, headers=OURS, follow_redirects=True)
    assert sentence in answer.text
    assert "is still running" in answer.text
    assert table.snapshot().state == STATE


@pytest.mark.parametrize("path", ["/", "/table", "/big", "/overlay"])
def test_a_match_closed_to_spectators_shows_nothing_of_itself(
    director: FlaskClient, table: FakeTable, path: str
) -> None:
    say(director, "play", play="8/5 6/5")
    assert "Ivory" in director.get(path).text
    assert "closed to spectators" in say(director, "view", shown="no")
    closed = director.get(path).text
    assert "This match is not shown to spectators" in closed
    for secret in ("Ivory", "Walnut", "Match to 7", "8/5"):
        assert secret not in closed
    assert "Walnut to roll" in director.get("/console").text
    say(director, "view", shown="yes")
    assert "Ivory" in director.get(path).text
