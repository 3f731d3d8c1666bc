"""The server's clock."""

from typing import Protocol


class Clock(Protocol):
    """A source of time: the module `time`, or a test's own clock."""

    def time(self) -> float:
        """Return the time in Unix seconds."""
        ...

    def monotonic(self) -> float:
        """Return seconds since an arbitrary moment; changes of the system time don't affect it."""
        ...
