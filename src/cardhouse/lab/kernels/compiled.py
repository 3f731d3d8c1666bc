"""How kernels become machine code, and where it is kept between runs.

With Numba's own switch, `NUMBA_DISABLE_JIT=1`, they stay Python: slow, at once, and the same to the bit. Numba is then
not even loaded.
"""

from __future__ import annotations

import hashlib
import inspect
import os
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, TypeVar, cast

from filelock import FileLock

from cardhouse.lab.questions.fingerprint import imported
from cardhouse.lab.questions.paths import cache_folder, can_be_written, let_go_of_unused, mark_used

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRETED: Final = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether they stay Python in this process."""

parts: Counter[Path] = Counter()
"""How many functions of a file become machine code."""


def compiled(function: Function) -> Function:
    """This function as machine code, made when it is first called; it runs beside others on several threads.

    What is made is kept for the next run. Numba by itself would go on with it where only something has changed that is
    imported from another file: a function that is called, or a number of the rules. So the folder that it is kept in is
    named after all that its file imports of Cardhouse, and of its own package.
    """
    return _compiled(function)


def in_place(function: Function) -> Function:
    """A part of a kernel, put there in place of each call: for small functions in the innermost loops.

    It makes no arrays, so that nobody needs to count who holds those that it is given, which takes longer than many a
    rule.
    """
    return _compiled(function, forceinline=True, _nrt=False)


def part(function: Function) -> Function:
    """A part of a kernel that only others call: without what it takes to be called from Python, it is sooner made.

    It makes no arrays. Numba puts it in place, too, if it is compiled for one that is (the flag is inherited), which is
    as well: to call one that takes a whole book of rules, with all that this holds, costs more than most of them do.
    """
    return _compiled(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def apart(function: Function) -> Function:
    """A part that is called wherever it is used: where it is large and seldom needed, the kernel is sooner made."""
    return _compiled(function, forceinline=False, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def open_part(function: Function) -> Function:
    """A part of a kernel that makes no arrays, and is called from Python as well."""
    return _compiled(function, _nrt=False)


def compiled_all(*modules: ModuleType) -> dict[str, Callable[..., Any]]:
    """All functions of these modules as machine code, by name; what they call of one another is machine code, too.

    They make no arrays, lists or the like, and only kernels call them. The modules' own stay as they are: so plain
    Python, where there is no numba, and kernels decide by the same lines.
    """
    made: dict[str, Callable[..., Any]] = {}
    worlds = [dict(vars(module)) for module in modules]
    for module, world in zip(modules, worlds, strict=True):
        for name, one in vars(module).items():
            if isinstance(one, FunctionType) and one.__module__ == module.__name__:
                made[name] = part(FunctionType(one.__code__, world, name))
    for world in worlds:
        world.update(made)
    return made


def _compiled(function: Function, **how: Any) -> Function:
    if INTERPRETED:
        return function
    import numba

    from cardhouse.lab.kernels.indices import Compiler

    file = Path(inspect.getfile(function)).resolve()
    parts[file] += 1
    folder = kept_in(file)
    if folder is not None:
        vars(numba.config)["CACHE_DIR"] = str(folder)
    made: Any = numba.njit(nogil=True, cache=folder is not None, error_model="numpy", pipeline_class=Compiler, **how)(
        function
    )
    if folder is not None:
        made.compile = _by_one_process(made.compile, folder / f"{function.__qualname__}.lock")
    return cast(Function, made)


def _by_one_process(compile: Callable[[Any], Any], at_it: Path) -> Callable[[Any], Any]:
    """Compile where no other process is at the same function: else wait for that, and load what came of it.

    Functions wait for those that they call, and none calls back, so that no two processes wait for each other; nor do
    two threads, for Numba's own lock is taken first.
    """
    from numba.core.compiler_lock import global_compiler_lock

    def compile_or_load(signature: Any) -> Any:
        with global_compiler_lock, ExitStack() as alone:
            with suppress(OSError, NotImplementedError):  # a disk without locks: it is compiled by each
                alone.enter_context(FileLock(at_it))
            return compile(signature)

    return compile_or_load


@cache
def kept_in(file: Path) -> Path | None:
    """The folder for the machine code of a file; None if it can't be had, so that it is made anew in each run."""
    digest = hashlib.sha256(version("numba").encode())
    for source in sorted(imported(file)):
        digest.update(source.read_bytes())
    folder = cache_folder() / "kernels" / f"{file.stem}-{digest.hexdigest()[:16]}"
    is_new = not folder.is_dir()
    if not can_be_written(folder):
        return None
    if is_new:
        let_go_of_unused(folder.parent)
    mark_used(folder)
    return folder
