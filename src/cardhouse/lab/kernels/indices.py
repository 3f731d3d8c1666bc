"""Kernel indices: counted from the front of an array, never negative.

In Python, -1 is the last element, so the compiler tests every index and adds the length if it is negative. Kernels have
no such index, and are compiled without the test. A negative one would be out of bounds, which `NUMBA_BOUNDSCHECK=1`
reports as an IndexError.
"""

from __future__ import annotations

from typing import Any

from numba.core import errors, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NopythonRewrites


@register_pass(mutates_CFG=False, analysis_only=False)
class FromTheFront(AnalysisPass):
    """A compiler pass that treats every integer index as unsigned."""

    _name = "indices_from_the_front"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change the types of indexing operations; raises TypingError for a literal negative index."""
        calltypes = state.calltypes
        for place in [place for place, signature in calltypes.items() if signature and is_indexing(place)]:
            array, index, *value = calltypes[place].args
            if isinstance(array, types.Array):
                if is_below_0(place.index):
                    raise errors.TypingError("Kernels count the places of an array from its front: none is below 0.")
                calltypes[place] = calltypes.pop(place).replace(args=(array, without_sign(index), *value))
        return True


def is_indexing(place: Any) -> bool:
    """Return whether an instruction reads or writes by index."""
    if isinstance(place, ir.Expr):
        return place.op in ("getitem", "static_getitem")
    return isinstance(place, ir.SetItem | ir.StaticSetItem)


def is_below_0(index: Any) -> bool:
    """Return whether an index, or one of several, is a negative literal; computed ones aren't known."""
    return any(isinstance(one, int) and one < 0 for one in (index if isinstance(index, tuple) else (index,)))


def without_sign(index: Any) -> Any:
    """Return the unsigned type of an index, which may be a tuple."""
    if isinstance(index, types.UniTuple | types.Tuple):
        return types.Tuple([without_sign(one) for one in index.types])
    return types.uint64 if isinstance(index, types.Integer) else index


class Compiler(CompilerBase):
    """Numba's compiler with `FromTheFront` after type inference."""

    def define_pipelines(self) -> list[Any]:
        """Return Numba's pipeline with one additional pass."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(FromTheFront, NopythonRewrites)
        pipeline.finalize()
        return [pipeline]
