"""Match files and what they cannot say (illegal plays, gaps, decisions): they can be read on, by us and by others."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rules import decisions as de
from rules import events as ev
from rules.codecs.mat import write_mat
from rules.codecs.mat_read import read_mat
from rules.codecs.sgf import read_sgf, write_sgf
from rules.codecs.snowie import write_snowie
from rules.cube import Cube
from rules.errors import CodecError
from rules.events import Event, Win
from rules.game import replay
from rules.match import MatchState
from rules.play import parse_play
from rules.position import START, Player, Position
from rules.rehearsal import moved
from rules.roll import Roll
from rules.ruleset import PROFILES, Ruleset
from rules.transcript import PlayedThrough, Transcript, play_through, plays_of

WHITE, BLACK = Player
OPENED = moved(START, WHITE, "8/5 6/5")
Written = tuple[Callable[[MatchState], str], Callable[[str], Transcript]]
MAT, SGF, TEXT = (write_mat, read_mat), (write_sgf, read_sgf), (write_snowie, read_mat)


def turn(player: Player, dice: str, text: str, before: Position) -> tuple[Event, Event]:
    """A legal play, as it is recorded."""
    roll = Roll(int(dice[0]), int(dice[1]))
    after = moved(before, player, text)
    played = ev.Played(at_s=0, player=player, roll=roll, play=parse_play(text), position=after)
    return ev.Rolled(at_s=0, player=player, roll=roll), played


def flagged(player: Player, dice: str, after: Position, verdict: str = "illegal") -> ev.PlayFlagged:
    roll = Roll(int(dice[0]), int(dice[1]))
    return ev.PlayFlagged(at_s=0, player=player, roll=roll, verdict=verdict, faults=(), explanation="x", position=after)


def resigned(player: Player, points: int = 1, win: Win = Win.SINGLE) -> tuple[Event, ...]:
    return (
        de.ResignationOffered(at_s=0, player=player, win=win),
        de.ResignationAccepted(at_s=0, player=player.opponent),
        ev.GameEnded(at_s=0, winner=player.opponent, points=points, win=win),
    )


def game(*events: Event) -> tuple[Event, ...]:
    """A game that white opens with 31."""
    return (ev.GameStarted(at_s=0, position=START), *turn(WHITE, "31", "8/5 6/5", START), *events)


def match(*events: Event, length: int = 5, profile: str = "club-de") -> MatchState:
    return replay((ev.MatchStarted(at_s=0, length=length, white="Ivory", black="Walnut", profile=profile), *events))


WRONG = moved(OPENED, BLACK, "24/14")
CORRECTED = moved(OPENED, BLACK, "24/15")
LOST = moved(OPENED, BLACK, "13/7 8/5")
SHORT = Position(OPENED.white, tuple(n - (k == 13) for k, n in enumerate(OPENED.black)))
ENTERED = Position(OPENED.white, tuple(n + (k == 25) for k, n in enumerate(SHORT.black)))
AFTER_42 = moved(ENTERED, WHITE, "8/4 6/4")
NEXT = (*game(*turn(BLACK, "42", "8/4 6/4", OPENED)), *resigned(BLACK))
SECOND = (BLACK, "42", "8/4 6/4")

MATCHES = {
    "illegal": match(
        *game(flagged(BLACK, "63", WRONG), *turn(WHITE, "42", "8/4 6/4", WRONG)), *resigned(BLACK, 2, Win.GAMMON), *NEXT
    ),
    "illegal at once": match(
        ev.GameStarted(at_s=0, position=START), flagged(WHITE, "31", WRONG), *resigned(BLACK), *NEXT
    ),
    "undecided": match(
        *game(flagged(BLACK, "63", WRONG, "undecided"), *turn(WHITE, "42", "8/4 6/4", WRONG)), *resigned(WHITE), *NEXT
    ),
    "corrected": match(
        *game(
            flagged(BLACK, "63", WRONG),
            ev.PlayCorrected(
                at_s=0, player=BLACK, roll=Roll(6, 3), play=parse_play("24/15"), position=CORRECTED
            ),
            *turn(WHITE, "42", "8/4 6/4", CORRECTED),
        ),
        *resigned(BLACK),
        *NEXT,
    ),
    "gap": match(
        *game(
            ev.Recovered(at_s=0, position=LOST, turn=WHITE, reason="x"), *turn(WHITE, "42", "8/4 6/4", LOST)
        ),
        *resigned(BLACK),
        *NEXT,
    ),
    "found again": match(
        *game(ev.Recovered(at_s=0, position=OPENED, turn=BLACK, reason="x"), *turn(*SECOND, OPENED)),
        *resigned(BLACK),
        *NEXT,
    ),
    "checker found": match(
        *game(
            flagged(BLACK, "42", SHORT),
            de.CheckerFound(at_s=0, player=BLACK, to_bar=True),
            *turn(WHITE, "42", "8/4 6/4", ENTERED),
            *turn(BLACK, "43", "bar/22 13/9", AFTER_42),
        ),
        *resigned(BLACK),
        *NEXT,
    ),
    "set-up corrected": match(
        *game(de.SetupCorrected(at_s=0, position=LOST), *turn(WHITE, "42", "8/4 6/4", LOST)), *resigned(BLACK), *NEXT
    ),
    "cube corrected": match(
        *game(
            de.CubeCorrected(at_s=0, value=2, owner=BLACK, reason="R30"),
            *turn(*SECOND, OPENED),
            *turn(WHITE, "42", "8/4 6/4", moved(OPENED, BLACK, "8/4 6/4")),
            ev.CubeOffered(at_s=0, player=BLACK, value=4),
            ev.CubeDropped(at_s=0, player=WHITE),
            ev.GameEnded(at_s=0, winner=BLACK, points=2, win=Win.SINGLE),
        ),
        *NEXT,
    ),
    "penalty": match(
        *game(de.PenaltyGiven(at_s=0, player=BLACK, points=1, reason="slow"), *turn(*SECOND, OPENED)),
        *resigned(BLACK),
        *NEXT,
    ),
    "resigned": match(*game(), *resigned(BLACK, 3, Win.BACKGAMMON), *NEXT),
    "running": match(*game(*turn(*SECOND, OPENED))),
    "conceded": match(*game(), de.MatchConceded(at_s=0, player=BLACK)),
}  # fmt: skip

WHOLE = {"corrected", "found again", "penalty", "resigned", "running", "conceded"}
"""Matches that each format can tell to their end."""
SAID = {
    "illegal": "game 1: black 6-3: a play that is illegal stands; the rest of it is not written",
    "illegal at once": "game 1: white 3-1: a play that is illegal stands; the rest of it is not written",
    "undecided": "game 1: black 6-3: a play that is undecided stands; the rest of it is not written",
    "gap": "game 1: the record was lost; the rest of it is not written",
    "checker found": "game 1: black 4-2: a play that is illegal stands; the rest of it is not written",
    "set-up corrected": "game 1: the board was put right by a decision; the rest of it is not written",
    "cube corrected": (
        "game 1: the cube had come to another value or side than by doubles; the rest of it is not written"
    ),
    "penalty": "game 2: before it the score was changed by a decision from 1-0 to 1-1",
    "conceded": "game 1: Walnut conceded the match",
}


def boards(state: MatchState) -> list[tuple[int, Player, Position]]:
    return list(plays_of(state))


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.parametrize(("write", "read"), [MAT, SGF, TEXT], ids=["mat", "sgf", "text"])
def test_the_file_can_be_read_on_and_shows_nothing_that_was_not(
    name: str, write: Callable[[MatchState], str], read: Callable[[str], Transcript]
) -> None:
    state = MATCHES[name]
    again = play_through(read(write(state)))
    assert (again.state.score, len(again.state.games)) == (state.score, len(state.games))
    for number in range(1, len(state.games) + 1):
        true = [board for board in boards(state) if board[0] == number]
        told = [board for board in boards(again.state) if board[0] == number]
        assert told == true[: len(told)]
        assert len(told) == len(true) or (number == 1 and name not in WHOLE)
    if name in WHOLE:
        assert boards(again.state) == boards(state)


@pytest.mark.parametrize("name", MATCHES)
def test_what_is_left_out_is_said(name: str) -> None:
    lines = write_mat(MATCHES[name]).splitlines()
    notes = [line.removeprefix("; ") for line in lines if line.startswith(";")]
    said = [SAID[name]] if name in SAID else []
    assert notes == said
    assert lines[len(said)] == " 5 point match"
    roots = [line for line in write_sgf(MATCHES[name]).splitlines() if line.startswith("(")]
    comments = [
        f"game {k}: {root.partition('C[')[2].partition(']')[0]}" for k, root in enumerate(roots, 1) if "C[" in root
    ]
    assert comments == said


@pytest.mark.parametrize("name", ["illegal", "illegal at once"])
def test_text_tells_an_illegal_play_and_what_follows(name: str) -> None:
    text = write_snowie(MATCHES[name])
    assert not text.startswith(";")
    assert boards(play_through(read_mat(text)).state) == boards(MATCHES[name])


def test_text_says_that_a_play_was_not_decided() -> None:
    text = write_snowie(MATCHES["undecided"])
    assert text.startswith(
        "; game 1: black 6-3 is undecided; the board that was seen is written as an illegal play\n 5 p"
    )
    assert boards(play_through(read_mat(text)).state) == boards(MATCHES["undecided"])


def test_text_goes_on_from_what_a_decision_made_of_an_illegal_play() -> None:
    again = play_through(read_mat(write_snowie(MATCHES["checker found"])))
    assert [game for game, *_ in boards(again.state)] == [1, 1, 1, 1, 2, 2]
    assert boards(again.state)[2] == (1, WHITE, ENTERED)
    assert len(again.illegal) == 1


def test_after_a_gap_behind_an_illegal_play_nothing_is_made_up() -> None:
    state = match(
        *game(flagged(BLACK, "63", WRONG), ev.Recovered(at_s=0, position=LOST, turn=WHITE, reason="x")),
        *turn(WHITE, "42", "8/4 6/4", LOST),
    )
    text = write_snowie(state)
    assert "; game 1: the record was lost; the rest of it is not written" in text
    assert boards(play_through(read_mat(text)).state) == boards(state)[:2]


def test_points_after_the_last_game_are_said() -> None:
    state = match(*NEXT, de.PenaltyGiven(at_s=0, player=BLACK, points=5, reason="late"))
    assert state.score == (1, 5)
    assert write_mat(state).startswith("; game 1: after it the score was changed by a decision from 1-0 to 1-5\n")


def test_a_match_without_a_game_is_no_file() -> None:
    for write, article in ((write_mat, "a .mat"), (write_sgf, "an SGF"), (write_snowie, "a .mat")):
        with pytest.raises(CodecError, match=f"{article} file holds at least one game, and none has begun"):
            write(match())


def beavered() -> MatchState:
    after = moved(OPENED, BLACK, "8/4 6/4")
    return match(
        *game(ev.CubeOffered(at_s=0, player=BLACK, value=2), de.CubeBeavered(at_s=0, player=WHITE, value=4)),
        *turn(*SECOND, OPENED),
        *turn(WHITE, "63", "24/15", after),
        *resigned(BLACK, 4),
        length=0,
        profile="agreed",
    )


@pytest.fixture
def agreed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Ruleset(name="agreed", source="agreed", crawford=False, beavers=True)
    monkeypatch.setitem(PROFILES, "agreed", rules)


@pytest.mark.usefixtures("agreed")
@pytest.mark.parametrize(("write", "read"), [MAT, SGF, TEXT], ids=["mat", "sgf", "text"])
def test_a_beaver_comes_back(write: Callable[[MatchState], str], read: Callable[[str], Transcript]) -> None:
    again = play_through(read(write(beavered())), "agreed")
    assert boards(again.state) == boards(beavered())
    cubes = [[(turn.cube, turn.value) for turn in state.games[0].turns] for state in (again.state, beavered())]
    assert cubes[0] == cubes[1]
    assert again.state.cube == Cube(4, WHITE)


def through_gnubg(gnubg: Callable[[str], str], folder: Path, texts: dict[str, str]) -> dict[str, PlayedThrough]:
    """What GNU Backgammon makes of each file, which must not complain of any; the names end in mat or sgf."""
    script = ""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        load = "load match" if name.endswith("sgf") else "import mat"
        script += f"gnubg.command('{load} {folder}/{name}')\n"
        script += f"gnubg.command('export match mat {folder}/{name}.back')\n"
    assert "Unrecognised" not in gnubg(script)
    return {name: play_through(read_mat((folder / f"{name}.back").read_text(encoding="utf-8"))) for name in texts}


def test_another_program_reads_on_too(tmp_path: Path, gnubg: Callable[[str], str]) -> None:
    texts = {}
    for k, state in enumerate(MATCHES.values()):
        texts |= {f"{k}.mat": write_mat(state), f"{k}.sgf": write_sgf(state)}
    for name, theirs in through_gnubg(gnubg, tmp_path, texts).items():
        ours = play_through((read_sgf if name.endswith("sgf") else read_mat)(texts[name]))
        assert theirs.state.score == ours.state.score, name
        # It leaves out a game without a row, so the numbers of the games are not compared.
        assert [board[1:] for board in boards(theirs.state)] == [board[1:] for board in boards(ours.state)], name


@pytest.mark.usefixtures("agreed")
def test_another_program_takes_a_beaver(tmp_path: Path, gnubg: Callable[[str], str]) -> None:
    for kind, text in (("mat", write_mat(beavered())), ("sgf", write_sgf(beavered()))):
        (tmp_path / f"a.{kind}").write_text(text, encoding="utf-8")
        load = "import mat" if kind == "mat" else "load match"
        gnubg(f"gnubg.command('{load} {tmp_path}/a.{kind}')\ngnubg.command('export match mat {tmp_path}/{kind}')\n")
        back = play_through(read_mat((tmp_path / kind).read_text(encoding="utf-8")), "agreed")
        assert boards(back.state) == boards(beavered())
        assert back.state.score == (4, 0)


def test_a_board_that_was_understood_later_is_told() -> None:
    """The turn after a play that was put right still holds what was believed before it."""
    state = MATCHES["running"]
    first, second = state.games[0].turns
    late = replace(state.games[0], turns=(first, replace(second, before=LOST)))
    assert write_mat(replace(state, games=(late,))) == write_mat(state)


def test_a_gap_before_a_double_is_a_gap() -> None:
    state = match(
        *game(
            ev.Recovered(at_s=0, position=LOST, turn=WHITE, reason="x"),
            ev.CubeOffered(at_s=0, player=WHITE, value=2),
            ev.CubeTaken(at_s=0, player=BLACK, value=2),
            *turn(WHITE, "42", "8/4 6/4", LOST),
        )
    )
    assert write_mat(state).startswith("; game 1: the record was lost; the rest of it is not written\n")
    assert " Takes" in write_mat(state)


def test_a_play_that_a_reader_cannot_make_is_left_out() -> None:
    before = moved(OPENED, WHITE, "13/10")
    state = match(*game(de.SetupCorrected(at_s=0, position=before), *turn(WHITE, "42", "10/6 8/6", before)))
    text = write_mat(state)
    assert text.startswith("; game 1: the board was put right by a decision; the rest of it is not written\n")
    assert "42:" not in text
