"""The finding that leads an answer: of those that changed, the one that changed most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from cardhouse.lab.statistics.quantiles import z_quantile
from cardhouse.lab.statistics.settling import Gap, gap_to

if TYPE_CHECKING:
    from cardhouse.lab.questions.question import Finding
    from cardhouse.lab.statistics.estimate import Estimate

SATURATED = 0.05
"""A share this near to never or always says little, because hardly anything would change it."""
STEADY = 0.05
"""A share that changes by less than these points, and a mean by less than this part, stays about the same."""
SAME = 1e-9
"""The largest difference between equal numbers."""


class Shift(NamedTuple):
    """A finding that differs between two sides of an answer: two variants, or two combinations of settings.

    `more` is the excess `there`, whose interval decides whether the change is clear; `doubt`, the half-width of what
    was played, ranks it. `places` are the positions of the two sides among the answers.
    """

    finding: Finding
    here: float
    there: float
    more: Estimate
    doubt: float
    places: tuple[int, int] = (0, 0)

    @property
    def is_clear(self) -> bool:
        """Whether the interval of the difference excludes 0."""
        return self.more.is_clear and abs(self.there - self.here) > SAME

    @property
    def is_saturated(self) -> bool:
        """Whether it is a share near never, or near always, on both sides."""
        return is_saturated(self.finding, (self.here, self.there))

    @property
    def is_steady(self) -> bool:
        """Whether its interval shows that it stays about the same; saturated shares stay so anyway."""
        low, high = self.more.low, self.more.high
        if low is None or high is None or self.is_clear or self.is_saturated:
            return False
        return max(-low, high) < STEADY * (1 if self.finding.kind == "share" else abs(self.here))

    @property
    def gap(self) -> Gap:
        """The distance of the difference from 0, and how far its interval reaches towards 0."""
        low, high = self.more.low, self.more.high
        return gap_to(0.0, self.there - self.here, -inf if low is None else low, inf if high is None else high)

    @property
    def errors(self) -> float:
        """The size of the change in half-widths of its interval, which are proportional to standard errors."""
        return abs(self.there - self.here) / self.doubt if self.doubt else inf

    @property
    def rank(self) -> tuple[bool, bool, float, float]:
        """The sort key of the strongest change: in standard errors, then in size; saturated ones come last."""
        size = abs(self.there - self.here) / max(abs(self.here), abs(self.there), SAME)
        return not self.is_saturated, not self.finding.aside, self.errors, size


def is_saturated(finding: Finding, values: Iterable[float | None]) -> bool:
    """Return whether a share is near never everywhere, or near always; so is one that is unknown everywhere."""
    known = [value for value in values if value is not None]
    if not known:
        return True
    return finding.kind == "share" and (max(known) < SATURATED or min(known) > 1 - SATURATED)


def leading(moves: Sequence[Shift], confidence: float) -> Shift | None:
    """Return the strongest clear change; None if none is clear.

    The first move is that of the question's own finding. Any other was picked among many, so its interval must exclude
    0 with the confidence at which all of them hold at once (Bonferroni).
    """
    if not moves:
        return None
    stricter = z_quantile(1 - (1 - confidence) / len(moves)) / z_quantile(confidence)
    clear = [one for one in moves if one.is_clear and (one is moves[0] or one.errors > stricter)]
    return max(clear, key=lambda one: one.rank, default=None)


def most_telling(known: Sequence[tuple[Finding, Sequence[float | None]]]) -> Finding:
    """Return the finding that leads where nothing is compared: the first, or another if that one is saturated.

    Each finding comes with its values. Those about the same measure come first, and those of a line are excluded.
    """
    first, *others = known
    alone = sorted(
        (one for one in others if not one[0].series and not one[0].aside),
        key=lambda one: one[0].measure != first[0].measure,
    )
    return next((finding for finding, values in (first, *alone) if not is_saturated(finding, values)), first[0])
