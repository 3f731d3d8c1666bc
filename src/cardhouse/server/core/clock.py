"""The clock a server goes by."""

from typing import Protocol


class Clock(Protocol):
    """What tells the time: the module `time`, unless a test has one of its own."""

    def time(self) -> float:
        """What time it is, in Unix seconds."""
        ...

    def monotonic(self) -> float:
        """Seconds since some moment or other, whatever anybody sets the time to."""
        ...
