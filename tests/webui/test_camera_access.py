from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from webui.access import CAMERA_MISSING, CAMERA_REFUSED
from webui.create_app import NAME_REFUSED, create_app
from webui.fake_port import FakeTable

PICTURE = b"\xff\xd8 a picture \xff\xd9"


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeTable(picture=PICTURE)).test_client()


def ask(client: FlaskClient, path: str = "/camera.jpg", **options: object) -> tuple[int, bytes, str]:
    given = {"address": "127.0.0.1", "host": "localhost:8080", "headers": {}} | options
    answer = client.get(
        path,
        environ_overrides={"REMOTE_ADDR": given["address"], "HTTP_HOST": given["host"]},
        headers=given["headers"],  # type: ignore[arg-type]
    )
    return answer.status_code, answer.data, answer.headers.get("Cache-Control", "")


@pytest.mark.parametrize("host", ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "[::1]", "LOCALHOST"])
@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"])
def test_the_machine_itself_sees_the_picture(client: FlaskClient, address: str, host: str) -> None:
    assert ask(client, address=address, host=host) == (200, PICTURE, "no-store, private")


STRANGERS: list[dict[str, object]] = [
    {"address": "192.168.1.20"},
    {"address": "192.168.1.20", "host": "192.168.1.5:8080"},
    {"address": "::ffff:192.168.1.20"},
    {"address": "fe80::1"},
    {"address": ""},
    {"address": "unix"},
    {"host": "evil.example"},
    {"host": "evil.example:8080"},
    {"host": "localhost.evil.example"},
    {"host": "schiri.local:8080"},
    {"host": "192.168.1.5:8080"},
    {"host": ""},
    {"host": "localhost:8080@evil.example"},
    {"host": "evil.example#localhost"},
    {"headers": {"X-Forwarded-For": "192.168.1.20"}},
    {"headers": {"X-Forwarded-For": ""}},
    {"headers": {"X-Forwarded-Host": "localhost"}},
    {"headers": {"Forwarded": "for=192.168.1.20"}},
    {"headers": {"Via": "1.1 somewhere"}},
    {"headers": {"X-Real-IP": "127.0.0.1"}},
    {"headers": {"CF-Connecting-IP": "127.0.0.1"}},
    {"headers": {"Sec-Fetch-Site": "cross-site"}},
    {"headers": {"Sec-Fetch-Site": "same-site"}},
]


@pytest.mark.parametrize("path", ["/camera", "/camera.jpg"])
@pytest.mark.parametrize("options", STRANGERS, ids=str)
def test_nobody_else_does(client: FlaskClient, path: str, options: dict[str, object]) -> None:
    status, text, cache = ask(client, path, **options)
    assert (status, text.decode().strip() in (CAMERA_REFUSED, NAME_REFUSED)) == (403, True)
    assert "no-store" in cache


def test_a_header_of_the_stranger_cannot_make_him_local(client: FlaskClient) -> None:
    headers = {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost", "Remote-Addr": "127.0.0.1"}
    assert ask(client, address="192.168.1.20", headers=headers)[0] == 403


def test_no_picture_is_said_in_a_sentence() -> None:
    client = create_app(FakeTable()).test_client()
    status, text, cache = ask(client)
    assert (status, text.decode().strip()) == (404, CAMERA_MISSING)
    assert "no-store" in cache


def test_the_camera_page_shows_the_picture(client: FlaskClient) -> None:
    status, page, cache = ask(client, "/camera", headers={"Sec-Fetch-Site": "none"})
    assert status == 200
    assert b'src="/camera.jpg"' in page
    assert "no-store" in cache


def test_the_room_page_never_names_the_camera(client: FlaskClient) -> None:
    assert "camera" not in client.get("/").text
