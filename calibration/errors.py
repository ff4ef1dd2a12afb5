"""What goes wrong inside `calibration`."""


class CalibrationError(Exception):
    """Base of every error raised by `calibration`."""


class JsonError(CalibrationError, ValueError):
    """Text that is not JSON; the message says where it goes wrong."""


class GeometryError(CalibrationError, ValueError):
    """Corners or a bar that cannot be a board."""
