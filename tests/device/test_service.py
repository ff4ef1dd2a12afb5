"""Schiri as a service: what systemd is told, the unit, the installer with stand-ins for the system, the address."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import device
from device import address
from device.address import page_url, qr_svg, qr_text
from device.config import Config, PageSettings, load_config
from device.notify import Notifier

SERVICE = Path(device.__path__[0]) / "service"
Tool = Callable[[str], str]


def test_systemd_is_told_that_it_is_ready_and_alive(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    environment = {"NOTIFY_SOCKET": path}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(path)
        notifier = Notifier.of(environment)
        notifier.ready()
        notifier.alive("usb:0: the camera\nhas stalled")
        said = [systemd.recv(200) for _ in range(2)]
    assert said == [b"READY=1", b"WATCHDOG=1\nSTATUS=usb:0: the camera has stalled"]
    assert environment == {}, "gunicorn would say READY before the table is open"


def test_an_abstract_socket_is_understood() -> None:
    name = f"schiri-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{name}")
        Notifier(f"@{name}").ready()
        assert systemd.recv(200) == b"READY=1"


def test_without_systemd_nothing_happens(tmp_path: Path) -> None:
    Notifier.of({}).ready()
    Notifier(str(tmp_path / "gone")).alive("watching")


def unit(tmp_path: Path) -> Path:
    """The unit with a program that is here."""
    text = (SERVICE / "schiri.service").read_text(encoding="utf-8")
    assert "ExecStart=/opt/schiri/current/bin/schiri watch\n" in text
    path = tmp_path / "schiri.service"
    path.write_text(text.replace("/opt/schiri/current/bin/schiri", "/bin/true"), encoding="utf-8")
    return path


def test_the_unit_is_understood_by_systemd(tmp_path: Path, tool: Tool) -> None:
    checked = subprocess.run(
        [tool("systemd-analyze"), "verify", str(unit(tmp_path))], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_unit_exposes_little(tmp_path: Path, tool: Tool) -> None:
    command = [tool("systemd-analyze"), "security", "--offline=true", "--threshold=20", str(unit(tmp_path))]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout[-200:]


@pytest.mark.parametrize("script", ["install", "bundle"])
def test_the_scripts_are_clean(tool: Tool, script: str) -> None:
    checked = subprocess.run([tool("shellcheck"), SERVICE / script], capture_output=True, text=True, check=False)
    assert checked.stdout == ""


class Machine:
    """A machine below a folder, whose system programs are stand-ins that write down how they were called."""

    def __init__(self, root: Path) -> None:
        self.root, self.opt = root / "root", root / "root/opt/schiri"
        self.calls, self.bin, self.fail = root / "calls", root / "bin", root / "fail"
        self.bin.mkdir()
        self.fail.mkdir()
        for name in ("apt-get", "useradd", "usermod", "hostnamectl", "systemctl", "pip"):
            self._program(name, f'echo "{name} $*" >>"{self.calls}"; [ ! -e "{self.fail}/{name}" ]')
        self._program("hostname", "echo raspberrypi")
        self._program("journalctl", """echo "schiri: watching usb:0"; echo "schiri: the director's PIN is 123456" """)
        self._program("id", "exit 1")
        self._program("dpkg", '[ "$2" = avahi-daemon ]')
        self._program("apt-cache", '[ "$2" != python3-picamera2 ]')
        self._program("getent", '[ "$2" = video ]')
        self._program("date", f'cat "{root}/stamp"')
        self.stamp = root / "stamp"
        self._program(
            "python3",
            self._python(
                f'mkdir -p "$4/bin"; cp "{self.bin}/own" "$4/bin/python"; cp "{self.bin}/schiri" "$4/bin/schiri"'
            ),
        )
        self._program("own", self._python("false"))
        self._program("schiri", f'{sys.executable} -c "from device.cli import main; main()" "$@"')

    def _program(self, name: str, line: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/bash\n{line}\n", encoding="utf-8")
        path.chmod(0o755)

    def _python(self, venv: str) -> str:
        return f"""case "$2" in
        venv) {venv} ;;
        pip) shift 2; pip "$@" ;;
        device.address) echo "http://192.0.2.7:8080/" ;;
        *version_info*) [[ "$2" == *"(3, 11)"* ]] || [ -e "{self.fail}/new" ] ;;
        *) echo "{SERVICE}" ;;
        esac"""

    def install(self, *arguments: str | Path, at: str = "20260501T200000Z") -> subprocess.CompletedProcess[str]:
        self.stamp.write_text(at, encoding="ascii")
        path = os.pathsep.join([str(self.bin), os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "SCHIRI_ROOT": str(self.root), "PYTHONPATH": str(SERVICE.parents[1])}
        return subprocess.run(
            [SERVICE / "install", *arguments], capture_output=True, text=True, check=False, env=environment
        )

    def breaks(self, program: str, broken: bool = True) -> None:
        (self.fail / program).touch() if broken else (self.fail / program).unlink()

    def version(self, link: str) -> str:
        return (self.opt / link).readlink().name

    def said(self) -> list[str]:
        return self.calls.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "schiri-0.2.0-py3-none-any.whl"
    path.touch()
    return path


def test_a_fresh_machine_gets_everything_and_is_asked_nothing(machine: Machine) -> None:
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert done.stdout == "http://192.0.2.7:8080/\nschiri: the director's PIN is 123456\n"
    said = machine.said()
    assert "apt-get install -y --no-install-recommends python3-venv python3-gpiozero python3-lgpio" in said
    assert "python3-picamera2 is not offered here; Schiri goes on without it" in done.stderr
    assert [line for line in said if line.startswith("usermod")] == ["usermod --append --groups video schiri"]
    assert "hostnamectl set-hostname schiri" in said
    assert said[-3:] == ["systemctl daemon-reload", "systemctl enable --quiet schiri", "systemctl restart schiri"]
    assert machine.version("current") == "20260501T200000Z"
    for place in ("etc/systemd/system/schiri.service", "etc/avahi/services/schiri.service", "opt/schiri/install"):
        assert (machine.root / place).is_file()
    settings = load_config(machine.root / "etc/schiri/schiri.toml")
    assert settings.store.data_dir == Path("/var/lib/schiri")
    assert settings.page.name == "raspberrypi.local"
    assert settings.watch == Config().watch
    assert (machine.root / "usr/local/bin/schiri").readlink() == machine.opt / "current/bin/schiri"


def test_on_debian_twelve_the_old_numpy_of_its_camera_is_kept(machine: Machine, wheel: Path) -> None:
    machine.install(wheel)
    assert not any("--constraint" in line for line in machine.said())
    machine.breaks("new")  # Python 3.11
    machine.calls.unlink()
    assert machine.install(wheel, at="20260502T200000Z").returncode == 0
    assert any("--constraint" in line for line in machine.said() if line.startswith("pip"))
    constraints = machine.opt / "versions/20260502T200000Z/constraints.txt"
    assert constraints.read_text().splitlines() == ["numpy<2", "opencv-python-headless==4.11.*"]


def test_an_update_keeps_settings_and_the_version_before(machine: Machine, wheel: Path) -> None:
    assert machine.install(wheel).returncode == 0
    (machine.root / "etc/schiri/schiri.toml").write_text("[page]\nport = 81\n")
    assert machine.install(wheel, at="20260502T200000Z").returncode == 0
    assert (machine.version("current"), machine.version("previous")) == ("20260502T200000Z", "20260501T200000Z")
    assert (machine.root / "etc/schiri/schiri.toml").read_text() == "[page]\nport = 81\n"
    back = machine.install("--back")
    assert "back at 20260501T200000Z" in back.stderr
    assert (machine.version("current"), machine.version("previous")) == ("20260501T200000Z", "20260502T200000Z")


def test_a_version_that_does_not_start_is_left_again(machine: Machine, wheel: Path) -> None:
    assert machine.install(wheel).returncode == 0
    machine.breaks("systemctl")
    failed = machine.install(wheel, at="20260502T200000Z")
    assert failed.returncode == 1
    assert "it was left again; the version before runs: 20260501T200000Z" in failed.stderr
    assert machine.version("current") == "20260501T200000Z"


@pytest.mark.parametrize("bundled", [False, True])
def test_packages_that_cannot_be_installed_change_nothing(
    machine: Machine, wheel: Path, tmp_path: Path, bundled: bool
) -> None:
    assert machine.install(wheel).returncode == 0
    source = wheel
    if bundled:
        source = tmp_path / "b.tar"
        subprocess.run(["tar", "-cf", source, "-C", tmp_path, wheel.name], check=True)
    machine.breaks("pip")
    failed = machine.install(source, at="20260502T200000Z")
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1].endswith("nothing was changed")
    assert machine.version("current") == "20260501T200000Z"
    assert not (machine.opt / "versions/20260502T200000Z").exists()


def test_a_bundle_is_installed_without_a_network(machine: Machine, wheel: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "schiri.tar"
    subprocess.run(["tar", "-cf", bundle, "-C", tmp_path, wheel.name], check=True)
    assert machine.install(bundle).returncode == 0
    said = machine.said()
    assert any(line.startswith("pip install") and "--no-index --find-links" in line for line in said)
    assert not any(line.startswith("apt-get") for line in said)


def test_only_three_versions_stay(machine: Machine, wheel: Path) -> None:
    for day in range(1, 7):
        assert machine.install(wheel, at=f"2026050{day}T200000Z").returncode == 0
    assert sorted(path.name[7:8] for path in (machine.opt / "versions").iterdir()) == ["4", "5", "6"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone.whl"], "gone.whl: there is no such file"),
        (["/etc/hostname"], "/etc/hostname: give a bundle (.tar), a wheel (.whl), or the folder of the source"),
        (["--back"], "there is no version before this one"),
        (["--forward"], "--forward: not known; see --help"),
    ],
)
def test_what_cannot_be_installed_is_named(machine: Machine, arguments: list[str], words: str) -> None:
    failed = machine.install(*arguments)
    assert failed.returncode == 1
    assert failed.stderr.endswith(f"{words}\n")
    assert not machine.opt.exists()


def test_a_tar_that_is_no_bundle_is_named(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").touch()
    subprocess.run(["tar", "-cf", tmp_path / "x.tar", "-C", tmp_path, "photo.jpg"], check=True)
    failed = machine.install(tmp_path / "x.tar")
    assert failed.stderr == f"schiri: {tmp_path / 'x.tar'}: not a bundle of Schiri\n"


@pytest.mark.parametrize(
    ("page", "url"),
    [
        (PageSettings(), "http://192.0.2.7:8080/"),
        (PageSettings(port=80), "http://192.0.2.7/"),
        (PageSettings(name="schiri.local"), "http://schiri.local:8080/"),
        (PageSettings(host="127.0.0.1", port=81), "http://localhost:81/"),
        (PageSettings(host="2001:db8::7"), "http://[2001:db8::7]:8080/"),
    ],
)
def test_the_address_for_a_phone(page: PageSettings, url: str) -> None:
    assert page_url(page, own="192.0.2.7") == url


def test_a_machine_without_a_network_is_localhost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "SOMEWHERE", ("not an address", 9))
    assert page_url(PageSettings()) == "http://localhost:8080/"


def test_the_qr_code_is_for_terminals_and_for_pages() -> None:
    url = "http://schiri.local:8080/"
    lines = qr_text(url).splitlines()
    assert len(lines) > 10
    assert len({len(line) for line in lines if "\x1b" not in line}) <= 1
    svg = qr_svg(url)
    assert svg.startswith("<svg")
    assert "viewBox" in svg
    assert qr_svg("http://192.0.2.7:8080/") != svg
