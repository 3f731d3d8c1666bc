"""Counting how often each value came up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.lab.kernels.compiled import compiled

Rows = NDArray[np.int16]
Counts = NDArray[np.int64]


@compiled
def count(rows: Rows, column: int, counts: Counts) -> None:
    """Count the values of a column; one that is too high counts as the highest there is. `counts` is (size,)."""
    last = counts.size - 1
    for row in range(rows.shape[0]):
        counts[min(rows[row, column], last)] += 1


@compiled
def count_both(rows: Rows, others: Rows, column: int, counts: Counts) -> None:
    """Count the pairs of values of two variants' columns; `counts` is (size here, size there)."""
    last, other_last = counts.shape[0] - 1, counts.shape[1] - 1
    for row in range(rows.shape[0]):
        counts[min(rows[row, column], last), min(others[row, column], other_last)] += 1
