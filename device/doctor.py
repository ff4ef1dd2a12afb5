"""`schiri doctor`: what is wrong with this set-up, and what to do about it."""

from __future__ import annotations

import errno
import http.client
import json
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib import import_module, metadata
from itertools import chain
from pathlib import Path

import click

import vision
from device.config import NO_FILE, Config, find_config, load_config
from device.errors import DeviceError
from device.paths import default_data_dir, journal_path

OLDEST_PYTHON = (3, 11)
LOW_DISK_BYTES, VERY_LOW_DISK_BYTES = 1_000_000_000, 100_000_000
MOST_TOLD = 10
"""So many problems of a journal are told one by one."""
SET_CLOCK_YEAR = 2026
"""A clock that shows an earlier year was never set: a Pi has no battery for it."""


class Verdict(StrEnum):
    """How serious a finding is; `bad` keeps Schiri from working."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, what was found, and what to do where it is not well."""

    verdict: Verdict
    name: str
    finding: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.verdict:<4}  {self.name:<8}  {self.finding}" + (f" — {self.advice}" if self.advice else "")


def check_python(version: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    """Whether this Python is new enough."""
    said = ".".join(map(str, version))
    if version >= OLDEST_PYTHON:
        return Finding(Verdict.OK, "python", said)
    return Finding(Verdict.BAD, "python", said, f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer")


def check_packages() -> Finding:
    """Whether OpenCV and numpy are there, load together, and OpenCV is there once."""
    try:
        said = ", ".join(f"{name} {import_module(module).__version__}" for name, module in _PACKAGES)
    except ImportError as error:
        return Finding(Verdict.BAD, "packages", str(error), "install Schiri again into a fresh virtual environment")
    twins = [name for name in ("opencv-python", "opencv-contrib-python") if _is_installed(name)]
    if twins:
        return Finding(Verdict.WARN, "packages", f"{said}; {twins[0]} beside it", f"pip uninstall {twins[0]}")
    return Finding(Verdict.OK, "packages", said)


_PACKAGES = (("OpenCV", "cv2"), ("numpy", "numpy"))


def _is_installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def check_camera(root: Path = Path("/")) -> Finding:
    """Which cameras could be used; `root` holds `dev` and `sys`."""
    found = []
    try:
        import_module("picamera2")
        found.append("picamera2")
    except ImportError:
        pass  # no Pi camera stack here; a USB camera will do
    for device in sorted((root / "dev").glob("video*")):
        name = root / "sys/class/video4linux" / device.name / "name"
        found.append(f"/dev/{device.name}" + (f" ({name.read_text().strip()})" if name.exists() else ""))
    if found:
        return Finding(Verdict.OK, "camera", ", ".join(found))
    return Finding(
        Verdict.WARN,
        "camera",
        "neither picamera2 nor a USB camera",
        "plug one in (for a Pi camera: sudo apt install --no-install-recommends python3-picamera2); "
        "schiri watch sim needs none",
    )


def check_disk(data_dir: Path) -> Finding:
    """Whether `data_dir` can be written, or made, and has room."""
    place = data_dir
    while not place.exists():
        place = place.parent
    try:
        tempfile.TemporaryFile(dir=place).close()
    except OSError as error:
        advice = "give the user that runs Schiri the right to write there, or choose another --data-dir"
        return Finding(Verdict.BAD, "disk", f"{data_dir}: cannot be written ({error.strerror})", advice)
    free = shutil.disk_usage(place).free
    said = f"{data_dir}: {free / 1e9:.1f} GB free"
    if free >= LOW_DISK_BYTES:
        return Finding(Verdict.OK, "disk", said)
    verdict = Verdict.WARN if free >= VERY_LOW_DISK_BYTES else Verdict.BAD
    return Finding(verdict, "disk", said, "free some space: a full disk stops the record")


def check_clock(now: datetime, synced: bool | None) -> Finding:
    """Whether the time of day is to be trusted; `synced` None means that nobody here knows."""
    said = f"{now:%Y-%m-%d %H:%M} UTC"
    if now.year < SET_CLOCK_YEAR:
        advice = "connect to a network once or set it with: sudo date -s '2026-05-01 19:30'"
        return Finding(Verdict.BAD, "clock", f"{said}: not set", advice)
    if synced:
        return Finding(Verdict.OK, "clock", f"{said}, synchronised")
    if synced is None:
        return Finding(Verdict.OK, "clock", f"{said}, nothing here says whether it is synchronised")
    advice = "the record keeps its order without; for true times connect to a network"
    return Finding(Verdict.WARN, "clock", f"{said}, not synchronised", advice)


def clock_synced(run: Path = Path("/run")) -> bool | None:
    """Whether the system says that its clock follows a time server; None where it cannot say."""
    if (run / "systemd/timesync/synchronized").exists():
        return True
    timedatectl = shutil.which("timedatectl")
    if timedatectl is None or not (run / "systemd/system").exists():
        return None
    command = [timedatectl, "show", "--property=NTPSynchronized", "--value"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(answer)


def check_port(port: int) -> Finding:
    """Whether the page can be served on `port`, or is served there already."""
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("", port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            return Finding(Verdict.BAD, "port", f"{port}: {error.strerror}", "choose another --port, such as 8080")
        if _schiri_answers(port):
            return Finding(Verdict.OK, "port", f"{port}: Schiri serves it")
        return Finding(Verdict.BAD, "port", f"{port}: another program has it", "stop that one or choose another --port")
    return Finding(Verdict.OK, "port", f"{port}: free")


def _schiri_answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=3)
    try:
        connection.request("GET", "/healthz")
        answer = json.loads(connection.getresponse().read(10_000))
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        connection.close()
    return isinstance(answer, dict) and "healthy" in answer


def check_reader(folder: Path = Path(vision.__path__[0]) / "models") -> Finding:
    """Which reader looks at the pictures: the trained models in `folder`, or the classical one."""
    models = sorted(folder.glob("*.onnx"))
    empty = [model.name for model in models if model.stat().st_size == 0]
    if empty:
        return Finding(Verdict.BAD, "reader", f"{empty[0]} is empty", "install Schiri again")
    if models:
        return Finding(Verdict.OK, "reader", ", ".join(model.name for model in models))
    return Finding(Verdict.OK, "reader", "classical (needs no trained model)")


def check_settings() -> tuple[Finding, Config]:
    """Whether the settings can be used, and what they are; all as it comes where they cannot."""
    path = find_config(None)
    try:
        settings = load_config(path)
    except (DeviceError, OSError) as error:
        return Finding(Verdict.BAD, "settings", str(error), "schiri config --explain prints all keys"), Config()
    return Finding(Verdict.OK, "settings", NO_FILE if path is None else str(path)), settings


def check_stored(path: Path) -> Iterator[Finding]:
    """Whether the journal at `path` and its pictures are as they were written."""
    from device.store.chain import Head
    from device.store.inspection import inspect_journal  # the database only for those who ask

    if not path.exists():
        before = Head.beside(path)
        if before is None or not before.count:
            yield Finding(Verdict.OK, "journal", f"{path}: none yet")
        else:
            yield Finding(Verdict.WARN, "journal", f"{path}: gone; it had {before.count} events", _COPY)
        return
    found = inspect_journal(path)
    for problem in found.problems[:MOST_TOLD]:
        yield Finding(Verdict.BAD, "journal", problem if str(path) in problem else f"{path}: {problem}", _COPY)
    if len(found.problems) > MOST_TOLD:
        yield Finding(Verdict.BAD, "journal", f"{path}: {len(found.problems) - MOST_TOLD} more of that kind")
    for remark in found.remarks[:MOST_TOLD]:
        yield Finding(Verdict.WARN, "journal", f"{path}: {remark}")
    if not found.problems:
        chain = f"; last hash {found.head.hash}" if found.head.count else ""
        words = f"sound, {found.events} events in {found.matches} matches{chain}"
        yield Finding(Verdict.OK, "journal", f"{path}: {words}")
        words = f"{found.pictures} as they were written, {found.rotated} removed by rotation"
        yield Finding(Verdict.OK, "pictures", words)


_COPY = "keep a copy of the whole folder before anything else is done with it"


def examine(data_dir: Path, port: int | None, *, journal: bool) -> Iterator[Finding]:
    """Everything that `schiri doctor` looks at, one finding each; `journal` reads the whole journal too.

    Without `port` none is tried: who asks serves it himself.
    """
    yield check_python()
    yield check_packages()
    yield check_camera()
    yield check_disk(data_dir)
    yield check_clock(datetime.now(UTC), clock_synced())
    if port is not None:
        yield check_port(port)
    yield check_reader()
    if journal:
        yield from check_stored(journal_path(data_dir))


@click.command()
@click.option("--journal", is_flag=True, help="Say whether the journal and its pictures are as they were written.")
@click.option("--data-dir", type=click.Path(path_type=Path), help="Where Schiri keeps its journal and pictures.")
@click.option("--port", type=click.IntRange(1, 65535), help="The page's port; else that of the settings.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per finding, one a line.")
@click.pass_context
def doctor(context: click.Context, journal: bool, data_dir: Path | None, port: int | None, as_json: bool) -> None:
    """Say what is wrong with this set-up and what to do.

    Exit code 1 if anything is bad.
    """
    bad = False
    about_settings, settings = check_settings()
    place = data_dir or settings.store.data_dir or default_data_dir()
    for finding in chain([about_settings], examine(place, port or settings.page.port, journal=journal)):
        click.echo(json.dumps(asdict(finding), ensure_ascii=False) if as_json else str(finding))
        bad = bad or finding.verdict is Verdict.BAD
    if bad:
        context.exit(1)
