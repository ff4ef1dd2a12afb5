"""Throws that do not count, and what else goes wrong with dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules import events as ev
from rules.position import Player
from vision.synth.scene import Die
from vision.synth.story.shot import Deed, Shot, Situation
from vision.synth.story.stage import Stage
from vision.synth.story.trouble import Case, Moment, Trouble

REASONS = {"touched_die": "touched"}
"""The keys of `rules.irregularities` where they are others than the faults' names."""
KNOCKED_MM = 14.0


def _invalid(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A throw that does not count, and the dice taken up again."""
    player = case.player.opponent if kind == "out_of_turn" else case.player
    dice = _wrong_dice(stage, player, kind)
    if not dice:
        return
    stage.throw(player, dice, Deed.TOUCH_DICE if kind == "touched_die" else Deed.THROW)
    voided = ev.RollVoided(at_s=0, player=player, reason=REASONS.get(kind, kind))
    yield stage.shot(player, 1.4, f"{player} throws {kind}", voided, situation=Situation(kind, player))
    stage.lift(player)
    yield stage.shot(player, 1.0, f"{player} takes the dice up")


def _wrong_dice(stage: Stage, player: Player, kind: str) -> tuple[Die, ...]:
    scene, places, roll = stage.scene, stage.places, stage.any_roll()
    own = places.free_spot(scene, player)
    other = places.free_spot(scene, player.opponent)
    match kind:
        case "two_halves":
            return stage.dice(player, roll, own, other)
        case "wrong_half":
            return stage.dice(player, roll, other, places.free_spot(scene, player.opponent, (other,)))
        case "off_board":
            return stage.dice(player, roll, own, places.off_the_field())
        case "on_checker":
            xy = places.on_a_checker(scene, player)
            return stage.dice(player, roll, own, xy) if xy else ()
        case "cocked":
            first, second = stage.dice(player, roll, own, places.beside_a_stack(scene, player))
            return first, replace(second, tilt_rad=stage.chance.uniform(0.35, 0.6))
        case "die_on_die":
            first, second = stage.dice(player, roll, own, own)
            size = stage.table.dice_of(player).size_mm
            x, y = own[0] + 0.2 * size / stage.table.board.width_mm, own[1]
            return first, replace(second, xy=(x, y), z_mm=size)
        case "one_die":
            return stage.dice(player, roll)[:1]
        case _:
            return stage.dice(player, roll)


def _knocked(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A die is turned over after it lay still (T7): what it showed first is played."""
    old = stage.scene.dice[-1]
    x, y = stage.table.board.mm(old.xy)
    pips = stage.chance.choice([n for n in range(1, 7) if n not in (old.pips, 7 - old.pips)])
    new = replace(old, pips=pips, xy=stage.places.field_xy(x + KNOCKED_MM, y), angle_rad=old.angle_rad + 0.9)
    stage.going_on = Situation(kind, case.player)
    stage.act(Deed.KNOCK_DIE, case.player, dice=(*stage.scene.dice[:-1], new))
    yield stage.shot(case.player, 1.6, f"{case.player} knocks a die over")


def _shaken(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A cup is shaken over the board; what is under it is hidden until it has gone. The throw comes from it (R6)."""
    stage.shaker = case.player
    stage.act(Deed.SHAKE_CUP, case.player, at=stage.places.free_spot(stage.scene, case.player))
    yield stage.shot(
        case.player, 0.6, f"{case.player} shakes the cup", situation=Situation(kind, case.player, lasts=False)
    )


def _one_lifted(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """One die is taken up, the other still lies (T5)."""
    mine = [die for die in stage.scene.dice if die.player is case.player]
    if len(mine) < 2:
        return
    stage.act(Deed.LIFT_DICE, case.player, dice=tuple(die for die in stage.scene.dice if die != mine[0]))
    yield stage.shot(case.player, 2.0, f"{case.player} takes up one die", situation=Situation(kind, case.player))


def _early(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """The opponent throws before the dice are lifted, and has to throw again (R14, R15)."""
    early = case.player.opponent
    over = stage.scene.position.on_board(case.player) == 0
    if over or not case.rolls_next or any(die.player is early for die in stage.scene.dice):
        return
    stage.going_on = Situation(kind, early)
    stage.throw(early, stage.dice(early, stage.any_roll()))
    stage.then = _thrown_again(stage, early)
    yield stage.shot(early, 1.6, f"{early} rolls too early")


def _thrown_again(stage: Stage, early: Player) -> Iterator[Shot]:
    stage.going_on = None
    voided = ev.RollVoided(at_s=0, player=early, reason="premature_roll")
    stage.lift(early)
    yield stage.shot(early, 1.0, f"{early} has to throw again", voided, said=(voided,))


INVALID = (
    *("wrong_half", "two_halves", "off_board", "on_checker", "cocked", "die_on_die"),
    *("one_die", "touched_die", "out_of_turn"),
)
THROW_TROUBLES = (
    *(Trouble(kind, Moment.THROW, _invalid) for kind in INVALID),
    Trouble("cup_shaken", Moment.THROW, _shaken),
    Trouble("knocked_die", Moment.ROLLED, _knocked),
    Trouble("one_die_lifted", Moment.LIFT, _one_lifted),
    Trouble("early_roll", Moment.LIFT, _early),
)
