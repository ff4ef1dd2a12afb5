"""What the documents say is what is there."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import click
import pytest

from device.cli import COMMANDS, main

ROW = re.compile(r"^\| `schiri (?P<name>[a-z]+)(?P<usage>[^|]*(?:\\\|[^|]*)*)` \|", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
EVERYWHERE = {"--help", "-h", "--debug", "--version"}


def documented(readme: str) -> dict[str, set[str]]:
    """Command → its options, as the table of commands in `readme` gives them."""
    return {row["name"]: set(OPTION.findall(row["usage"])) - EVERYWHERE for row in ROW.finditer(readme)}


def real() -> dict[str, set[str]]:
    """Command → its options, as click has them, each by its first name."""
    context = click.Context(main)
    found = {}
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
        found[name] = {parameter.opts[0] for parameter in options if not parameter.hidden} - EVERYWHERE
    return found


@pytest.fixture(scope="module")
def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def test_every_command_is_there() -> None:
    assert set(real()) == set(COMMANDS)


def test_the_readmes_commands_and_options_are_the_real_ones(readme: str) -> None:
    assert documented(readme) == real()


def test_every_command_says_what_it_does() -> None:
    context = click.Context(main)
    commands = {name: main.get_command(context, name) for name in main.list_commands(context)}
    assert [name for name, command in commands.items() if not (command and command.help)] == []


def test_files_that_the_documents_name_exist(root: Path) -> None:
    documents = [root / "README.md", root / "CHANGELOG.md", *sorted((root / "docs").glob("*.md"))]
    for document in documents:
        text = document.read_text(encoding="utf-8")
        named = set(re.findall(r"`((?:vision|rules|device|webui|calibration|tests|docs)/[\w./]+)`", text))
        named |= set(re.findall(r"\]\(([^)#:]+)\)", text))
        missing = {name for name in named if not (root / name).exists() and not (document.parent / name).exists()}
        assert missing == set(), document.name


def test_the_wiring_is_drawn_from_the_pins_that_the_documents_name(root: Path) -> None:
    spec = spec_from_file_location("make_wiring", root / "docs/make_wiring.py")
    assert spec is not None
    assert spec.loader is not None
    wiring = module_from_spec(spec)
    spec.loader.exec_module(wiring)
    assert (root / "docs/wiring.svg").read_text(encoding="utf-8") == wiring.drawing()
    build = (root / "docs/build.md").read_text(encoding="utf-8")
    for part, pin in wiring.PANEL.pins().items():
        assert f"{part} = {pin}\n" in build
