"""What goes wrong inside `calibration`."""


class CalibrationError(Exception):
    """Base of every error raised by `calibration`."""


class GeometryError(CalibrationError, ValueError):
    """Corners or a bar that cannot be a board."""
