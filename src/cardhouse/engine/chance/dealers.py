"""Who answers chance. A dealer picks one of *n* equally likely outcomes; rules never see it."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final, Protocol

from cardhouse.engine.values.errors import CardhouseError

SEED_BYTES: Final = 32


class Dealer(Protocol):
    """Picks for the `number`-th draw of a table (1 is the first), caused by the answer with this `id`."""

    def pick(self, outcomes: int, number: int, id: str) -> int:
        """A number from 0 to `outcomes - 1`."""
        ...


class FairDealer:
    """Draws that nobody can foresee and anybody can check afterwards (see docs/transcript.md, the fair deal).

    `seed` is 32 bytes, secret until the table ends.
    """

    def __init__(self, seed: bytes | None = None) -> None:
        """Deal from a seed, or from a new one.

        Raises CardhouseError if it hasn't 32 bytes: from a shorter one the commitment would tell it.
        """
        self.seed = secrets.token_bytes(SEED_BYTES) if seed is None else seed
        if len(self.seed) != SEED_BYTES:
            raise CardhouseError(f"A seed has {SEED_BYTES} bytes, not {len(self.seed)}.")
        self.commitment: Final = hashlib.sha256(self.seed).hexdigest()
        """What is told of the seed beforehand: its SHA-256, in hex."""
        self._keyed = hmac.new(self.seed, digestmod="sha256")  # a copy is made faster than another

    def __reduce__(self) -> tuple[type["FairDealer"], tuple[bytes]]:
        """What a copy is made of, for agents that copy and pickle whole tables: an HMAC can't be pickled."""
        return FairDealer, (self.seed,)

    def pick(self, outcomes: int, number: int, id: str) -> int:
        """HMAC-SHA-256 of number, id and try, without bias: values above the last whole multiple are tried anew."""
        limit = (1 << 256) // outcomes * outcomes
        attempt = 0
        while True:
            value = int.from_bytes(self.digest(f"{number}:{id}:{attempt}".encode()), "big")
            if value < limit:
                return value % outcomes
            attempt += 1

    def digest(self, message: bytes) -> bytes:
        """HMAC-SHA-256 of a message, keyed with the seed: 32 bytes."""
        keyed = self._keyed.copy()
        keyed.update(message)
        return keyed.digest()


class SeededDealer(FairDealer):
    """The same from a small number, for `--seed`, tests and simulation: one seed, one game."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(hashlib.sha256(f"cardhouse {seed}".encode()).digest())


class ScriptedDealer:
    """Gives the picks it was told, then the first outcome of each draw, and remembers how many there were.

    `cardhouse.engine.table.enumerate` goes through every outcome with it.
    """

    def __init__(self, picks: Sequence[int] = ()) -> None:
        self.picks = list(picks)
        self.widths: list[int] = []

    def pick(self, outcomes: int, number: int, id: str) -> int:
        """The next pick of the script."""
        place = len(self.widths)
        self.widths.append(outcomes)
        return self.picks[place] if place < len(self.picks) else 0
