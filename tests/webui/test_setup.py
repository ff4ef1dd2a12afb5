"""The set-up's pages: a board found or not, a self-test in plain words, a match begun with both players' consent."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from rules.match import MatchState
from webui.create_app import create_app
from webui.fake_port import FakeTable
from webui.fake_setup import FakeSetup
from webui.keys import Keys, hashed
from webui.setup.port import SelfTest, Sight

KEYS = Keys(hashed("123456"), b"secret")
OURS = {"Sec-Fetch-Site": "same-origin"}
FOUND = ((100.0, 80.0), (860.0, 80.0), (880.0, 520.0), (90.0, 520.0))
SIGHT = Sight(b"\xff\xd8 a picture", (960, 600), FOUND)
MATCH = {"white": "Ivory", "black": "Walnut", "length": "7", "profile": "club-de", "role": "referee"}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(MatchState())


@pytest.fixture
def desk() -> FakeSetup:
    return FakeSetup(SIGHT)


@pytest.fixture
def client(table: FakeTable, desk: FakeSetup) -> FlaskClient:
    return create_app(table, keys=KEYS, setup=desk).test_client()


@pytest.fixture
def director(client: FlaskClient) -> FlaskClient:
    client.post("/login", data={"pin": "123456"}, headers=OURS)
    return client


def send(client: FlaskClient, path: str, **fields: str) -> str:
    answer = client.post(path, data=fields, headers=OURS, follow_redirects=True)
    assert answer.status_code == 200
    return answer.text


def test_only_the_director_sets_up(client: FlaskClient, desk: FakeSetup) -> None:
    for path in ("/setup", "/setup/test", "/setup/match", "/setup/picture.jpg"):
        assert client.get(path).location == "/login"
    for path in ("/setup/look", "/setup/board", "/setup/keep", "/setup/forget", "/setup/match"):
        assert client.post(path, headers=OURS).status_code == 403
    assert (desk.learned_from, desk.kept) == ([], [])


def test_a_first_start_leads_to_the_set_up_and_later_ones_do_not(client: FlaskClient, desk: FakeSetup) -> None:
    assert "/setup" in client.get("/").text
    assert "/setup" not in client.get("/big").text
    assert client.post("/login", data={"pin": "123456"}, headers=OURS).location == "/setup"
    assert "Nobody has said yet" in client.get("/console").text
    desk.needed = False
    assert "/setup" not in client.get("/").text
    assert "Nobody has said yet" not in client.get("/console").text
    assert client.post("/login", data={"pin": "123456"}, headers=OURS).location == "/console"


def test_a_table_that_cannot_be_set_up_has_no_such_pages(table: FakeTable) -> None:
    client = create_app(table, keys=KEYS).test_client()
    assert client.post("/login", data={"pin": "123456"}, headers=OURS).location == "/console"
    assert client.get("/setup").status_code == 404
    assert "/setup" not in client.get("/console").text


def test_the_found_corners_stand_in_the_form_and_go_into_the_self_test(director: FlaskClient, desk: FakeSetup) -> None:
    page = director.get("/setup").text
    assert "The board was found" in page
    assert 'name="x2" inputmode="numeric" size="5" maxlength="6" value="880"' in page
    fields = {f"{axis}{k}": str(int(v)) for k, xy in enumerate(FOUND) for axis, v in zip("xy", xy, strict=True)}
    told = send(director, "/setup/board", **fields)
    assert desk.learned_from == [FOUND]
    assert "30 of 30 checkers stand right." in told
    assert "Light: even." in told
    assert "White sits at the bottom of the picture and bears off at the right" in told


def test_a_refused_board_says_why_and_keeps_the_corners(director: FlaskClient, desk: FakeSetup) -> None:
    desk.outcome = SelfTest(refused="This is not the start position: 28 of 30 checkers stand right.")
    director.get("/setup")
    told = send(director, "/setup/board", **{f"{axis}{k}": str(50 + k) for k in range(4) for axis in "xy"})
    assert "28 of 30 checkers" in told
    assert "Use this table" not in told
    assert "x2=52" in told
    assert 'value="52"' in director.get("/setup?x0=50&y0=50&x1=51&y1=51&x2=52&y2=52&x3=53&y3=53").text
    assert "nothing was learned" in send(director, "/setup/keep")
    assert desk.kept == []


@pytest.mark.parametrize("wrong", ["", "left", "nan", "inf", "1e9"])
def test_corners_that_are_no_numbers_are_refused(director: FlaskClient, desk: FakeSetup, wrong: str) -> None:
    director.get("/setup")
    fields = {f"{axis}{k}": "10" for k in range(4) for axis in "xy"} | {"y3": wrong}
    assert "whole numbers" in send(director, "/setup/board", **fields)
    assert desk.learned_from == []


def test_a_bad_light_is_told(director: FlaskClient, desk: FakeSetup) -> None:
    desk.outcome = SelfTest(right=30, alike=True, dark=True, dim_at="right", blown=True)
    director.get("/setup")
    told = send(director, "/setup/board", **{f"{axis}{k}": "9" for k in range(4) for axis in "xy"})
    assert "differ little" in told
    assert "dark: a lamp would help, a lamp is mirrored in the board: move it, a bit dark at the right" in told


def test_without_a_picture_one_goes_on_by_hand(director: FlaskClient, desk: FakeSetup) -> None:
    desk.camera = None
    page = director.get("/setup").text
    assert "The camera gives no picture" in page
    assert "/setup/match" in page
    assert director.get("/setup/picture.jpg").status_code == 404
    assert director.get("/setup/test").location == "/setup"
    desk.camera = Sight(b"x", (960, 600), None)
    page = send(director, "/setup/look")
    assert "No board was surely found" in page
    assert 'value="115"' in page


def test_a_kept_table_can_be_thrown_away(director: FlaskClient, desk: FakeSetup) -> None:
    director.get("/setup")
    send(director, "/setup/board", **{f"{axis}{k}": "9" for k in range(4) for axis in "xy"})
    assert "Begin the match" in send(director, "/setup/keep", home="top-left")
    assert (desk.kept, desk.learned) == (["top-left"], True)
    assert "Throw it away" in director.get("/setup").text
    assert "Done." in send(director, "/setup/forget")
    assert not desk.learned


@pytest.mark.parametrize(
    ("agreed", "kept"), [((), False), (("consent_white",), False), (("consent_white", "consent_black"), True)]
)
def test_pictures_are_kept_only_if_both_players_agree(
    director: FlaskClient, table: FakeTable, agreed: tuple[str, ...], kept: bool
) -> None:
    assert "Set the checkers up" in send(director, "/setup/match", **MATCH, **dict.fromkeys(agreed, "yes"))
    state = table.snapshot().state
    assert (state.names, state.length, state.role, state.consent) == (("Ivory", "Walnut"), 7, "referee", kept)


def test_a_match_without_names_is_refused(director: FlaskClient, table: FakeTable) -> None:
    assert "Both players need a name" in send(director, "/setup/match", **{**MATCH, "white": " "})
    assert table.snapshot().state.length == MatchState().length
    assert "12 s a turn, 2 min a point" in director.get("/setup/match").text
