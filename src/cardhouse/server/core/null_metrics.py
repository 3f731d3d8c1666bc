"""The metrics interface, without effect; `metrics` implements it with Prometheus counters."""


class NullMetrics:
    """Ignores every event. Some are reported from other threads."""

    def answered(self, game: str, outcome: str, seconds: float) -> None:
        """Count an answer that was `saved`, `repeated` (saved before), or refused with this error code."""

    def saved(self, entries: int, seconds: float) -> None:
        """Count a transaction that saved this many entries."""

    def refused(self, code: str) -> None:
        """Count a refusal, with this error code, of anything but an answer."""

    def worked(self, lane: str, seconds: float) -> None:
        """Count a finished job of a worker process; `seconds` is the time since it was requested."""
