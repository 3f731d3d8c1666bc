"""How often each value of each measure came up: whole numbers, so that the order of adding up never matters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhouse.lab.question import Question

    Counts = NDArray[np.int64]


class Tally(NamedTuple):
    """What so many trials came to: for each measure an int64 array of how often each value came up.

    Beside another variant, played on the same trials, it is of shape (size, size there): how often each value came up
    here and there together.
    """

    trials: int
    counts: tuple[Counts, ...]

    def with_(self, other: Tally) -> Tally:
        """This and other trials."""
        added = zip(self.counts, other.counts, strict=True)
        return Tally(self.trials + other.trials, tuple(one + more for one, more in added))

    def here(self) -> tuple[Counts, ...]:
        """The counts of the variant asked about."""
        return tuple(counts if counts.ndim == 1 else counts.sum(axis=1) for counts in self.counts)

    def there(self) -> tuple[Counts, ...]:
        """The counts of the variant it is compared with."""
        return tuple(counts.sum(axis=0) for counts in self.counts)


def no_trials(question: Question, versus: Question | None) -> Tally:
    """No trials yet."""
    import numpy as np

    sizes = [(measure.size,) for measure in question.measures()]
    if versus is None:
        return Tally(0, tuple(np.zeros(size, np.int64) for size in sizes))
    others = [(measure.size,) for measure in versus.measures()]
    return Tally(0, tuple(np.zeros(size + other, np.int64) for size, other in zip(sizes, others, strict=True)))


def played(question: Question, versus: Question | None, seed: int, first: int, count: int) -> Tally:
    """The trials `first` to `first + count - 1`, played and counted; both variants with the same chance.

    Raises CardhouseError if they can't be played.
    """
    from cardhouse.lab.kernels import counting

    rows = question.rows(seed, first, count)
    _, counts = tally = no_trials(question, versus)
    if versus is None:
        for column, counted in enumerate(counts):
            counting.count(rows, column, counted)
    else:
        others = versus.rows(seed, first, count)
        for column, counted in enumerate(counts):
            counting.count_both(rows, others, column, counted)
    return tally._replace(trials=count)
