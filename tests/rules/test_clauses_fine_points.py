"""The fine points of the rules, a test each.

`O` is white, to move unless said otherwise; the numbers are white's points.
"""

from rules.diagram import read_diagram


def test_fine_point_6_2_from_the_bar_with_17_blocked(plays, faults):
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
    assert faults(board, "6-2", "bar/23") == ("higher_die_playable",)


def test_fine_point_6_2_the_entry_that_lets_both_be_played(plays, faults):
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


def test_fine_point_5_5_one_number_only_and_complete(plays, ruled):
    board = read_diagram(
        """
        +13-14-15-16-17-18------19-20-21-22-23-24-+
        | O                |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   | O        X     X |
        |                  |   | O        X     X | off O 12 X 11
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "5-5") == {"13/8"}
    assert ruled(board, "5-5", "13/8").verdict == "legal"


def test_fine_point_5_5_nothing_goes_and_nothing_comes_off_from_below(plays, faults):
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
        |                  |   | O        O     X |
        |                  |   | O        O     X | off O 11 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "5-5") == {""}
    assert faults(board, "5-5", "3/off") == ("bore_off_from_lower",)


def test_fine_point_6_1_early_only_if_early_in_every_order(plays, faults):
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
        |                  |   |                X |
        |                O |   |             O  X | off O 13 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert "7/off" in plays(board, "6-1")
    assert faults(board, "6-1", "7/6 6/off") == faults(board, "6-1", "7/1 1/off") == ()


def test_fine_point_3_2_moving_first_makes_it_legal(plays, faults):
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
        |                  |   | O              X |
        |                  |   | O        O     X | off O 12 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert faults(board, "3-2", "6/4 3/off") == ()
    assert "6/4 3/off" in plays(board, "3-2")


def test_fine_point_the_last_checker_ends_the_game(plays, ruled):
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
        |                  |   |                X |
        |                  |   |                X |
        |                  |   |    O  X        X | off O 14 X 11
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert plays(board, "6-1") == {"5/4*/off"}
    assert ruled(board, "6-1", "5/off").verdict == "legal"
    assert str(ruled(board, "6-1", "5/off").play) == "5/off"


def test_fine_point_more_numbers_could_be_played_than_were(faults):
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
        |                  |   |                  |
        |                  |   |                X |
        |                  |   |                X | off O 13 X 13
        +12-11-10--9--8--7-------6--5--4--3--2--1-+
        """
    )
    assert faults(board, "3-3", "13/10 13/7") == ("both_dice_playable",)
    assert faults(board, "3-3", "") == faults(board, "6-1", "") == ("both_dice_playable",)
