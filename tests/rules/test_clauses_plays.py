"""Bar, both numbers, doubles: clause by clause.

`O` is white, to move unless said otherwise; the numbers are white's points.
"""

from rules.diagram import read_diagram
from rules.faults import Fault
from rules.movegen import legal_plays
from rules.position import BAR, Player
from rules.roll import Roll

WHITE, BLACK = Player


def test_r24_a_double_is_played_four_times(plays, faults):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        | O                |   |                  |
        | O                |   |                  |
        | O                |   |                  |
        | O                |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                X |
        |                  |   |                X | off O 11 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "2-2") == {"13/5", "13/7 13/11", "13/9(2)", "13/9 13/11(2)", "13/11(4)"}
    assert faults(board, "2-2", "13/11(3)") == ("both_dice_playable",)
    assert faults(board, "2-2", "13/11(2) 13/9 13/9") == ("wrong_distance", "too_many_numbers")


def test_r25_both_numbers_if_any_order_allows(plays, faults):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |    X             |   | X  O             |
        |    X             |   | X  O             |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  | O |                  | off O 12 X 11
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "6-2") == {"bar/17"}
    assert faults(board, "6-2", "bar/23") == ("both_dice_playable",)


def test_r25_r65_r74_either_but_not_both_then_the_higher(plays, ruled, faults):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |             X    |   |                  |
        |             X    |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  | O |                  | off O 14 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "6-2") == {"bar/19"}
    ruling = ruled(board, "6-2", "bar/23")
    assert (ruling.faults, ruling.clause) == (Fault.HIGHER_DIE_PLAYABLE, "R25")
    assert ruling.explanation == "the 6 was playable: bar/19"
    assert ruling.discreet == "the 6 was playable"


def test_r26_two_or_more_block(plays, ruled, faults):
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
    assert faults(board, "5-1", "24/19 6/5") == ("point_blocked",)
    assert ruled(board, "5-1", "24/19 6/5").clause == "R26"
    assert not any("24/19" in play for play in plays(board, "5-1"))


def test_r27_a_blot_is_hit_and_goes_to_the_bar(plays):
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
    assert "8/5* 6/5" in plays(board, "3-1")
    after = legal_plays(board, WHITE, Roll(3, 1))[0].after
    assert max(legal.after.count(BLACK, BAR) for legal in legal_plays(board, WHITE, Roll(3, 1))) == 1
    assert after.total(BLACK) == 15


def test_r27_r28_the_bar_before_anything_else(plays, ruled, faults):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        | O                |   |                  |
        | O                |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   | O                |
        |                  |   | O  X             |
        |                  | O | O  X             | off O 9 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert all(play.startswith("bar/") for play in plays(board, "6-3"))
    ruling = ruled(board, "6-3", "13/7 13/10")
    assert (ruling.faults, ruling.clause) == (Fault.BAR_NOT_ENTERED, "R28")


def test_r64_one_checker_may_take_both_numbers(plays):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |       X          |   |                O |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  | off O 14 X 14
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "5-2") == {"24/17"}


def test_r65_nothing_playable_is_a_dance(plays, ruled):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   | X  X             |
        |                  |   | X  X             |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  | O |                  | off O 14 X 11
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "6-5") == {""}
    assert ruled(board, "6-5", "").verdict == "legal"


def test_r66_all_from_the_bar_first_then_the_rest(plays):
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
        |                  | O | O                |
        |                  | O | O  X             | off O 11 X 14
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "4-2") == {"bar/21 bar/23"}
    assert plays(board, "3-3") == {"bar/22(2) 6/3(2)", "bar/19 bar/22 6/3", "bar/19(2)", "bar/16 bar/22"}


def test_r66_a_double_enters_four_of_five(plays):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  | O |                  |
        |                  | O |                  |
        |                  | O |                  |
        |                  | O | O                |
        |                  | O | O  X             | off O 8 X 14
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "3-3") == {"bar/22(4)"}


def test_r72_entering_on_ones_own_anchor_is_legal(plays):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   | X  O             |
        |                  |   | X  O             |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  | O |                  | off O 12 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "5-2") == {"bar/18", "bar/23 20/15"}


def test_r73_a_blocked_number_does_not_forfeit_the_other(plays):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        |                  |   | X                |
        |                  |   | X                |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  | O |                  | off O 14 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "6-4") == {"bar/15"}
