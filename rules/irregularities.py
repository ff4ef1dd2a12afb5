"""What goes wrong at a real table, as a table: what was seen, who may call it, until when, who decides, what follows.

`irregularities(ruleset)` gives the rows as a profile has them. No document rules most of the situations T1
to T18: for those nobody is punished, somebody is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from rules.fold import RUNNING
from rules.irregularity_rows import ROWS, VARIANTS
from rules.match import MatchState, Phase
from rules.position import Player
from rules.ruleset import Ruleset, options


class Caller(StrEnum):
    """Who may bring it up."""

    EITHER = "either player"
    OPPONENT = "the opponent"
    OWN = "the player himself"
    TABLE = "Schiri, from what it sees"
    DIRECTOR = "the director"
    NOBODY = "nobody"


class Until(StrEnum):
    """Until when it may be brought up."""

    LIFT = "until the dice are lifted"
    NEXT_THROW = "until the next throw, valid or not"
    NEXT_VALID_THROW = "until the next valid throw"
    VALID_THROW_OR_DOUBLE = "until the next valid throw or double"
    SECOND_ROUND = "until each player's second turn has ended"
    FIRST_ROLL = "until the first roll"
    GAME_END = "while the game lasts"
    AT_ONCE = "at once"
    NEVER = "never"


class Decider(StrEnum):
    """Who decides what follows."""

    RULE = "the rule"
    OPPONENT = "the opponent"
    PLAYERS = "both players"
    DIRECTOR = "the director"


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One row: `key` names it in events, `clause` is where it is ruled, `seen` and `follows` are in plain words."""

    key: str
    clause: str
    seen: str
    called_by: Caller
    until: Until
    decided_by: Decider
    follows: str


def irregularities(ruleset: Ruleset) -> tuple[Irregularity, ...]:
    """All rows as `ruleset` has them, in the order of their clauses."""
    chosen = options(ruleset)
    rows = []
    for key, clause, seen, called_by, until, decided_by, follows in ROWS:
        row = Irregularity(key, clause, seen, Caller(called_by), Until(until), Decider(decided_by), follows)
        for option, value, name, changes in VARIANTS:
            if name == key and chosen[option] == value:
                row = _changed(row, changes)
        rows.append(row)
    return tuple(rows)


def irregularity(key: str, ruleset: Ruleset) -> Irregularity:
    """The row of that key.

    Raises:
        KeyError: there is none.
    """
    return {row.key: row for row in irregularities(ruleset)}[key]


def window_open(until: Until, state: MatchState) -> bool:
    """Whether something may still be brought up that may be brought up `until` then (R17, R18, R29, R32).

    `state` is that of the match now, the next throw not yet folded in; the director may rule later (R41).
    """
    game = state.game
    if game is None or game.winner is not None or state.phase not in RUNNING:
        return False
    plays = [turn.player for turn in game.turns if turn.roll is not None]
    if until is Until.SECOND_ROUND:
        return min(plays.count(player) for player in Player) < 2
    if until is Until.FIRST_ROLL:
        return not plays and state.roll is None and not state.thrown
    if until is Until.LIFT:
        return state.phase is Phase.TO_PLAY
    if until in (Until.GAME_END, Until.AT_ONCE):
        return True
    if until is Until.NEVER or not plays or state.phase is Phase.TO_PLAY:
        return False
    doubled = state.phase is Phase.CUBE_OFFERED or game.turns[-1].cube is not None
    return not (state.thrown and until is Until.NEXT_THROW) and not (doubled and until is Until.VALID_THROW_OR_DOUBLE)


def _changed(row: Irregularity, changes: dict[str, str]) -> Irregularity:
    """The row with what a profile changes."""
    return replace(
        row,
        called_by=Caller(changes.get("called_by", row.called_by)),
        until=Until(changes.get("until", row.until)),
        decided_by=Decider(changes.get("decided_by", row.decided_by)),
        follows=changes.get("follows", row.follows),
    )
