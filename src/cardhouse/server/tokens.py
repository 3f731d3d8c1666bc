"""Random names: of tables, for people to read; of links, for nobody to guess."""

import secrets

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without those that are taken for one another
_LENGTH = 8


def new_table_id() -> str:
    """A name for a table."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def is_table_id(text: str) -> bool:
    """Whether a table may be called so; what isn't is not even looked for."""
    return len(text) == _LENGTH and all(letter in _LETTERS for letter in text)


def new_token() -> str:
    """The secret of a seat's link: 128 bits as 22 characters."""
    return secrets.token_urlsafe(16)
