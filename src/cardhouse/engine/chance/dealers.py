"""Dealers: sources of chance. A dealer picks one of *n* equally likely outcomes; rules never see it."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final, Protocol

from cardhouse.engine.values.errors import CardhouseError

SEED_BYTES: Final = 32


class Dealer(Protocol):
    """A source of chance for a table's draws. Draws are numbered from 1; `id` is the answer that caused one."""

    def pick(self, outcomes: int, number: int, id: str) -> int:
        """Return a number from 0 to `outcomes - 1`."""
        ...


class FairDealer:
    """A dealer whose draws can't be predicted, and can be checked afterwards (docs/transcript.md, the fair deal).

    `seed` is 32 bytes, secret until the table ends.
    """

    def __init__(self, seed: bytes | None = None) -> None:
        """Deal from a seed, or from a new one.

        Raises CardhouseError unless it has 32 bytes: the commitment would reveal a shorter one.
        """
        self.seed = secrets.token_bytes(SEED_BYTES) if seed is None else seed
        if len(self.seed) != SEED_BYTES:
            raise CardhouseError(f"A seed has {SEED_BYTES} bytes, not {len(self.seed)}.")
        self.commitment: Final = hashlib.sha256(self.seed).hexdigest()
        """The SHA-256 of the seed, in hex, published in advance."""
        self._keyed = hmac.new(self.seed, digestmod="sha256")  # copying a keyed HMAC is faster than making one

    def __reduce__(self) -> tuple[type["FairDealer"], tuple[bytes]]:
        """Copy from the seed alone, for agents that copy and pickle tables: an HMAC can't be pickled."""
        return FairDealer, (self.seed,)

    def pick(self, outcomes: int, number: int, id: str) -> int:
        """Pick by HMAC-SHA-256 of number, id and attempt.

        Values above the last whole multiple are rejected, to avoid bias.
        """
        limit = (1 << 256) // outcomes * outcomes
        attempt = 0
        while True:
            value = int.from_bytes(self.digest(f"{number}:{id}:{attempt}".encode()), "big")
            if value < limit:
                return value % outcomes
            attempt += 1

    def digest(self, message: bytes) -> bytes:
        """Return the HMAC-SHA-256 of a message, keyed with the seed: 32 bytes."""
        keyed = self._keyed.copy()
        keyed.update(message)
        return keyed.digest()


class SeededDealer(FairDealer):
    """A fair dealer from a small integer, for `--seed`, tests and simulations: one seed, one game."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(hashlib.sha256(f"cardhouse {seed}".encode()).digest())


class ScriptedDealer:
    """A dealer that follows a script, then picks the first outcome, and records the width of each draw.

    `cardhouse.engine.table.enumerate` uses it to go through every outcome.
    """

    def __init__(self, picks: Sequence[int] = ()) -> None:
        self.picks = list(picks)
        self.widths: list[int] = []

    def pick(self, outcomes: int, number: int, id: str) -> int:
        """Return the next pick of the script."""
        place = len(self.widths)
        self.widths.append(outcomes)
        return self.picks[place] if place < len(self.picks) else 0
