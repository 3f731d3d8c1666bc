"""How kernels become machine code, and where it is kept between runs."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar, cast

import numba
from numba.core import event

from cardhouse.lab.folders import cache_folder, let_go_of_unused, mark_used
from cardhouse.lab.sources import imported

Function = TypeVar("Function", bound=Callable[..., Any])

_parts: Counter[Path] = Counter()
"""How many functions of a file become machine code."""


class Compiling(NamedTuple):
    """So many functions of a kernel, of about so many, have become machine code; the last takes longest by far."""

    done: int
    of: int


@contextmanager
def telling(tell: Callable[[Compiling], None]) -> Iterator[None]:
    """Have `tell` hear how far it is while kernels are compiled; nothing where their machine code was kept."""
    listener = _Listener(tell)
    with event.install_listener("numba:compile", listener):
        yield


class _Listener(event.Listener):
    """Hears when the compiling of a function begins and ends; those that it calls are compiled in between."""

    def __init__(self, tell: Callable[[Compiling], None]) -> None:
        self._tell = tell
        self._under_way = 0
        self._done = 0
        self._of = 0

    def on_start(self, event: event.Event) -> None:
        if not self._under_way:
            code = event.data["dispatcher"].py_func.__code__
            self._done, self._of = 0, sum(_parts[file] for file in imported(Path(code.co_filename).resolve()))
        self._under_way += 1
        self._say()

    def on_end(self, event: event.Event) -> None:
        self._under_way -= 1
        self._done += 1
        self._say()

    def _say(self) -> None:
        # A function is compiled once for each kind of numbers that it is called with.
        self._tell(Compiling(self._done, max(self._of, self._done + self._under_way)))


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

    It makes no arrays.
    """
    return _compiled(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


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
    file = Path(inspect.getfile(function)).resolve()
    _parts[file] += 1
    folder = kept_in(file)
    if folder is not None:
        vars(numba.config)["CACHE_DIR"] = str(folder)
    made: Any = numba.njit(nogil=True, cache=folder is not None, error_model="numpy", **how)
    return cast(Function, made(function))


@cache
def kept_in(file: Path) -> Path | None:
    """The folder for the machine code of a file; None if it can't be had, so that it is made anew in each run."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(imported(file)):
        digest.update(source.read_bytes())
    folder = cache_folder() / "kernels" / f"{file.stem}-{digest.hexdigest()[:16]}"
    is_new = not folder.is_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    if is_new:
        let_go_of_unused(folder.parent)
    mark_used(folder)
    return folder if os.access(folder, os.W_OK) else None
