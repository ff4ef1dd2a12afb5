"""The referee without pixels: whatever it is shown, what it says folds into a match (`Table.see` compares them)."""

import random
from collections import Counter

from rules.cube import Cube
from rules.match import Phase
from rules.movegen import legal_plays
from rules.position import START, Player, Position, side_of
from rules.reading import CubePlace, CubeReading, DieReading, DieState, Reading
from rules.referee import Setup
from rules.rehearsal import LEFT_HALF, Table, die, reading, roll, types
from rules.roll import Roll
from rules.ruleset import PROFILES, DiceZone

NEARLY_OVER = Position(side_of({1: 2}, 13), side_of({1: 2}, 13))


def thrown(rng: random.Random) -> tuple[DieReading, ...]:
    """No dice, two in one half, the opening's two, or anything."""
    a, b = rng.randint(1, 6), rng.randint(1, 6)
    spots = [(x, rng.choice((0.3, 0.5))) for x in (0.2, 0.3, 0.7, 0.8)]
    odd = [die(rng.randint(1, 6), rng.choice(spots), rng.choice(list(DieState))) for _ in range(4)]
    ways = ((), (), roll(a, b, LEFT_HALF), roll(a, b), (die(a, LEFT_HALF), die(b)), tuple(odd[: rng.randint(1, 4)]))
    return rng.choice(ways)


def cube(rng: random.Random, now: Cube) -> CubeReading | None:
    """Mostly the doubled cube, offered or taken."""
    value = rng.choice((2 * now.value, 2 * now.value, now.value, None))
    return rng.choice((None, CubeReading(value, rng.choice(list(CubePlace)), rng.random() < 0.5, 0.9)))


def picture(rng: random.Random, table: Table) -> Reading:
    """The board as it was, after a legal play, set up anew or all wrong; now and then in doubt, or under a hand."""
    player = table.match.turn or rng.choice(list(Player))
    before, roll, last = table.board, table.match.roll, table.referee.open_play
    if roll is None and last is not None:
        before, roll, player = last.befores[0].position, last.roll, last.player
    plays = [legal.after for legal in legal_plays(before, player, roll or Roll(3, 1))]
    boards = (table.board, table.board, rng.choice(plays), rng.choice(plays), START, NEARLY_OVER)
    doubt = {rng.randint(1, 24): rng.choice((0.0, 1.0, 5.0))} if rng.random() < 0.1 else {}
    offered = table.match.phase is Phase.CUBE_OFFERED
    shown = rng.choices(boards, (30, 10, 30, 20, 40 if offered else 5, 5))[0]
    return reading(shown, *thrown(rng), cube=cube(rng, table.match.cube), doubt=doubt, hands=rng.random() < 0.05)


def test_whatever_is_shown_folds_into_a_match() -> None:
    rng = random.Random(11)
    happened: Counter[str] = Counter()
    for _ in range(60):
        setup = Setup(rng.choice((START, None)), rng.random() < 0.5, rng.choice((None, *DiceZone)))
        table = Table(setup, profile=rng.choice(list(PROFILES)), length=rng.choice((0, 3)))
        table.see(reading(START))
        if rng.random() < 0.5:
            table.stand(NEARLY_OVER, rng.choice(list(Player)))
        while table.match.phase is not Phase.MATCH_OVER and len(table.events) < 60:
            table.see(picture(rng, table))
        happened.update(types(table.events))
    assert {"CubeTaken", "CubeDropped", "PlayFlagged", "PlayCorrected", "Recovered", "GameEnded"} <= set(happened)
