"""Counts of each value of each measure, as integers, so that the order of addition never matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhouse.lab.questions.question import Question, Rows

    Counts = NDArray[np.int64]

AT_HAND = 1 << 20
"""The bytes of rows that are played before they are counted."""


class Tally(NamedTuple):
    """The counts of some trials: for each measure an int64 array of how often each value occurred.

    With another variant, played on the same trials, the shape is (size, size there), and pairs of values are counted.
    """

    trials: int
    counts: tuple[Counts, ...]

    def with_(self, other: Tally) -> Tally:
        """Return the sum of this and other trials."""
        added = zip(self.counts, other.counts, strict=True)
        return Tally(self.trials + other.trials, tuple(one + more for one, more in added))

    def with_rows(self, rows: Rows, others: Rows | None = None) -> Tally:
        """Add trials with these rows, and the variant's rows if there is one, in place.

        For few trials only: with many, `kernels.counting` takes a hundredth of the time.
        """
        import numpy as np

        for column, counts in enumerate(self.counts):
            values = (each[:, column] for each in (rows, others) if each is not None)
            np.add.at(counts, tuple(map(np.minimum, values, (size - 1 for size in counts.shape))), 1)
        return Tally(self.trials + len(rows), self.counts)

    def here(self) -> tuple[Counts, ...]:
        """Return the counts of the variant asked about."""
        return tuple(counts if counts.ndim == 1 else counts.sum(axis=1) for counts in self.counts)

    def there(self) -> tuple[Counts, ...]:
        """Return the counts of the variant that it is compared with."""
        return tuple(counts.sum(axis=0) for counts in self.counts)


def no_trials(question: Question, versus: Question | None) -> Tally:
    """Return an empty tally."""
    import numpy as np

    shapes = list(zip(*(_sizes(each) for each in (question, versus) if each), strict=True))
    return Tally(0, tuple(np.zeros(shape, np.int64) for shape in shapes))


def played(question: Question, versus: Question | None, seed: int, first: int, count: int) -> Tally:
    """Play and count the trials `first` to `first + count - 1`; both variants share the same chance.

    Raises CardhouseError if they can't be played.
    """
    import numpy as np

    from cardhouse.lab.kernels import counting

    nothing = no_trials(question, versus)
    counts = np.zeros(sum(each.size for each in nothing.counts), np.int64)
    sizes = np.array(_sizes(question))
    if versus is None:
        for (rows,) in in_batches(seed, first, count, question):
            counting.count(rows, sizes, counts)
    else:
        other_sizes = np.array(_sizes(versus))
        for rows, others in in_batches(seed, first, count, question, versus):
            counting.count_both(rows, others, sizes, other_sizes, counts)
    ends = np.cumsum([each.size for each in nothing.counts])[:-1]
    split = zip(np.split(counts, ends), nothing.counts, strict=True)
    return Tally(count, tuple(part.reshape(each.shape) for part, each in split))


def in_batches(seed: int, first: int, count: int, *questions: Question) -> Iterator[tuple[Rows, ...]]:
    """Yield the rows of these trials for each question in batches, always in the same memory.

    They are counted while in the processor's cache, and threads needn't queue for the system's memory allocator.
    """
    import numpy as np

    columns = [len(question.measures()) for question in questions]
    most = max(1, min(count, AT_HAND // (2 * max(columns))))
    kept = [np.empty((most, number), np.int16) for number in columns]
    for begin in range(first, first + count, most):
        batch = tuple(rows[: min(most, first + count - begin)] for rows in kept)
        for question, rows in zip(questions, batch, strict=True):
            rows[:] = 0
            question.run(seed, begin, rows, None)
        yield batch


def column_of(question: Question, measure: str) -> int:
    """Return the column of this measure in a row; the question must have it."""
    return [one.key for one in question.measures()].index(measure)


def values_of(rows: Rows, column: int, size: int) -> Counts:
    """Return the values of a column as int64; those of `size` and more count as the last."""
    import numpy as np

    return np.minimum(rows[:, column], size - 1).astype(np.int64)


def pairs_of(values: Counts, others: Counts, shape: tuple[int, int]) -> Counts:
    """Return the counts of each pair of values, in this shape, which must hold them."""
    import numpy as np

    return np.bincount(values * shape[1] + others, minlength=shape[0] * shape[1]).reshape(shape)


def added(counts: Sequence[Counts], more: Sequence[Counts]) -> list[Counts]:
    """Return the sum of these counts and more of the same; there may be none yet."""
    return [one + other for one, other in zip(counts, more, strict=True)] if counts else list(more)


def _sizes(question: Question) -> list[int]:
    return [measure.size for measure in question.measures()]
