"""Spoilt files and identifiers: read rightly or refused with CodecError, never anything else."""

import random
from collections.abc import Callable

import pytest

from rules.codecs.gnubgid import read_gnuid
from rules.codecs.mat_read import read_mat
from rules.codecs.ogid import read_ogid
from rules.codecs.sgf import read_sgf
from rules.codecs.snowie import read_position
from rules.codecs.xgid import read_xgid
from rules.errors import CodecError
from rules.position import Player
from rules.transcript import play_through

MAT = """\
; [Event "x"]
 3 point match

 Game 1
 Ivory : 0                      Walnut : 0
  1) 61: 13/7 8/7                42: 24/22 24/20
  2) 22: 7/5* 7/5 6/4(2)         63: bar/22 13/7
  3)  Doubles => 2                Takes
  4) 54: 24/20 13/8              32: 7/5* 8/5
  5) 62: bar/23 8/2              ????
      Wins 2 points

 Game 2
 Ivory : 2                      Walnut : 0
  1)                             31: 8/5 6/5
"""
SGF = """\
(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RE[W+2R]
;W[61mghg];B[42acae]
;W[double];B[take];W[31hefe])
"""
SIGNS = "0123456789abyz/*()[];:WB =>DTak\n ?é²٣-\\"

READERS: list[tuple[Callable[[str], object], str]] = [
    (lambda text: play_through(read_mat(text)), MAT.replace("????", "61: ????")),
    (lambda text: play_through(read_sgf(text)), SGF),
    (read_xgid, "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:4:2:1:5:10"),
    (read_gnuid, "4HPwATDgc/ABMA:8IhuACAACAAE"),
    (read_ogid, "11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:IW:0:0:5C:0"),
    (
        lambda text: read_position(text, Player.WHITE),
        "5;0;0;0;0;c;b;0;2;1;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;",
    ),
]


def spoilt(text: str, rng: random.Random) -> str:
    """The text with a few characters changed, added or cut out."""
    signs = list(text)
    for _ in range(rng.choice((1, 1, 2, 5))):
        place = rng.randrange(len(signs))
        what = rng.choice(("change", "add", "cut"))
        if what == "change":
            signs[place] = rng.choice(SIGNS)
        elif what == "add":
            signs.insert(place, rng.choice(SIGNS))
        elif len(signs) > 50:
            del signs[place : place + rng.choice((1, 1, 5, 40))]
        signs = signs or ["x"]
    return "".join(signs)


@pytest.mark.parametrize("kind", range(len(READERS)))
def test_spoilt_input(kind: int) -> None:
    read, text = READERS[kind]
    read(text)
    rng = random.Random(kind)
    refused = 0
    for _ in range(400):
        try:
            read(spoilt(text, rng))
        except CodecError:
            refused += 1
    assert refused > 0
