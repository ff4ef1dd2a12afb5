"""What holds for every position: found by trying many."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.codecs.gnubgid import read_gnuid, read_position_id, write_gnuid, write_position_id
from rules.codecs.ogid import read_ogid, write_ogid
from rules.codecs.snowie import read_places, write_places
from rules.codecs.xgid import Xgid, read_board, read_xgid, write_board, write_xgid
from rules.cube import Cube
from rules.diagram import draw, read_diagram
from rules.movegen import legal_plays, play_between, resolve
from rules.packed import pack, unpack
from rules.play import parse_play
from rules.position import BAR, OFF, POINTS, Player, Position
from rules.roll import Roll
from rules.ruling import Verdict, judge

WHITE, BLACK = Player
rolls = st.builds(Roll, st.integers(1, 6), st.integers(1, 6))


@st.composite
def positions(draw_: st.DrawFn, checkers: int = 15) -> Position:
    """Any position with so many checkers a side: every point is one side's, or nobody's."""
    places: list[list[int]] = [[], []]
    owner = draw_(st.lists(st.sampled_from((0, 0, 1, 1, 2)), min_size=24, max_size=24))
    for point, side in zip(POINTS, owner, strict=True):
        if side < 2:
            places[side].append(point if side == 0 else BAR - point)
    sides = []
    for held in places:
        side = [0] * 26
        for place in draw_(
            st.lists(st.sampled_from([*held, *held, *held, BAR, OFF]), min_size=checkers, max_size=checkers)
        ):
            side[place] += 1
        sides.append(tuple(side))
    return Position(*sides)


def turned(position: Position) -> Position:
    return Position(position.black, position.white)


any_positions = st.integers(1, 15).flatmap(positions)


@given(any_positions, rolls)
def test_the_sides_are_treated_alike(position: Position, roll: Roll) -> None:
    ours = {turned(legal.after) for legal in legal_plays(position, WHITE, roll)}
    assert ours == {legal.after for legal in legal_plays(turned(position), BLACK, roll)}


@given(any_positions, rolls)
def test_no_checker_is_lost_and_each_result_comes_once(position: Position, roll: Roll) -> None:
    found = legal_plays(position, WHITE, roll)
    after = [legal.after for legal in found]
    assert len(set(after)) == len(after) >= 1
    for result in after:
        assert [result.total(player) for player in Player] == [position.total(player) for player in Player]
        assert result.problems({player: position.total(player) for player in Player}) == []
        assert result.pips(WHITE) <= position.pips(WHITE)


@given(any_positions, rolls)
def test_what_is_legal_is_judged_legal(position: Position, roll: Roll) -> None:
    for legal in legal_plays(position, WHITE, roll)[:12]:
        ruling = judge(position, WHITE, roll, legal.after)
        assert (ruling.verdict, ruling.play) == (Verdict.LEGAL, legal.play)
        assert str(parse_play(str(legal.play))) == str(legal.play)
        assert resolve(position, WHITE, roll, parse_play(str(legal.play))).after == legal.after


@settings(max_examples=300)
@given(any_positions, rolls, st.data())
def test_a_single_changed_checker_is_never_judged_as_that_play(
    position: Position, roll: Roll, data: st.DataObject
) -> None:
    found = legal_plays(position, WHITE, roll)
    legal = data.draw(st.sampled_from(found))
    player = data.draw(st.sampled_from(tuple(Player)))
    side = list(legal.after.side(player))
    origin = data.draw(st.sampled_from([place for place in range(26) if side[place]]))
    target = data.draw(st.integers(0, 25).filter(lambda place: place != origin))
    side[origin] -= 1
    side[target] += 1
    changed = replace(legal.after, **{str(player): tuple(side)})
    ruling = judge(position, WHITE, roll, changed)
    assert ruling.play != legal.play or ruling.verdict is Verdict.ILLEGAL
    if ruling.verdict is Verdict.LEGAL:
        over = not changed.on_board(WHITE)
        assert over or changed in {other.after for other in found}
    else:
        assert ruling.faults
        assert ruling.clause
        assert ruling.explanation
        assert "legal" not in ruling.discreet


@settings(max_examples=300)
@given(positions(), positions(), rolls)
def test_any_other_position_has_a_named_fault(before: Position, after: Position, roll: Roll) -> None:
    ruling = judge(before, WHITE, roll, after)
    if ruling.verdict is Verdict.ILLEGAL:
        assert ruling.faults
        assert ruling.play is None


@given(any_positions, rolls)
def test_a_turn_written_from_its_ends_is_the_turn(position: Position, roll: Roll) -> None:
    for legal in legal_plays(position, BLACK, roll)[:6]:
        assert (play_between(position, BLACK, roll, legal.after) or legal.play) == legal.play


@given(positions())
def test_packing(position: Position) -> None:
    for player in Player:
        assert unpack(pack(position.side(player), position.side(player.opponent)), position, player) == position


@st.composite
def fields(draw_: st.DrawFn) -> Xgid:
    """Any fields that an XGID and its relatives can all hold."""
    owner = draw_(st.sampled_from((None, *Player)))
    turn = draw_(st.sampled_from(tuple(Player)))
    offered = draw_(st.booleans()) and owner in (None, turn)
    length = draw_(st.integers(0, 25))
    top = max(length - 1, 0)
    return Xgid(
        position=draw_(positions()),
        turn=turn,
        roll=None if offered else draw_(st.none() | rolls),
        cube=Cube(draw_(st.sampled_from((1, 2, 4, 8, 16, 32, 64))), owner, turn if offered else None),
        score=(draw_(st.integers(0, top)), draw_(st.integers(0, top))),
        rules=draw_(st.integers(0, 1)) if length else 0,
        length=length,
    )


@given(fields())
def test_identifiers_come_back(what: Xgid) -> None:
    assert read_xgid(write_xgid(what)) == what
    assert read_gnuid(write_gnuid(what)) == what
    assert read_ogid(write_ogid(what)) == what


@given(positions())
def test_positions_come_back(position: Position) -> None:
    assert read_board(write_board(position)) == position
    assert read_diagram(draw(position)) == position
    for player in Player:
        assert read_position_id(write_position_id(position, player), player) == position
        assert read_places(write_places(position, player), player) == position
