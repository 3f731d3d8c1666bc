"""Sets of cards or values as the bits of a number: what a processor has one instruction for, and Python no operator.

Only kernels can call these; an empty set has no lowest member, which is told as 64, and no highest, told as -1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

OF_A_SET = types.int64(types.int64)
NONE_IS_64 = ir.Constant(ir.IntType(1), 0)


def _how_many(typing: Any, members: Any) -> Any:
    return OF_A_SET, lambda context, builder, signature, values: builder.ctpop(values[0])


def _lowest(typing: Any, members: Any) -> Any:
    return OF_A_SET, lambda context, builder, signature, values: builder.cttz(values[0], NONE_IS_64)


def _highest(typing: Any, members: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(values[0], NONE_IS_64))

    return OF_A_SET, build


OfASet = Callable[[Any], Any]

how_many = cast(OfASet, intrinsic(_how_many))
"""How many members a set has."""
lowest = cast(OfASet, intrinsic(_lowest))
"""The lowest member of a set."""
highest = cast(OfASet, intrinsic(_highest))
"""The highest member of a set."""
