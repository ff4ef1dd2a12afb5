"""The command `schiri`: finds its sub-commands when they are asked for, and turns errors into one line.

A command that reads a file raises its domain error with the file's name in front
(`device.errors.naming` does that). Exit codes: 0 done, 1 the answer is no or the input is
bad, 2 wrong usage.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any

import click

from device.errors import DOMAIN_ERRORS

COMMANDS = {
    "watch": "device.commands_vision:watch",
    "read": "device.commands_vision:read",
    "dice": "device.commands_vision:dice",
    "calibrate": "device.commands_calibrate:calibrate",
    "transcribe": "device.commands_vision:transcribe",
    "simulate": "device.commands_vision:simulate",
    "scenes": "device.commands_synth:scenes",
    "plays": "device.commands_rules:plays",
    "judge": "device.commands_rules:judge",
    "replay": "device.commands_rules:replay",
    "convert": "device.commands_rules:convert",
    "config": "device.commands_config:config",
    "backup": "device.commands_backup:backup",
    "restore": "device.commands_backup:restore",
    "doctor": "device.doctor:doctor",
    "bench": "device.bench:bench",
}
"""Sub-command → where it lives; nothing is imported before it is used, so `schiri plays` loads no OpenCV."""

BEFORE_IMPORTS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENCV_LOG_LEVEL": "FATAL"}
"""Our matrices are small: more threads only wait for each other, and take the cores of a Pi from the pages. What
OpenCV has to say about a camera we say ourselves."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells count it (128 + SIGINT)."""


class Failure(click.ClickException):
    """An answer of one line on stderr, exit code 1."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print `schiri: what is wrong`."""
        click.echo(f"schiri: {self.format_message()}", file=file if file is not None else sys.stderr)


def _remember_debug(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        context.find_root().meta["schiri.debug"] = True


def _debug_option(*, hidden: bool) -> click.Option:
    return click.Option(
        ["--debug"],
        is_flag=True,
        hidden=hidden,
        expose_value=False,
        is_eager=True,
        callback=_remember_debug,
        help="Show a traceback when something fails.",
    )


class LazyGroup(click.Group):
    """A group that imports a sub-command's module when the command is used.

    A command whose module does not exist is not offered. Domain errors end as one line,
    `--debug` (before or after the sub-command) lets their traceback through.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of `COMMANDS`."""
        return [name for name in COMMANDS if self.get_command(ctx, name) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, its module imported now."""
        module_name, _, attribute = COMMANDS.get(cmd_name, "").partition(":")
        if not module_name or find_spec(module_name) is None:
            return None
        command = getattr(import_module(module_name), attribute, None)
        if not isinstance(command, click.Command):
            return None
        if not any(parameter.name == "debug" for parameter in command.params):
            command.params.append(_debug_option(hidden=True))
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the sub-command; see the class for what becomes of errors."""
        for name, value in BEFORE_IMPORTS.items():
            os.environ.setdefault(name, value)  # read when the sub-command imports numpy and OpenCV
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise  # click's own: usage errors, --help, a reader that went away
        except Exception as error:
            if ctx.meta.get("schiri.debug"):
                raise
            raise Failure(_sentence(error)) from error


def _sentence(error: Exception) -> str:
    """What is wrong, on one line and with the file's name where the error knows one."""
    if isinstance(error, DOMAIN_ERRORS):
        return " ".join(str(error).split())
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        return f"{error.filename}: {what}" if error.filename is not None else what
    return f"this is a mistake in Schiri ({type(error).__name__}: {' '.join(str(error).split())}); --debug shows where"


@click.group(
    cls=LazyGroup,
    params=[_debug_option(hidden=False)],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="schiri", message="schiri %(version)s")
def main() -> None:
    """A referee at a real backgammon table: a camera, the rules, and a page that shows the game."""
