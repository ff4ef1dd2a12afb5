"""What goes wrong inside `rules`: bad input, never an illegal play (that is a Ruling)."""


class RulesError(Exception):
    """Base of every error raised by `rules`."""


class PositionError(RulesError, ValueError):
    """A position cannot be built from what was given."""


class RollError(RulesError, ValueError):
    """Two numbers that no pair of dice can show."""


class PlayError(RulesError, ValueError):
    """Text that is not a play, or a play that does not fit the position."""


class CodecError(RulesError, ValueError):
    """Text in a file format or an identifier that cannot be read or written."""


class EventError(RulesError, ValueError):
    """An event that cannot follow the state it is applied to."""


class RulesetError(RulesError, LookupError):
    """A rule profile that does not exist."""
