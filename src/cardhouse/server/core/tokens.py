"""Random names: of tables, for people to read; of links, for nobody to guess."""

import hashlib
import secrets

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without those that are taken for one another
_LENGTH = 8


_KIN = 2
"""Tables whose ids begin with the same letters, so many, are kin."""


def new_table_id(beside: str = "") -> str:
    """A name for a table; it is kin to the one `beside`, if one is said."""
    kin = beside[:_KIN]
    return kin + "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH - len(kin)))


def kin_of(id: str) -> int:
    """A number that tables share which are kin, below 1000 and each of them as likely; `id` must be a table's."""
    number = 0
    for letter in id[:_KIN]:
        number = number * len(_LETTERS) + _LETTERS.index(letter)
    return number


def typed(code: str) -> str:
    """A code as somebody typed it, without what is there to read it by."""
    return "".join(letter for letter in code.lower() if letter in _LETTERS)


def is_table_id(text: str) -> bool:
    """Whether a table may be called so; what isn't is not even looked for."""
    return len(text) == _LENGTH and all(letter in _LETTERS for letter in text)


def new_code() -> str:
    """The secret of a table's door, for people to type: 39 bits, which is enough where wrong ones are counted."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def new_token() -> str:
    """The secret of a seat's link: 128 bits as 22 characters."""
    return secrets.token_urlsafe(16)


def hash_of(token: str) -> str:
    """Return the SHA-256 by which a link's secret is stored, in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()
