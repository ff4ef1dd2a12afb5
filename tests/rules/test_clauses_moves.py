"""How checkers move, clause by clause.

`O` is white, to move unless said otherwise; the numbers are white's points.
"""

from rules.diagram import read_diagram
from rules.faults import Fault
from rules.play import parse_play
from rules.position import START, Player, Position, side_of
from rules.roll import Roll
from rules.ruling import judge
from rules.transcript import moved

WHITE, BLACK = Player


def test_r1_r62_start_position():
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        | O           X    |   | X              O |
        | O           X    |   | X              O |
        | O           X    |   | X                |
        | O                |   | X                |
        | O                |   | X                |
        | X                |   | O                |
        | X                |   | O                |
        | X           O    |   | O                |
        | X           O    |   | O              X |
        | X           O    |   | O              X | off O 0 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert board == START
    assert [board.count(WHITE, point) for point in (24, 13, 8, 6)] == [2, 5, 3, 5]
    assert board.pips(WHITE) == board.pips(BLACK) == 167


def test_r2_a_checker_may_not_go_backwards(ruled, faults):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        | O           X    |   | X              O |
        | O           X    |   | X              O |
        | O           X    |   | X                |
        | O                |   | X                |
        | O                |   | X                |
        | X                |   | O                |
        | X                |   | O                |
        | X           O    |   | O                |
        | X           O    |   | O              X |
        | X           O    |   | O              X | off O 0 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert faults(board, "3-1", "6/9 6/5") == ("wrong_direction",)
    assert ruled(board, "2-1", "6/8 6/5").clause == "R2"


def test_r71_t13_any_number_may_stand_on_ones_own_point(plays, ruled):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   | 9                |
        |                  |   | O                |
        |                  |   | O                |
        |                  |   | O     X          |
        |                O |   | O     X          | off O 5 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "5-1") == {"7/1", "7/2 6/5", "6/1 6/5"}
    assert ruled(board, "1-1", "7/6 6/5(3)").verdict == "legal"


def test_t11_an_opposing_checker_moved_without_a_hit(faults):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        | O           X    |   | X              O |
        | O           X    |   | X              O |
        | O           X    |   | X                |
        | O                |   | X                |
        | O                |   | X                |
        | X                |   | O                |
        | X                |   | O                |
        | X           O    |   | O                |
        | X           O    |   | O              X |
        | X           O    |   | O              X | off O 0 X 0
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    legal = moved(board, WHITE, parse_play("8/5 6/5"))
    nudged = Position(legal.white, moved(board, BLACK, parse_play("13/12")).black)
    ruling = judge(board, WHITE, Roll(3, 1), nudged)
    assert (ruling.faults, ruling.clause) == (Fault.OPPONENT_MOVED, "T11")


def test_t14_a_hit_checker_left_on_its_point_or_put_in_the_tray(faults):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |             O    |   | O  X           X | off O 13 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    mine = moved(board, WHITE, parse_play("8/5 6/5")).white
    assert judge(board, WHITE, Roll(3, 1), Position(mine, board.black)).faults == Fault.HIT_NOT_ON_BAR
    in_tray = Position(mine, side_of({24: 1}, 15))
    assert judge(board, WHITE, Roll(3, 1), in_tray).faults == Fault.CHECKER_COUNT
    elsewhere = Position(mine, side_of({24: 1, 12: 1}, 15))
    assert judge(board, WHITE, Roll(3, 1), elsewhere).faults == Fault.HIT_NOT_ON_BAR
