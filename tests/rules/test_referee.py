"""The referee without pixels: each situation at the table as a few readings."""

from dataclasses import replace
from itertools import count

import pytest

from rules import events as ev
from rules.commands import RecordingEnded
from rules.cube import Cube
from rules.game import apply, replay
from rules.match import MatchState, Phase
from rules.play import parse_play
from rules.position import START, Player, Position, side_of
from rules.reading import (
    CubePlace,
    CubeReading,
    DieReading,
    DieState,
    Half,
    PlaceEvidence,
    Reading,
)
from rules.referee import Referee, Setup, step
from rules.roll import Roll
from rules.ruleset import DiceZone
from rules.transcript import moved as after_play

WHITE, BLACK = Player.WHITE, Player.BLACK
RIGHT_HALF, LEFT_HALF = (0.75, 0.5), (0.25, 0.5)
UNLIKELY = -20.0


def reading(
    position: Position,
    *dice: DieReading,
    cube: CubeReading | None = None,
    doubt: dict[int, float] | None = None,
    **more: object,
) -> Reading:
    """A clear picture of `position`; `doubt` makes white's point k as likely empty as so many nats below."""
    points = []
    for k in range(1, 25):
        likelihood = [UNLIKELY] * 31
        likelihood[15 + position.count(WHITE, k) - position.count(BLACK, 25 - k)] = 0.0
        if doubt and k in doubt:
            likelihood = [max(v, -doubt[k]) for v in likelihood]
        points.append(PlaceEvidence(tuple(likelihood)))
    bars = []
    for player in Player:
        bar = [UNLIKELY] * 16
        bar[position.count(player, 25)] = 0.0
        bars.append(tuple(bar))
    margin = min([UNLIKELY * -1, *(doubt or {}).values()])
    made = Reading(0.0, position, tuple(points), bars[0], bars[1], margin, tuple(dice), cube)
    return replace(made, **more)


def die(
    pips: int, xy: tuple[float, float] = RIGHT_HALF, state: DieState = DieState.FLAT, sure: float = 0.95
) -> DieReading:
    return DieReading(pips, state, Half.LEFT if xy[0] < 0.5 else Half.RIGHT, xy, sure)


def roll(a: int, b: int, half: tuple[float, float] = RIGHT_HALF) -> tuple[DieReading, DieReading]:
    x, y = half
    return die(a, (x, y)), die(b, (x + 0.08, y))


class Table:
    """A referee that is shown one reading after another."""

    def __init__(self, setup: Setup | None = None, **match: object) -> None:
        begin = ev.MatchStarted(at_s=0, white="White", black="Black", **{"length": 5, **match})
        self.events: list[ev.Event] = [begin]
        self.referee = Referee(apply(MatchState(), begin), setup or Setup())
        self._clock = count(1)

    @property
    def match(self) -> MatchState:
        return self.referee.match

    def see(self, *given: Reading | RecordingEnded) -> list[ev.Event]:
        """What follows from these; the fold of all events is the referee's own match."""
        new: list[ev.Event] = []
        for one in given:
            self.referee, events = step(self.referee, one, float(next(self._clock)))
            new += events
        self.events += new
        assert replay(self.events) == self.match
        return new

    def play(self, thrown: tuple[DieReading, ...], after: Position) -> list[ev.Event]:
        """A roll that lies there, then the board without dice."""
        return self.see(reading(self.match.position, *thrown), reading(after))


def moved(position: Position, player: Player, text: str) -> Position:
    """The position after the play written as `text`, legal or not."""
    return after_play(position, player, parse_play(text))


@pytest.fixture
def opened() -> Table:
    """White opened with 3-1 and made his five point; black is to roll."""
    table = Table()
    table.see(reading(START))
    table.play((die(3, RIGHT_HALF), die(1, LEFT_HALF)), moved(START, WHITE, "8/5 6/5"))
    return table


def types(events: list[ev.Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_a_game_starts_when_the_checkers_stand_ready() -> None:
    table = Table()
    assert table.see(reading(moved(START, WHITE, "13/7"))) == []
    (started,) = table.see(reading(START))
    assert isinstance(started, ev.GameStarted)
    assert started.position == START


def test_r8_the_higher_die_opens_and_the_halves_tell_whose_it_is() -> None:
    table = Table()
    table.see(reading(START))
    (rolled,) = table.see(reading(START, die(2, RIGHT_HALF), die(6, LEFT_HALF)))
    assert rolled == ev.Rolled(at_s=2, player=BLACK, roll=Roll(6, 2))


def test_r8_a_tie_is_thrown_again_and_said_once() -> None:
    table = Table()
    tie = reading(START, die(4, RIGHT_HALF), die(4, LEFT_HALF))
    (voided,) = table.see(reading(START), tie, tie)[1:]
    assert isinstance(voided, ev.RollVoided)
    assert voided.reason == "opening_tie"
    assert types(table.see(reading(START), reading(START, die(5), die(4, LEFT_HALF)))) == ["Rolled"]


def test_t3_both_opening_dice_in_one_half_are_no_opening() -> None:
    table = Table()
    (voided,) = table.see(reading(START), reading(START, *roll(5, 2)))[1:]
    assert isinstance(voided, ev.RollVoided)
    assert voided.reason == "one_half"


def test_a_turn_is_judged_when_its_dice_are_lifted(opened: Table) -> None:
    after = moved(opened.match.position, BLACK, "13/9 13/11")
    rolled, played = opened.play(roll(4, 2, LEFT_HALF), after)
    assert isinstance(rolled, ev.Rolled)
    assert isinstance(played, ev.Played)
    assert (rolled.player, str(played.play), played.position) == (BLACK, "13/9 13/11", after)
    assert opened.match.turn is WHITE


def test_r22_trial_moves_while_the_dice_lie_are_nobodys_business(opened: Table) -> None:
    before, thrown = opened.match.position, roll(4, 2, LEFT_HALF)
    trials = [reading(moved(before, BLACK, text), *thrown) for text in ("13/2", "13/9", "6/4", "13/9 13/11")]
    assert types(opened.see(reading(before, *thrown), *trials)) == ["Rolled"]


def test_t5_one_lifted_die_ends_no_turn(opened: Table) -> None:
    before = opened.match.position
    after = moved(before, BLACK, "13/9 13/11")
    thrown = roll(4, 2, LEFT_HALF)
    assert types(opened.see(reading(before, *thrown), reading(after, thrown[0]))) == ["Rolled"]
    assert types(opened.see(reading(after))) == ["Played"]


def test_a_turn_ends_when_the_next_roll_replaces_its_dice(opened: Table) -> None:
    before = opened.match.position
    after = moved(before, BLACK, "13/9 13/11")
    events = opened.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(after, *roll(6, 5, RIGHT_HALF)))
    assert types(events) == ["Rolled", "Played", "Rolled"]
    assert opened.match.roll == Roll(6, 5)
    assert opened.match.turn is WHITE


def test_the_same_numbers_thrown_next_are_a_new_roll(opened: Table) -> None:
    before = opened.match.position
    after = moved(before, BLACK, "13/9 13/11")
    events = opened.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(after, *roll(4, 2, RIGHT_HALF)))
    assert types(events) == ["Rolled", "Played", "Rolled"]


def test_t7_a_slide_is_no_throw(opened: Table) -> None:
    before = opened.match.position
    slid = (die(4, (0.2, 0.4)), die(2, (0.33, 0.5)))
    assert types(opened.see(reading(before, *roll(4, 2, LEFT_HALF)), reading(before, *slid))) == ["Rolled"]


def test_the_end_of_the_recording_ends_the_turn(opened: Table) -> None:
    before = opened.match.position
    after = moved(before, BLACK, "13/9 13/11")
    thrown = roll(4, 2, LEFT_HALF)
    events = opened.see(reading(before, *thrown), reading(after, *thrown), RecordingEnded())
    assert types(events) == ["Rolled", "Played"]


def test_an_illegal_play_is_flagged_with_its_fault_and_the_game_goes_on(opened: Table) -> None:
    wrong = moved(opened.match.position, BLACK, "13/9 13/10")
    _, flagged = opened.play(roll(4, 2, LEFT_HALF), wrong)
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("illegal", ("wrong_distance",))
    assert opened.match.position == wrong
    assert opened.match.turn is WHITE


def test_r25_a_short_play_is_flagged(opened: Table) -> None:
    _, flagged = opened.play(roll(4, 2, LEFT_HALF), moved(opened.match.position, BLACK, "13/9"))
    assert isinstance(flagged, ev.PlayFlagged)
    assert flagged.faults == ("both_dice_playable",)


def test_r32_a_flagged_play_is_put_right_before_the_next_roll(opened: Table) -> None:
    before = opened.match.position
    opened.play(roll(4, 2, LEFT_HALF), moved(before, BLACK, "13/9 13/10"))
    right = moved(before, BLACK, "13/9 13/11")
    (corrected,) = opened.see(reading(right))
    assert isinstance(corrected, ev.PlayCorrected)
    assert (str(corrected.play), opened.match.position) == ("13/9 13/11", right)


def test_r18_after_the_next_roll_an_illegal_play_stands(opened: Table) -> None:
    before = opened.match.position
    wrong = moved(before, BLACK, "13/9 13/10")
    opened.play(roll(4, 2, LEFT_HALF), wrong)
    opened.see(reading(wrong, *roll(6, 5)))
    late = opened.see(reading(moved(before, BLACK, "13/9 13/11"), *roll(6, 5)))
    assert late == []
    assert opened.match.position == wrong


def test_a_picture_that_is_not_clear_is_undecided_never_legal(opened: Table) -> None:
    before = opened.match.position
    wrong = moved(before, BLACK, "13/9 13/10")
    opened.see(reading(before, *roll(4, 2, LEFT_HALF)))
    unclear = reading(wrong, doubt={25 - 10: 4.0, 25 - 11: 4.0})
    (flagged,) = opened.see(unclear)
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.faults) == ("undecided", ())


def test_a_small_doubt_is_settled_by_the_rules(opened: Table) -> None:
    before = opened.match.position
    after = moved(before, BLACK, "13/9 13/11")
    opened.see(reading(before, *roll(4, 2, LEFT_HALF)))
    misread = replace(reading(after, doubt={25 - 11: 2.0}), position=moved(before, BLACK, "13/9 13/off"))
    (played,) = opened.see(misread)
    assert isinstance(played, ev.Played)
    assert str(played.play) == "13/9 13/11"


def test_two_plays_that_the_picture_cannot_tell_apart_are_undecided(opened: Table) -> None:
    before = opened.match.position
    first, second = moved(before, BLACK, "13/9 13/11"), moved(before, BLACK, "13/9 6/4")
    opened.see(reading(before, *roll(4, 2, LEFT_HALF)))
    either = reading(first, doubt=dict.fromkeys((25 - 13, 25 - 11, 25 - 6, 25 - 4), 0.5))
    assert either.log_likelihood(first) - either.log_likelihood(second) < 2.1
    (flagged,) = opened.see(replace(either, points=_evenly(either, (12, 14, 19, 21))))
    assert isinstance(flagged, ev.PlayFlagged)
    assert flagged.verdict == "undecided"


def _evenly(seen: Reading, white_points: tuple[int, ...]) -> tuple[PlaceEvidence, ...]:
    flat = PlaceEvidence((0.0,) * 31)
    return tuple(flat if k in white_points else place for k, place in enumerate(seen.points, 1))


def test_r33_a_vanished_checker_is_asked_for_not_punished(opened: Table) -> None:
    before = opened.match.position
    gone = moved(before, BLACK, "13/9 13/off")
    opened.see(reading(before, *roll(4, 2, LEFT_HALF)))
    (flagged,) = opened.see(reading(gone))
    assert isinstance(flagged, ev.PlayFlagged)
    assert (flagged.verdict, flagged.explanation) == ("undecided", "a black checker is not to be seen")


def test_an_undecided_play_is_settled_by_a_clearer_picture(opened: Table) -> None:
    before = opened.match.position
    opened.play(roll(4, 2, LEFT_HALF), moved(before, BLACK, "13/9 13/off"))
    after = moved(before, BLACK, "13/9 13/11")
    events = opened.see(reading(after))
    assert opened.match.position == after
    assert types(events) == ["PlayCorrected"]


def test_hands_over_the_board_gate_everything(opened: Table) -> None:
    before = opened.match.position
    opened.see(reading(before, *roll(4, 2, LEFT_HALF)))
    assert opened.see(reading(START, hands=True)) == []
    assert opened.match.phase is Phase.TO_PLAY


@pytest.mark.parametrize(
    ("thrown", "reason"),
    [
        (roll(4, 2, RIGHT_HALF), "wrong_half"),
        ((die(4, LEFT_HALF), die(2, RIGHT_HALF)), "two_halves"),
        ((die(4, LEFT_HALF, DieState.COCKED), die(2, LEFT_HALF)), "cocked"),
        ((die(4, LEFT_HALF, DieState.ON_CHECKER), die(2, LEFT_HALF)), "on_checker"),
        ((die(4, (-0.02, 0.5), DieState.OFF_BOARD), die(2, LEFT_HALF)), "off_board"),
    ],
)
def test_r10_r11_an_invalid_throw_is_voided_once(opened: Table, thrown: tuple[DieReading, ...], reason: str) -> None:
    seen = reading(opened.match.position, *thrown)
    (voided,) = opened.see(seen, seen)
    assert isinstance(voided, ev.RollVoided)
    assert (voided.player, voided.reason) == (BLACK, reason)
    valid = opened.see(reading(opened.match.position), reading(opened.match.position, *roll(4, 2, LEFT_HALF)))
    assert types(valid) == ["Rolled"]


@pytest.mark.parametrize(
    ("name", "thrown"),
    [
        ("usbgf", (die(4, LEFT_HALF, DieState.ON_CHECKER), die(2, LEFT_HALF))),
        ("online", roll(4, 2, RIGHT_HALF)),
        ("online", (die(4, (-0.02, 0.5), DieState.OFF_BOARD), die(2, LEFT_HALF))),
    ],
)
def test_the_profile_says_which_throws_count(name: str, thrown: tuple[DieReading, ...]) -> None:
    table = Table(profile=name)
    table.see(reading(START), reading(START, die(3, RIGHT_HALF), die(1, LEFT_HALF)))
    table.see(reading(moved(START, WHITE, "8/5 6/5")))
    (rolled,) = table.see(reading(table.match.position, *thrown))
    assert rolled == ev.Rolled(at_s=4, player=BLACK, roll=Roll(4, 2))


def test_on_the_whole_board_no_half_is_wrong() -> None:
    table = Table(Setup(zone=DiceZone.BOARD))
    table.see(reading(START))
    rolled, played = table.play(roll(3, 1, LEFT_HALF), moved(START, BLACK, "8/5 6/5"))
    assert isinstance(rolled, ev.Rolled)
    assert isinstance(played, ev.Played)
    assert (rolled.player, played.player) == (None, BLACK)


def test_the_far_seats_right_half_is_the_pictures_left() -> None:
    table = Table(Setup(white_near=False))
    table.see(reading(START))
    (rolled,) = table.see(reading(START, die(6, RIGHT_HALF), die(2, LEFT_HALF)))
    assert isinstance(rolled, ev.Rolled)
    assert rolled.player is BLACK


def test_a_start_as_seen_is_taken_from_the_first_settled_picture() -> None:
    start = Position(side_of({24: 2, 6: 4, 13: 4, 17: 2}), side_of({24: 2, 6: 4, 13: 4, 17: 2}))
    table = Table(Setup(start=None, zone=DiceZone.BOARD), checkers=12)
    (started,) = table.see(reading(start))
    assert isinstance(started, ev.GameStarted)
    assert started.position == start


def test_a_dance_is_a_play_of_nothing() -> None:
    table = Table()
    table.see(reading(START))
    shut = Position(side_of(dict.fromkeys(range(1, 7), 2) | {13: 3}), side_of({25: 1, 6: 5, 8: 3, 13: 5, 12: 1}))
    table.referee = replace(table.referee, match=replace(table.match, phase=Phase.TO_ROLL, turn=BLACK, position=shut))
    table.events = []
    referee, _ = step(table.referee, reading(shut, *roll(6, 4, LEFT_HALF)), 1.0)
    _, events = step(referee, reading(shut), 2.0)
    (played,) = events
    assert isinstance(played, ev.Played)
    assert (played.player, played.play.moves) == (BLACK, ())


def cube(value: int | None, where: CubePlace, *, offered: bool = False) -> CubeReading:
    return CubeReading(value, where, offered, 0.9)


def test_r38_the_cube_on_the_opponents_half_is_an_offer_and_in_his_slot_a_take(opened: Table) -> None:
    board = opened.match.position
    (offer,) = opened.see(reading(board, cube=cube(2, CubePlace.BOTTOM, offered=True)))
    assert offer == ev.CubeOffered(at_s=offer.at_s, player=BLACK, value=2)
    assert opened.see(reading(board, cube=cube(2, CubePlace.BOTTOM, offered=True))) == []
    (take,) = opened.see(reading(board, cube=cube(2, CubePlace.BOTTOM)))
    assert take == ev.CubeTaken(at_s=take.at_s, player=WHITE, value=2)
    assert opened.match.cube == Cube(2, WHITE)
    assert opened.match.turn is BLACK


def test_r37_a_drop_is_seen_by_the_new_game_and_loses_the_value_before(opened: Table) -> None:
    board = opened.match.position
    opened.see(reading(board, cube=cube(2, CubePlace.BOTTOM, offered=True)))
    events = opened.see(reading(START, cube=cube(64, CubePlace.OUTSIDE)))
    assert types(events) == ["CubeDropped", "GameEnded", "GameStarted"]
    assert opened.match.score == (0, 1)


@pytest.mark.parametrize(
    "offer",
    [
        cube(2, CubePlace.TOP, offered=True),
        cube(4, CubePlace.BOTTOM, offered=True),
        cube(None, CubePlace.BOTTOM, offered=True),
        cube(2, CubePlace.BOTTOM),
    ],
    ids=["own half", "number skipped", "unreadable", "not on the board"],
)
def test_what_is_no_offer(opened: Table, offer: CubeReading) -> None:
    assert opened.see(reading(opened.match.position, cube=offer)) == []


def test_r36_no_offer_after_the_throw(opened: Table) -> None:
    offer = cube(2, CubePlace.BOTTOM, offered=True)
    board = opened.match.position
    assert types(opened.see(reading(board, *roll(4, 2, LEFT_HALF), cube=offer))) == ["Rolled"]
    assert opened.see(reading(board, *roll(4, 2, LEFT_HALF), cube=offer)) == []


def test_r34_r39_the_last_checker_off_ends_the_game_at_the_cubes_value(opened: Table) -> None:
    board = Position(side_of({24: 1, 1: 4}, 15), side_of({1: 1}, 15))
    taken = Cube(2, WHITE)
    game = replace(opened.match, position=board, cube=taken, turn=BLACK, phase=Phase.TO_ROLL)
    referee, _ = step(replace(opened.referee, match=game), reading(board, *roll(4, 2, LEFT_HALF)), 1.0)
    _, events = step(referee, reading(moved(board, BLACK, "1/off")), 2.0)
    assert [type(e).__name__ for e in events] == ["Played", "GameEnded"]
    assert events[1] == ev.GameEnded(at_s=2.0, winner=BLACK, points=2, win=ev.Win.SINGLE)


def test_the_match_ends_with_the_game_that_reaches_its_length(opened: Table) -> None:
    board = Position(side_of({24: 1, 1: 4}, 15), side_of({1: 1}, 15))
    game = replace(opened.match, position=board, turn=BLACK, phase=Phase.TO_ROLL, score=(0, 4))
    referee, _ = step(replace(opened.referee, match=game), reading(board, *roll(4, 2, LEFT_HALF)), 1.0)
    referee, events = step(referee, reading(moved(board, BLACK, "1/off")), 2.0)
    assert [type(e).__name__ for e in events] == ["Played", "GameEnded", "MatchEnded"]
    again, nothing = step(referee, reading(START, *roll(4, 2, LEFT_HALF)), 3.0)
    assert nothing == ()
    assert again.match.phase is Phase.MATCH_OVER


def test_a_referee_that_starts_from_the_journal_knows_a_lying_roll(opened: Table) -> None:
    board = opened.match.position
    opened.see(reading(board, *roll(4, 2, LEFT_HALF)))
    restarted = Referee(replay(opened.events), opened.referee.setup)
    after = moved(board, BLACK, "13/9 13/11")
    restarted, nothing = step(restarted, reading(after, *roll(4, 2, LEFT_HALF)), 9.0)
    assert nothing == ()
    _, events = step(restarted, reading(after), 10.0)
    assert [type(e).__name__ for e in events] == ["Played"]
