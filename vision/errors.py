"""What goes wrong inside `vision`."""


class VisionError(Exception):
    """Base of every error raised by `vision`."""


class PictureError(VisionError, ValueError):
    """A picture that cannot be decoded or is not fit to be read."""


class SourceError(VisionError, OSError):
    """A source of pictures that cannot be opened or has gone."""
