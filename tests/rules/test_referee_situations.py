"""The referee without pixels: situations at a real table (T1–T18) that are no matter of plays alone."""

from dataclasses import replace

from rules import decisions as de
from rules import events as ev
from rules.commands import Decided, TurnEnded
from rules.match import Phase
from rules.play import parse_play
from rules.position import BAR, START, Player, Position, side_of
from rules.reading import DieReading, Reading
from rules.referee import Setup
from rules.rehearsal import LEFT_HALF, RIGHT_HALF, Table, die, moved, reading, roll, types
from rules.roll import Roll
from rules.ruleset import DiceZone

WHITE, BLACK = Player
IVORY, RED = (85.0, 0.0, 10.0), (45.0, 55.0, 30.0)


def coloured(dice: tuple[DieReading, ...], lab: tuple[float, float, float]) -> tuple[DieReading, ...]:
    return tuple(replace(one, lab=lab) for one in dice)


def keys(table: Table, *readings: Reading) -> list[str]:
    """What is asked."""
    return [one.key for one in table.see(*readings) if isinstance(one, de.Asked)]


def played_on(table: Table) -> Position:
    """Both sides have shown their dice: ivory is white's, red black's; black to roll."""
    opening = (*coloured((die(3, RIGHT_HALF),), IVORY), *coloured((die(1, LEFT_HALF),), RED))
    table.see(reading(START), reading(START, *opening))
    after = moved(START, WHITE, "8/5 6/5")
    table.see(reading(after))
    return after


def test_t1_whose_dice_they_are_tells_the_wrong_half_from_a_throw_out_of_turn() -> None:
    table = Table()
    board = played_on(table)
    (wrong_half,) = table.see(reading(board, *coloured(roll(4, 2, RIGHT_HALF), RED)))
    assert isinstance(wrong_half, ev.RollVoided)
    assert (wrong_half.player, wrong_half.reason) == (BLACK, "wrong_half")
    table.see(reading(board))
    (out_of_turn,) = table.see(reading(board, *coloured(roll(4, 2, RIGHT_HALF), IVORY)))
    assert isinstance(out_of_turn, ev.RollVoided)
    assert (out_of_turn.player, out_of_turn.reason) == (WHITE, "out_of_turn")


def test_swapped_dice_are_learned_at_once_and_one_die_of_each_colour_tells_nothing() -> None:
    table = Table()
    board = played_on(table)
    pairs = table.referee.pairs.shown(BLACK, coloured(roll(4, 2), (20.0, 0.0, 0.0)))
    assert pairs.owner(coloured(roll(4, 2), (25.0, 0.0, 0.0))) is BLACK
    assert pairs.owner((*coloured((die(4),), IVORY), *coloured((die(2),), (25.0, 0.0, 0.0)))) is None
    table.see(reading(board, *coloured(roll(4, 2, LEFT_HALF), (50.0, 50.0, 30.0))))
    assert table.referee.pairs.owner(coloured(roll(4, 2), RED)) is BLACK


def test_t4_the_opener_lifts_his_own_die_and_the_turn_ends() -> None:
    table = Table()
    mine, theirs = die(6, RIGHT_HALF), die(1, LEFT_HALF)
    table.see(reading(START), reading(START, mine, theirs))
    after = moved(START, WHITE, "13/7 8/7")
    assert table.see(reading(after, mine)) == []
    assert types(table.see(reading(after, theirs))) == ["Played"]


def test_t5_where_the_profile_says_so_one_lifted_die_ends_the_turn() -> None:
    table = Table(profile="usbgf")
    played_on(table)
    before, thrown = table.board, roll(4, 2, LEFT_HALF)
    table.see(reading(before, *thrown))
    assert types(table.see(reading(moved(before, BLACK, "13/9 13/11"), thrown[1]))) == ["Played"]


def test_r14_t6_an_early_roll_waits_for_the_opponents_answer(table: Table) -> None:
    before = table.board
    mine, early = roll(4, 2, LEFT_HALF), roll(6, 5, RIGHT_HALF)
    table.see(reading(before, *mine))
    after = moved(before, BLACK, "13/9 13/11")
    assert keys(table, reading(after, *mine, *early), reading(after, *mine, *early)) == ["premature_roll"]
    assert types(table.see(reading(after, *early))) == ["Played"]
    assert table.match.phase is Phase.TO_ROLL
    table.see(Decided(ev.RollVoided(at_s=0, player=WHITE, reason="premature_roll")))
    assert table.see(reading(after, *early)) == []
    table.see(reading(after))
    assert types(table.see(reading(after, *roll(3, 1, RIGHT_HALF)))) == ["Rolled"]


def test_r14_an_early_roll_that_is_played_or_accepted_counts(table: Table) -> None:
    before = table.board
    mine, early = roll(4, 2, LEFT_HALF), roll(6, 5, RIGHT_HALF)
    after = moved(before, BLACK, "13/9 13/11")
    table.see(reading(before, *mine), reading(after, *mine, *early), reading(after, *early))
    (answered,) = table.see(Decided(de.Answered(at_s=0, key="premature_roll", choice="stands")))
    assert isinstance(answered, de.Answered)
    assert types(table.see(reading(after, *early))) == ["Rolled"]


def test_r15_where_an_early_roll_stands_nobody_is_asked() -> None:
    table = Table()
    played_on(table)
    table.referee = replace(table.referee, setup=Setup(zone=DiceZone.HALF))
    before, thrown = table.board, roll(4, 2, LEFT_HALF)
    table.see(reading(before, *thrown))
    assert keys(table, reading(before, *thrown, die(6, RIGHT_HALF))) == []


def test_t7_a_knocked_die_is_asked_about_and_the_first_numbers_stand(table: Table) -> None:
    before, (first, second) = table.board, roll(4, 2, LEFT_HALF)
    knocked = die(5, (second.xy[0] + 0.04, second.xy[1]))
    table.see(reading(before, first, second))
    assert keys(table, reading(before, first, knocked), reading(before, first, knocked)) == ["die_knocked"]
    assert table.match.roll == Roll(4, 2)
    assert types(table.see(reading(moved(before, BLACK, "13/9 13/11")))) == ["Played"]
    assert table.match.questions == ()


def test_a_die_that_was_misread_is_read_again(table: Table) -> None:
    before = table.board
    first, second = roll(4, 2, LEFT_HALF)
    table.see(reading(before, first, replace(second, confidence=0.6)))
    (rolled,) = table.see(reading(before, first, replace(second, pips=3)))
    assert rolled == ev.Rolled(at_s=rolled.at_s, player=BLACK, roll=Roll(4, 3))
    assert table.see(reading(before, first, replace(second, pips=None, confidence=0.9))) == []


def test_dice_that_lie_there_when_schiri_comes_back_are_the_roll(table: Table) -> None:
    before, thrown = table.board, roll(4, 2, LEFT_HALF)
    table.tell(ev.Rolled(at_s=0, player=BLACK, roll=Roll(4, 2)))
    assert table.see(reading(before, *thrown)) == []
    assert types(table.see(reading(moved(before, BLACK, "13/9 13/11")))) == ["Played"]


def test_a_throw_that_is_taken_up_with_nothing_moved_and_thrown_again_did_not_count(table: Table) -> None:
    before = table.board
    table.see(reading(before, *roll(4, 2, LEFT_HALF)))
    assert keys(table, reading(before), reading(before)) == ["short_play"]
    voided, rolled = table.see(reading(before, *roll(6, 5, LEFT_HALF)))
    assert isinstance(voided, ev.RollVoided)
    assert (voided.player, voided.reason) == (BLACK, "thrown_again")
    assert isinstance(rolled, ev.Rolled)
    assert types(table.see(reading(before, *roll(3, 1, (0.2, 0.3))))) == ["RollVoided", "Rolled"]


def test_r17_lifted_before_anything_was_moved_the_play_may_follow(table: Table) -> None:
    before, after = table.board, moved(table.board, BLACK, "13/9 13/11")
    table.see(reading(before, *roll(4, 2, LEFT_HALF)))
    assert types(table.see(reading(before), reading(before, die(3)), reading(after))) == ["Asked", "Played"]


def test_r17_the_opponent_throws_and_nothing_was_played(table: Table) -> None:
    before = table.board
    table.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(before))
    flagged, stands, rolled = table.see(reading(before, *roll(6, 5, RIGHT_HALF)))
    assert isinstance(flagged, ev.PlayFlagged)
    assert flagged.faults == ("both_dice_playable",)
    assert isinstance(stands, de.PlayStands)
    assert isinstance(rolled, ev.Rolled)


def test_dice_that_were_only_hidden_are_still_being_played(table: Table) -> None:
    before, thrown = table.board, roll(4, 2, LEFT_HALF)
    table.see(reading(before, *thrown), reading(before))
    assert table.see(reading(before, *thrown)) == []
    assert types(table.see(reading(moved(before, BLACK, "13/9 13/11")))) == ["Played"]


def test_who_danced_and_throws_again_had_thrown_for_nothing() -> None:
    table = Table()
    shut = Position(side_of(dict.fromkeys(range(1, 7), 2) | {13: 3}), side_of({25: 1, 6: 5, 8: 3, 13: 5, 11: 1}))
    table.stand(shut, WHITE)
    table.tell(ev.Played(at_s=0, player=WHITE, roll=Roll(2, 1), play=parse_play("13/10"), position=shut))
    assert types(table.play(roll(6, 4, LEFT_HALF), shut)) == ["Rolled", "Played"]
    events = table.see(reading(shut, *roll(5, 1, LEFT_HALF)))
    assert types(events) == ["Undone", "RollVoided", "Rolled"]
    assert table.match.turn is BLACK


def test_t10_who_is_closed_out_need_not_throw() -> None:
    table = Table()
    shut = Position(side_of(dict.fromkeys(range(1, 7), 2) | {13: 3}), side_of({25: 1, 6: 5, 8: 3, 13: 5, 11: 1}))
    table.stand(shut, BLACK)
    (rolled,) = table.see(reading(shut, *roll(6, 5, RIGHT_HALF)))
    assert rolled == ev.Rolled(at_s=1, player=WHITE, roll=Roll(6, 5))


def test_t15_a_legal_play_changed_after_the_lift_is_asked_about(table: Table) -> None:
    before = table.board
    table.play(roll(4, 2, LEFT_HALF), moved(before, BLACK, "13/9 13/11"))
    other = moved(before, BLACK, "8/4 6/4")
    assert keys(table, reading(other)) == ["taken_back"]
    table.see(reading(moved(before, BLACK, "13/9 13/11")))
    assert types(table.see(reading(moved(before, BLACK, "13/9 13/11"), *roll(6, 5)))) == ["Rolled"]


def test_t15_what_was_left_standing_is_the_play(table: Table) -> None:
    before = table.board
    table.play(roll(4, 2, LEFT_HALF), moved(before, BLACK, "13/9 13/11"))
    other = moved(before, BLACK, "8/4 6/4")
    table.see(reading(other), reading(other, *roll(6, 5)))
    corrected, played = table.see(reading(moved(other, WHITE, "24/13")))
    assert isinstance(corrected, ev.PlayCorrected)
    assert (corrected.player, str(corrected.play)) == (BLACK, "8/4 6/4")
    assert isinstance(played, ev.Played)


def test_a_board_that_was_changed_between_two_turns_is_gone_on_from(table: Table) -> None:
    before = table.board
    after = moved(before, BLACK, "13/9 13/11")
    table.play(roll(4, 2, LEFT_HALF), after)
    pushed = moved(after, WHITE, "6/5")
    table.see(reading(pushed, *roll(6, 5)))
    recovered, _, played = table.see(reading(moved(pushed, WHITE, "24/13")))
    assert isinstance(recovered, ev.Recovered)
    assert recovered.position == pushed
    assert isinstance(played, ev.Played)


def test_t18_after_a_drop_nothing_is_written(table: Table) -> None:
    table.see(Decided(ev.CubeOffered(at_s=0, player=BLACK, value=2)), Decided(ev.CubeDropped(at_s=0, player=WHITE)))
    assert table.match.score == (0, 1)
    on = (reading(table.board, *roll(4, 2, LEFT_HALF)), reading(moved(table.board, BLACK, "13/9 13/11")))
    assert table.see(*on) == []


def test_t18_a_board_that_was_turned_between_games_is_asked_about() -> None:
    table = Table()
    swapped = Position(START.white[:1] + START.white[24:0:-1] + START.white[25:], (0, *START.black[24:0:-1], 0))
    assert keys(table, reading(swapped), reading(swapped)) == ["board_changed"]
    assert types(table.see(reading(START))) == ["GameStarted"]
    assert table.match.questions == ()


def test_r29_a_wrong_setup_begins_with_the_throw_and_is_put_right() -> None:
    table = Table()
    wrong = moved(START, BLACK, "8/7")
    assert table.see(reading(wrong)) == []
    opening = (die(3, RIGHT_HALF), die(1, LEFT_HALF))
    assert types(table.see(reading(wrong, *opening))) == ["GameStarted", "Asked", "Rolled"]
    after = moved(wrong, WHITE, "8/5 6/5")
    table.see(reading(after))
    right = moved(START, WHITE, "8/5 6/5")
    (corrected,) = table.see(reading(right))
    assert isinstance(corrected, de.SetupCorrected)
    assert (table.board, table.match.questions) == (right, ())


def test_r29_a_checker_that_has_moved_on_is_put_right_no_more() -> None:
    table = Table()
    wrong = moved(START, WHITE, "8/7")
    table.see(reading(wrong, die(4, RIGHT_HALF), die(1, LEFT_HALF)))
    after = moved(wrong, WHITE, "7/6 13/9")
    assert types(table.see(reading(after))) == ["Played"]
    assert types(table.see(reading(moved(after, WHITE, "9/8")))) == ["Asked"]
    assert table.board == after


def test_r63_where_turns_end_by_done_lifted_dice_end_nothing() -> None:
    table = Table(profile="online")
    table.see(reading(START), reading(START, *roll(3, 1)))
    after = moved(START, WHITE, "8/5 6/5")
    assert table.see(reading(after), TurnEnded(WHITE)) == []
    assert types(table.see(reading(after))) == ["Played"]
    assert table.see(TurnEnded(BLACK)) == []


def test_r63_where_turns_end_by_the_lift_done_ends_nothing(table: Table) -> None:
    before, thrown = table.board, roll(4, 2, LEFT_HALF)
    table.see(reading(before, *thrown), TurnEnded(BLACK))
    assert table.see(reading(moved(before, BLACK, "13/9"), *thrown)) == []


def test_r14_dice_of_a_throw_that_counts_though_more_lie_there(table: Table) -> None:
    """The dead dice of an invalid throw still lie there when new ones are thrown."""
    before, dead = table.board, roll(6, 5, RIGHT_HALF)
    table.see(reading(before, *dead))
    assert types(table.see(reading(before, *dead, *roll(4, 2, LEFT_HALF)))) == ["Rolled"]
    assert table.see(reading(before, *dead, *roll(4, 2, LEFT_HALF), die(1, (0.5, 0.9)))) == []
    assert BAR == 25
