"""What goes wrong at a real table, as a table: what was seen, who may call it, until when, who decides, what follows.

`irregularities(ruleset)` gives the rows as a profile has them. No document rules most of the situations T1
to T18: for those nobody is punished, somebody is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from rules.irregularity_rows import ROWS, VARIANTS
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


def _changed(row: Irregularity, changes: dict[str, str]) -> Irregularity:
    """The row with what a profile changes."""
    return replace(
        row,
        called_by=Caller(changes.get("called_by", row.called_by)),
        until=Until(changes.get("until", row.until)),
        decided_by=Decider(changes.get("decided_by", row.decided_by)),
        follows=changes.get("follows", row.follows),
    )
