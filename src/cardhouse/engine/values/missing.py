"""Letters that no typeface has: a mark replaces them, and the output lists them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

MARK: Final = "\N{BLACK SQUARE}"
"""The mark that replaces a letter which can't be printed."""
MOST: Final = 20
"""The most such letters that are listed."""

_missing: ContextVar[dict[str, None] | None] = ContextVar("missing", default=None)


@contextmanager
def missing_letters() -> Iterator[list[str]]:
    """Yield a list that is filled at the end of the block: a sentence for each missing letter, with the reason."""
    found: dict[str, None] = {}
    collected: list[str] = []
    token = _missing.set(found)
    try:
        yield collected
    finally:
        _missing.reset(token)
        sentences = list(found)
        collected += sentences[:MOST]
        if len(sentences) > MOST:
            collected.append(f"{len(sentences) - MOST} more letters are missing from the font.")


def note(sentence: str) -> None:
    """Record a sentence about a missing letter."""
    if (found := _missing.get()) is not None:
        found[sentence] = None
