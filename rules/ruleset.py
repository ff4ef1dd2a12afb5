"""Which rules are played where they differ."""

from __future__ import annotations

from dataclasses import dataclass

from rules.errors import RulesetError


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A named profile of rule options and where they come from."""

    name: str
    source: str
    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: bool = False
    backgammon_needs_none_off: bool = True


CLUB_DE = Ruleset(name="club-de", source="seeds/000")
PROFILES = {"club-de": CLUB_DE}


def profile(name: str) -> Ruleset:
    """The profile of that name.

    Raises:
        RulesetError: there is none; the message lists those there are.
    """
    try:
        return PROFILES[name]
    except KeyError:
        raise RulesetError(f"no rule profile {name!r}; there are {', '.join(PROFILES)}") from None
