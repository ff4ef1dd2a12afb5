"""Runs inside GNU Backgammon (`gnubg -t -q -r -p`): one JSON request a line on standard input, one answer a line.

Answers go to the file descriptor in SCHIRI_REPLY_FD, since gnubg writes on standard output what it likes. This file is
the only one that imports gnubg, and nothing of ours imports it.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import gnubg

REPLY = os.fdopen(int(os.environ["SCHIRI_REPLY_FD"]), "w", encoding="utf-8", buffering=1)
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
MANY = 4000
"""More than any roll has plays."""


def say(**answer: object) -> None:
    """One line to who asked."""
    REPLY.write(json.dumps(answer) + "\n")


def context(plies: int) -> dict[str, object]:
    """How deep to look."""
    return {"cubeful": 1, "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0}


def deepen(plies: int) -> None:
    """Look so deep from now on; a cached hint would still be of the depth before."""
    gnubg.command(f"set evaluation chequerplay evaluation plies {plies}")
    gnubg.command(f"set evaluation cubedecision evaluation plies {plies}")
    gnubg.command("clear hint")


def stand(xgid: str, gnuid: str) -> None:
    """Set the position, and make sure that it stands: gnubg keeps the old one when it dislikes an ID."""
    gnubg.command(f"set xgid {xgid}")
    there = gnubg.gnubgid()
    if there != gnuid:
        raise ValueError(f"{xgid}: GNU Backgammon does not take this position")


def plays(asked: dict[str, Any]) -> object:
    """All plays, as gnubg ranks them."""
    deepen(asked["plies"])
    stand(asked["xgid"], asked["gnuid"])
    found = gnubg.hint(MANY)["hint"]
    wrong = [one for one in found[:1] if one["context"]["plies"] != asked["plies"]]
    if wrong:
        raise ValueError(f"the answer is {wrong[0]['context']['plies']} plies deep, not {asked['plies']}")
    return [[one["move"], one["equity"], one["context"]["plies"]] for one in found]


def cube(asked: dict[str, Any]) -> object:
    """Equities without a double, doubled and taken, doubled and dropped."""
    stand(asked["xgid"], asked["gnuid"])
    return gnubg.cfevaluate(gnubg.board(), gnubg.cubeinfo(), context(asked["plies"]))[1:4]


def luck(asked: dict[str, Any]) -> object:
    """The best that each roll can do; the caller weighs them."""
    deepen(0)
    best = []
    for xgid, gnuid in asked["rolls"]:
        stand(xgid, gnuid)
        found = gnubg.hint(1)
        moves = found["hint"] if found else []
        best.append(moves[0]["equity"] if moves else None)
    return best


def match(asked: dict[str, Any]) -> object:
    """Read a match file and analyse it record by record, telling how far it has come."""
    for what in ("chequerplay", "cubedecision"):
        gnubg.command(f"set analysis {what} evaluation plies {asked['plies']}")
    gnubg.command(f"set jacoby {'on' if asked['jacoby'] else 'off'}")
    gnubg.command(f'import mat "{asked["file"]}"')
    games = gnubg.match(0, 0, 0, 0)["games"]
    if not games or not any(game["game"] for game in games):
        raise ValueError("GNU Backgammon finds no match in the file")
    total, done = sum(len(game["game"]) for game in games), 0
    cubes = []
    gnubg.command("first game")
    for game in games:
        for _ in game["game"]:
            cubes.append(standing_cube())
            gnubg.command("analyse move")
            gnubg.navigate(next=1)
            done += 1
            say(done=done, of=total)
        gnubg.command("next game")
    whole = gnubg.match(1, 1, 1, 0)
    records = [record for game in whole["games"] for record in game["game"]]
    for record, info in zip(records, cubes, strict=True):
        analysis = record.get("analysis", {})
        if "nd-cubeful-eq" in analysis and info is not None and info["matchto"]:
            # Whatever the name says, in a match these are chances to win it.
            for key in ("nd-cubeful-eq", "dt-cubeful-eq"):
                analysis[key] = gnubg.mwc2eq(analysis[key], info)
    return whole


def standing_cube() -> dict[str, Any] | None:
    """Score and cube as they stand; None at the end of a game, where there are none."""
    try:
        info: dict[str, Any] = gnubg.cubeinfo()
    except Exception:  # noqa: BLE001 (gnubg throws the bare class)
        return None
    return info


ANSWERS = {"plays": plays, "cube": cube, "luck": luck, "match": match}


def main() -> None:
    """Answer until nobody asks any more."""
    for command in (
        "set automatic game off",
        "set automatic roll off",
        "set automatic move off",
        "set confirm new off",
    ):
        gnubg.command(command)
    say(ready=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            say(id=asked["id"], answer=ANSWERS[asked["what"]](asked))
        except Exception as error:  # noqa: BLE001 (whatever gnubg throws belongs to who asked)
            say(id=asked["id"], refused=f"{error}")


main()
