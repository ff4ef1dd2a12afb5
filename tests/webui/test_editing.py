from __future__ import annotations

import pytest

from rules.position import START, Player, Position, side_of
from webui.console import editing


def test_what_is_written_is_read() -> None:
    assert editing.read(editing.write(START)) == START


@pytest.mark.parametrize(
    "text", ["", "1_2", "a_b", "_", editing.write(START) + ".0", editing.write(START).replace("5", "-5")]
)
def test_what_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        editing.read(text)


def test_a_checker_goes_and_comes_back() -> None:
    after = editing.moved(START, "p8", "p5")
    assert (after.white[8], after.white[5]) == (2, 1)
    assert editing.moved(after, "p5", "p8") == START
    black = editing.moved(START, "p1", "p2")
    assert (black.black[24], black.black[23]) == (1, 1)


def test_a_single_checker_in_the_way_goes_to_its_bar() -> None:
    blot = Position(side_of({8: 2}), side_of({20: 1, 24: 2}))
    after = editing.moved(blot, "p8", "p5")
    assert (after.white[5], after.black[20], after.black[25]) == (1, 0, 1)


@pytest.mark.parametrize(("origin", "target"), [("p8", "p1"), ("p5", "p4"), ("p8", "p8"), ("bw", "p3"), ("ob", "p3")])
def test_where_nothing_can_go_the_board_stays(origin: str, target: str) -> None:
    assert editing.moved(START, origin, target) == START


@pytest.mark.parametrize("target", ["ow", "ob"])
def test_a_tray_is_the_movers_own(target: str) -> None:
    assert editing.moved(START, "p6", target).white[0] == 1
    assert editing.moved(editing.moved(START, "p6", target), "ow", "bb").white[25] == 1


@pytest.mark.parametrize("place", ["p0", "p25", "x", "", "p٣"])
def test_an_unknown_place_is_refused(place: str) -> None:
    with pytest.raises(ValueError):
        editing.moved(START, "p6", place)


@pytest.mark.parametrize("home_right", [True, False])
def test_every_place_can_be_tapped_and_none_hides_another(home_right: bool) -> None:
    spots = editing.spots(START, ("Ivory", "Walnut"), home_right=home_right)
    assert len({spot.place for spot in spots}) == 28
    for i, a in enumerate(spots):
        for b in spots[:i]:
            apart = a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
            assert apart, (a, b)
    assert next(spot.label for spot in spots if spot.place == "p1") == "1: Walnut 2"
    assert editing.holder(START, "p6") is Player.WHITE
