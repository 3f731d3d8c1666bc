"""Sets of cards or values as the bits of an integer, with operations that are single instructions.

Only kernels call these. The lowest member of an empty set is reported as 64, the highest as -1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from cardhouse.lab.kernels.compiled import INTERPRETED

OfASet = Callable[[Any], Any]
WIDTH = 64
"""The most members in a set."""


def _of_a_set(build: Callable[[Any, Any], Any], as_python: Callable[[int], int]) -> OfASet:
    """Return a function of a set: compiler instructions, or Python code on its bits."""
    if INTERPRETED:
        import numpy as np

        return lambda members: np.int64(as_python(int(members) % (1 << WIDTH)))
    from numba import types
    from numba.extending import intrinsic

    def typed(typing: Any, members: Any) -> Any:
        def written(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return build(builder, values[0])

        return types.int64(types.int64), written

    return cast(OfASet, intrinsic(typed))


def _lowest(builder: Any, members: Any) -> Any:
    return builder.cttz(members, _no())


def _highest(builder: Any, members: Any) -> Any:
    from llvmlite import ir

    return builder.sub(ir.Constant(ir.IntType(WIDTH), WIDTH - 1), builder.ctlz(members, _no()))


def _no() -> Any:
    """Return the flag that makes the count of zeros defined for an empty set."""
    from llvmlite import ir

    return ir.Constant(ir.IntType(1), 0)


how_many = _of_a_set(lambda builder, members: builder.ctpop(members), int.bit_count)
"""Returns the number of members of a set."""
lowest = _of_a_set(_lowest, lambda members: (members & -members).bit_length() - 1 if members else WIDTH)
"""Returns the lowest member of a set."""
highest = _of_a_set(_highest, lambda members: members.bit_length() - 1)
"""Returns the highest member of a set."""
