"""Random table ids, which people can read, and link secrets, which nobody can guess."""

import hashlib
import secrets

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without letters and digits that look alike
_LENGTH = 8


_KIN = 2
"""Tables whose ids share this many leading letters are kin: the same worker process has them."""


def new_table_id(beside: str = "") -> str:
    """Return a new table id, kin to the table `beside` if one is given."""
    kin = beside[:_KIN]
    return kin + "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH - len(kin)))


def kin_of(id: str) -> int:
    """Return a number below 1000 that kin tables share, evenly distributed. `id` must be a table id."""
    number = 0
    for letter in id[:_KIN]:
        number = number * len(_LETTERS) + _LETTERS.index(letter)
    return number


def clean_code(code: str) -> str:
    """Return a typed code without spaces, dashes and other separators, in lower case."""
    return "".join(letter for letter in code.lower() if letter in _LETTERS)


def is_table_id(text: str) -> bool:
    """Return whether `text` has the form of a table id; nothing else is looked up."""
    return len(text) == _LENGTH and all(letter in _LETTERS for letter in text)


def new_code() -> str:
    """Return the secret of a join code: 39 bits, which are enough because guesses are limited and their hash is slow.

    `join_codes.JoinCodes` has the hash, and `rate_limits.guessing` the limit.
    """
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def is_code(text: str) -> bool:
    """Return whether `text` has the form of a join code in lower case."""
    return is_table_id(text)


def new_mark() -> str:
    """Return a random mark by which clients recognise a join code; nothing about the code follows from it."""
    return secrets.token_hex(8)


def new_token() -> str:
    """Return the secret of a seat's link: 128 bits as 22 characters."""
    return secrets.token_urlsafe(16)


def hash_of(token: str) -> str:
    """Return the SHA-256, in hexadecimal, under which a link's secret is stored; only for secrets of 128 bits."""
    return hashlib.sha256(token.encode()).hexdigest()
