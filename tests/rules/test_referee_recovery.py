"""The referee without pixels: what it does after something that nobody saw."""

from dataclasses import replace

from rules import events as ev
from rules.commands import Decided, RecordingEnded
from rules.position import Player, Position
from rules.reading import Reading
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, Table, moved, reading, roll, types

WHITE, BLACK = Player


def test_after_a_turn_that_nobody_saw_the_game_goes_on_from_the_board(table: Table) -> None:
    lies = moved(table.board, BLACK, "13/6")
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
    unclear = reading(lies, *roll(6, 5, RIGHT_HALF), doubt={12: 1.0, 14: 1.0, 16: 1.0})
    assert types(table.see(unclear)) == ["RollVoided"]


def test_nobody_rolls_out_of_turn_into_his_own_half(table: Table) -> None:
    lies = moved(table.board, BLACK, "13/9 13/11")
    (rolled,) = table.see(reading(lies, *roll(6, 5, LEFT_HALF)))
    assert isinstance(rolled, ev.Rolled)
    assert rolled.player is BLACK


def test_an_undecided_play_is_settled_by_the_next_one(table: Table) -> None:
    """13/9 13/10 is a pip too many, but the picture is not clear enough to say so; what follows fits only that."""
    before = table.board
    wrong = moved(before, BLACK, "13/9 13/10")
    unclear = reading(wrong, doubt={25 - 10: 4.0, 25 - 11: 4.0})
    flagged = table.see(reading(before, *roll(4, 2, LEFT_HALF)), unclear)[-1]
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.position) == ("undecided", moved(before, BLACK, "13/9 13/11"))
    table.see(reading(wrong, *roll(6, 5, RIGHT_HALF)))
    recovered, rolled, played = table.see(reading(moved(wrong, WHITE, "24/13")))
    assert isinstance(recovered, ev.Recovered)
    assert recovered.position == wrong
    assert isinstance(rolled, ev.Rolled)
    assert isinstance(played, ev.Played)
    assert str(played.play) == "24/13"


def in_doubt(position: Position, *points: int) -> Reading:
    return reading(position, doubt=dict.fromkeys(points, 1.0))


def test_a_likely_play_gives_way_to_a_clearer_picture(table: Table) -> None:
    before = table.board
    table.see(reading(before, *roll(4, 2, LEFT_HALF)))
    (played,) = table.see(in_doubt(moved(before, BLACK, "13/9 13/11"), 12, 14, 19, 21))
    assert isinstance(played, ev.Played)
    (corrected,) = table.see(reading(moved(before, BLACK, "13/9 6/4")))
    assert isinstance(corrected, ev.PlayCorrected)
    assert str(corrected.play) == "13/9 6/4"


def test_what_is_played_later_tells_which_play_it_was_and_leaves_the_others(table: Table) -> None:
    before = table.board
    likely = moved(before, BLACK, "13/9 13/11")
    table.see(reading(before, *roll(4, 2, LEFT_HALF)), in_doubt(likely, 12, 14, 19, 21))
    two = moved(likely, WHITE, "24/18 13/8")
    table.see(in_doubt(likely, 12, 14, 19, 21)), table.see(in_doubt(likely, 12, 14, 19, 21))
    table.see(replace(in_doubt(likely, 12, 14, 19, 21), dice=roll(6, 5)))
    table.see(in_doubt(moved(likely, WHITE, "24/13"), 12, 14, 19, 21, 24, 13, 18, 8))
    assert table.board == moved(likely, WHITE, "24/13")
    table.see(reading(two, *roll(3, 1, LEFT_HALF)))
    corrected, played = table.see(reading(moved(two, BLACK, "8/5 6/5")))
    assert isinstance(corrected, ev.PlayCorrected)
    assert (corrected.player, str(corrected.play), corrected.back) == (WHITE, "24/18 13/8", 0)
    assert isinstance(played, ev.Played)


def test_a_double_after_an_undecided_play_leaves_it_as_it_is(table: Table) -> None:
    before, wrong = table.board, moved(table.board, BLACK, "13/9 13/10")
    table.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(wrong, doubt={25 - 10: 4.0, 25 - 11: 4.0}))
    table.see(
        Decided(ev.CubeOffered(at_s=0, player=WHITE, value=2)), Decided(ev.CubeTaken(at_s=0, player=BLACK, value=2))
    )
    assert table.see(reading(wrong)) == []


def test_r22_a_recording_that_ends_in_mid_turn_accuses_nobody(table: Table) -> None:
    before = table.board
    thrown = roll(4, 2, LEFT_HALF)
    half_done = reading(moved(before, BLACK, "13/9"), *thrown)
    (noted,) = table.see(reading(before, *thrown), half_done, RecordingEnded())[1:]
    assert isinstance(noted, ev.Noted)
    assert (noted.key, noted.text) == ("turn_unfinished", "the recording ends in black's turn")


def test_a_clear_play_leaves_no_doubt(table: Table) -> None:
    table.play(roll(4, 2, LEFT_HALF), moved(table.board, BLACK, "13/9 13/11"))
    assert table.referee.guesses == ()


def test_a_play_that_fits_neither_reading_is_flagged_and_recovers_nothing(table: Table) -> None:
    before = table.board
    wrong = moved(before, BLACK, "13/9 13/10")
    unclear = reading(wrong, doubt={25 - 10: 4.0, 25 - 11: 4.0})
    table.see(reading(before, *roll(4, 2, LEFT_HALF)), unclear)
    events = table.see(reading(wrong, *roll(6, 5, RIGHT_HALF)), reading(moved(wrong, WHITE, "13/6")))
    assert types(events) == ["Rolled", "PlayFlagged"]
