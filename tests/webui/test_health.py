"""The health pages: figures for a person and for Prometheus, and what only the machine itself may ask for."""

import pytest
from flask.testing import FlaskClient

from webui.create_app import create_app
from webui.fake_port import FakeTable
from webui.health import Figure, Join, exposition
from webui.keys import Keys, hashed

STAGES = tuple(
    Figure("schiri_stage_seconds_total", "seconds in a stage", value, f"{value} s", (("stage", name),))
    for name, value in (("looking", 12.5), ('say "so"', 3.0))
)
RATE = Figure("schiri_frames_per_second", "pictures looked at in a second", 9.75, "9.8")
OURS = {"Sec-Fetch-Site": "same-origin"}
FROM_AFAR = {"REMOTE_ADDR": "192.0.2.9"}


class FakeHealth:
    """A health that knows two kinds of figures."""

    def __init__(self, *, has_light: bool = True) -> None:
        self.has_light, self.measured = has_light, 0

    def join(self) -> Join:
        return Join("http://192.0.2.7:8080/", '<svg class="qr"></svg>')

    def figures(self) -> tuple[Figure, ...]:
        return (RATE, *STAGES)

    def diagnostics(self) -> bytes:
        return b"PK a zip"

    def measure_light(self) -> None:
        self.measured += 1


@pytest.fixture
def health() -> FakeHealth:
    return FakeHealth()


@pytest.fixture
def client(health: FakeHealth) -> FlaskClient:
    return create_app(FakeTable(), health=health).test_client()


def test_prometheus_text() -> None:
    assert exposition((RATE, *STAGES)) == (
        "# HELP schiri_frames_per_second pictures looked at in a second\n"
        "# TYPE schiri_frames_per_second gauge\n"
        "schiri_frames_per_second 9.75\n"
        "# HELP schiri_stage_seconds_total seconds in a stage\n"
        "# TYPE schiri_stage_seconds_total counter\n"
        'schiri_stage_seconds_total{stage="looking"} 12.5\n'
        'schiri_stage_seconds_total{stage="say \\"so\\""} 3\n'
    )
    big = Figure("schiri_journal_bytes", "size", 123_456_789, "123 MB")
    assert "schiri_journal_bytes 123456789\n" in exposition([big])


def test_everybody_may_see_the_figures(client: FlaskClient) -> None:
    answer = client.get("/metrics", environ_overrides=FROM_AFAR)
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.text == exposition((RATE, *STAGES))
    assert answer.headers["Cache-Control"] == "no-store"
    page = client.get("/health", environ_overrides=FROM_AFAR).text
    assert "pictures looked at in a second" in page
    assert "12.5 s" in page
    assert '<svg class="qr"></svg><figcaption>http://192.0.2.7:8080/</figcaption>' in page
    assert "seconds in a stage – looking" in page
    assert "/health/light" not in page
    assert "diagnostics.zip" not in page


def test_at_the_machine_light_is_measured_and_diagnostics_are_given(client: FlaskClient, health: FakeHealth) -> None:
    page = client.get("/health").text
    assert 'action="/health/light"' in page
    given = client.get("/diagnostics.zip")
    assert (given.data, given.mimetype) == (b"PK a zip", "application/zip")
    assert "schiri-diagnostics.zip" in given.headers["Content-Disposition"]
    answer = client.post("/health/light", headers=OURS)
    assert (answer.status_code, answer.location, health.measured) == (303, "/health", 1)


def test_strangers_change_nothing_and_get_no_diagnostics(client: FlaskClient, health: FakeHealth) -> None:
    assert client.get("/diagnostics.zip", environ_overrides=FROM_AFAR).status_code == 403
    assert client.post("/health/light", headers=OURS, environ_overrides=FROM_AFAR).status_code == 403
    assert client.post("/health/light", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert client.get("/health/light").status_code == 405
    assert health.measured == 0


def test_a_table_without_such_a_camera_says_so() -> None:
    health = FakeHealth(has_light=False)
    client = create_app(FakeTable(), health=health).test_client()
    assert "/health/light" not in client.get("/health").text
    answer = client.post("/health/light", headers=OURS)
    assert (answer.status_code, answer.text) == (409, "There is no camera whose light could be measured.\n")
    assert health.measured == 0


@pytest.mark.parametrize("path", ["/metrics", "/health", "/diagnostics.zip"])
def test_a_table_without_health_has_no_such_pages(path: str) -> None:
    assert create_app(FakeTable()).test_client().get(path).status_code == 404


def test_the_director_may_from_anywhere() -> None:
    health = FakeHealth()
    client = create_app(FakeTable(), health=health, keys=Keys(hashed("123456"), b"s" * 32)).test_client()
    assert client.get("/diagnostics.zip", environ_overrides=FROM_AFAR).status_code == 403
    client.post("/login", data={"pin": "123456"}, headers=OURS, environ_overrides=FROM_AFAR)
    assert "/health/light" in client.get("/health", environ_overrides=FROM_AFAR).text
    assert client.get("/diagnostics.zip", environ_overrides=FROM_AFAR).status_code == 200
    assert client.post("/health/light", headers=OURS, environ_overrides=FROM_AFAR).status_code == 303
    assert health.measured == 1
