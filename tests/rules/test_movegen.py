"""All legal plays, held against a corpus that several engines agree on, against counts, and against another engine."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from gvformat.legality import legal_plays as their_plays

from rules.codecs.gnubgid import write_position_id
from rules.codecs.xgid import read_board, write_board
from rules.errors import PlayError
from rules.movegen import LegalPlay, legal_plays, legal_results, play_between, resolve
from rules.play import Play, parse_play
from rules.position import BAR, START, Player, Position, side_of
from rules.roll import Roll

WHITE, BLACK = Player
ROLLS = [Roll(high, low) for high in range(1, 7) for low in range(1, high + 1)]

FROM_THE_START = {
    "1-1": 42, "2-1": 15, "2-2": 75, "3-1": 16, "3-2": 17, "3-3": 73, "4-1": 14, "4-2": 18, "4-3": 17, "4-4": 52,
    "5-1": 8, "5-2": 8, "5-3": 9, "5-4": 9, "5-5": 4, "6-1": 10, "6-2": 14, "6-3": 14, "6-4": 14, "6-5": 7, "6-6": 11,
}  # fmt: skip
"""Distinct positions each roll leads to from the start, as gvformat and GNU Backgammon count them too."""
OVER_TWO_PLIES = 202_782
"""Distinct results over two plies, counted for each first result and each second roll, as GNU Backgammon counts too."""


def turned(position: Position) -> Position:
    """The same board with the sides exchanged."""
    return Position(position.black, position.white)


def test_the_corpus_that_engines_agree_on(shared_dir: Path) -> None:
    checked = 0
    with gzip.open(shared_dir / "data/rules/legal_corpus.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            if "p" not in row:
                continue
            before, roll = read_board(row["p"]), Roll(*row["d"])
            for position, player in ((before, WHITE), (turned(before), BLACK)):
                found = legal_plays(position, player, roll)
                after = [legal.after if player is WHITE else turned(legal.after) for legal in found]
                boards = sorted(write_board(a) for a in after)
                assert boards == (row["r"] or [row["p"]]), (row["p"], roll)
            checked += 1
    assert checked == 2730


def test_counts_from_the_start() -> None:
    assert {str(roll): len(legal_plays(START, WHITE, roll)) for roll in ROLLS} == FROM_THE_START
    assert {str(roll): len(legal_plays(START, BLACK, roll)) for roll in ROLLS} == FROM_THE_START


def test_another_engine_counts_the_same_from_the_start() -> None:
    assert {str(roll): len(theirs(START, roll)) for roll in ROLLS} == FROM_THE_START


def hints(gnubg: Callable[[str], str], asked: list[tuple[Position, Roll]]) -> list[int]:
    """How many plays GNU Backgammon lists for WHITE, for each position and roll."""
    setting = ("automatic game off", "automatic roll off", "automatic move off", "player 0 human", "player 1 human")
    script = [f"gnubg.command('set {what}')" for what in setting]
    script += ["gnubg.command('new session')", "gnubg.command('set turn 1')"]
    for position, roll in asked:
        script.append(f"gnubg.command('set board {write_position_id(position, WHITE)}')")
        script.append(f"gnubg.command('set dice {roll.high} {roll.low}')")
        script.append("print('COUNT', len(gnubg.hint(500)['hint']))")
    return [int(line.split()[1]) for line in gnubg("\n".join(script)).splitlines() if line.startswith("COUNT")]


def test_gnu_backgammon_counts_the_same_from_the_start(gnubg: Callable[[str], str]) -> None:
    counts = hints(gnubg, [(START, roll) for roll in ROLLS])
    assert dict(zip(map(str, ROLLS), counts, strict=True)) == FROM_THE_START


def test_gnu_backgammon_counts_the_same_at_the_third_ply(gnubg: Callable[[str], str]) -> None:
    rng = random.Random(3)
    asked = []
    while len(asked) < 20:
        first = rng.choice(legal_plays(START, WHITE, rng.choice(ROLLS))).after
        position = turned(rng.choice(legal_plays(turned(first), WHITE, rng.choice(ROLLS))).after)
        roll = rng.choice(ROLLS)
        if legal_results(position, WHITE, roll):
            asked.append((position, roll))
    assert hints(gnubg, asked) == [len(legal_plays(position, WHITE, roll)) for position, roll in asked]


def test_count_over_two_plies() -> None:
    reached = [legal.after for roll in ROLLS for legal in legal_plays(START, WHITE, roll)]
    total = sum(len(legal_results(position, BLACK, roll) or (0,)) for position in reached for roll in ROLLS)
    assert total == OVER_TWO_PLIES


def theirs(position: Position, roll: Roll) -> set[tuple[int, ...]]:
    """The counts of WHITE that another engine finds for WHITE's roll; without what was hit, which follows from them."""
    mine, opp = list(position.white), list(reversed(position.black))
    found, _ = their_plays(mine, opp, roll.high, roll.low)
    return {_moved(position.white, play) for play in found} or {position.white}


def _moved(side: tuple[int, ...], play: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    counts = list(side)
    for origin, target in play:
        counts[origin] -= 1
        counts[target] += 1
    return tuple(counts)


def test_a_sample_of_the_third_ply_against_another_engine() -> None:
    rng = random.Random(20)
    for _ in range(150):
        position = START
        for ply in range(2):
            found = legal_plays(position, WHITE, rng.choice(ROLLS))
            position = turned(rng.choice(found).after)
            assert ply < 2
        roll = rng.choice(ROLLS)
        assert {legal.after.white for legal in legal_plays(position, WHITE, roll)} == theirs(position, roll)


def test_whole_games_against_another_engine() -> None:
    rng = random.Random(5)
    position = START
    for _ in range(400):
        roll = rng.choice(ROLLS)
        found = legal_plays(position, WHITE, roll)
        assert {legal.after.white for legal in found} == theirs(position, roll)
        after = rng.choice(found).after
        position = START if not after.on_board(WHITE) else turned(after)


@pytest.mark.parametrize("checkers", [1, 2, 12, 14])
def test_any_number_of_checkers(checkers: int) -> None:
    rng = random.Random(checkers)
    position = Position(side_of({}, 0), side_of({}, 0))
    sides = []
    for _ in range(2):
        side = [0] * 26
        for _ in range(checkers):
            side[rng.randint(1, 12)] += 1
        sides.append(tuple(side))
    position = Position(*sides)
    for _ in range(60):
        roll = rng.choice(ROLLS)
        found = legal_plays(position, WHITE, roll)
        assert all(legal.after.total(player) == checkers for legal in found for player in Player)
        assert {legal.after.white for legal in found} == theirs(position, roll)
        after = rng.choice(found).after
        if not after.on_board(WHITE):
            break
        position = turned(after)


def test_moves_can_be_made_in_the_order_given(shared_dir: Path) -> None:
    with gzip.open(shared_dir / "data/rules/legal_corpus.jsonl.gz", "rt") as lines:
        rows = [row for row in map(json.loads, lines) if "p" in row][::7]
    for row in rows:
        before, roll = read_board(row["p"]), Roll(*row["d"])
        for legal in legal_plays(before, WHITE, roll):
            mine, blots = list(before.white), list(before.black)
            for move in legal.play.moves:
                assert mine[move.origin] > 0
                assert not mine[BAR] or move.origin == BAR
                assert move.target or not sum(mine[7:])
                mine[move.origin] -= 1
                mine[move.target] += 1
                assert not move.target or blots[BAR - move.target] == int(move.hit)
                if move.hit:
                    blots[BAR - move.target] -= 1
                    blots[BAR] += 1
            assert (tuple(mine), tuple(blots)) == (legal.after.white, legal.after.black)
            assert resolve(before, WHITE, roll, parse_play(str(legal.play))).after == legal.after


def test_a_play_written_without_hits_means_the_fewest() -> None:
    before = Position(side_of({24: 1}), side_of({7: 1, 5: 1}))
    assert str(resolve(before, WHITE, Roll(6, 4), parse_play("24/14")).play) == "24/18*/14"
    assert str(resolve(before, WHITE, Roll(6, 4), parse_play("24/20*/14")).play) == "24/20*/14"
    assert str(resolve(before, WHITE, Roll(6, 4), parse_play("24/20 20/14")).play) == "24/20*/14"


def test_what_is_not_legal_cannot_be_resolved() -> None:
    with pytest.raises(PlayError, match="white 3-1: 8/4 6/4 is not legal"):
        resolve(START, WHITE, Roll(3, 1), parse_play("8/4 6/4"))


def test_play_between_finds_short_plays_and_nothing_else() -> None:
    one = legal_plays(START, WHITE, Roll(3, 1))[0]
    assert isinstance(one, LegalPlay)
    assert play_between(START, WHITE, Roll(3, 1), one.after) == one.play
    short = Position(side_of({24: 2, 13: 5, 8: 2, 6: 5, 5: 1}), START.black)
    assert str(play_between(START, WHITE, Roll(3, 1), short)) == "8/5"
    assert play_between(START, WHITE, Roll(6, 4), short) is None
    blocked = Position(side_of({24: 1, 19: 1, 13: 5, 8: 3, 6: 5}), START.black)
    assert play_between(START, WHITE, Roll(5, 1), blocked) is None
    gone = Position(START.white, side_of({24: 2, 13: 5, 8: 3, 6: 5, BAR: 0}))
    assert play_between(START, WHITE, Roll(5, 1), gone) is None
    far = Position(side_of({24: 1}), side_of({24: 1, 12: 1}))
    hit_nowhere = Position(side_of({24: 0, 21: 1}), side_of({24: 1, BAR: 1}))
    assert play_between(far, WHITE, Roll(2, 1), hit_nowhere) is None


def test_a_dance_is_one_empty_play() -> None:
    closed = Position(side_of({BAR: 1, 6: 2}), side_of(dict.fromkeys(range(1, 7), 2)))
    for roll in ROLLS:
        (dance,) = legal_plays(closed, WHITE, roll)
        assert (dance.play, dance.after) == (Play(), closed)
