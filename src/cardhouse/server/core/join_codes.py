"""The slow hash under which join codes are stored, because a fast one of so short a secret could be reversed."""

import asyncio
import hashlib
from collections import OrderedDict

from cardhouse.server.core.tokens import hash_of

MEMORY = 1 << 14
"""The cost parameter of scrypt: one hash takes 16 MiB and about 40 ms, so all 39-bit codes take centuries."""
REMEMBERED = 1000
"""How many codes' hashes stay in memory, so that a code which is used again costs nothing."""


class JoinCodes:
    """Computes the hashes of join codes, with the salt of one database."""

    def __init__(self, salt: str) -> None:
        self._salt = salt
        self._known: OrderedDict[str, str] = OrderedDict()
        self._turn = asyncio.Lock()

    async def hash_of_new(self, code: str) -> str:
        """Return the hash of a new code, which waits for no guesses."""
        return await asyncio.to_thread(slow_hash_of, hash_of(code), self._salt)

    async def hash_of(self, code: str) -> str:
        """Return the hash of a code that somebody gave. One such hash is computed at a time, in a thread."""
        fast = hash_of(code)
        async with self._turn:
            if fast not in self._known:
                self._known[fast] = await asyncio.to_thread(slow_hash_of, fast, self._salt)
                if len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
            self._known.move_to_end(fast)
            return self._known[fast]


def slow_hash_of(fast: str, salt: str) -> str:
    """Return the stored hash, in hexadecimal, of a code whose SHA-256 is `fast`; the salt is hexadecimal, too."""
    memory = 2 * 128 * 8 * MEMORY
    hashed = hashlib.scrypt(bytes.fromhex(fast), salt=bytes.fromhex(salt), n=MEMORY, r=8, p=1, maxmem=memory, dklen=32)
    return hashed.hex()
