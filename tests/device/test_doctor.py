"""The doctor says what is wrong and what to do, and its exit code is that of its worst finding."""

import json
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from device import doctor
from device.cli import main
from device.doctor import Verdict
from device.store.journal import Journal
from rules.events import Noted

MAY = datetime(2026, 5, 1, 19, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("version", "verdict"), [((3, 10, 14), Verdict.BAD), ((3, 11, 0), Verdict.OK), ((3, 13, 5), Verdict.OK)]
)
def test_python(version: tuple[int, ...], verdict: Verdict) -> None:
    assert doctor.check_python(version).verdict is verdict


def test_packages_are_named_with_their_versions() -> None:
    finding = doctor.check_packages()
    assert finding.verdict is Verdict.OK
    assert finding.finding.startswith("OpenCV ")
    assert "numpy " in finding.finding


def test_packages_that_do_not_load_are_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_PACKAGES", (("OpenCV", "opencv_that_is_not_there"),))
    assert doctor.check_packages().verdict is Verdict.BAD


def test_a_usb_camera_is_named(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/video0").touch()
    names = tmp_path / "sys/class/video4linux/video0"
    names.mkdir(parents=True)
    (names / "name").write_text("HD Webcam\n", encoding="utf-8")
    assert "/dev/video0 (HD Webcam)" in doctor.check_camera(tmp_path).finding


def test_looking_at_the_disk_makes_no_folder(tmp_path: Path) -> None:
    finding = doctor.check_disk(tmp_path / "not" / "yet")
    assert not (tmp_path / "not").exists()
    assert finding.finding.startswith(f"{tmp_path}/not/yet: ")


@pytest.mark.parametrize(
    ("free", "verdict"), [(5_000_000_000, Verdict.OK), (500_000_000, Verdict.WARN), (5_000_000, Verdict.BAD)]
)
def test_disk_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, verdict: Verdict) -> None:
    usage = type("Usage", (), {"free": free})
    monkeypatch.setattr("shutil.disk_usage", lambda _place: usage)
    assert doctor.check_disk(tmp_path).verdict is verdict


def test_a_data_dir_that_is_a_file_is_bad(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    finding = doctor.check_disk(tmp_path / "file")
    assert (finding.verdict, "cannot be written" in finding.finding) == (Verdict.BAD, True)


@pytest.mark.parametrize(
    ("now", "synced", "verdict"),
    [
        (datetime(1970, 1, 1, tzinfo=UTC), False, Verdict.BAD),
        (MAY, True, Verdict.OK),
        (MAY, False, Verdict.WARN),
        (MAY, None, Verdict.OK),
    ],
)
def test_clock(now: datetime, synced: bool | None, verdict: Verdict) -> None:
    assert doctor.check_clock(now, synced).verdict is verdict


def test_the_time_service_says_that_the_clock_is_synchronised(tmp_path: Path) -> None:
    (tmp_path / "systemd/timesync").mkdir(parents=True)
    assert doctor.clock_synced(tmp_path) is None
    (tmp_path / "systemd/timesync/synchronized").touch()
    assert doctor.clock_synced(tmp_path) is True


@contextmanager
def answering(body: str) -> Iterator[int]:
    """The port of a server whose every answer is `body`."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_a_free_port() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert doctor.check_port(port).verdict is Verdict.OK


@pytest.mark.parametrize(
    ("body", "verdict", "said"),
    [
        ('{"healthy": true, "status": "watching"}', Verdict.OK, "Schiri serves it"),
        ("<h1>Printer</h1>", Verdict.BAD, "another program has it"),
        ("[1]", Verdict.BAD, "another program has it"),
    ],
)
def test_a_port_in_use(body: str, verdict: Verdict, said: str) -> None:
    with answering(body) as port:
        finding = doctor.check_port(port)
    assert (finding.verdict, said in finding.finding) == (verdict, True)


def test_reader(tmp_path: Path) -> None:
    assert doctor.check_reader(tmp_path).finding.startswith("classical")
    (tmp_path / "checkers.onnx").write_bytes(b"weights")
    assert doctor.check_reader(tmp_path).finding == "checkers.onnx"
    (tmp_path / "dice.onnx").touch()
    assert doctor.check_reader(tmp_path).verdict is Verdict.BAD


@pytest.fixture
def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("", 0))
        return str(probe.getsockname()[1])


def test_the_command_prints_a_line_per_finding(tmp_path: Path, free_port: str) -> None:
    result = CliRunner().invoke(main, ["doctor", "--data-dir", str(tmp_path), "--port", free_port])
    assert result.exit_code == 0
    names = [line.split()[1] for line in result.stdout.splitlines()]
    assert names == ["settings", "python", "packages", "camera", "disk", "clock", "port", "reader"]


def test_the_box_is_looked_at_as_its_settings_have_it(
    tmp_path: Path, free_port: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    settings = tmp_path / "schiri.toml"
    settings.write_text(f'[store]\ndata_dir = "data"\n[page]\nport = {free_port}\n')
    lines = CliRunner().invoke(main, ["doctor"]).stdout.splitlines()
    assert lines[0] == f"ok    settings  {settings}"
    assert any(f"disk      {tmp_path / 'data'}: " in line for line in lines)
    assert f"ok    port      {free_port}: free" in lines
    settings.write_text("[page]\nprot = 1\n")
    result = CliRunner().invoke(main, ["doctor", "--port", free_port])
    assert result.exit_code == 1
    assert f"bad   settings  {settings}: unknown key 'page.prot'; did you mean 'page.port'?" in result.stdout


def test_a_sound_journal(tmp_path: Path, free_port: str) -> None:
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        journal.append("m1", [Noted(at_s=0, key="a", text="b")])
        arguments = ["doctor", "--journal", "--json", "--data-dir", str(tmp_path), "--port", free_port]
        result = CliRunner().invoke(main, arguments)
    said = {(found := json.loads(line))["name"]: found for line in result.stdout.splitlines()}
    assert (result.exit_code, said["journal"]["verdict"], said["pictures"]["verdict"]) == (0, "ok", "ok")
    assert "sound, 1 events in 1 matches; last hash " in said["journal"]["finding"]


def test_a_changed_journal_is_told_by_match_and_event(tmp_path: Path, free_port: str) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("m1", [Noted(at_s=0, key="a", text="b"), Noted(at_s=1, key="a", text="b")])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER events_no_update")
        connection.execute("UPDATE events SET at_s = 7 WHERE seq = 2")
        connection.commit()
    result = CliRunner().invoke(main, ["doctor", "--journal", "--data-dir", str(tmp_path), "--port", free_port])
    assert result.exit_code == 1
    (line,) = [line for line in result.stdout.splitlines() if "journal " in line]
    assert line.startswith(f"bad   journal   {path}: event 2 (Noted) of match 'm1' was changed after it was written")


def test_many_problems_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("m1", [Noted(at_s=k, key="a", text="b") for k in range(20)])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER events_no_update")
        connection.execute("UPDATE events SET hash = ''")
        connection.commit()
    *told, rest = doctor.check_stored(path)
    assert len(told) == doctor.MOST_TOLD
    assert rest.finding == f"{path}: 11 more of that kind"  # 20 events, and the head


def test_a_journal_that_is_gone_is_said(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    assert [found.verdict for found in doctor.check_stored(path)] == [Verdict.OK]
    with Journal.open(path) as journal:
        journal.append("m1", [Noted(at_s=0, key="a", text="b")])
    path.unlink()
    (found,) = doctor.check_stored(path)
    assert (found.verdict, found.finding) == (Verdict.WARN, f"{path}: gone; it had 1 events")


def test_a_damaged_journal_is_exit_code_1(tmp_path: Path, free_port: str) -> None:
    path = tmp_path / "journal.sqlite3"
    Journal.open(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO matches VALUES ('m1', '')")
        connection.execute("INSERT INTO events VALUES (1, 'm1', '', 1.0, '', 'Noted', '{', '')")
        connection.commit()
    result = CliRunner().invoke(main, ["doctor", "--journal", "--data-dir", str(tmp_path), "--port", free_port])
    assert result.exit_code == 1
    said = [line for line in result.stdout.splitlines() if line.startswith("bad")]
    assert said[0].startswith(f"bad   journal   {path}: event 1 cannot be read")
