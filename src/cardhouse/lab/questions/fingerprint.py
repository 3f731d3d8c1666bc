"""The files that a piece of code depends on, so that results of older versions are replaced.

It follows Cardhouse, the package of a file, and modules next to it, but not third-party libraries.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent.parent
OWN = PACKAGE.name
"""Cardhouse's own package, in the folder `PACKAGE`."""
_IMPORT = re.compile(r"^[ \t]*(?:from ([.\w]+) )?import (.+)")


def imported(file: Path) -> frozenset[Path]:
    """Return a file with everything that it imports, directly or indirectly."""
    found: set[Path] = set()
    left = [file.resolve()]
    while left:
        if (file := left.pop()) not in found:
            found.add(file)
            left += _imports(file)
    return frozenset(found)


def package_of(file: Path) -> Path:
    """Return the folder of the topmost package of a file; the file itself if it is a module of its own."""
    top = file.resolve()
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    return top


@cache
def digest_of(package: Path) -> bytes:
    """Return a digest of all code and data of a package, or of a single module and its imports."""
    if package.is_dir():
        return _digest(file for file in package.rglob("*.*") if file.suffix in (".py", ".toml"))
    return _digest(imported(package))


def _digest(files: Iterable[Path]) -> bytes:
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.digest()


@cache
def _imports(file: Path) -> tuple[Path, ...]:
    return tuple(place for name in _names(file) if (place := _place(file, name)) is not None)


def _names(file: Path) -> Iterator[str]:
    """Yield the full names of the modules that a file imports; names imported from a package may be modules too."""
    lines = iter(file.read_text("utf-8", "replace").splitlines())
    for line in lines:
        if (found := _IMPORT.match(line)) is None:
            continue
        package, names = found.groups()
        if package is None:
            yield from (module.split()[0] for module in names.partition("#")[0].split(",") if module.strip())
            continue
        while names.startswith("(") and ")" not in names:
            names += " " + next(lines, ")")
        here = _whole_name(file, package)
        yield here
        yield from (f"{here}.{name}" for name in re.findall(r"\w+", names))


def _whole_name(file: Path, name: str) -> str:
    """Return the absolute name of a module; a relative one starts from this file's package."""
    bare = name.lstrip(".")
    if bare == name:
        return name
    root = package_of(file).parent
    folder = file.parent
    for _ in range(len(name) - len(bare) - 1):
        folder = folder.parent
    return ".".join([*folder.relative_to(root).parts, *([bare] if bare else [])])


def _place(file: Path, name: str) -> Path | None:
    """Return a module's file; None if it isn't a module, or isn't followed."""
    top, *rest = name.split(".")
    own = package_of(file)
    if top == OWN:
        bare = PACKAGE.joinpath(*rest)
    elif own.is_dir() and top == own.name:
        bare = own.joinpath(*rest)
    elif not own.is_dir() and not rest:
        bare = own.parent / top
        return beside if (beside := bare.with_suffix(".py")).is_file() else None
    else:
        return None
    return next((place for place in (bare.with_suffix(".py"), bare / "__init__.py") if place.is_file()), None)
