"""The self-test in plain words."""

from __future__ import annotations

from rules.clock import NO_CLOCK, ClockRule
from webui.languages import gettext as _
from webui.setup.port import SelfTest


def corner_names() -> tuple[str, ...]:
    """The corners of the field of 24 points as seen in the picture, clockwise."""
    return _("Top left"), _("Top right"), _("Bottom right"), _("Bottom left")


def homes() -> dict[str, str]:
    """The four ways a board can lie before the camera."""
    return {
        "bottom-right": _("White sits at the bottom of the picture and bears off at the right"),
        "bottom-left": _("White sits at the bottom of the picture and bears off at the left"),
        "top-right": _("White sits at the top of the picture and bears off at the right"),
        "top-left": _("White sits at the top of the picture and bears off at the left"),
    }


def test_lines(tested: SelfTest) -> list[tuple[bool, str]]:
    """Each finding as a sentence, and whether it is as it should be."""
    if tested.refused:
        return [(False, tested.refused)]
    lines = [
        (True, _("%(right)d of %(all)d checkers stand right.", right=tested.right, all=tested.checkers)),
        (not tested.alike, _colours(tested)),
    ]
    light = _light(tested)
    return [*lines, (not light, _("Light: %(light)s.", light=", ".join(light) or _("even")))]


def _colours(tested: SelfTest) -> str:
    if tested.alike:
        return _("Colours learned, but they differ little: mistakes are likely in bad light.")
    return _("Colours learned.")


def _light(tested: SelfTest) -> list[str]:
    """What is wrong with the light."""
    told = [_("dark: a lamp would help")] if tested.dark else []
    if tested.blown:
        told.append(_("a lamp is mirrored in the board: move it"))
    sides = {
        "left": _("a bit dark at the left"),
        "right": _("a bit dark at the right"),
        "top": _("a bit dark at the top"),
        "bottom": _("a bit dark at the bottom"),
    }
    if tested.dim_at in sides:
        told.append(sides[tested.dim_at])
    return told


def clock_words(clock: ClockRule) -> str:
    """The clock of a rule profile, to be set by the players."""
    if clock == NO_CLOCK:
        return _("no clock")
    return _(
        "clock: %(delay)g s a turn, %(reserve)g min a point",
        delay=clock.delay_s,
        reserve=clock.reserve_s_per_point / 60,
    )
