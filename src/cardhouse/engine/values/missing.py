"""Letters that no typeface has: a mark stands in their place, and what is printed says which they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

MARK: Final = "\N{BLACK SQUARE}"
"""What stands in the place of a letter that can't be printed."""
MOST: Final = 20
"""So many of them are listed."""

_missing: ContextVar[dict[str, None] | None] = ContextVar("missing", default=None)


@contextmanager
def missing_letters() -> Iterator[list[str]]:
    """A list of sentences, complete after the block: each says where a letter is missing, and why."""
    found: dict[str, None] = {}
    told: list[str] = []
    token = _missing.set(found)
    try:
        yield told
    finally:
        _missing.reset(token)
        sentences = list(found)
        told += sentences[:MOST]
        if len(sentences) > MOST:
            told.append(f"{len(sentences) - MOST} more letters can't be printed.")


def note(sentence: str) -> None:
    """A letter is missing."""
    if (found := _missing.get()) is not None:
        found[sentence] = None
