"""Counts of values, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.lab.kernels.compiled import compiled

Rows = NDArray[np.int16]
Numbers = NDArray[np.int64]


@compiled
def count(rows: Rows, sizes: Numbers, counts: Numbers) -> None:
    """Count the values of each column; one that is too high counts as the highest.

    `sizes`, of shape (columns,), is the number of values of each; `counts`, of shape (sum of the sizes,), has them
    column after column.
    """
    for row in range(rows.shape[0]):
        begin = 0
        for column in range(sizes.size):
            counts[begin + min(rows[row, column], sizes[column] - 1)] += 1
            begin += sizes[column]


@compiled
def count_both(rows: Rows, others: Rows, sizes: Numbers, other_sizes: Numbers, counts: Numbers) -> None:
    """Count the pairs of values of two variants' columns: for each value of a column here, those there."""
    for row in range(rows.shape[0]):
        begin = 0
        for column in range(sizes.size):
            here, there = min(rows[row, column], sizes[column] - 1), min(others[row, column], other_sizes[column] - 1)
            counts[begin + here * other_sizes[column] + there] += 1
            begin += sizes[column] * other_sizes[column]
