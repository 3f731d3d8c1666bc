"""How kernels become machine code, and where it is kept between runs."""

from __future__ import annotations

import hashlib
import inspect
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from cardhouse.lab.folders import cache_folder, let_go_of_unused, mark_used

PACKAGE = Path(__file__).resolve().parent.parent.parent
IMPORT = re.compile(
    rb"^\s*(?:from (cardhouse[\w.]*) import (?:\(([^)]*)\)|([^\n(]+))|import (cardhouse[\w.]*))", re.MULTILINE
)

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """This function as machine code, made when it is first called; it runs beside others on several threads.

    What is made is kept for the next run. Numba by itself would go on with it where only something has changed that is
    imported from another file: a function that is called, or a number of the rules. So the folder that it is kept in is
    named after all that its file imports of Cardhouse.
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


def _compiled(function: Function, **how: Any) -> Function:
    folder = kept_in(Path(inspect.getfile(function)).resolve())
    if folder is not None:
        vars(numba.config)["CACHE_DIR"] = str(folder)
    made: Any = numba.njit(nogil=True, cache=folder is not None, error_model="numpy", **how)
    return cast(Function, made(function))


@cache
def kept_in(file: Path) -> Path | None:
    """The folder for the machine code of a file; None if it can't be had, so that it is made anew in each run."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(_imported(file)):
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


def _imported(file: Path) -> set[Path]:
    """A file, and all files of Cardhouse that it imports, or that they do."""
    found: set[Path] = set()
    left = [file]
    while left:
        if (file := left.pop()) not in found:
            found.add(file)
            left += _imports(file)
    return found


@cache
def _imports(file: Path) -> tuple[Path, ...]:
    return tuple(place for name in _names(file.read_bytes()) if (place := _place(name)) is not None)


def _names(source: bytes) -> Iterator[str]:
    """The modules that a file imports; `from cardhouse.cards import Card` may mean cardhouse.cards.Card, too."""
    for package, listed, names, module in IMPORT.findall(source):
        yield (package or module).decode()
        yield from (f"{package.decode()}.{name}" for name in re.findall(r"\w+", (listed or names).decode()))


def _place(name: str) -> Path | None:
    """Where a module of Cardhouse stands; None if it is no module."""
    bare = PACKAGE.joinpath(*name.split(".")[1:])
    return next((place for place in (bare.with_suffix(".py"), bare / "__init__.py") if place.is_file()), None)
