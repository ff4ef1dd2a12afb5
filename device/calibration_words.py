"""What `schiri calibrate` says about a fit, in words and numbers."""

from __future__ import annotations

import math

import numpy as np

from calibration.fit import POINT_MM, Fit
from calibration.profile import BgrColour
from vision.standing import QUARTERS, Still

UNEVEN, DARK, BLOWN = 0.75, 25.0, 0.08
APART = 18.0
"""Colours closer than this (L*a*b*) are told apart badly."""


def fit_words(fit: Fit, checkers: int) -> list[str]:
    """How well corners and checkers fit, where the camera is, how large things are."""
    across, high = fit.field_mm
    wide, thick = fit.checker_mm
    bar = f"bar {fit.bar_mm:.0f} mm" if fit.bar_mm else "no bar"
    return [
        f"corners to {fit.corners_px:.1f} px, {checkers} checkers to {fit.checkers_px:.1f} px",
        (
            f"camera {fit.height_mm / 1000:.2f} ± {fit.height_deviation_mm / 1000:.2f} m above the board, "
            f"{math.degrees(fit.oblique_rad):.0f} ± {math.degrees(fit.oblique_deviation_rad):.0f}° off the vertical"
        ),
        (
            f"field {across:.0f} × {high:.0f} mm, {bar}, checkers {wide:.0f} mm wide and about {thick:.0f} mm thick "
            f"(lengths as if a point were {POINT_MM:.0f} mm wide)"
        ),
    ]


def colour_words(still: Still) -> list[str]:
    """Both colours, and whether they differ enough."""
    assert still.lab is not None
    assert still.bgr is not None
    apart = float(np.linalg.norm(np.subtract(*still.lab)))
    told = [f"white {_rgb(still.bgr[0])}, black {_rgb(still.bgr[1])} (red, green, blue)"]
    if apart < APART:
        told[0] += ": they differ little, mistakes are likely in bad light"
    return told


def _rgb(bgr: BgrColour) -> str:
    return " ".join(str(v) for v in reversed(bgr))


def light_words(still: Still) -> str:
    """How light and even it is."""
    bright, dim = max(still.quarters), min(still.quarters)
    parts = []
    if bright < DARK:
        parts.append("dark")
    if dim < UNEVEN * bright:
        parts.append(
            f"darker at the {QUARTERS[still.quarters.index(dim)]} ({dim / bright:.0%} of the brightest quarter)"
        )
    if still.blown > BLOWN:
        parts.append(f"{still.blown:.0%} of the board is as bright as a picture can be")
    return "light: " + ("; ".join(parts) if parts else "even")
