"""The doubling cube: offered, taken, dropped, and everything it should not do."""

from __future__ import annotations

from rules import events as ev
from rules.fold import RUNNING
from rules.match import Phase
from rules.position import START, Player
from rules.reading import CubePlace, CubeReading, Reading
from rules.referee.desk import Desk, shows
from rules.referee.dice import fault_of, told
from rules.referee.memory import Setup
from rules.ruleset import WindowCloses
from rules.scoring import dropped

CUBE_SURE, ASK_SURE = 0.5, 0.85
"""A cube less sure than the first is not looked at, and nobody is asked about one less sure than the second."""
HIGHEST = 64
MIDDLE = (CubePlace.BAR, CubePlace.OUTSIDE)


def offerer(desk: Desk, reading: Reading) -> Player | None:
    """Who offers the cube that lies there; None where it is not offered, or hard to see."""
    cube = reading.cube
    sure = cube is not None and cube.offered and cube.confidence >= CUBE_SURE
    return _offerer(desk.referee.setup, cube) if cube is not None and sure else None


def offer(desk: Desk, reading: Reading) -> None:
    """The cube on the opponent's half, the doubled number up, before the throw (R35, R36, R38, R52)."""
    cube, player = reading.cube, desk.match.turn
    if cube is None or player is None or cube.confidence < CUBE_SURE or not cube.offered:
        return
    if _offerer(desk.referee.setup, cube) is player and cube.value is not None and _wrong_with(desk, cube) is None:
        if desk.referee.ruleset.window_closes is WindowCloses.VALID_THROW_OR_DOUBLE:
            desk.close_window()
        desk.emit(ev.CubeOffered, reading, player=player, value=cube.value)


def answer(desk: Desk, reading: Reading) -> None:
    """An offer lies there: the cube in the opponent's slot is a take, a new set-up a drop (R37, R38).

    When the doubler throws, the offer was taken and the cube forgotten (T17).
    """
    match, cube, setup = desk.match, reading.cube, desk.referee.setup
    offerer = match.cube.offered_by
    assert offerer is not None
    opponent, value = offerer.opponent, 2 * match.cube.value
    sure = cube is not None and cube.confidence >= CUBE_SURE
    dice = told(desk.referee, reading)
    if cube is not None and sure and not cube.offered and cube.where is _slot(setup, opponent) and cube.value == value:
        desk.emit(ev.CubeTaken, reading, player=opponent, value=value)
    elif shows(reading, setup.start or START) and not (cube is not None and cube.offered):
        desk.emit(ev.CubeDropped, reading, player=opponent)
        desk.score(dropped(opponent, match.cube, desk.referee.ruleset, money=match.length == 0))
    elif len(dice) == 2 and fault_of(desk.referee, dice) is None:
        desk.emit(ev.CubeTaken, reading, player=opponent, value=value)
        desk.ask("cube_forgotten", opponent, f"{opponent} has taken and left the cube where it was", reading)


def watch(desk: Desk, reading: Reading) -> None:
    """Ask about a cube that does not lie as the record has it, or is offered by who may not (R30, R31, R35, R36)."""
    cube = reading.cube
    running = desk.match.phase in RUNNING and desk.match.phase is not Phase.CUBE_OFFERED
    if cube is None or cube.confidence < ASK_SURE or not running or desk.events:
        return
    if cube.offered:
        key, player = _wrong_with(desk, cube), _offerer(desk.referee.setup, cube)
        if key is not None:
            desk.ask(key, player, f"{player} may not double so: the cube goes back", reading)
    elif _same_cube(desk.referee.seen, cube):
        _lies_otherwise(desk, cube, reading)


def _wrong_with(desk: Desk, cube: CubeReading) -> str | None:
    """Why an offered cube is no offer, as a key of `rules.irregularities`; None where it is one."""
    match, player = desk.match, _offerer(desk.referee.setup, cube)
    if match.cube.owner not in (None, player) or match.crawford:
        return "double_by_non_owner"
    if match.phase is not Phase.TO_ROLL or match.turn is not player or match.thrown:
        return "double_too_late"
    if 2 * match.cube.value > HIGHEST:
        return "cube_past_64"
    return None if cube.value in (None, 2 * match.cube.value) else "cube_skipped"


def _lies_otherwise(desk: Desk, cube: CubeReading, reading: Reading) -> None:
    """The cube lies in another place than the record has it, or shows another number there."""
    record, setup = desk.match.cube, desk.referee.setup
    if record.owner is None:
        faces = (*desk.referee.ruleset.cube_start_faces, record.value)
        if cube.where is CubePlace.BAR and cube.value is not None and cube.value not in faces:
            desk.ask("nonsense", None, f"the cube lies in the middle and shows {cube.value}", reading)
        right = cube.where in MIDDLE
    else:
        right = cube.where is _slot(setup, record.owner) and cube.value in (None, record.value)
    if not right:
        owner = record.owner or "nobody"
        desk.ask("cube_disputed", None, f"the cube is {owner}'s at {record.value} by the record", reading)


def _same_cube(before: Reading | None, cube: CubeReading) -> bool:
    """It lay so in the reading before as well."""
    was = before.cube if before is not None else None
    return was is not None and (was.value, was.where, was.offered) == (cube.value, cube.where, cube.offered)


def _offerer(setup: Setup, cube: CubeReading) -> Player:
    """Who offers a cube that lies on a half of the board: the player at the other one."""
    far = Player.BLACK if setup.white_near else Player.WHITE
    return far if cube.where is CubePlace.BOTTOM else far.opponent


def _slot(setup: Setup, player: Player) -> CubePlace:
    """Where a player keeps his cube."""
    return CubePlace.BOTTOM if setup.near(player) else CubePlace.TOP
