"""What opens the director's door: the hash of the PIN, and the secret that signs sessions."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

_HASHER = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)


def hashed(pin: str) -> str:
    """The PIN as it is kept (argon2id)."""
    return _HASHER.hash(pin)


@dataclass(frozen=True, slots=True)
class Keys:
    """`pin_hash` as `hashed` makes it; `secret` signs the sessions, and with a new one all of them end."""

    pin_hash: str
    secret: bytes
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock, compare=False)

    def opens(self, pin: str) -> bool:
        """Whether this is the PIN. One is looked at after the other: each takes 64 MiB for a moment."""
        with self._one_at_a_time:
            try:
                return _HASHER.verify(self.pin_hash, pin)
            except (VerificationError, InvalidHashError):
                return False
