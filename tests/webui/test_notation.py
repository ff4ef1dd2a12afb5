from __future__ import annotations

import pytest

from rules.play import Move, Play
from rules.position import START, Player, Position, side_of
from webui.notation import displacement_text, play_text

W, B = Player.WHITE, Player.BLACK


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ((), "no move"),
        (((8, 5), (6, 5)), "8/5 6/5"),
        (((25, 22, True), (6, 3)), "bar/22* 6/3"),
        (((13, 11), (13, 11), (6, 4), (6, 4)), "13/11(2) 6/4(2)"),
        (((6, 0), (5, 0)), "6/off 5/off"),
    ],
)
def test_plays_are_written_as_usual(moves: tuple[tuple[int, ...], ...], text: str) -> None:
    assert play_text(Play(tuple(Move(*m) for m in moves))) == text


def moved(player: Player, **counts: int) -> Position:
    side = list(START.side(player))
    for name, n in counts.items():
        side[int(name[1:])] = n
    return Position(tuple(side), START.black) if player is W else Position(START.white, tuple(side))


def test_a_displacement_is_read_off_the_board_without_rules() -> None:
    assert displacement_text(START, moved(W, p13=4, p9=1), W) == "13/9"
    assert displacement_text(START, moved(B, p24=1, p13=4, p17=1, p10=1), B) == "24/17 13/10"
    assert displacement_text(START, START, W) == "no move"


def test_a_displacement_shows_a_hit() -> None:
    before = Position(white=side_of({13: 1}), black=side_of({17: 1}))
    after = Position(white=side_of({8: 1}), black=side_of({25: 1}))
    assert displacement_text(before, after, W) == "13/8*"


def test_a_missing_checker_leaves_an_ellipsis() -> None:
    assert displacement_text(START, moved(W, p13=4), W) == "…"
