"""A real server around a fake table, run as a program: `serve_fake.py PORT [fail]`.

Each line on its standard input shows the next state of the script; it tells on standard output what it does.
"""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import replace

from device.errors import DeviceError
from device.server import serve
from rules.match import GameRecord, MatchState, Phase, TurnRecord
from rules.play import Move, Play
from rules.position import START, Player, Position, side_of
from rules.roll import Roll
from webui.fake_port import FakeTable
from webui.keys import Keys, hashed

TO_PLAY = MatchState(
    length=7,
    names=("Ivory", "Walnut"),
    phase=Phase.TO_PLAY,
    turn=Player.WHITE,
    roll=Roll(3, 1),
    games=(GameRecord(1, (0, 0), START),),
)
MADE_FIVE_POINT = Position(white=side_of({24: 2, 13: 5, 8: 2, 6: 4, 5: 2}), black=START.black)
TURN = TurnRecord(Player.WHITE, Roll(3, 1), Play((Move(8, 5), Move(6, 5))), MADE_FIVE_POINT)
PLAYED = replace(
    TO_PLAY,
    phase=Phase.TO_ROLL,
    turn=Player.BLACK,
    roll=None,
    position=MADE_FIVE_POINT,
    games=(GameRecord(1, (0, 0), START, turns=(TURN,)),),
)


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def make_table() -> FakeTable:
    tell(f"made {os.getpid()}")
    if "fail" in sys.argv:
        raise DeviceError("usb:0: there is no camera")
    table = FakeTable(TO_PLAY, picture=b"\xff\xd8 a picture \xff\xd9")
    threading.Thread(target=follow_input, args=(table,), daemon=True).start()
    return table


def follow_input(table: FakeTable) -> None:
    while os.read(0, 1):
        table.push(PLAYED)


if __name__ == "__main__":
    try:
        code = serve(
            make_table,
            "127.0.0.1",
            int(sys.argv[1]),
            on_exit=lambda: tell(f"closed {os.getpid()}"),
            on_ready=lambda: tell("ready"),
            keys=Keys(hashed("123456"), b"secret"),
        )
    except DeviceError as error:
        sys.exit(f"schiri: {error}")
    tell("watcher left")
    sys.exit(code)
