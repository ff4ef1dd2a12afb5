"""The commands that need the rules only: `plays`, `judge`, `replay` and `convert`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from device.errors import DeviceError, naming
from device.match_formats import FORMATS, read_match, write_match
from rules.codecs.gnubgid import write_position_id
from rules.codecs.xgid import Xgid, read_xgid, write_xgid
from rules.movegen import legal_plays
from rules.position import CHECKERS, Player, Position
from rules.ruleset import PROFILES, Ruleset, profile
from rules.ruling import Verdict
from rules.ruling import judge as ruling_on
from rules.transcript import PlayedThrough, plays_of

Checkers = tuple[int, int]

_list_option = click.option(
    "--list", "list_file", type=click.Path(dir_okay=False, path_type=Path), help="One JSON object a line, in order."
)
_checkers_option = click.option(
    "--checkers", type=click.IntRange(1, CHECKERS), default=CHECKERS, show_default=True, help="Checkers a side."
)
_json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")


def _lines(list_file: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """Where each line of a `--list` stands, and the object on it.

    Raises:
        DeviceError: the file cannot be read, or a line is no JSON object.
    """
    try:
        text = list_file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DeviceError(f"{list_file}: cannot be read ({error})") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{list_file}, line {number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise DeviceError(f"{where}: no JSON ({error})") from error
        if not isinstance(row, dict):
            raise DeviceError(f'{where}: expected an object such as {{"xgid": "XGID=…"}}')
        yield where, row


def _text(row: dict[str, object], key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise DeviceError(f'expected a text as "{key}"')
    return value


def _checkers(row: dict[str, object], default: int) -> Checkers:
    value = row.get("checkers", [default, default])
    if isinstance(value, list) and len(value) == 2 and all(isinstance(n, int) and 0 < n <= CHECKERS for n in value):
        return value[0], value[1]
    raise DeviceError(f'expected two numbers from 1 to {CHECKERS} as "checkers" (white, black), got {value}')


@click.command()
@click.argument("xgid", required=False)
@_list_option
@_checkers_option
@_json_option
def plays(xgid: str | None, list_file: Path | None, checkers: int, as_json: bool) -> None:
    """All legal plays of the roll in an XGID, and the positions they give."""
    if (xgid is None) == (list_file is None):
        raise click.UsageError("give an XGID or --list FILE")
    if list_file is not None:
        for where, row in _lines(list_file):
            with naming(where):
                answer = plays_answer(_text(row, "xgid"), _checkers(row, checkers))
            _print_plays(answer, as_json)
    else:
        _print_plays(plays_answer(str(xgid), (checkers, checkers)), as_json)


def _print_plays(answer: dict[str, object], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False))
        return
    found = answer["plays"]
    assert isinstance(found, list)
    for legal in found:
        click.echo(f"{legal['play'] or 'no play':<28}{legal['xgid']}")


def plays_answer(xgid: str, checkers: Checkers) -> dict[str, object]:
    """The answer of `schiri plays` to one XGID, which must hold a roll.

    Raises:
        DeviceError: there is no roll. CodecError: it is no XGID.
    """
    what = read_xgid(xgid, checkers)
    if what.roll is None:
        raise DeviceError(f"{xgid}: there is no roll to play")
    found = [
        {"play": str(legal.play), "xgid": write_xgid(_next(what, legal.after))}
        for legal in legal_plays(what.position, what.turn, what.roll)
    ]
    return {"xgid": xgid, "player": str(what.turn), "roll": [what.roll.high, what.roll.low], "plays": found}


def _next(what: Xgid, after: Position) -> Xgid:
    """The same seats, cube and score after the play, the other side to roll."""
    return Xgid(after, what.turn.opponent, None, what.cube, what.score, what.rules, what.length, what.largest_cube)


@click.command()
@click.argument("before", required=False)
@click.argument("after", required=False)
@_list_option
@click.option("--profile", "profile_name", default="club-de", show_default=True, help="Rules: " + ", ".join(PROFILES))
@_checkers_option
@_json_option
def judge(
    before: str | None, after: str | None, list_file: Path | None, profile_name: str, checkers: int, as_json: bool
) -> None:
    """The verdict on a play: BEFORE is an XGID with the roll, AFTER the position it led to."""
    if (after is None) == (list_file is None):
        raise click.UsageError("give two XGIDs, BEFORE and AFTER, or --list FILE")
    ruleset = profile(profile_name)
    if list_file is not None:
        for where, row in _lines(list_file):
            with naming(where):
                texts = _text(row, "before"), _text(row, "after")
                answer = judge_answer(*texts, _checkers(row, checkers), ruleset)
            _print_ruling(answer, as_json)
        return
    answer = judge_answer(str(before), str(after), (checkers, checkers), ruleset)
    _print_ruling(answer, as_json)
    if answer["verdict"] != Verdict.LEGAL:
        raise click.exceptions.Exit(1)


def _print_ruling(answer: dict[str, object], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False))
    else:
        clause = f" ({answer['clause']})" if answer["clause"] else ""
        click.echo(f"{answer['verdict']}: {answer['explanation']}{clause}")


def judge_answer(before: str, after: str, checkers: Checkers, ruleset: Ruleset) -> dict[str, object]:
    """The answer of `schiri judge` to two XGIDs, the first with the roll.

    Raises:
        DeviceError: there is no roll. CodecError: one is no XGID.
    """
    what = read_xgid(before, checkers)
    if what.roll is None:
        raise DeviceError(f"{before}: there is no roll to judge by")
    ruling = ruling_on(what.position, what.turn, what.roll, read_xgid(after, checkers).position, ruleset=ruleset)
    return {
        "verdict": str(ruling.verdict),
        "play": None if ruling.play is None else str(ruling.play),
        "faults": list(ruling.faults.keys()),
        "clause": ruling.clause,
        "explanation": ruling.explanation,
        "legal_plays": ruling.legal_plays,
    }


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="MATCH...", type=click.Path(path_type=Path))
@_json_option
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Play match files through rules, score and cube."""
    illegal = False
    for file in files:
        played = read_match(file)
        illegal = illegal or bool(played.illegal)
        answer = replay_answer(str(file), played)
        click.echo(json.dumps(answer, ensure_ascii=False) if as_json else _told(answer, played))
    if illegal:
        raise click.exceptions.Exit(1)


def replay_answer(file: str, played: PlayedThrough) -> dict[str, object]:
    """The answer of `schiri replay` to one match; player 0 is the left column, white."""
    state = played.state
    positions: dict[int, list[str]] = {game.number: [] for game in state.games}
    for number, player, before in plays_of(state):
        positions[number].append(write_position_id(before, player))
    games = [
        {
            "winner": None if game.winner is None else _index(game.winner),
            "points": game.points,
            "positions": positions[game.number],
        }
        for game in state.games
    ]
    illegal = [
        {"game": x.game, "move": x.move, "player": _index(x.player), "play": x.text, "faults": list(x.faults)}
        for x in played.illegal
    ]
    return {
        "file": file,
        "length": state.length,
        "players": list(state.names),
        "score": list(state.score),
        "games": games,
        "illegal": illegal,
        "warnings": list(played.warnings),
    }


def _index(player: Player) -> int:
    return 0 if player is Player.WHITE else 1


def _told(answer: dict[str, object], played: PlayedThrough) -> str:
    state = played.state
    lines = [f"{answer['file']}: {state.names[0]} {state.score[0]} – {state.score[1]} {state.names[1]}"]
    lines += [f"  game {x.game}, move {x.move}: {x.player} {x.text}: {', '.join(x.faults)}" for x in played.illegal]
    return "\n".join([*lines, *_indented(played.warnings)])


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


@click.command()
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
def convert(source: Path, target: Path) -> None:
    """Turn a match file into another format, by ending: .mat, .sgf, .txt (Snowie text), .json or .jsonl (events)."""
    for file in (source, target):
        if file.suffix.lower() not in FORMATS:
            raise click.UsageError(f"{file}: the ending must be one of {', '.join(FORMATS)}")
    played = read_match(source)
    for note in write_match(target, played):
        click.echo(f"{target}: {note}", err=True)
