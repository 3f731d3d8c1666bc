"""Indices as kernels have them: from the front of an array, never below 0.

In Python -1 is the last place of an array, so the compiler asks of every index whether it is negative, and adds the
length if it is. Kernels have no such index, and are compiled without the question. One that had one all the same would
be an index out of bounds, which `NUMBA_BOUNDSCHECK=1` has told as an IndexError.
"""

from __future__ import annotations

from typing import Any

from numba.core import errors, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NopythonRewrites


@register_pass(mutates_CFG=False, analysis_only=False)
class FromTheFront(AnalysisPass):
    """Have every whole number that is an index taken as one without a sign."""

    _name = "indices_from_the_front"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change the types for which a place of an array is read or written; raises TypingError for a place below 0."""
        calltypes = state.calltypes
        for place in [place for place, signature in calltypes.items() if signature and is_indexing(place)]:
            array, index, *value = calltypes[place].args
            if isinstance(array, types.Array):
                if is_below_0(place.index):
                    raise errors.TypingError("Kernels count the places of an array from its front: none is below 0.")
                calltypes[place] = calltypes.pop(place).replace(args=(array, without_sign(index), *value))
        return True


def is_indexing(place: Any) -> bool:
    """Whether something is read or written by index there."""
    if isinstance(place, ir.Expr):
        return place.op in ("getitem", "static_getitem")
    return isinstance(place, ir.SetItem | ir.StaticSetItem)


def is_below_0(index: Any) -> bool:
    """Whether an index, or one of several, is written as a number below 0; of one that is reckoned that isn't known."""
    return any(isinstance(one, int) and one < 0 for one in (index if isinstance(index, tuple) else (index,)))


def without_sign(index: Any) -> Any:
    """The type of an index, one number or several, as one without a sign."""
    if isinstance(index, types.UniTuple | types.Tuple):
        return types.Tuple([without_sign(one) for one in index.types])
    return types.uint64 if isinstance(index, types.Integer) else index


class Compiler(CompilerBase):
    """Numba's own, with `FromTheFront` when all types are known."""

    def define_pipelines(self) -> list[Any]:
        """Numba's pipeline, and one pass more."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(FromTheFront, NopythonRewrites)
        pipeline.finalize()
        return [pipeline]
