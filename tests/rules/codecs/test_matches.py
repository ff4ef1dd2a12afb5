"""Match files: real ones, every quirk, what cannot be said, and other programs reading ours."""

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

from rules import events as ev
from rules.codecs.extent import can_hold
from rules.codecs.mat import write_mat
from rules.codecs.mat_read import read_mat
from rules.codecs.sgf import read_sgf, write_sgf
from rules.codecs.snowie import read_position, write_position, write_snowie
from rules.cube import Cube
from rules.errors import CodecError
from rules.events import Win
from rules.match import GameRecord, MatchState, TurnRecord
from rules.movegen import legal_plays
from rules.position import START, Player, Position, side_of
from rules.roll import Roll
from rules.ruleset import CLUB_DE, PROFILES, Ruleset
from rules.scoring import Result, finished
from rules.transcript import PlayedThrough, Transcript, play_through, plays_of

WHITE, BLACK = Player
HEAD = " 5 point match\n\n Game 1\n Bräune : 0                          Süd : 0\n"


def played(text: str) -> PlayedThrough:
    return play_through(read_mat(text))


def files(shared: Path) -> list[Path]:
    found = [*sorted((shared / "data/matches").glob("*/*.mat")), *sorted((shared / "data/matches").glob("*/*.sgf"))]
    assert len(found) == 46
    return found


def read(file: Path) -> PlayedThrough:
    text = file.read_text(encoding="utf-8")
    return play_through(read_sgf(text) if file.suffix == ".sgf" else read_mat(text))


def test_real_matches_come_to_their_scores_and_back_in_every_format(shared_dir: Path) -> None:
    for k, file in enumerate(files(shared_dir)):
        match = read(file)
        assert match.illegal == (), file.name
        if k % 4:
            continue
        for write, reader in ((write_mat, read_mat), (write_snowie, read_mat), (write_sgf, read_sgf)):
            again = play_through(reader(write(match.state)))
            assert again.state == match.state, (file.name, write.__name__)
            assert again.illegal == ()


def test_the_two_formats_of_a_match_tell_the_same(shared_dir: Path) -> None:
    for file in sorted((shared_dir / "data/matches/selfplay").glob("*.mat")):
        mat, sgf = read(file), read(file.with_suffix(".sgf"))
        assert [list(plays_of(mat.state)), mat.state.score] == [list(plays_of(sgf.state)), sgf.state.score]


def test_what_stands_around_the_games() -> None:
    match = read_mat(
        '\ufeff; [Player 1 "A"]\n; [Event "x"]\n; a remark\n\n 3 point match\n\n Game 1\n'
        " Ivory, 1600 : 0                Walnut (x) : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2)\n"
    )
    assert match.headers == (("Player 1", "A"), ("Event", "x"))
    assert match.names == ("Ivory", "Walnut (x)")
    assert [str(action.play) for action in match.games[0].actions] == ["8/5 6/5"]


def test_every_kind_of_cell() -> None:
    match = played(
        HEAD
        + "  1) 31: 8/5 6/5                     65: 24/13\n"
        + "  2)  Doubles => 2                    Takes\n"
        + "  3) 66: 24/18(2) 13/7(2)            11: 8/7(2) 6/5(2)\n"
        + "  4) 21: 13/10                       Doubles => 4\n"
        + "  5) Drops\n"
        + "                                      Wins 2 points\n"
        + "\n Game 2\n Bräune : 0                          Süd : 2\n"
        + "  1)                                 52: 13/8 24/22\n"
        + "  2) 41: ????                        Wins 1 point\n"
        + "\n Game 3\n Bräune : 1                          Süd : 3\n"
        + "  1) Loses 2 points                  Wins 2 points and the match\n"
    )
    state = match.state
    assert state.names == ("Bräune", "Süd")
    assert (state.score, [game.win for game in state.games]) == ((1, 5), [Win.SINGLE, Win.SINGLE, Win.GAMMON])
    assert [turn.cube for turn in state.games[0].turns if turn.cube] == ["doubles", "takes", "doubles", "drops"]
    assert match.warnings == ("game 3 starts at 1-3, the games before it add up to 0-3",)


def test_a_dance_in_every_spelling() -> None:
    for word in ("", "Cannot Move", "No play", "dances"):
        text = HEAD + "  1) 65: 24/13                       55: 8/3(2) 6/1*(2)\n".replace(" 6/1*(2)", " 6/1(2)")
        match = read_mat(text + f"  2) 66: {word}\n")
        assert match.games[0].actions[2].play is not None
        assert match.games[0].actions[2].play.moves == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: expected `N point match`, got an empty file"),
        ("hello\n", "line 1, column 1: expected `N point match`, got 'hello'"),
        (" 5 point match\n", "expected at least one game"),
        (" 5 point match\nhello\n", "line 2, column 1: expected ` Game 1`, got 'hello'"),
        (
            " 5 point match\n Game 1\n Ivory against Walnut\n",
            "line 3, column 1: expected `Name : score   Name : score`",
        ),
        (HEAD + "  1) 31: 8/5 6/x\n", "line 5, column 9: '8/5 6/x': expected steps such as 13/8"),
        (
            HEAD + "  1) what is this\n",
            "line 5, column 6: expected a roll such as `31:` or a cube word, got 'what is this'",
        ),
        (HEAD + "  31: 8/5 6/5\n", "line 5, column 1: expected a row such as `1) 31: 8/5 6/5`"),
        (HEAD + "  1) 31: 8/5 6/5  21: 6/5 8/6  11: 6/5\n", "line 5, column 32: expected two cells in a row"),
        (HEAD + "  1) 31: Illegal play (5;0;)\n", "line 5, column 9: '5;0;': expected 40 fields"),
    ],
)
def test_no_mat(text: str, message: str) -> None:
    with pytest.raises(CodecError) as error:
        read_mat(text)
    assert message in str(error.value)


def test_an_illegal_play_that_stands() -> None:
    match = played(HEAD + "  1) 31: 8/5                         63: 24/15\n      Wins 2 points\n")
    (illegal,) = match.illegal
    assert (illegal.game, illegal.move, illegal.player, illegal.text) == (1, 1, WHITE, "31: 8/5")
    assert (illegal.faults, illegal.line) == (("both_dice_playable",), 5)
    mat, sgf, snowie = write_mat(match.state), write_sgf(match.state), write_snowie(match.state)
    assert mat.startswith("; game 1: white 3-1: a play that is illegal stands; the rest of it is not written\n")
    assert "63:" not in mat
    assert "C[white 3-1: a play that is illegal stands; the rest of it is not written]" in sgf
    assert "31: Illegal play (5;0;0;0;0;Süd;Bräune;0;0;0;1;0;0;-2;" in snowie
    again = play_through(read_mat(snowie))
    assert again.state == match.state
    assert again.illegal[0].faults == ("both_dice_playable",)
    in_words = played(HEAD + "  1) 31: Illegal play (8/5)           63: 24/15\n      Wins 2 points\n")
    assert in_words.state == match.state


def test_an_undecided_play_in_snowie_text_and_the_first_in_sgf() -> None:
    match = played(HEAD + "  1) 31: 8/5 6/5                     63: 24/18\n")
    assert "C[black 6-3: a play that is illegal stands;" in write_sgf(match.state)
    assert write_sgf(match.state).count(";B[") == 0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("  1) 31: 10/9\n", "line 5, column 6: 10/9: white has no checker on 10"),
        ("  1)  Takes\n", "line 5, column 7: CubeTaken cannot follow in phase opening"),
        (
            "  1) 31: 8/5 6/5                     Doubles => 8\n",
            "line 5, column 38: CubeOffered: 8 does not double 1 (R38)",
        ),
        ("  1) 33: 8/5(2) 6/3(2)\n", "line 5, column 6: 3-3 opens no game: a tie is thrown again (R8)"),
    ],
)
def test_what_no_match_can_be_is_refused_with_its_place(rows: str, message: str) -> None:
    with pytest.raises(CodecError) as error:
        played(HEAD + rows)
    assert message in str(error.value)


def test_a_game_that_begins_before_the_last_has_ended() -> None:
    with pytest.raises(CodecError, match="game 2: GameStarted cannot follow in phase to_roll"):
        played(HEAD + "  1) 31: 8/5 6/5\n" + HEAD.partition("\n\n")[2].replace("Game 1", "Game 2"))


def test_the_place_in_an_sgf() -> None:
    with pytest.raises(CodecError, match="line 2, column 1: 10/9: white has no checker on 10"):
        play_through(read_sgf("(;GM[6]\n;W[31ji])"))


def played_out() -> tuple[str, Result]:
    """The rows of a game that is played to its last checker, and its result."""
    position, rows, player = START, [], WHITE
    rolls = cycle((Roll(6, 5), Roll(6, 4), Roll(5, 4), Roll(6, 3)))
    while (result := finished(position, Cube(), CLUB_DE, money=False)) is None:
        roll = next(rolls)
        legal = legal_plays(position, player, roll)[0]
        cell = f"{roll.high}{roll.low}: {legal.play}"
        rows.append(f" {len(rows) + 1}) {'' if player is WHITE else ' ' * 32}{cell}\n")
        position, player = legal.after, player.opponent
    return "".join(rows), result


def test_a_result_that_the_board_denies_is_a_warning() -> None:
    rows, result = played_out()
    assert result == Result(WHITE, Win.SINGLE, 1)
    match = played(HEAD + rows + "      Wins 5 points\n")
    assert match.warnings == ("game 1: the board says white wins 1, the file white 5",)
    assert match.state.games[0].winner is WHITE


@pytest.mark.parametrize(("write", "reader"), [(write_mat, read_mat), (write_snowie, read_mat), (write_sgf, read_sgf)])
def test_a_match_with_a_drop_and_a_last_checker_off_comes_back(
    write: Callable[[MatchState], str], reader: Callable[[str], Transcript]
) -> None:
    rows, result = played_out()
    assert result == Result(WHITE, Win.SINGLE, 1)
    match = played(
        HEAD
        + rows
        + "      Wins 1 point\n"
        + "\n Game 2\n Bräune : 1                          Süd : 0\n"
        + "  1) 31: 8/5 6/5                     64: 24/14\n"
        + "  2) 11: 6/5(2) 8/7(2)               Doubles => 2\n"
        + "  3)  Drops\n"
        + "                                        Wins 1 point\n"
    )
    assert (match.illegal, match.warnings, match.state.score) == ((), (), (1, 1))
    again = play_through(reader(write(match.state)))
    assert again.state == match.state
    assert list(plays_of(again.state)) == list(plays_of(match.state))


def test_what_a_mat_file_cannot_hold() -> None:
    start = Position(side_of({13: 5, 6: 5, 24: 2}), side_of({13: 5, 6: 5, 24: 2}))
    match = MatchState(checkers=12)
    assert can_hold(match) == "a .mat file holds games with 15 checkers a side, not 12"
    for write in (write_mat, write_sgf, write_snowie):
        with pytest.raises(CodecError, match="15 checkers a side, not 12"):
            write(match)
    assert "none has begun" in str(can_hold(MatchState()))
    assert start.total(WHITE) == 12


def test_another_start_and_a_gap(began: Callable[..., MatchState], opened: tuple[ev.Event, ...]) -> None:
    other = Position(side_of({23: 2, 13: 5, 8: 3, 6: 5}), START.black)
    assert "game 1 does not start from the standard position" in str(can_hold(began(start=other)))
    lost = ev.Recovered(at_s=0, position=other, turn=WHITE, reason="camera")
    going_on = legal_plays(other, WHITE, Roll(2, 1))[0]
    more = ev.Played(at_s=0, player=WHITE, roll=Roll(2, 1), play=going_on.play, position=going_on.after)
    state = began(*opened, lost, more)
    assert "; game 1: the record was lost; the rest of it is not written" in write_mat(state)
    assert "C[the record was lost;" in write_sgf(state)
    assert [before for _, _, before in plays_of(state)] == [START, other]


def test_names_that_would_break_the_file() -> None:
    state = play_through(read_mat(HEAD + "  1) 31: 8/5 6/5\n")).state
    odd = MatchState(length=5, names=("Bräune:Süd", "  "), games=state.games)
    assert " Bräune;Süd : 0" in write_mat(odd)
    assert read_mat(write_mat(odd)).names == ("Bräune;Süd", "?")
    bracket = MatchState(length=0, names=("A]", "B\\"), games=state.games)
    assert read_sgf(write_sgf(bracket)).names == ("A]", "B\\")
    assert "RU[" not in write_sgf(bracket)


def test_black_opens_and_doubles_twice_in_a_row() -> None:
    text = (
        HEAD + "  1)                                 31: 8/5 6/5\n  2) 65: 24/13                        Doubles => 2\n"
    )
    text += "  3)  Takes                          21: 13/10\n"
    state = played(text).state
    assert played(write_mat(state)).state == state
    assert state.cube.owner is WHITE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a game tree"),
        ("x", "line 1, column 1: expected (, ), ;, a property or [value], got 'x'"),
        ("GM[6]", "line 1, column 1: expected (;, got 'GM'"),
        ("()", "line 1, column 2: expected a node"),
        ("(GM[6])", "line 1, column 2: expected (;"),
        ("(;GM[6]", "line 1, column 8: expected ), got the end of the file"),
        (")", "line 1, column 1: expected a node"),
        ("(;GM[1])", "line 1, column 2: expected backgammon (GM[6]), got GM[1]"),
        ("(;GM[6]MI[length:²])", "line 1, column 2: expected a number, got '²'"),
        ("(;GM[6]MI[length:x])", "line 1, column 2: expected a number, got 'x'"),
        (
            "(;GM[6]\n;W[99ab])",
            "line 2, column 1: expected a roll and steps such as 31hefe, or double, take, drop, got '99ab'",
        ),
    ],
)
def test_no_sgf(text: str, message: str) -> None:
    with pytest.raises(CodecError) as error:
        read_sgf(text)
    assert message in str(error.value)


def test_an_sgf_with_variations_marks_and_no_result() -> None:
    text = "\ufeff(;GM[6]MI[odd][length:3]RE[?]PW[a\\]b]\n;W[31hefe]C[x](;B[42hdfd])(;B[21fe]))\n"
    match = read_sgf(text)
    assert (match.length, match.names, match.games[0].winner) == (3, ("a]b", "Black"), None)
    assert [str(action.play) for action in match.games[0].actions] == ["8/5 6/5", "19/21 17/21"]


def test_snowie_positions() -> None:
    state = MatchState(length=5, names=("a;b", "c"), score=(1, 2))
    text = write_position(state, GameRecord(1, (1, 2), START), Cube(), START, BLACK)
    assert text == "5;0;0;0;0;c;a,b;0;2;1;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;"
    assert read_position(text, BLACK) == START
    with pytest.raises(CodecError, match="expected 26 numbers"):
        read_position(text.replace(";-2;", ";x;"), BLACK)
    with pytest.raises(CodecError, match="more than 15 checkers"):
        read_position(text.replace(";5;0;3;", ";9;0;3;"), BLACK)


def test_an_illegal_play_without_its_position_cannot_be_written(began: Callable[..., MatchState]) -> None:
    state = began()
    game = replace(state.games[0], turns=(TurnRecord(WHITE, Roll(3, 1), verdict="undecided"),))
    with pytest.raises(CodecError, match="without the position it left"):
        write_snowie(replace(state, games=(game,)))


def test_gnu_backgammon_reads_what_we_write(shared_dir: Path, tmp_path: Path, gnubg: Callable[[str], str]) -> None:
    """Our .mat and SGF of matches that people played, imported and exported again by GNU Backgammon."""
    chosen = [file for file in files(shared_dir) if "selfplay" in str(file) and file.suffix == ".mat"][:4]
    chosen += [file for file in files(shared_dir) if "real" in str(file)][:2]
    script = "gnubg.command('set confirm new off')\n"
    for k, file in enumerate(chosen):
        state = read(file).state
        for kind, text in (("mat", write_mat(state)), ("sgf", write_sgf(state))):
            (tmp_path / f"{k}.{kind}").write_text(text, encoding="utf-8")
            load = "import mat" if kind == "mat" else "load match"
            script += f"gnubg.command('{load} {tmp_path}/{k}.{kind}')\n"
            script += f"gnubg.command('export match mat {tmp_path}/{k}.{kind}.back.mat')\n"
    gnubg(script)
    for k, file in enumerate(chosen):
        want = read(file).state
        for kind in ("mat", "sgf"):
            back = play_through(read_mat((tmp_path / f"{k}.{kind}.back.mat").read_text(encoding="utf-8"))).state
            assert back.score == want.score, (file.name, kind)
            assert list(plays_of(back)) == list(plays_of(want)), (file.name, kind)


def test_beavers_in_a_money_game(monkeypatch: pytest.MonkeyPatch) -> None:
    agreed = Ruleset(name="agreed", source="agreed", crawford=False, beavers=True)
    monkeypatch.setitem(PROFILES, "agreed", agreed)
    text = HEAD.replace("5 point", "0 point")
    text += "  1) 31: 8/5 6/5                     Doubles => 2\n  2) Beavers => 4                    21: 13/10\n"
    state = play_through(read_mat(text), "agreed").state
    assert (state.cube.value, state.cube.owner) == (4, WHITE)
    assert [turn.cube for turn in state.games[0].turns] == [None, "doubles", "beavers", None]
    assert play_through(read_mat(write_mat(state)), "agreed").state == state
