"""The records in which kernels have their plans and their tables."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from cardhouse.lab.kernels.compiled import INTERPRETED, in_place


def _first(records: Any) -> Any:
    return records[0]


def _as_python(records: Any) -> Any:
    """As Python has it, what is written there stays there; small numbers are as large as machine code reckons them."""
    fields = {name: records[name][0] for name in records.dtype.names}
    return SimpleNamespace(
        **{
            name: field.astype(np.int64) if field.dtype.itemsize < np.int64().itemsize else field
            for name, field in fields.items()
        }
    )


first_of = _as_python if INTERPRETED else in_place(_first)
"""The only record of an array of shape (1,): its fields are the attributes."""
