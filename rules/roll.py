"""A roll of two dice."""

from __future__ import annotations

from dataclasses import dataclass

from rules.errors import RollError


@dataclass(frozen=True, slots=True, order=True)
class Roll:
    """Two dice, the higher first; rolls compare equal whatever the order they were read in."""

    high: int
    low: int

    def __post_init__(self) -> None:
        for die in (self.high, self.low):
            if not 1 <= die <= 6:
                raise RollError(f"a die shows 1 to 6, not {die}")
        if self.low > self.high:
            high, low = self.low, self.high
            object.__setattr__(self, "high", high)
            object.__setattr__(self, "low", low)

    @property
    def is_double(self) -> bool:
        """Both dice show the same."""
        return self.high == self.low

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play: two, or four of a double (R24)."""
        return (self.high,) * 4 if self.is_double else (self.high, self.low)

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"
