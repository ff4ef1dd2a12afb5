"""The drawn evening: legal games decided by a seed, filmed with hands between scenes that lie still."""

from itertools import islice

import numpy as np
import pytest

from calibration.orientation import Home
from rules.movegen import legal_plays
from rules.position import CHECKERS, OFF, START, Player
from rules.roll import Roll
from vision.frame import Bgr
from vision.synth.draw import Painter
from vision.synth.film import Film
from vision.synth.plan import CENTRED_FACE, Evening, Shot
from vision.synth.scene import Die, Scene, Table


@pytest.fixture(scope="module")
def evening() -> list[Shot]:
    return list(Evening(5, length=3).shots())


def turns(shots: list[Shot]) -> list[tuple[Player, Roll, Shot, Shot]]:
    """Player, roll, the shot he rolled in, and the one in which his dice were lifted."""
    found = []
    rolled: tuple[Player, Roll, Shot] | None = None
    before: Shot | None = None
    for shot in shots:
        words = shot.note.split()
        if len(words) == 3 and words[1] == "rolls":
            high, low = (int(n) for n in words[2].split("-"))
            rolled = (Player(words[0]), Roll(high, low), shot)
        elif words[0] == "opening" and words[1] != words[2]:
            white, black = int(words[1]), int(words[2])
            rolled = (Player.WHITE if white > black else Player.BLACK, Roll(white, black), shot)
        elif "played" in words:
            assert rolled is not None
            assert before is not None
            found.append((*rolled, shot))
        before = shot
    return found


@pytest.mark.parametrize("home", [Home.BOTTOM_RIGHT, Home.TOP_LEFT])
def test_every_play_is_legal(home: Home) -> None:
    played = turns(list(Evening(11, home, length=1).shots()))
    assert len(played) > 20
    for player, roll, before, after in played:
        results = {one.after for one in legal_plays(before.scene.position, player, roll)}
        assert after.scene.position in results
        assert str(player) in after.note


def test_nobody_loses_a_checker_and_the_dice_show_the_roll(evening: list[Shot]) -> None:
    for shot in evening:
        assert all(shot.scene.position.total(player) == CHECKERS for player in Player)
        assert shot.scene.position.problems() == []
    for player, roll, thrown, lifted in turns(evening):
        assert sorted(die.pips for die in thrown.scene.dice) == sorted((roll.high, roll.low))
        assert lifted.scene.dice == ()
        if "rolls" in thrown.note:
            assert {die.player for die in thrown.scene.dice} == {player}


def test_the_match_ends_with_somebody_out(evening: list[Shot]) -> None:
    assert evening[-1].note == "match over"
    assert [shot.note for shot in evening].count("match over") == 1
    assert evening[0].scene.position == START
    setups = [shot for shot in evening if shot.note == "set up"]
    assert all(shot.scene.cube.value == CENTRED_FACE for shot in setups)
    last = evening[-1].scene.position
    out = [player for player in Player if last.count(player, OFF) == CHECKERS]
    assert len(out) == 1 or any("doubles" in shot.note for shot in evening[-4:])


def test_the_seed_decides_everything(evening: list[Shot]) -> None:
    assert list(Evening(5, length=3).shots()) == evening
    assert list(islice(Evening(6, length=3).shots(), 30)) != evening[:30]


def test_an_offer_is_answered_by_the_opponent(evening: list[Shot]) -> None:
    long = [*evening, *Evening(2, length=5).shots()]
    offers = [k for k, shot in enumerate(long) if "doubles" in shot.note]
    assert offers
    for k in offers:
        assert 0 < long[k].scene.cube.xy[0] < 1
        assert "takes" in long[k + 1].note or long[k + 1].note in ("set up", "match over")


def test_a_film_shows_hands_between_still_scenes() -> None:
    film = Film(5, fps=5)
    frames = list(islice(film.frames(), 60))
    assert [f.at_s for f in frames] == pytest.approx([k / 5 for k in range(60)])
    assert [f.shot for f in frames] == sorted(f.shot for f in frames)
    for shot in range(1, frames[-1].shot):
        of_shot = [f for f in frames if f.shot == shot]
        hands = [f.scene.hand is not None for f in of_shot]
        assert hands == sorted(hands, reverse=True)
        assert any(hands)
        assert [f.settled for f in of_shot].count(True) == 1
        assert next(f for f in of_shot if f.settled).scene.hand is None


def test_a_film_goes_on_from_any_shot() -> None:
    whole = list(islice(Film(5, fps=2).frames(), 40))
    later = list(islice(Film(5, fps=2).frames(first_shot=3), 10))
    assert later[0].shot == 3
    assert later[0].settled
    assert later[0].at_s == 0
    assert later[0].scene == next(f.scene for f in whole if f.shot == 3 and f.settled)


def test_the_same_seed_draws_the_same_picture(table: Table) -> None:
    scene = Scene(dice=(Die(4, (0.7, 0.5), 0.3, Player.BLACK),))

    def drawn(seed: int) -> Bgr:
        return Painter(table, seed).draw(scene)

    width, height = table.size_px
    assert drawn(1).shape == (height, width, 3)
    assert np.array_equal(drawn(1), drawn(1))
    assert not np.array_equal(drawn(1), drawn(2))
