"""The records in which kernels keep their plans and tables."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from cardhouse.lab.kernels.compiled import INTERPRETED, in_place


def _first(records: Any) -> Any:
    return records[0]


def _as_python(records: Any) -> Any:
    """Convert a record to a namespace of its arrays, with integers as wide as machine code computes with."""
    fields = {name: records[name][0] for name in records.dtype.names}
    return SimpleNamespace(
        **{
            name: field.astype(np.int64) if field.dtype.itemsize < np.int64().itemsize else field
            for name, field in fields.items()
        }
    )


first_of = _as_python if INTERPRETED else in_place(_first)
"""Returns the only record of an array of shape (1,): its fields are attributes."""
