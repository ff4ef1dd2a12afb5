"""The doubling cube as the record holds it."""

from __future__ import annotations

from dataclasses import dataclass

from rules.position import Player


@dataclass(frozen=True, slots=True)
class Cube:
    """Its value, its owner (None in the middle), and who has just offered it (the value is still the old one)."""

    value: int = 1
    owner: Player | None = None
    offered_by: Player | None = None
