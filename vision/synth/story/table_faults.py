"""What goes wrong with the set-up and the cube, and what gets in the way of the camera."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules import events as ev
from rules.decisions import SetupCorrected
from rules.play import Move, Play
from rules.position import START, Player
from rules.transcript import moved
from vision.synth.scene import Hand, Prop, Thing
from vision.synth.story.places import CENTRED_FACE
from vision.synth.story.shot import Deed, Shot, Situation
from vision.synth.story.stage import SPECTATOR, Stage
from vision.synth.story.trouble import Case, Moment, Trouble

MISPLACED = (Move(8, 7), Move(6, 5), Move(13, 14), Move(24, 23))
NONSENSE = 8
"""A face that cannot be up while the cube is in the middle (R31)."""
BUMP_MM, BUMP_RAD = 9.0, 0.03
DARK_S, LINGERS_S = 2.0, 4.0


def _wrong_start(stage: Stage, _case: Case, kind: str) -> Iterator[Shot]:
    """A checker is set up on the wrong point; the other player notices once the opening dice lie (R29)."""
    player = stage.chance.choice(list(Player))
    wrong = moved(START, player, Play((stage.chance.choice(MISPLACED),)))
    stage.going_on = Situation(kind, player)
    stage.set_up(wrong)
    stage.then = _set_right(stage, player)
    yield stage.shot(player, 2.4, "set up", ev.GameStarted(at_s=0, position=wrong))


def _set_right(stage: Stage, player: Player) -> Iterator[Shot]:
    stage.going_on = None
    stage.put(player.opponent, START, Deed.PUT_BACK)
    yield stage.shot(player.opponent, 1.4, "the set-up is put right", SetupCorrected(at_s=0, position=START))


def _wrong_cube(stage: Stage, _case: Case, kind: str) -> Iterator[Shot]:
    """The cube shows a number in the middle that it cannot have there (R31)."""
    if stage.match.cube.owner is not None:
        return
    good = stage.scene.cube
    stage.act(Deed.TURN_CUBE, Player.BLACK, cube=replace(good, value=NONSENSE))
    yield stage.shot(Player.BLACK, 3.0, "nonsense on the cube", situation=Situation(kind))
    stage.act(Deed.TURN_CUBE, Player.WHITE, cube=replace(good, value=CENTRED_FACE))
    yield stage.shot(Player.WHITE, 1.4, "the cube is put right")


def _skipped(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A number is left out when the cube is turned (T17)."""
    value = 4 * stage.match.cube.value
    stage.act(Deed.TURN_CUBE, case.player, cube=stage.places.offered(stage.scene, value, case.player))
    yield stage.shot(case.player, 2.0, f"{case.player} turns the cube too far", situation=Situation(kind, case.player))


def _forgotten(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """The cube is taken, but lies where it was offered until the next dice lie (T17)."""
    stage.going_on = Situation(kind, case.player)
    stage.then = _remembered(stage, case.player, stage.scene.cube.value)
    yield stage.shot(case.player, 1.6, f"{case.player} takes and leaves the cube", case.event)


def _remembered(stage: Stage, player: Player, value: int) -> Iterator[Shot]:
    stage.going_on = None
    stage.act(Deed.TAKE_CUBE, player, cube=stage.places.cube(value, player))
    yield stage.shot(player, 1.4, f"{player} takes the cube to his side")


def _void_offer(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """The cube is offered by who may not, or after the throw; it is put back (R35, R36)."""
    owner = stage.match.cube.owner
    by_owner = kind == "cube_after_roll"
    if (owner is case.player.opponent) is by_owner or (owner is None and not by_owner):
        return
    before = stage.scene.cube
    offered = stage.places.offered(stage.scene, 2 * stage.match.cube.value, case.player)
    stage.act(Deed.TURN_CUBE, case.player, cube=offered)
    yield stage.shot(case.player, 2.4, f"{case.player} may not double", situation=Situation(kind, case.player))
    stage.act(Deed.TURN_CUBE, case.player, cube=before)
    yield stage.shot(case.player, 1.4, f"{case.player} puts the cube back")


def _bump(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """The board is pushed, and some time later pushed back."""
    right, near, turn = (stage.chance.uniform(0.5, 1) * stage.chance.choice((-1, 1)) for _ in range(3))
    bump = (BUMP_MM * right, BUMP_MM * near, BUMP_RAD * turn)
    stage.act(Deed.PUSH_BOARD, case.player, bump=bump)
    yield stage.shot(case.player, LINGERS_S, "the board is pushed", situation=Situation(kind, case.player))
    stage.act(Deed.PUSH_BOARD, case.player, bump=(0.0, 0.0, 0.0))
    yield stage.shot(case.player, 1.4, "the board is pushed back")


def _blackout(stage: Stage, _case: Case, kind: str) -> Iterator[Shot]:
    stage.change(light=0.0)
    yield stage.shot(None, DARK_S, "the light goes out", situation=Situation(kind))
    stage.change(light=1.0)
    yield stage.shot(None, 1.4, "the light is back")


def _cup(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A cup is put on the checkers."""
    things = stage.scene.things
    cup = Thing(Prop.CUP, stage.places.checker(stage.scene), z_mm=stage.table.checkers.thickness_mm)
    stage.act(Deed.PUT_THING, case.player, things=(*things, cup))
    yield stage.shot(case.player, LINGERS_S, "a cup on the board", situation=Situation(kind, case.player))
    stage.act(Deed.TAKE_THING, case.player, things=things)
    yield stage.shot(case.player, 1.0, "the cup is taken away")


def _hand(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A hand lies on the board while nothing is done."""
    by = stage.by(case.player)
    person = stage.table.people[by]
    hand = Hand(stage.places.checker(stage.scene), by == 0, 12.0, by, person.right_handed)
    stage.act(Deed.REST_HAND, case.player, hands=(hand,))
    yield stage.shot(case.player, LINGERS_S, "a hand stays on the board", situation=Situation(kind, case.player))
    stage.act(Deed.WITHDRAW, case.player, hands=())
    yield stage.shot(case.player, 1.0, "the hand is drawn back")


def _finger(stage: Stage, _case: Case, kind: str) -> Iterator[Shot]:
    """A spectator points at something."""
    stage.act(Deed.POINT, SPECTATOR, at=stage.places.checker(stage.scene))
    yield stage.shot(None, 0.8, "a spectator points", situation=Situation(kind, lasts=False))


def _head(stage: Stage, _case: Case, kind: str) -> Iterator[Shot]:
    """A head leans in and keeps the light away."""
    stage.act(Deed.LEAN_IN, SPECTATOR, at=(stage.chance.uniform(0.2, 0.8), stage.chance.uniform(0.4, 0.6)))
    yield stage.shot(None, 0.8, "a spectator leans in", situation=Situation(kind, lasts=False))


TABLE_TROUBLES = (
    Trouble("wrong_start", Moment.SET_UP, _wrong_start),
    Trouble("wrong_cube", Moment.ROLLED, _wrong_cube),
    Trouble("cube_skipped", Moment.OFFER, _skipped),
    Trouble("cube_forgotten", Moment.TAKE, _forgotten),
    Trouble("cube_by_wrong_player", Moment.THROW, _void_offer),
    Trouble("cube_after_roll", Moment.ROLLED, _void_offer),
    Trouble("bump", Moment.ROLLED, _bump),
    Trouble("blackout", Moment.ROLLED, _blackout),
    Trouble("cup_over_board", Moment.ROLLED, _cup),
    Trouble("hand_left_on_board", Moment.ROLLED, _hand),
    Trouble("spectator_finger", Moment.ROLLED, _finger),
    Trouble("head_over_board", Moment.ROLLED, _head),
)
