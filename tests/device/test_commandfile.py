"""What was said and pressed at a recorded match."""

from pathlib import Path

import pytest

from device.commandfile import read_commands
from device.errors import DeviceError
from rules import decisions as de
from rules.commands import Decided, TurnEnded
from rules.events import Win
from rules.position import Player


def test_lines_come_in_the_order_of_their_times(tmp_path: Path) -> None:
    path = tmp_path / "commands.jsonl"
    path.write_text(
        '{"at_s": 9.5, "type": "Done", "player": "white"}\n\n'
        '{"at_s": 3, "type": "ResignationOffered", "player": "black", "win": "gammon"}\n'
        '{"at_s": 12.0, "type": "ClockPressed", "player": "black"}\n',
        encoding="utf-8",
    )
    offered = Decided(de.ResignationOffered(at_s=3, player=Player.BLACK, win=Win.GAMMON))
    assert read_commands(path) == [(3, offered), (9.5, TurnEnded(Player.WHITE)), (12, TurnEnded(Player.BLACK))]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("Done", "line 1: no JSON"),
        ("[1]", "line 1: expected an object with at_s"),
        ('{"type": "Done", "player": "white"}', "line 1: expected an object with at_s"),
        ('{"at_s": 1, "type": "Done"}', "line 1: player must be white or black, not None"),
        ('{"at_s": 1, "type": "Shouted", "player": "white"}', "line 1: unknown type of event: 'Shouted'"),
        ('{"at_s": 1, "type": "CubeDropped"}', "line 1: CubeDropped: player"),
    ],
)
def test_what_is_no_command_is_named_with_its_line(tmp_path: Path, line: str, wrong: str) -> None:
    path = tmp_path / "commands.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(DeviceError, match="commands.jsonl, " + wrong):
        read_commands(path)
