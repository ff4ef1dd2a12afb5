"""GNU Backgammon takes an illegal play that stands from our Snowie text and gives it back."""

from collections.abc import Callable
from pathlib import Path

from rules.codecs.mat_read import read_mat
from rules.codecs.snowie import write_snowie
from rules.transcript import play_through, plays_of

MATCH = """\
 5 point match

 Game 1
 Ivory : 0                          Walnut : 0
  1) 31: 8/5                         63: 24/15
  2) 42: 8/4 6/4                     31: 8/5 6/5
      Wins 2 points
"""


def test_an_illegal_play_goes_through_another_program(tmp_path: Path, gnubg: Callable[[str], str]) -> None:
    ours = play_through(read_mat(MATCH))
    assert [illegal.text for illegal in ours.illegal] == ["31: 8/5"]
    (tmp_path / "a.txt").write_text(write_snowie(ours.state), encoding="utf-8")
    gnubg(f"gnubg.command('import mat {tmp_path}/a.txt')\ngnubg.command('export match snowietxt {tmp_path}/b.txt')\n")
    back = play_through(read_mat((tmp_path / "b.txt").read_text(encoding="utf-8")))
    assert list(plays_of(back.state)) == list(plays_of(ours.state))
    assert back.state.score == ours.state.score
    assert len(back.illegal) == 1
