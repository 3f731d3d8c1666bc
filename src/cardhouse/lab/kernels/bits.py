"""Sets of cards or values as the bits of a number: what a processor has one instruction for, and Python no operator.

Only kernels call these; an empty set has no lowest member, which is told as 64, and no highest, told as -1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from cardhouse.lab.kernels.compiled import INTERPRETED

OfASet = Callable[[Any], Any]
WIDTH = 64
"""So many members a set may have."""


def _of_a_set(build: Callable[[Any, Any], Any], as_python: Callable[[int], int]) -> OfASet:
    """What is told of a set: by instructions that are built for the compiler, or by Python of its members' bits."""
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
    """That the number of no members is one, too."""
    from llvmlite import ir

    return ir.Constant(ir.IntType(1), 0)


how_many = _of_a_set(lambda builder, members: builder.ctpop(members), int.bit_count)
"""How many members a set has."""
lowest = _of_a_set(_lowest, lambda members: (members & -members).bit_length() - 1 if members else WIDTH)
"""The lowest member of a set."""
highest = _of_a_set(_highest, lambda members: members.bit_length() - 1)
"""The highest member of a set."""
