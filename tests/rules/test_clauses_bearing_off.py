"""Bearing off, clause by clause.

`O` is white, to move unless said otherwise; the numbers are white's points.
"""

from rules.diagram import read_diagram
from rules.faults import Fault
from rules.position import Player, Position, side_of
from rules.roll import Roll
from rules.ruling import judge

WHITE = Player.WHITE


def test_r19_exactly_the_numbers_rolled(ruled, faults):
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
    assert faults(board, "6-3", "13/7 13/9") == ("wrong_distance",)
    assert ruled(board, "6-3", "13/7 13/9").clause == "R19"


def test_r19_bear_off_only_with_all_home(faults):
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
        |                  |   | O  O           X |
        |                O |   | O  O           X | off O 10 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert faults(board, "6-5", "6/off 5/off") == ("bore_off_early",)
    assert faults(board, "6-1", "7/6 6/off") == ()


def test_r20_from_the_point_that_matches(plays):
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
        |                  |   |    X  O          |
        |                  |   |    X  O     O    | off O 12 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "4-2") == {"4/off 2/off", "4/off 4/2"}


def test_r20_r67_none_comes_off_below_a_held_higher_point(plays, ruled, faults):
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
        |                  |   | O  X     O       |
        |                  |   | O  X     O       | off O 11 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert faults(board, "5-4", "3/off 3/off") == ("bore_off_from_lower",)
    assert ruled(board, "5-4", "3/off 3/off").clause == "R20"
    assert plays(board, "5-4") == {"6/1 6/2"}


def test_r20_none_above_then_from_the_highest_held(plays):
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
        |                  |   |          O     X |
        |                  |   |          O  O  X | off O 12 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "6-5") == {"3/off(2)"}


def test_r20_moving_inside_is_allowed_instead(plays):
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
        |                  |   |    X             |
        |                  |   |    X  O  O     O | off O 12 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "4-1") == {"4/off", "4/off 1/off", "4/off 3/2"}


def test_r68_a_borne_off_checker_never_returns(faults):
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
        |                  |   | O  X             |
        |                  |   | O  X     O       | off O 12 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    back = Position(side_of({6: 2, 3: 1, 2: 1}, 15), board.black)
    ruling = judge(board, WHITE, Roll(6, 5), back)
    assert ruling.faults == Fault.OFF_RETURNED | Fault.BOTH_DICE_PLAYABLE


def test_r68_a_hit_checker_must_come_home_first(plays, faults):
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
        |                  |   |          O       |
        |                  | O |          O     X | off O 12 X 14
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert not any("off" in play for play in plays(board, "6-1"))
    assert faults(board, "6-3", "bar/19 3/off") == ("bore_off_early",)


def test_r74_bearing_off_is_a_must_when_nothing_else_goes(plays, faults):
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
        |                  |   |             O  X |
        |                  |   |             O  X | off O 13 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "6-5") == {"2/off(2)"}
    assert faults(board, "6-5", "2/off") == ("both_dice_playable",)
