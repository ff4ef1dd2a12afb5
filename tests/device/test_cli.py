"""What every command has in common: one line for an error, the exit code, no traceback, nothing imported early."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from device import cli

FAULTY = """
import click
from calibration.errors import GeometryError
from rules.errors import CodecError
from vision.errors import PictureError, SourceError
from device.errors import DeviceError, naming

ERRORS = {
    "rules": CodecError("a.mat: line 3: no such play"),
    "vision": PictureError("a.jpg: not a\\n picture"),
    "source": SourceError("usb:0: no camera"),
    "calibration": GeometryError("a.json: corners are crossed"),
    "device": DeviceError("a.toml: unknown key"),
    "os": FileNotFoundError(2, "No such file or directory", "b.jpg"),
    "bug": ZeroDivisionError("division by zero"),
    "pipe": BrokenPipeError(32, "Broken pipe"),
    "stop": KeyboardInterrupt(),
}

@click.command()
@click.argument("kind")
def faulty(kind):
    raise ERRORS[kind]

@click.command()
def unnamed():
    with naming("match.sgf"):
        raise CodecError("line 1: empty")
"""


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    (tmp_path / "schiri_faulty.py").write_text(FAULTY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "schiri_faulty", raising=False)
    monkeypatch.setitem(cli.COMMANDS, "faulty", "schiri_faulty:faulty")
    monkeypatch.setitem(cli.COMMANDS, "unnamed", "schiri_faulty:unnamed")
    return CliRunner()


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("rules", "schiri: a.mat: line 3: no such play"),
        ("vision", "schiri: a.jpg: not a picture"),
        ("source", "schiri: usb:0: no camera"),
        ("calibration", "schiri: a.json: corners are crossed"),
        ("device", "schiri: a.toml: unknown key"),
        ("os", "schiri: b.jpg: No such file or directory"),
        (
            "bug",
            "schiri: this is a mistake in Schiri (ZeroDivisionError: division by zero); --debug shows where",
        ),
    ],
)
def test_an_error_is_one_line_on_stderr_and_exit_code_1(faulty: CliRunner, kind: str, line: str) -> None:
    result = faulty.invoke(cli.main, ["faulty", kind])
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", line + "\n")


def test_naming_puts_the_file_in_front(faulty: CliRunner) -> None:
    result = faulty.invoke(cli.main, ["unnamed"])
    assert (result.exit_code, result.stderr) == (1, "schiri: match.sgf: line 1: empty\n")


@pytest.mark.parametrize("arguments", [["--debug", "faulty", "rules"], ["faulty", "rules", "--debug"]])
def test_debug_lets_the_traceback_through(faulty: CliRunner, arguments: list[str]) -> None:
    result = faulty.invoke(cli.main, arguments)
    assert type(result.exception).__name__ == "CodecError"


def test_a_reader_that_went_away_is_quiet(faulty: CliRunner) -> None:
    result = faulty.invoke(cli.main, ["faulty", "pipe"])
    assert (result.exit_code, result.stderr) == (1, "")


def test_ctrl_c_is_quiet(faulty: CliRunner) -> None:
    result = faulty.invoke(cli.main, ["faulty", "stop"])
    assert (result.exit_code, result.stdout, result.stderr) == (cli.INTERRUPTED, "", "")


@pytest.mark.parametrize("arguments", [["nonsense"], ["--nonsense"], ["doctor", "--nonsense"]])
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    result = CliRunner().invoke(cli.main, arguments)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


def test_a_command_whose_module_is_missing_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cli.COMMANDS, "ghost", "device.ghost:ghost")
    result = CliRunner().invoke(cli.main, ["--help"])
    assert result.exit_code == 0
    assert "ghost" not in result.stdout


def test_version() -> None:
    result = CliRunner().invoke(cli.main, ["--version"])
    assert (result.exit_code, result.stdout.split()[0]) == (0, "schiri")


@pytest.mark.parametrize("module", ["device.cli", "device.commands_rules"])
def test_the_rules_from_the_command_line_load_neither_opencv_nor_flask(module: str) -> None:
    script = f"import sys, {module}; print({{'cv2', 'flask', 'numpy', 'sqlalchemy'}} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "set()\n"
