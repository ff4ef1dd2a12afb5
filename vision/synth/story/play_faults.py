"""Plays that break a rule, are not finished, cannot be told, or are changed too late."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from rules import events as ev
from rules.decisions import CheckerFound
from rules.faults import Fault
from rules.movegen import legal_plays
from rules.play import Play
from rules.position import BAR, OFF, POINTS, Player, Position
from rules.roll import Roll
from rules.ruling import Ruling, Verdict, judge
from rules.transcript import moved
from vision.synth.people.carrying import having, without
from vision.synth.scene import Loose
from vision.synth.story.shot import Deed, Shot, Situation
from vision.synth.story.stage import Stage
from vision.synth.story.trouble import Case, Moment, Trouble

PLAY_FAULTS = tuple(str(fault.name).lower() for fault in Fault if fault is not Fault.CHECKER_COUNT)
"""Each is the only fault of the play that shows it, but for `NEVER_ALONE`; a checker missing is `lost_checker`."""
NEVER_ALONE = {"too_many_numbers": "wrong_distance"}
MOST_TRIES = 120


def faulty_play(
    before: Position, player: Player, roll: Roll, wanted: str, chance: random.Random
) -> tuple[Position, Ruling] | None:
    """A position after `roll` whose only fault is `wanted`, and the ruling on it; None where none was found."""
    if not _possible(before, player, roll, wanted):
        return None
    asked = {wanted, NEVER_ALONE.get(wanted, wanted)}
    candidates = list(_near_misses(before, player, roll, wanted))
    chance.shuffle(candidates)
    for after in candidates[:MOST_TRIES]:
        ruling = judge(before, player, roll, after)
        if ruling.verdict is Verdict.ILLEGAL and set(ruling.faults.keys()) == asked:
            return after, ruling
    return None


def _possible(before: Position, player: Player, roll: Roll, wanted: str) -> bool:
    """Whether it is worth a search."""
    match wanted:
        case "bar_not_entered":
            return before.count(player, BAR) > 0
        case "off_returned":
            return before.count(player, OFF) > 0
        case "bore_off_from_lower":
            return not any(before.side(player)[7:])
        case "higher_die_playable":
            return _only_the_higher(before, player, roll)
        case _:
            return True


def _only_the_higher(before: Position, player: Player, roll: Roll) -> bool:
    """One number can be played, and it has to be the higher one (R25)."""
    plays = legal_plays(before, player, roll)
    return not roll.is_double and all(
        len(one.play.moves) == 1 and one.play.moves[0].origin - one.play.moves[0].target == roll.high for one in plays
    )


def forcing_roll(before: Position, player: Player) -> Roll | None:
    """A roll of which the higher number must be played though the lower one could be; None where there is none."""
    for high in range(2, 7):
        for low in range(1, high):
            if _only_the_higher(before, player, Roll(high, low)) and _plays(before, player, low):
                return Roll(high, low)
    return None


def _plays(before: Position, player: Player, number: int) -> bool:
    """Whether one checker can move by that number."""
    return bool(legal_plays(before, player, Roll(number, number))[0].play.moves)


def _near_misses(before: Position, player: Player, roll: Roll, wanted: str) -> Iterator[Position]:
    """Positions that a careless hand could leave: one checker wrong after a legal play, or after none."""
    legal = [one.after for one in legal_plays(before, player, roll)]
    yield before
    for start in (before, *legal):
        for origin in (*POINTS, BAR, OFF):
            for target in (*POINTS, OFF):
                moved = _displaced(start, player, origin, target)
                if moved is not None:
                    yield moved
        if wanted == "opponent_moved":
            yield from _nudged(start, player.opponent)
        if wanted == "hit_not_on_bar":
            yield from _left_standing(start, player.opponent)


def _displaced(position: Position, side: Player, origin: int, target: int) -> Position | None:
    """One checker of `side` put elsewhere, hitting a blot; None where there is none or two or more block."""
    mine, theirs = list(position.side(side)), list(position.side(side.opponent))
    if origin == target or not mine[origin]:
        return None
    if target != OFF:
        if theirs[BAR - target] > 1:
            return None
        theirs[BAR] += theirs[BAR - target]
        theirs[BAR - target] = 0
    mine[origin] -= 1
    mine[target] += 1
    return _position(side, mine, theirs)


def _nudged(position: Position, side: Player) -> Iterator[Position]:
    for point in POINTS:
        for target in (point - 1, point + 1):
            free = 1 <= target <= 24 and not position.count(side.opponent, BAR - target)
            moved = _displaced(position, side, point, target) if free else None
            if moved is not None:
                yield moved


def _left_standing(position: Position, side: Player) -> Iterator[Position]:
    """A hit checker of `side` beside the point where it was hit instead of on the bar."""
    for point in POINTS:
        if position.count(side, BAR) and not position.count(side.opponent, BAR - point):
            moved = _displaced(position, side, BAR, point)
            if moved is not None:
                yield moved


def _position(side: Player, mine: list[int], theirs: list[int]) -> Position:
    white, black = (mine, theirs) if side is Player.WHITE else (theirs, mine)
    return Position(tuple(white), tuple(black))


def _illegal(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A play that breaks a rule; it stands (R18)."""
    played = case.event
    if not isinstance(played, ev.Played):
        return
    found = faulty_play(case.before, case.player, played.roll, kind, stage.chance)
    if found is None or not found[0].on_board(case.player):
        return
    after, ruling = found
    stage.going_on = Situation(kind, case.player)
    stage.put(case.player, after)
    yield stage.shot(case.player, 0.8, "moves")
    yield _flagged(stage, played, after, ruling)
    stage.going_on = None


def _flagged(stage: Stage, played: ev.Played, after: Position, ruling: Ruling | None) -> Shot:
    """The dice are lifted from a play that is illegal or, without a ruling, cannot be told."""
    player, roll = played.player, played.roll
    stage.lift(player)
    faults = ruling.faults.keys() if ruling else ()
    flag = ev.PlayFlagged(
        at_s=0,
        player=player,
        roll=roll,
        verdict=(ruling.verdict if ruling else Verdict.UNDECIDED).value,
        faults=faults,
        explanation=ruling.explanation if ruling else "a checker stands between two points",
        position=after,
    )
    return stage.shot(player, 1.2, f"{player} errs {roll}: {', '.join(faults) or 'undecided'}", flag)


def _corrected(stage: Stage, played: ev.Played) -> Shot:
    stage.going_on = None
    player, roll, position = played.player, played.roll, played.position
    event = ev.PlayCorrected(at_s=0, player=player, roll=roll, play=played.play, position=position)
    return stage.shot(player, 1.4, f"{player} corrects {roll}: {played.play}", event)


def _short(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """The dice are lifted too early; the opponent lets him finish (R17)."""
    played = case.event
    if not isinstance(played, ev.Played) or len(played.play.moves) < 2:
        return
    first, *others = played.play.moves
    after = moved(case.before, case.player, Play((first,)))
    ruling = judge(case.before, case.player, played.roll, after)
    if ruling.faults is not Fault.BOTH_DICE_PLAYABLE:
        return
    stage.going_on = Situation(kind, case.player)
    stage.move(case.player, first)
    yield stage.shot(case.player, 0.8, "moves")
    yield _flagged(stage, played, after, ruling)
    for move in others:
        stage.move(case.player, move)
    yield _corrected(stage, played)


def _between(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A checker is left between two points; after the lift it is pushed to its own (T12)."""
    played = case.event
    if not isinstance(played, ev.Played) or not played.play.moves or played.play.moves[-1].target == OFF:
        return
    player, target = case.player, played.play.moves[-1].target
    for move in played.play.moves[:-1]:
        stage.move(player, move)
    whole = replace(stage.scene, position=played.position)
    xy = stage.places.between(target, player, whole)
    after = having(without(whole, player, target), player, Loose(player, xy))
    stage.going_on = Situation(kind, player)
    stage.put(player, after.position, loose=after.loose)
    yield stage.shot(player, 0.8, "moves")
    yield _flagged(stage, played, played.position, None)
    stage.put(player, played.position, Deed.SLIDE)
    yield _corrected(stage, played)


def _lost(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A checker falls from the board; once it is found the opponent puts it on the bar (R33)."""
    played, player = case.event, case.player
    if not isinstance(played, ev.Played):
        return
    whole = replace(stage.scene, position=played.position)
    points = [point for point in POINTS if played.position.count(player, point)]
    stage.chance.shuffle(points)
    lost = Loose(player, stage.places.beside())
    for point in points:
        after = having(without(whole, player, point), player, lost)
        ruling = judge(case.before, player, played.roll, after.position)
        if ruling.faults is Fault.CHECKER_COUNT and after.position.on_board(player):
            break
    else:
        return
    stage.going_on = Situation(kind, player)
    stage.put(player, played.position)
    stage.put(player, after.position, loose=after.loose)
    yield stage.shot(player, 0.8, "moves")
    yield _flagged(stage, played, after.position, ruling)
    stage.going_on = None
    found = CheckerFound(at_s=0, player=player, to_bar=True)
    stage.put(player.opponent, having(after, player, BAR).position)
    yield stage.shot(player.opponent, 1.4, "the lost checker is found", found, said=(found,))


def _in_tray(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A hit checker is put in the tray instead of on the bar; its owner puts it right after the lift (T14)."""
    played, player, other = case.event, case.player, case.player.opponent
    if not isinstance(played, ev.Played) or not any(move.hit for move in played.play.moves):
        return
    after = _displaced(played.position, other, BAR, OFF)
    ruling = judge(case.before, player, played.roll, after) if after else None
    if after is None or ruling is None or ruling.faults is not Fault.CHECKER_COUNT:
        return
    stage.going_on = Situation(kind, player)
    stage.put(player, after)
    yield stage.shot(player, 0.8, "moves")
    yield _flagged(stage, played, after, ruling)
    stage.put(other, played.position, Deed.PUT_BACK)
    yield _corrected(stage, played)


def _taken_back(stage: Stage, case: Case, kind: str) -> Iterator[Shot]:
    """A legal play is changed after the lift, and has to be as it was (T15)."""
    played, player = case.event, case.player
    if not isinstance(played, ev.Played) or not played.position.on_board(player):
        return
    others = [one.after for one in legal_plays(case.before, player, played.roll) if one.after != played.position]
    if not others:
        return
    stage.put(player, stage.chance.choice(others))
    yield stage.shot(player, 2.4, f"{player} plays otherwise after the lift", situation=Situation(kind, player))
    stage.put(player, played.position, Deed.PUT_BACK)
    yield stage.shot(player, 1.4, f"{player} has to leave his play")


PLAY_TROUBLES = (
    *(Trouble(kind, Moment.PLAY, _illegal, changes_course=True) for kind in PLAY_FAULTS),
    Trouble("short_play", Moment.PLAY, _short),
    Trouble("between_points", Moment.PLAY, _between),
    Trouble("lost_checker", Moment.PLAY, _lost, changes_course=True),
    Trouble("hit_into_tray", Moment.PLAY, _in_tray),
    Trouble("takeback_after_lift", Moment.LIFTED, _taken_back),
)
