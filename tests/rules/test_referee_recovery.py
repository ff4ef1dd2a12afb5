"""The referee without pixels: what it does after something that nobody saw."""

from rules import events as ev
from rules.position import Player
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, Table, moved, reading, roll, types

WHITE, BLACK = Player


def test_after_a_turn_that_nobody_saw_the_game_goes_on_from_the_board(table: Table) -> None:
    lies = moved(table.board, BLACK, "13/9 13/11")
    recovered, rolled = table.see(reading(lies, *roll(6, 5, RIGHT_HALF)))
    assert isinstance(recovered, ev.Recovered)
    assert (recovered.position, recovered.turn) == (lies, WHITE)
    assert recovered.reason == "a turn of black was not seen"
    assert isinstance(rolled, ev.Rolled)
    assert rolled.player is WHITE
    assert types(table.see(reading(moved(lies, WHITE, "24/13")))) == ["Played"]


def test_a_throw_into_the_wrong_half_of_an_unchanged_board_is_no_missed_turn(table: Table) -> None:
    (voided,) = table.see(reading(table.board, *roll(6, 5, RIGHT_HALF)))
    assert isinstance(voided, ev.RollVoided)
    assert voided.reason == "wrong_half"


def test_a_board_that_is_not_clear_starts_no_recovery(table: Table) -> None:
    lies = moved(table.board, BLACK, "13/9 13/11")
    unclear = reading(lies, *roll(6, 5, RIGHT_HALF), doubt={14: 1.0})
    assert types(table.see(unclear)) == ["RollVoided"]


def test_nobody_rolls_out_of_turn_into_his_own_half(table: Table) -> None:
    lies = moved(table.board, BLACK, "13/9 13/11")
    (rolled,) = table.see(reading(lies, *roll(6, 5, LEFT_HALF)))
    assert isinstance(rolled, ev.Rolled)
    assert rolled.player is BLACK
