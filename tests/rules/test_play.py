"""The notation of plays, both ways."""

import pytest

from rules.errors import PlayError
from rules.play import Move, Play, parse_play

H = True


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ([], ""),
        ([(24, 18, H), (18, 13)], "24/18*/13"),
        ([(24, 18), (18, 13)], "24/13"),
        ([(24, 18, H), (18, 13, H)], "24/18*/13*"),
        ([(13, 11), (13, 11)], "13/11(2)"),
        ([(25, 21)], "bar/21"),
        ([(25, 21), (25, 21)], "bar/21(2)"),
        ([(6, 0)], "6/off"),
        ([(17, 15), (17, 14)], "17/14 17/15"),
        ([(14, 8), (24, 21)], "24/21 14/8"),
        ([(8, 2), (7, 1), (2, 0), (1, 0)], "8/off 7/off"),
        ([(6, 4, H), (6, 4)], "6/4*(2)"),
        ([(10, 8, H), (10, 8), (8, 6)], "10/8*/6 10/8"),
        ([(13, 11), (13, 11), (11, 9), (6, 4)], "13/9 13/11 6/4"),
        ([(8, 4, H), (6, 4)], "8/4* 6/4"),
    ],
)
def test_written(moves: list[tuple[int, ...]], text: str) -> None:
    play = Play(tuple(Move(m[0], m[1], len(m) > 2) for m in moves))
    assert str(play) == text
    assert str(parse_play(text)) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("25/21 6/0", "bar/21 6/off"),
        ("Bar/21 6/Off", "bar/21 6/off"),
        ("BAR/21*", "bar/21*"),
        ("6/5 8/5", "8/5 6/5"),
        ("21/1*", "21/1*"),
        ("Cannot Move", ""),
        ("dance", ""),
        ("  ", ""),
    ],
)
def test_other_spellings(text: str, written: str) -> None:
    assert str(parse_play(text)) == written


@pytest.mark.parametrize("text", ["13", "13/", "13-8", "13/8(", "26/20", "a/b", "13/8 x", "8/5**", "???"])
def test_no_play(text: str) -> None:
    with pytest.raises(PlayError) as error:
        parse_play(text)
    assert repr(text) in str(error.value)


def test_a_repeated_hit_hits_once() -> None:
    assert parse_play("6/4*(2)").moves == (Move(6, 4, True), Move(6, 4))
