"""The plan file of `schiri simulate`: what is to be filmed, where a seed alone leaves it to chance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from calibration.profile import explain
from device.errors import DeviceError, naming
from device.jsonfile import read_model
from device.match_formats import FORMATS, read_match
from device.matchfile import MatchFile
from rules.codecs.mat_read import read_mat
from rules.events import MatchStarted
from rules.transcript import PlayedThrough, play_through
from vision.synth.story.faults import FAULTS, TROUBLES, check_faults
from vision.synth.story.plan import Plan, Wanted

ALL = "all"
DEFAULT_LENGTH = 1


class PlannedFault(BaseModel):
    """A fault, and the throw (from 1) before which it does not happen; a name alone means as soon as it can."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str
    turn: Annotated[int, Field(ge=1)] = 1

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: Any) -> Any:
        return {"kind": given} if isinstance(given, str) else given


class PlanFile(BaseModel):
    """See *Plan file* in docs/formats.md; every key is optional."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: Annotated[int, Field(ge=0, le=999_999_999)] | None = None
    length: Annotated[int, Field(ge=1, le=99)] | None = None
    match: Annotated[str, Field(min_length=1)] | None = None
    faults: tuple[PlannedFault, ...] = ()
    resignations: bool = True
    done: bool = True

    @model_validator(mode="after")
    def _one_length(self) -> PlanFile:
        if self.match is not None and self.length is not None:
            raise ValueError("length and match: the match says how long it is; leave length out")
        return self


def plan_of(
    path: Path | None, *, seed: int | None, length: int | None, faults: Iterable[str]
) -> tuple[Plan, MatchFile]:
    """The plan in the file at `path` (JSON, or a match file), with what the command line adds; and its match.

    Raises DeviceError or FaultError, naming the file and what is wrong with it, or OSError.
    """
    if path is None:
        file, told = PlanFile(), None
    elif path.suffix.lower() != ".json":
        if path.suffix.lower() not in FORMATS:
            raise DeviceError(f"{path}: a plan is a .json file, or a match file such as .mat")
        file, told = PlanFile(), read_match(path)
    else:
        file = read_model(path, PlanFile)
        told = None if file.match is None else _match(path, file.match)
    if told is not None and length is not None:
        raise DeviceError(f"{path}: the match says how long it is; leave --length out")
    wanted = (*file.faults, *(PlannedFault(kind=kind) for kind in faults))
    with naming(path or "--faults"):
        plan = Plan(
            seed=seed if seed is not None else file.seed or 0,
            length=length or file.length or DEFAULT_LENGTH,
            faults=_expanded(wanted, told=told is not None),
            told=None if told is None else told.events,
            resignations=file.resignations,
            done=file.done,
        )
        return (plan, MatchFile(length=plan.length)) if told is None else _as_told(plan, told)


def _match(path: Path, match: str) -> PlayedThrough:
    """The match of a plan: the text of a .mat file, or the path of a match file as seen from the plan."""
    if "\n" not in match:
        return read_match(path.parent / match)
    with naming(f"{path}: match"):
        return play_through(read_mat(match))


def _expanded(faults: Iterable[PlannedFault], *, told: bool) -> tuple[Wanted, ...]:
    """Each fault once, `all` replaced by all that there is room for. Raises FaultError for one that is not known."""
    found: dict[str, Wanted] = {}
    for fault in faults:
        kinds = [kind for kind in FAULTS if not (told and TROUBLES[kind].changes_course)]
        for kind in kinds if fault.kind == ALL else [fault.kind]:
            found.setdefault(kind, Wanted(kind, fault.turn))
    check_faults(found, told=told)
    return tuple(found.values())


def _as_told(plan: Plan, told: PlayedThrough) -> tuple[Plan, MatchFile]:
    begin = told.events[0]
    if not isinstance(begin, MatchStarted) or len(told.events) < 2:
        raise DeviceError("there is no game in this match")
    length = told.state.length
    try:
        match = MatchFile(length=length, white=begin.white, black=begin.black, profile=begin.profile)
    except ValidationError as error:
        raise DeviceError(f"cannot be filmed: {explain(error, set(MatchFile.model_fields))}") from None
    return replace(plan, length=length), match
