"""The referee without pixels: turns and plays, each situation as a few readings."""

from dataclasses import replace

from rules import decisions as de
from rules import events as ev
from rules.commands import Command, Decided, RecordingEnded
from rules.game import replay
from rules.match import Phase
from rules.position import START, Player, Position, side_of
from rules.referee import Referee, Setup
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, Table, moved, reading, roll, types
from rules.roll import Roll
from rules.ruleset import DiceZone

WHITE, BLACK = Player


def test_a_game_starts_when_the_checkers_stand_ready() -> None:
    table = Table()
    assert table.see(reading(moved(START, WHITE, "13/7"))) == []
    (started,) = table.see(reading(START))
    assert isinstance(started, ev.GameStarted)
    assert started.position == START


def test_a_turn_is_judged_when_its_dice_are_lifted(table: Table) -> None:
    after = moved(table.board, BLACK, "13/9 13/11")
    rolled, played = table.play(roll(4, 2, LEFT_HALF), after)
    assert isinstance(rolled, ev.Rolled)
    assert isinstance(played, ev.Played)
    assert (rolled.player, str(played.play), played.position) == (BLACK, "13/9 13/11", after)
    assert table.match.turn is WHITE


def test_r22_trial_moves_while_the_dice_lie_are_nobodys_business(table: Table) -> None:
    before, thrown = table.board, roll(4, 2, LEFT_HALF)
    trials = [reading(moved(before, BLACK, text), *thrown) for text in ("13/2", "13/9", "6/4", "13/9 13/11")]
    assert types(table.see(reading(before, *thrown), *trials)) == ["Rolled"]


def test_t5_one_lifted_die_ends_no_turn(table: Table) -> None:
    before = table.board
    after = moved(before, BLACK, "13/9 13/11")
    thrown = roll(4, 2, LEFT_HALF)
    assert types(table.see(reading(before, *thrown), reading(after, thrown[0]))) == ["Rolled"]
    assert types(table.see(reading(after))) == ["Played"]


def test_a_turn_ends_when_the_next_roll_replaces_its_dice(table: Table) -> None:
    before = table.board
    after = moved(before, BLACK, "13/9 13/11")
    events = table.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(after, *roll(6, 5, RIGHT_HALF)))
    assert types(events) == ["Rolled", "Played", "Rolled"]
    assert table.match.roll == Roll(6, 5)
    assert table.match.turn is WHITE


def test_the_end_of_the_recording_ends_the_turn(table: Table) -> None:
    before = table.board
    after = moved(before, BLACK, "13/9 13/11")
    thrown = roll(4, 2, LEFT_HALF)
    events = table.see(reading(before, *thrown), reading(after, *thrown), RecordingEnded())
    assert types(events) == ["Rolled", "Played"]


def test_a_recording_that_ends_between_turns_judges_nothing(table: Table) -> None:
    assert table.see(reading(table.board), RecordingEnded()) == []
    assert table.match.phase is Phase.TO_ROLL


def test_a_command_that_the_referee_does_not_know_changes_nothing(table: Table) -> None:
    before = table.referee
    assert table.see(Command()) == []
    assert table.referee == before


def test_an_illegal_play_is_flagged_with_its_fault_and_the_game_goes_on(table: Table) -> None:
    wrong = moved(table.board, BLACK, "13/9 13/10")
    _, flagged = table.play(roll(4, 2, LEFT_HALF), wrong)
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("illegal", ("wrong_distance",))
    assert table.board == wrong
    assert table.match.turn is WHITE


def test_r25_a_short_play_is_flagged(table: Table) -> None:
    _, flagged = table.play(roll(4, 2, LEFT_HALF), moved(table.board, BLACK, "13/9"))
    assert isinstance(flagged, ev.PlayFlagged)
    assert flagged.faults == ("both_dice_playable",)


def test_r32_a_flagged_play_is_put_right_before_the_next_roll(table: Table) -> None:
    before = table.board
    table.play(roll(4, 2, LEFT_HALF), moved(before, BLACK, "13/9 13/10"))
    right = moved(before, BLACK, "13/9 13/11")
    (corrected,) = table.see(reading(right))
    assert isinstance(corrected, ev.PlayCorrected)
    assert (str(corrected.play), table.board) == ("13/9 13/11", right)


def test_r18_after_the_next_roll_an_illegal_play_stands(table: Table) -> None:
    before = table.board
    wrong = moved(before, BLACK, "13/9 13/10")
    table.play(roll(4, 2, LEFT_HALF), wrong)
    stands, _ = table.see(reading(wrong, *roll(6, 5)))
    assert isinstance(stands, de.PlayStands)
    assert table.match.games[-1].turns[-1].stands
    late = table.see(reading(moved(before, BLACK, "13/9 13/11"), *roll(6, 5)))
    assert late == []
    assert table.board == wrong


def test_a_picture_that_is_not_clear_is_undecided_never_legal(table: Table) -> None:
    before = table.board
    wrong = moved(before, BLACK, "13/9 13/10")
    table.see(reading(before, *roll(4, 2, LEFT_HALF)))
    unclear = reading(wrong, doubt={25 - 10: 4.0, 25 - 11: 4.0})
    (flagged,) = table.see(unclear)
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("undecided", ())


def test_a_small_doubt_is_settled_by_the_rules(table: Table) -> None:
    before = table.board
    after = moved(before, BLACK, "13/9 13/11")
    table.see(reading(before, *roll(4, 2, LEFT_HALF)))
    misread = replace(reading(after, doubt={25 - 11: 2.0}), position=moved(before, BLACK, "13/9 13/off"))
    (played,) = table.see(misread)
    assert isinstance(played, ev.Played)
    assert str(played.play) == "13/9 13/11"


def test_two_plays_that_the_picture_cannot_tell_apart_are_undecided(table: Table) -> None:
    before = table.board
    either = reading(moved(before, BLACK, "13/9 13/11"), doubt=dict.fromkeys((25 - 13, 25 - 11, 25 - 6, 25 - 4), 0.0))
    assert either.log_likelihood(moved(before, BLACK, "13/9 6/4")) == either.log_likelihood(either.position)
    (flagged,) = table.see(reading(before, *roll(4, 2, LEFT_HALF)), either)[1:]
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("undecided", ())


def test_r33_a_vanished_checker_is_asked_for(table: Table) -> None:
    before = table.board
    gone = moved(before, BLACK, "13/9 13/11 6/off")
    table.see(reading(before, *roll(4, 2, LEFT_HALF)))
    flagged, asked = table.see(reading(gone))
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults, flagged.clause) == ("illegal", ("checker_count",), "R33")
    assert isinstance(asked, de.Asked)
    assert asked.key == "checker_found"
    table.see(Decided(de.CheckerFound(at_s=0, player=BLACK, to_bar=True)))
    assert table.match.questions == ()
    assert table.board.count(BLACK, 25) == 1


def test_a_checker_that_may_be_hidden_is_not_missed(table: Table) -> None:
    before = table.board
    table.see(reading(before, *roll(4, 2, LEFT_HALF)))
    gone = reading(moved(before, BLACK, "13/9 13/off"))
    covered = tuple(replace(place, occluded=k == 13) for k, place in enumerate(gone.points))
    (flagged,) = table.see(replace(gone, points=covered))
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.explanation) == ("undecided", "a black checker is not to be seen")
    recovered, found = table.see(Decided(de.CheckerFound(at_s=0, player=BLACK, to_bar=True)))
    assert isinstance(recovered, ev.Recovered)
    assert isinstance(found, de.CheckerFound)
    assert table.board.count(BLACK, 25) == 1


def test_an_undecided_play_is_settled_by_a_clearer_picture(table: Table) -> None:
    before = table.board
    after = moved(before, BLACK, "13/9 13/11")
    unclear = reading(moved(before, BLACK, "13/9 13/10"), doubt={25 - 10: 4.0, 25 - 11: 4.0})
    assert types(table.see(reading(before, *roll(4, 2, LEFT_HALF)), unclear)) == ["Rolled", "PlayFlagged"]
    events = table.see(reading(after))
    assert table.board == after
    assert types(events) == ["PlayCorrected"]


def test_hands_over_the_board_gate_everything(table: Table) -> None:
    before = table.board
    table.see(reading(before, *roll(4, 2, LEFT_HALF)))
    assert table.see(reading(START, hands=True)) == []
    assert table.match.phase is Phase.TO_PLAY


def test_a_start_as_seen_is_taken_from_the_first_settled_picture() -> None:
    start = Position(side_of({24: 2, 6: 4, 13: 4, 17: 2}), side_of({24: 2, 6: 4, 13: 4, 17: 2}))
    table = Table(Setup(start=None, zone=DiceZone.BOARD), checkers=12)
    (started,) = table.see(reading(start))
    assert isinstance(started, ev.GameStarted)
    assert started.position == start


def test_a_play_seen_more_clearly_may_turn_out_illegal(table: Table) -> None:
    before, wrong = table.board, moved(table.board, BLACK, "13/9 13/10")
    table.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(wrong, doubt={25 - 10: 4.0, 25 - 11: 4.0}))
    undone, flagged = table.see(reading(wrong))
    assert isinstance(undone, de.Undone)
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("illegal", ("wrong_distance",))
    assert types(table.see(reading(wrong, *roll(6, 5)))) == ["PlayStands", "Rolled"]


def test_a_dance_is_a_play_of_nothing() -> None:
    table = Table()
    shut = Position(side_of(dict.fromkeys(range(1, 7), 2) | {13: 3}), side_of({25: 1, 6: 5, 8: 3, 13: 5, 11: 1}))
    table.stand(shut, BLACK)
    _, played = table.play(roll(6, 4, LEFT_HALF), shut)
    assert isinstance(played, ev.Played)
    assert (played.player, played.play.moves) == (BLACK, ())


def test_an_opening_play_tells_whose_it_was_where_the_dice_could_not() -> None:
    table = Table(Setup(zone=DiceZone.BOARD))
    table.see(reading(START))
    rolled, played = table.play(roll(3, 1), moved(START, BLACK, "8/5 6/5"))
    assert rolled == ev.Rolled(at_s=2, player=None, roll=Roll(3, 1))
    assert isinstance(played, ev.Played)
    assert played.player is BLACK
    assert table.match.turn is WHITE


def test_an_opening_play_of_either_side_is_undecided() -> None:
    table = Table(Setup(zone=DiceZone.BOARD))
    both_five_points = dict.fromkeys((8, 6, 5, 25 - 8, 25 - 6, 25 - 5), 0.5)
    table.see(reading(START), reading(START, *roll(3, 1)))
    (flagged,) = table.see(reading(START, doubt=both_five_points))
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.explanation) == ("undecided", "it is not clear who played")


def test_a_clearer_picture_tells_whose_opening_play_it_was() -> None:
    table = Table(Setup(zone=DiceZone.BOARD))
    both_five_points = dict.fromkeys((8, 6, 5, 25 - 8, 25 - 6, 25 - 5), 0.5)
    table.see(reading(START), reading(START, *roll(3, 1)), reading(START, doubt=both_five_points))
    undone, played = table.see(reading(moved(START, BLACK, "8/5 6/5")))
    assert undone == de.Undone(at_s=4, reason="it was black who played")
    assert isinstance(played, ev.Played)
    assert (played.player, table.match.turn) == (BLACK, WHITE)


def test_an_opening_that_is_no_play_of_either_side_is_undecided() -> None:
    table = Table(Setup(zone=DiceZone.BOARD))
    table.see(reading(START))
    _, flagged = table.play(roll(3, 1), moved(START, WHITE, "24/18"))
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("undecided", ())


def test_a_referee_that_starts_from_the_journal_knows_a_lying_roll(table: Table) -> None:
    after = moved(table.board, BLACK, "13/9 13/11")
    thrown = roll(4, 2, LEFT_HALF)
    table.see(reading(table.board, *thrown))
    table.referee = Referee(replay(table.events), table.referee.setup)
    assert table.see(reading(after, *thrown)) == []
    assert types(table.see(reading(after))) == ["Played"]
