"""The referee without pixels: what lies there and is no die of the throw, and dice that are hard to see."""

from dataclasses import replace

from rules import events as ev
from rules.position import START, Player
from rules.reading import DieState
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, Table, die, moved, reading, roll, types
from rules.roll import Roll

WHITE, BLACK = Player
LEFT_NEXT = (0.33, 0.5)
HINGE = die(2, (0.5, 0.8), DieState.OFF_BOARD, 0.7)


def rolled(events: list[ev.Event]) -> list[str]:
    return [str(event.roll) for event in events if isinstance(event, ev.Rolled)]


def test_a_hinge_that_looks_like_a_die_is_not_thrown_and_not_waited_for(table: Table) -> None:
    """It shows when the dice have gone, and lies there still when the next are thrown."""
    before = table.board
    after = moved(before, BLACK, "13/9 13/11")
    first = table.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(after, HINGE))
    assert types(first) == ["Rolled", "Played"]
    assert rolled(table.see(reading(after, HINGE, *roll(6, 3)))) == ["6-3"]
    assert types(table.see(reading(moved(after, WHITE, "24/18 13/10"), HINGE))) == ["Played"]


def test_a_hinge_seen_beside_a_roll_is_left_out_while_it_is_played(table: Table) -> None:
    before, dice = table.board, roll(4, 2, LEFT_HALF)
    faint = replace(HINGE, confidence=0.3)
    table.see(reading(before, *dice, faint), reading(before, *dice, faint))
    assert types(table.see(reading(moved(before, BLACK, "13/9 13/11"), HINGE))) == ["Played"]


def test_a_stray_that_is_not_seen_any_more_is_forgotten(table: Table) -> None:
    board = table.board
    table.see(reading(board, HINGE), reading(board, HINGE, *roll(4, 2, LEFT_HALF)))
    assert table.referee.strays == (HINGE,)
    table.see(*[reading(board, *roll(4, 2, LEFT_HALF))] * 12)
    assert table.referee.strays == ()


def test_one_of_two_dice_pushed_aside_is_no_lift(table: Table) -> None:
    before, dice = table.board, roll(4, 2, LEFT_HALF)
    table.see(reading(before, *dice))
    after = moved(before, BLACK, "13/9 13/11")
    assert table.see(reading(after, die(4, (0.1, 0.3)))) == []
    assert types(table.see(reading(after))) == ["Played"]


def test_a_die_that_is_hard_to_see_still_lies_there(table: Table) -> None:
    before, (first, second) = table.board, roll(4, 2, LEFT_HALF)
    table.see(reading(before, first, second))
    after = moved(before, BLACK, "13/9 13/11")
    faint = [replace(one, confidence=0.2) for one in (first, second)]
    assert table.see(reading(after, *faint), reading(after, first, replace(second, confidence=0.2))) == []


def test_the_second_die_of_a_throw_may_be_less_sure(table: Table) -> None:
    first, second = roll(4, 2, LEFT_HALF)
    assert rolled(table.see(reading(table.board, first, replace(second, confidence=0.35)))) == ["4-2"]


def test_a_die_that_nobody_touched_shows_what_it_showed_best(table: Table) -> None:
    board, (first, second) = table.board, roll(4, 5, LEFT_HALF)
    unsure = replace(second, confidence=0.6)
    table.see(reading(board, first, unsure))
    assert rolled(table.see(reading(board, first, replace(second, pips=6, confidence=0.75)))) == ["6-4"]
    assert table.see(reading(board, first, replace(second, confidence=0.7))) == []
    assert table.match.roll == Roll(6, 4)


def test_a_play_that_fits_another_number_of_an_unsure_die_tells_the_roll(table: Table) -> None:
    board, (first, second) = table.board, roll(4, 5, LEFT_HALF)
    table.see(reading(board, first, replace(second, confidence=0.6)))
    amended, played = table.see(reading(moved(board, BLACK, "24/18 13/9")))
    assert isinstance(amended, ev.Rolled)
    assert isinstance(played, ev.Played)
    assert (amended.roll, played.roll) == (Roll(6, 4), Roll(6, 4))


def test_a_play_that_fits_no_other_number_stays_illegal(table: Table) -> None:
    board, (first, second) = table.board, roll(4, 5, LEFT_HALF)
    table.see(reading(board, first, replace(second, confidence=0.6)))
    assert types(table.see(reading(moved(board, BLACK, "13/4 13/9")))) == ["PlayFlagged"]


def test_a_sure_die_is_not_doubted_for_the_sake_of_a_play(table: Table) -> None:
    board = table.board
    table.see(reading(board, *roll(4, 5, LEFT_HALF)))
    assert types(table.see(reading(moved(board, BLACK, "24/18 13/9")))) == ["PlayFlagged"]


def test_a_roll_that_people_told_ends_when_no_die_lies_there(table: Table) -> None:
    table.see(reading(table.board))
    table.tell(ev.Rolled(at_s=3, player=BLACK, roll=Roll(4, 2)))
    after = moved(table.board, BLACK, "13/9 13/11")
    assert table.see(reading(after, die(3, RIGHT_HALF))) == []
    assert types(table.see(reading(after))) == ["Played"]


def test_dice_thrown_onto_a_set_up_that_is_hard_to_see_begin_the_game() -> None:
    """The picture speaks a little against the start, and not clearly: nobody throws for a board that is not set up."""
    table, told = Table(), moved(START, WHITE, "13/off")
    unclear = replace(reading(told, doubt={13: 8.0}), margin=0.5)
    assert table.see(unclear) == []
    thrown = replace(unclear, dice=(die(6, RIGHT_HALF), die(2, LEFT_HALF)))
    assert types(table.see(thrown)) == ["GameStarted", "Rolled"]
    assert table.board == START


def test_no_die_is_doubted_of_a_roll_that_people_told(table: Table) -> None:
    table.see(reading(table.board))
    table.tell(ev.Rolled(at_s=3, player=BLACK, roll=Roll(4, 2)))
    assert types(table.see(reading(moved(table.board, BLACK, "13/8 13/9")))) == ["PlayFlagged"]
