"""The match file: who plays, how long, by which rules, who may be told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from device.errors import DeviceError
from device.jsonfile import read_model
from rules.errors import RulesError
from rules.events import MatchStarted, Role
from rules.position import Player
from rules.ruleset import profile

Name = Annotated[str, Field(min_length=1, max_length=80)]


class Seats(BaseModel):
    """Who sits at the camera's near side."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    near: Player


class MatchFile(BaseModel):
    """See *Match file* in docs/formats.md; every key is optional. Length 0 is money play."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    length: Annotated[int, Field(ge=0, le=99)] = 5
    white: Name = "White"
    black: Name = "Black"
    profile: str = "club-de"
    role: Literal["referee", "recorder", "practice"] = "recorder"
    consent: bool = False
    seats: Seats | None = None

    def started(self, at_s: float, checkers: int) -> MatchStarted:
        """The event that begins this match."""
        return MatchStarted(
            at_s=at_s,
            length=self.length,
            white=self.white,
            black=self.black,
            profile=self.profile,
            role=Role(self.role),
            consent=self.consent,
            checkers=checkers,
        )


def read_match(path: Path) -> MatchFile:
    """The match file at `path`. Raises DeviceError, naming file and key, or OSError."""
    match = read_model(path, MatchFile)
    try:
        profile(match.profile)
    except RulesError as error:
        raise DeviceError(f"{path}: profile: {error}") from None
    return match
