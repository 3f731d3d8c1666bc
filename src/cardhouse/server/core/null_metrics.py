"""What a server counts of what happens in it: nothing, unless somebody wants to know (`metrics`)."""


class NullMetrics:
    """Is told of each thing as it happens, some by threads of their own; this one forgets it."""

    def answered(self, game: str, outcome: str, seconds: float) -> None:
        """An answer was `saved` and acknowledged, `repeated` (it had been saved before) or refused, for this code."""

    def saved(self, entries: int, seconds: float) -> None:
        """So many entries went to the database in one transaction."""

    def refused(self, code: str) -> None:
        """Something else than an answer was refused, for this code."""

    def worked(self, lane: str, seconds: float) -> None:
        """A worker process has done something, so many seconds after it was asked for."""
