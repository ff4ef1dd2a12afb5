"""What a won game counts (R34, R39).

`O` is white, to move unless said otherwise; the numbers are white's points.
"""

from dataclasses import replace

from rules.cube import Cube
from rules.diagram import read_diagram
from rules.events import Win
from rules.position import Player
from rules.ruleset import CLUB_DE, MONEY
from rules.scoring import finished, score, win_on_board

WHITE, BLACK = Player


def test_r34_single_when_the_loser_has_borne_off_one():
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   |13                |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                X | off O 15 X 1
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert win_on_board(board, WHITE, CLUB_DE) is Win.SINGLE


def test_r34_gammon_when_he_has_borne_off_none():
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   |13                |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                X |   |                  |
        |                X |   |                  | off O 15 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert win_on_board(board, WHITE, CLUB_DE) is Win.GAMMON


def test_r34_backgammon_with_one_in_the_winners_home():
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   |14                |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   | X                | off O 15 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert win_on_board(board, WHITE, CLUB_DE) is Win.BACKGAMMON


def test_r34_backgammon_with_one_on_the_bar():
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  | X | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   |14                |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  | off O 15 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert win_on_board(board, WHITE, CLUB_DE) is Win.BACKGAMMON


def test_r34_no_backgammon_for_who_has_borne_off_one_by_the_club_rules():
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   |13                |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   | X                | off O 15 X 1
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert win_on_board(board, WHITE, CLUB_DE) is Win.SINGLE
    assert win_on_board(board, WHITE, replace(CLUB_DE, backgammon_needs_none_off=False)) is Win.BACKGAMMON


def test_r39_gammon_and_backgammon_multiply_the_cube():
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   |13                |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                X |   |                  |
        |                X |   |                  | off O 15 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    result = finished(board, Cube(4, WHITE), CLUB_DE, money=False)
    assert result is not None
    assert (result.winner, result.points) == (WHITE, 8)
    assert score(BLACK, Win.BACKGAMMON, Cube(2, BLACK), CLUB_DE, money=False).points == 6


def test_jacoby_gammons_count_once_the_cube_is_owned():
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   | X                |
        |                  |   |13                |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                X |   |                  |
        |                X |   |                  | off O 15 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    centred = finished(board, Cube(), MONEY, money=True)
    owned = finished(board, Cube(2, BLACK), MONEY, money=True)
    assert centred is not None
    assert owned is not None
    assert (centred.points, owned.points) == (1, 4)
