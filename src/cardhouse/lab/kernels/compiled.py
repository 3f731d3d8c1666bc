"""The compilation of kernels to machine code, which is cached between runs.

With Numba's own switch, `NUMBA_DISABLE_JIT=1`, they stay Python: slow, available at once, and bit-identical. Numba is
then not even loaded.
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
from cardhouse.lab.questions.paths import cache_folder, delete_unused, is_writable, mark_used

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRETED: Final = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether kernels stay Python in this process."""

parts: Counter[Path] = Counter()
"""The number of compiled functions in each file."""


def compiled(function: Function) -> Function:
    """Compile a function on its first call; it runs in parallel on several threads.

    The machine code is cached for later runs. Numba alone would keep using it after a change in an imported file, such
    as a called function or a rule's constant. So the cache folder is named after a digest of everything that the file
    imports from Cardhouse and its own package.
    """
    return _compiled(function)


def in_place(function: Function) -> Function:
    """Compile part of a kernel, inlined at each call: for small functions in the innermost loops.

    It allocates no arrays, so no reference counts are kept for its arguments, which would take longer than many a rule.
    """
    return _compiled(function, forceinline=True, _nrt=False)


def part(function: Function) -> Function:
    """Compile part of a kernel that only kernels call: without a wrapper for Python, it compiles faster.

    It allocates no arrays. Numba also inlines it where it is compiled for an inlined function (the flag is inherited),
    which helps: passing a whole record of rules costs more than most such functions do.
    """
    return _compiled(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def apart(function: Function) -> Function:
    """Compile part of a kernel that is never inlined: for large, rarely used functions this shortens compilation."""
    return _compiled(function, forceinline=False, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def open_part(function: Function) -> Function:
    """Compile part of a kernel that allocates no arrays, and is called from Python too."""
    return _compiled(function, _nrt=False)


def compiled_all(*modules: ModuleType) -> dict[str, Callable[..., Any]]:
    """Compile all functions of these modules, by name; calls among them are compiled too.

    They allocate no arrays, lists or the like, and only kernels call them. The modules' own functions stay as they are:
    so Python, without Numba, and kernels use the same code.
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
    """Compile only if no other process is compiling the same function; otherwise wait, and load its result.

    Functions wait for those that they call, and never the reverse, so processes can't deadlock; nor can threads,
    because Numba's own lock is taken first.
    """
    from numba.core.compiler_lock import global_compiler_lock

    def compile_or_load(signature: Any) -> Any:
        with global_compiler_lock, ExitStack() as alone:
            with suppress(OSError, NotImplementedError):  # on a disk without locks, each process compiles it
                alone.enter_context(FileLock(at_it))
            return compile(signature)

    return compile_or_load


@cache
def kept_in(file: Path) -> Path | None:
    """Return the cache folder for a file's machine code; None if it can't be written, so that each run compiles."""
    digest = hashlib.sha256(version("numba").encode())
    for source in sorted(imported(file)):
        digest.update(source.read_bytes())
    folder = cache_folder() / "kernels" / f"{file.stem}-{digest.hexdigest()[:16]}"
    is_new = not folder.is_dir()
    if not is_writable(folder):
        return None
    if is_new:
        delete_unused(folder.parent)
    mark_used(folder)
    return folder
