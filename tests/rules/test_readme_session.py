"""The session that the README shows is what the program answers."""

import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from device.cli import main

_BLOCK = re.compile(r"^```(?:console|text)?\n(\$ schiri (?:plays|judge) .*?)^```", re.MULTILINE | re.DOTALL)


def sessions(text: str) -> list[tuple[str, str]]:
    """Each command of the blocks that begin with `$ schiri plays` or `judge`, and the answer shown under it."""
    found = []
    for block in _BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, answer = part.partition("\n")
            found.append((command, answer))
    return found


def test_the_readme_shows_what_is_answered(root: Path) -> None:
    shown = sessions((root / "README.md").read_text(encoding="utf-8"))
    assert {command.split()[1] for command, _ in shown} == {"plays", "judge"}
    for command, answer in shown:
        program, *arguments = shlex.split(command)
        result = CliRunner().invoke(main, arguments)
        assert program == "schiri"
        assert result.stdout == answer
