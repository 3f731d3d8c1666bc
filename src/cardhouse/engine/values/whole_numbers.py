"""Bounded types for the numbers in requests, frames, files and answers.

A field of such a type refuses numbers that JavaScript, a database or a C library can't hold. What uses the field may
narrow them further.
"""

from typing import Annotated, Final

from msgspec import Meta

LARGEST: Final = 2**53 - 1
"""The largest integer that JavaScript represents exactly."""

Whole = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Count = Annotated[int, Meta(ge=0, le=LARGEST)]
Ordinal = Annotated[int, Meta(ge=1, le=LARGEST)]
"""A number in a sequence that begins with 1."""
Share = Annotated[float, Meta(ge=0, le=1)]
Seed = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""A seed of the lab, which has 64 bits."""
