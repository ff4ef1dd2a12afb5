"""What can go wrong at the drawn table, each kind on request."""

from __future__ import annotations

from collections.abc import Iterable

from vision.errors import VisionError
from vision.synth.story.play_faults import PLAY_TROUBLES
from vision.synth.story.table_faults import TABLE_TROUBLES
from vision.synth.story.throw_faults import THROW_TROUBLES
from vision.synth.story.trouble import Trouble

TROUBLES: dict[str, Trouble] = {one.kind: one for one in (*PLAY_TROUBLES, *TABLE_TROUBLES, *THROW_TROUBLES)}
FAULTS = tuple(TROUBLES)
"""The names of all kinds."""


class FaultError(VisionError, ValueError):
    """A fault that the drawn table cannot show."""


def check_faults(kinds: Iterable[str], *, told: bool = False) -> None:
    """Raises FaultError, naming the first kind that is not known or that a match which is `told` has no room for."""
    for kind in kinds:
        if kind not in TROUBLES:
            raise FaultError(f"{kind}: no fault that can be drawn; there are {', '.join(FAULTS)}")
        if told and TROUBLES[kind].changes_course:
            raise FaultError(f"{kind}: would change the match that the file tells; leave out one of them")
