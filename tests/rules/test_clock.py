"""The game clock, with a time that the test gives."""

import pytest

from rules.clock import (
    NO_CLOCK,
    SIMPLE_DELAY,
    ClockKind,
    ClockRule,
    delay_left_s,
    flag_fallen,
    press,
    remaining_s,
    resume,
    set_clock,
    start,
    stop,
)
from rules.errors import EventError
from rules.position import Player

WHITE, BLACK = Player


def test_simple_delay_touches_no_reserve_before_the_free_seconds_are_over() -> None:
    clock = start(set_clock(SIMPLE_DELAY, 5), WHITE, 100.0)
    assert (remaining_s(clock, WHITE, 110.0), delay_left_s(clock, 110.0)) == (600.0, 2.0)
    assert (remaining_s(clock, WHITE, 115.0), delay_left_s(clock, 115.0)) == (597.0, 0.0)
    clock = press(clock, 115.0)
    assert (clock.turn, clock.reserve_s) == (BLACK, (597.0, 600.0))
    assert press(clock, 120.0).reserve_s == (597.0, 600.0)


def test_bronstein_gives_back_what_was_used_up_to_the_free_seconds() -> None:
    clock = start(set_clock(ClockRule(ClockKind.BRONSTEIN, 12.0, 60.0), 1), WHITE, 0.0)
    assert remaining_s(clock, WHITE, 10.0) == 50.0
    assert delay_left_s(clock, 10.0) == 0.0
    assert press(clock, 10.0).reserve_s == (60.0, 60.0)
    assert press(clock, 20.0).reserve_s == (52.0, 60.0)
    assert flag_fallen(clock, 60.0) is WHITE


def test_plain() -> None:
    clock = start(set_clock(ClockRule(ClockKind.PLAIN, 0.0, 30.0), 1), BLACK, 0.0)
    assert press(clock, 10.0).reserve_s == (30.0, 20.0)
    assert flag_fallen(clock, 29.9) is None
    assert flag_fallen(clock, 30.0) is BLACK
    assert press(clock, 40.0).reserve_s == (30.0, 0.0)


def test_the_flag_falls_only_after_the_free_seconds_too() -> None:
    clock = start(set_clock(ClockRule(ClockKind.SIMPLE_DELAY, 12.0, 0.0), 7), WHITE, 0.0)
    assert flag_fallen(clock, 11.0) is None
    assert flag_fallen(clock, 12.0) is WHITE


def test_no_clock_has_no_end() -> None:
    clock = start(set_clock(NO_CLOCK, 5), WHITE, 0.0)
    assert remaining_s(clock, WHITE, 1e6) == float("inf")
    assert flag_fallen(clock, 1e6) is None
    assert flag_fallen(set_clock(SIMPLE_DELAY, 5), 0.0) is None
    assert delay_left_s(set_clock(SIMPLE_DELAY, 5), 0.0) == 0.0


def test_a_stopped_clock_keeps_what_was_used_in_the_turn() -> None:
    clock = stop(start(set_clock(SIMPLE_DELAY, 1), WHITE, 0.0), 10.0)
    assert delay_left_s(clock, 500.0) == 2.0
    clock = resume(clock, 500.0)
    assert remaining_s(clock, WHITE, 505.0) == 117.0
    assert remaining_s(clock, BLACK, 505.0) == 120.0


def test_what_cannot_be_done_with_it() -> None:
    standing = set_clock(SIMPLE_DELAY, 5)
    running = start(standing, WHITE, 0.0)
    for call in (lambda: start(running, BLACK, 1.0), lambda: press(standing, 1.0), lambda: resume(running, 1.0)):
        with pytest.raises(EventError):
            call()
    with pytest.raises(EventError, match="stands"):
        stop(stop(running, 1.0), 2.0)
