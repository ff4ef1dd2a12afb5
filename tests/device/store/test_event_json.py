"""Events survive the way through JSON; what would not is refused before it is written."""

import inspect
import json
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from device.store.event_json import EVENT_TYPES, EventJsonError, dump_event, load_event
from rules import decisions, events
from rules.events import CubeOffered, Event, Noted, Played, Rolled
from rules.play import Move, Play
from rules.position import START, Player, Position
from rules.roll import Roll

ROLL = Roll(3, 1)
PLAYED = Played(at_s=2.5, player=Player.WHITE, roll=ROLL, play=Play((Move(8, 5), Move(6, 5))), position=START)

side = st.lists(st.integers(0, 15), min_size=26, max_size=26).map(tuple)
text = st.text(st.characters(exclude_categories=["Cs"]))
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
st.register_type_strategy(str, text)
st.register_type_strategy(Position, st.builds(Position, white=side, black=side))
st.register_type_strategy(Roll, st.builds(Roll, st.integers(1, 6), st.integers(1, 6)))


def test_every_event_of_the_rules_is_registered() -> None:
    classes = [kind for module in (events, decisions) for _, kind in inspect.getmembers(module, inspect.isclass)]
    theirs = {kind for kind in classes if issubclass(kind, Event) and kind is not Event}
    assert set(EVENT_TYPES) == theirs
    assert len(EVENT_TYPES) == len(theirs)


@given(st.one_of([st.from_type(kind) for kind in EVENT_TYPES]))
def test_an_event_comes_back_as_it_was(event: Event) -> None:
    written = json.dumps(dump_event(event))
    back = load_event(json.loads(written))
    assert (type(back), back) == (type(event), event)


def test_the_shape_on_disk() -> None:
    """What journals out there hold: a change here needs a new schema version."""
    assert dump_event(PLAYED) == {
        "type": "Played",
        "at_s": 2.5,
        "evidence": [],
        "player": "white",
        "roll": {"high": 3, "low": 1},
        "play": {
            "moves": [{"origin": 8, "target": 5, "hit": False}, {"origin": 6, "target": 5, "hit": False}],
        },
        "position": {"white": list(START.white), "black": list(START.black)},
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"type": "Teleported"}, "unknown type of event: 'Teleported'"),
        ({"type": None}, "unknown type of event: None"),
        ({"colour": "red"}, "Played: colour: Unexpected keyword argument"),
        ({"roll": {"high": 7, "low": 1}}, "Played: roll: Value error, a die shows 1 to 6, not 7"),
        ({"player": "green"}, "Played: player: Input should be 'white' or 'black'"),
        ({"at_s": "2.5"}, "Played: at_s: Input should be a valid number"),
        ({"position": {"white": [0], "black": [0]}}, "expected 26 counts"),
    ],
)
def test_what_is_no_event_is_refused(change: dict[str, JsonValue], said: str) -> None:
    with pytest.raises(EventJsonError) as caught:
        load_event(dump_event(PLAYED) | change)
    assert said in str(caught.value)


def test_a_missing_field_is_named() -> None:
    data = dump_event(PLAYED)
    del data["roll"]
    with pytest.raises(EventJsonError, match="Played: roll: "):
        load_event(data)


class Unregistered(Event):
    pass


@pytest.mark.parametrize(
    "event",
    [
        Unregistered(at_s=0),
        replace(PLAYED, at_s=float("nan")),
        replace(PLAYED, at_s=float("inf")),
        Noted(at_s=0, key="x", text="\ud800"),
        Rolled(at_s=0, player=cast(Player, "red"), roll=ROLL),
        CubeOffered(at_s=0, player=Player.WHITE, value=cast(int, 2.5)),
    ],
)
def test_what_would_not_come_back_is_not_written(event: Event) -> None:
    with pytest.raises(EventJsonError, match="stored"):
        dump_event(event)
