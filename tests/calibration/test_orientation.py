"""Which point a column is, for the four ways a board can lie before the camera."""

import pytest

from calibration.orientation import Home, place_of, white_point

BOTTOM_ROW_FROM_LEFT = {
    Home.BOTTOM_RIGHT: [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    Home.BOTTOM_LEFT: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    Home.TOP_RIGHT: [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
    Home.TOP_LEFT: [24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13],
}


@pytest.mark.parametrize("home", list(Home))
def test_place_and_point_undo_each_other(home: Home) -> None:
    assert [place_of(white_point(place, home), home) for place in range(24)] == list(range(24))
    assert sorted(white_point(place, home) for place in range(24)) == list(range(1, 25))


@pytest.mark.parametrize("home", list(Home))
def test_the_rows_as_a_player_would_count_them(home: Home) -> None:
    bottom = BOTTOM_ROW_FROM_LEFT[home]
    assert [white_point(12 + column, home) for column in range(12)] == bottom
    assert [white_point(column, home) for column in range(12)] == [25 - point for point in bottom]


@pytest.mark.parametrize(("home", "ace_place"), [*zip(Home, (23, 12, 11, 0), strict=True)])
def test_whites_ace_point_lies_in_his_home_corner(home: Home, ace_place: int) -> None:
    assert place_of(1, home) == ace_place
    assert home.at_bottom == (ace_place >= 12)
    assert home.at_right == (ace_place % 12 == 11)
