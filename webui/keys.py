"""What opens doors: the hash of the director's PIN, and the secret that signs sessions and makes the players' codes."""

from __future__ import annotations

import hmac
import threading
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from rules.position import Player

CODE_DIGITS = 5
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

    def seat_code(self, match_id: str, player: Player) -> str:
        """The five digits that open the seat of `player` in that match, and in no other."""
        digest = hmac.digest(self.secret, f"seat {player} {match_id}".encode(), "sha256")
        return f"{int.from_bytes(digest[:8], 'big') % 10**CODE_DIGITS:0{CODE_DIGITS}}"

    def seat_of(self, match_id: str, code: str) -> Player | None:
        """Whose code it is in that match; None for nobody's."""
        given = code.encode()
        return next((p for p in Player if hmac.compare_digest(self.seat_code(match_id, p).encode(), given)), None)
