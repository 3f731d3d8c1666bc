"""Random numbers that follow from a text, the same here and on the page (web/src/art/drawings.ts)."""

from __future__ import annotations

from collections.abc import Callable

_WRAPPED = 0xFFFFFFFF


def fnv(text: str) -> int:
    """Return the 32-bit FNV-1a hash of a text's UTF-8."""
    found = 0x811C9DC5
    for byte in text.encode():
        found = (found ^ byte) * 0x01000193 & _WRAPPED
    return found


def numbers(seed: int) -> Callable[[], int]:
    """Return a Mulberry32 generator: each call returns the next 32 bits."""
    state = seed

    def following() -> int:
        nonlocal state
        state = state + 0x6D2B79F5 & _WRAPPED
        t = (state ^ state >> 15) * (state | 1) & _WRAPPED
        t ^= t + ((t ^ t >> 7) * (t | 61)) & _WRAPPED
        return (t ^ t >> 14) & _WRAPPED

    return following
